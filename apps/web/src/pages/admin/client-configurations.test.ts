import { expect, test } from 'vitest'
import { clientConfigurations } from './client-configurations.ts'

const configurations = clientConfigurations('https://board.example', 'dash_1')

test('every client is led to the service', () => {
  for (const { text } of configurations) expect(text).toContain('https://board.example/mcp')
})

test('only a client that reads no environment gets the key itself', () => {
  expect(configurations.filter(({ text }) => text.includes('dash_1')).map(({ client }) => client)).toEqual(['JSON'])
})
