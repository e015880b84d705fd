import { expect, test } from 'vitest'
import { FailedHosts } from './failed-hosts.ts'

test('a host that failed is refused for 30 s, and no other one is', () => {
  let now = 0
  const failed = new FailedHosts(() => now)
  failed.refuse('dead.example')
  failed.add('dead.example')
  expect(() => failed.refuse('dead.example')).toThrow('just not found')
  failed.refuse('alive.example')
  now = 29_999
  expect(() => failed.refuse('dead.example')).toThrow()
  now = 30_000
  failed.refuse('dead.example')
})
