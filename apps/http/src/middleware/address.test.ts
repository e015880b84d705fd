import { expect, test } from 'vitest'
import { TrustedProxies } from './address.ts'

const proxies = new TrustedProxies(['10.0.0.0/8', '192.0.2.7', '2001:db8::/32'])

test.each([
  ['203.0.113.9', '198.51.100.1', '203.0.113.9'],
  ['10.1.2.3', '198.51.100.1', '198.51.100.1'],
  ['::ffff:10.1.2.3', '198.51.100.1', '198.51.100.1'],
  ['10.1.2.3', '1.1.1.1, 198.51.100.1, 192.0.2.7', '198.51.100.1'],
  ['2001:db8::1', '198.51.100.1', '198.51.100.1'],
  ['10.1.2.3', '', '10.1.2.3'],
  ['10.1.2.3', 'somebody', '10.1.2.3'],
  ['10.1.2.3', '10.9.9.9', '10.1.2.3'],
])('a request of %s forwarded for %j came from %s', (socket, forwarded, address) => {
  expect(proxies.callerOf(socket, forwarded)).toBe(address)
})
