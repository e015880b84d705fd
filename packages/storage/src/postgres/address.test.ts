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

  test('means verify-full where it takes the authorities that Node trusts, unless it says so itself', () => {
    const system = 'postgres://user@host/database?sslrootcert=system'
    expect(databaseAddress(system)).toBe(`${system}&sslmode=verify-full`)
    expect(databaseAddress(`${system}&sslmode=verify-full`)).toBe(`${system}&sslmode=verify-full`)
  })

  test('is shown without its password, wherever that stands', () => {
    expect(shownAddress('postgres://user:secret@host/database')).toBe('postgres://user:***@host/database')
    expect(shownAddress('postgres://user@host/database?password=secret')).not.toContain('secret')
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
  test.each([
    [{ version: '14.13', version_num: 140_013, encoding: 'UTF8' }, /14\.13 is too old: 15 or newer.*pg_upgrade/],
    [{ version: '15.2', version_num: 150_002, encoding: 'LATIN1' }, /encoding LATIN1.*create database/],
  ])('%j is refused with what to do', (facts, message) => {
    expect(() => refuseUnsuitable(facts)).toThrow(message)
  })

  test('the oldest one that fits is taken', () => {
    expect(() => refuseUnsuitable({ version: '15.0', version_num: 150_000, encoding: 'UTF8' })).not.toThrow()
  })

  test('a fault of another kind stays as it is', () => {
    const fault = new Error('other')
    expect(openingFault(fault, 'postgres://user:secret@host/database')).toBe(fault)
  })
})
