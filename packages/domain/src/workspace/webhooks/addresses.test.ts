import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { AllowedHosts, faultOfAddresses, faultOfUrl, isInside } from './addresses.ts'

const nobody = new AllowedHosts([])

describe('addresses', () => {
  test.each([
    '0.0.0.0',
    '0.255.1.2',
    '10.0.0.1',
    '10.255.255.255',
    '100.64.0.1',
    '100.100.100.200',
    '100.127.255.255',
    '127.0.0.1',
    '127.255.255.254',
    '168.63.129.16',
    '169.254.169.254',
    '172.16.0.1',
    '172.31.255.255',
    '192.0.0.192',
    '192.88.99.1',
    '192.168.0.1',
    '198.18.0.1',
    '224.0.0.1',
    '239.255.255.250',
    '240.0.0.1',
    '255.255.255.255',
    '::',
    '::1',
    '::127.0.0.1',
    '::ffff:127.0.0.1',
    '::ffff:7f00:1',
    '0:0:0:0:0:ffff:0a00:0001',
    '::ffff:0:169.254.169.254',
    '64:ff9b::10.0.0.1',
    '64:ff9b:1::1',
    '100::1',
    '2001::1',
    '2001:0:4136:e378::1',
    '2002:7f00:1::',
    'fc00::1',
    'fd00:ec2::254',
    'fe80::1',
    'fe80::1%eth0',
    'fec0::1',
    'ff02::1',
    'not an address',
  ])('%s lies inside', address => {
    expect(isInside(address)).toBe(true)
  })

  test.each([
    '1.1.1.1',
    '9.255.255.255',
    '11.0.0.0',
    '100.63.255.255',
    '100.128.0.0',
    '126.255.255.255',
    '128.0.0.1',
    '169.253.255.255',
    '172.15.255.255',
    '172.32.0.0',
    '192.167.255.255',
    '223.255.255.255',
    '2606:4700:4700::1111',
    '2a00:1450:4001:80e::200e',
    '::ffff:1.1.1.1',
    '64:ff9b::1.1.1.1',
  ])('%s does not', address => {
    expect(isInside(address)).toBe(false)
  })

  test('one of IPv4 is judged the same when it is mapped into IPv6', () => {
    fc.assert(
      fc.property(fc.ipV4(), address => {
        expect(isInside(`::ffff:${address}`)).toBe(isInside(address))
      }),
    )
  })

  test('one that is inside among those of a name refuses it', () => {
    expect(faultOfAddresses([{ address: '1.1.1.1', family: 4 }])).toBeUndefined()
    expect(
      faultOfAddresses([
        { address: '1.1.1.1', family: 4 },
        { address: '::1', family: 6 },
      ]),
    ).toMatch('::1')
  })
})

describe('urls', () => {
  test.each([
    'https://example.com/hook?key=1',
    'https://example.com:8443/',
    'https://1.1.1.1/',
    'https://[2606:4700:4700::1111]/',
  ])('%s may be one', url => {
    expect(faultOfUrl(url, nobody)).toBeUndefined()
  })

  test.each([
    ['http://example.com/', /https/],
    ['https://user:pass@example.com/', /password/],
    ['https://user@example.com/', /user/],
    ['https://localhost/', /internal/],
    ['https://LOCALHOST./', /internal/],
    ['https://api.localhost/', /internal/],
    ['https://metadata.google.internal/', /internal/],
    ['https://127.0.0.1/', /internal/],
    ['https://127.1/', /internal/],
    ['https://2130706433/', /internal/],
    ['https://0x7f.0.0.1/', /internal/],
    ['https://0177.0.0.1/', /internal/],
    ['https://169.254.169.254/latest/meta-data', /internal/],
    ['https://[::1]/', /internal/],
    ['https://[::ffff:10.0.0.1]/', /internal/],
    ['https://[fd00::1]/', /internal/],
  ])('%s may not', (url, fault) => {
    expect(faultOfUrl(url, nobody)).toMatch(fault)
  })

  test.each([
    [['127.0.0.1'], 'http://127.0.0.1:9000/hook'],
    [['127.0.0.1:9000'], 'http://127.0.0.1:9000/hook'],
    [['Build.Internal'], 'http://build.internal/hook'],
    [['localhost'], 'https://localhost./'],
    [['::1'], 'http://[::1]:9000/'],
    [['[::1]'], 'http://[::1]:9000/'],
  ])('%j allows %s', (names, url) => {
    expect(faultOfUrl(url, new AllowedHosts(names))).toBeUndefined()
  })

  test.each([
    [['127.0.0.1:9000'], 'http://127.0.0.1:9001/'],
    [['example.com'], 'http://evil.example.com/'],
    [['example.com'], 'http://user@example.com/'],
  ])('%j does not allow %s', (names, url) => {
    expect(faultOfUrl(url, new AllowedHosts(names))).toBeDefined()
  })
})
