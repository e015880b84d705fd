import { expect, test } from 'vitest'
import { publicOrigin } from './public-origin.ts'

test.each([
  [undefined, 'http://board.example.com:8443'],
  ['http', 'http://board.example.com:8443'],
  ['https', 'https://board.example.com:8443'],
  ['HTTPS', 'https://board.example.com:8443'],
  ['javascript', 'http://board.example.com:8443'],
])('X-Forwarded-Proto %s gives %s', (proto, origin) => {
  const headers = new Headers(proto === undefined ? {} : { 'x-forwarded-proto': proto })
  expect(publicOrigin(new Request('http://board.example.com:8443/mcp', { headers }))).toBe(origin)
})
