import { describe, expect, test } from 'vitest'
import { addressesOf, databaseAddress, shownAddress } from './address.ts'
import { openingFault, refuseUnsuitable } from './suitability.ts'

describe('the address of a database', () => {
  test.each([
    ['secret words', /is not an address/],
    ['mysql://user:secret@host/database', /is not an address/],
    ['postgres://user:secret@host', /names no database/],
    ['postgres://user:secret@host/', /names no database/],
    ['postgres://user:secret@host/database?sslmode=on', /unknown sslmode.*verify-full/],
    ['postgres://user:secret@host/database?sslcrl=file', /has sslcrl, which is not supported/],
    ['postgres://user:secret@one,two/database', /several hosts, which are not supported/],
    ['postgres://user:secret@one:5432,two:5433/database', /several hosts/],
    ['postgres://user:secret@/database?host=one,two', /several hosts/],
    ['postgres:///database?host=one,two&port=1,2', /several hosts/],
    ['postgres://user:secret@host/database?channel_binding=require', /channel_binding=require.*verify-full/],
    ['postgres://user:secret@host/database?target_session_attrs=standby', /target_session_attrs=standby, which is not/],
    ['postgres://user:secret@/', /names no database/],
    ['postgres://user:secret@host/database?sslmode=verify-ca', /without sslrootcert/],
    [
      'postgres://user:secret@host/database?sslmode=require&sslrootcert=system',
      /weaker sslmode=require: use verify-full/,
    ],
    ['postgres://user:secret@host/database?sslmode=verify-ca&sslrootcert=system', /weaker sslmode=verify-ca/],
    ['postgres://user:secret@host/database?sslcert=file', /both sslcert and sslkey/],
  ])('%s is refused without telling what it holds', (address, message) => {
    expect(() => databaseAddress(address)).toThrow(message)
    expect(() => databaseAddress(address)).not.toThrow(/secret/)
  })

  test.each([
    'postgres://user:secret@host:5433/database?sslmode=verify-full&sslrootcert=ca.pem&sslcert=c&sslkey=k',
    'postgresql://user@[::1]/database',
    'postgres:///database?host=/var/run/postgresql',
  ])('%s is taken as it is', address => {
    expect(databaseAddress(address)).toBe(address)
  })

  test('may name a user and a socket', () => {
    expect(databaseAddress('postgres://user:pass%2Fword@/database?host=/socket&port=5501')).toBe(
      'postgres:///database?host=%2Fsocket&port=5501&user=user&password=pass%2Fword',
    )
    expect(databaseAddress('postgres://user@:5501/database?host=/socket')).toBe(
      'postgres:///database?host=%2Fsocket&user=user&port=5501',
    )
  })

  test('may have what changes nothing', () => {
    const further = 'application_name=app&connect_timeout=10&target_session_attrs=read-write&channel_binding=prefer'
    expect(databaseAddress(`postgres://user@host/database?sslmode=require&${further}`)).toBe(
      'postgres://user@host/database?sslmode=require',
    )
  })

  test('means verify-full where it takes the authorities that Node trusts, unless it says so itself', () => {
    const system = 'postgres://user@host/database?sslrootcert=system'
    expect(databaseAddress(system)).toBe(`${system}&sslmode=verify-full`)
    expect(databaseAddress(`${system}&sslmode=verify-full`)).toBe(`${system}&sslmode=verify-full`)
  })

  test('is shown without its password, wherever that stands', () => {
    expect(shownAddress('postgres://user:secret@host/database')).toBe('postgres://user:***@host/database')
    expect(shownAddress('postgres://user@host/database?password=secret')).not.toContain('secret')
    expect(shownAddress('postgres://user:secret@/database?host=/run')).toBe(
      'postgres:///database?host=%2Frun&user=user&password=***',
    )
    expect(shownAddress('no address, secret')).not.toContain('secret')
  })
})

describe('the modes of TLS, as libpq has them', () => {
  const base = 'postgres://user@host/database'
  const plain = `${base}?sslmode=disable`
  const encrypted = `${base}?sslmode=require`

  test.each([
    [base, [encrypted, plain]],
    [`${base}?sslmode=prefer`, [encrypted, plain]],
    [`${base}?sslmode=allow`, [plain, encrypted]],
    [encrypted, [encrypted]],
    [plain, [plain]],
    ['postgres:///database?host=/run', ['postgres:///database?host=%2Frun&sslmode=disable']],
  ])('%s tries %j', (address, tried) => {
    expect(addressesOf(address)).toEqual(tried)
  })
})

describe('a server that is not fit', () => {
  const fit = { version: '15.0', version_num: 150_000, encoding: 'UTF8', is_standby: false }

  test.each([
    [{ ...fit, version: '14.13', version_num: 140_013 }, /14\.13 is too old: 15 or newer.*pg_upgrade/],
    [{ ...fit, encoding: 'LATIN1' }, /encoding LATIN1.*create database/],
    [{ ...fit, is_standby: true }, /is a standby.*Name the server that it follows/],
  ])('%j is refused with what to do', (facts, message) => {
    expect(() => refuseUnsuitable(facts)).toThrow(message)
  })

  test('the oldest one that fits is taken', () => {
    expect(() => refuseUnsuitable(fit)).not.toThrow()
  })

  test('a server without a free connection is told with what a node needs', () => {
    const fault = Object.assign(new Error('sorry, too many clients already'), { code: '53300' })
    expect(openingFault(fault, 'postgres://user:secret@host/database')).toMatchObject({
      message: expect.stringMatching(/too many clients already; allow more of them.*smaller SPECBOARD_DATABASE_POOL/),
    })
  })

  test('a fault of another kind stays as it is', () => {
    const fault = new Error('other')
    expect(openingFault(fault, 'postgres://user:secret@host/database')).toBe(fault)
  })
})
