import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { openService } from '../open.ts'
import { openDatabase } from '../schema/database.ts'
import { SecretKey, secretKeyName } from './secret-key.ts'

let folder: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'specboard-secret-'))
})

afterEach(() => rmSync(folder, { recursive: true, force: true }))

const file = () => join(folder, secretKeyName)
const secret = Buffer.from('0123456789abcdef0123456789abcdef')

describe('a secret', () => {
  test('is opened by the key of its folder, under its name alone', () => {
    const stored = SecretKey.of(folder).wrap('sessions', secret)
    expect(Buffer.from(stored.slice(3), 'base64url').includes(secret)).toBe(false)
    expect(SecretKey.of(folder).unwrap('sessions', stored)).toEqual(secret)
    expect(SecretKey.of(folder).unwrap('tickets', stored)).toBeUndefined()
  })

  test('wrapped twice is two texts', () => {
    const key = SecretKey.of(folder)
    expect(key.wrap('sessions', secret)).not.toBe(key.wrap('sessions', secret))
  })

  test.each([
    ['not wrapped', () => secret.toString('base64url')],
    ['too short', () => 'v1.AAAA'],
    ['cut', () => SecretKey.of(folder).wrap('sessions', secret).slice(0, -4)],
    ['empty', () => ''],
  ])('that is %s does not open', (_, stored) => {
    expect(SecretKey.of(folder).unwrap('sessions', stored())).toBeUndefined()
  })

  test('changed anywhere does not open', () => {
    const key = SecretKey.of(folder)
    const sealed = Buffer.from(key.wrap('sessions', secret).slice(3), 'base64url')
    for (let at = 0; at < sealed.length; at++) {
      const changed = Buffer.from(sealed)
      changed[at]! ^= 1
      expect(key.unwrap('sessions', `v1.${changed.toString('base64url')}`)).toBeUndefined()
    }
  })
})

describe('the key', () => {
  test('is 32 bytes in a file of its own, which the user alone may read', () => {
    SecretKey.of(folder)
    expect(readFileSync(file())).toHaveLength(32)
    expect(statSync(file()).mode & 0o777).toBe(0o600)
    const before = readFileSync(file())
    SecretKey.of(folder)
    expect(readFileSync(file())).toEqual(before)
  })

  test.each([
    ['lost', () => rmSync(file())],
    [
      'damaged',
      () => {
        chmodSync(file(), 0o600)
        writeFileSync(file(), 'short')
      },
    ],
  ])('is made anew when it is %s, and opens none of the old secrets', (_, lose) => {
    const stored = SecretKey.of(folder).wrap('sessions', secret)
    lose()
    expect(SecretKey.of(folder).unwrap('sessions', stored)).toBeUndefined()
    expect(readFileSync(file())).toHaveLength(32)
  })
})

test('a file that cannot be read is named with its setting', () => {
  for (const [given, code] of [
    [join(folder, 'none'), 'ENOENT'],
    [folder, 'EISDIR'],
  ] as const)
    expect(() => SecretKey.of(folder, given)).toThrow(
      expect.objectContaining({
        code: 'FOREIGN_KEY',
        message: expect.stringMatching(new RegExp(`^${given}, .* \\(${code}\\): check SPECBOARD_SECRET_KEY_FILE\\.$`)),
      }),
    )
})

test('a start removes the secrets that the key does not open, and says so', async () => {
  const problems: string[] = []
  const start = async () => {
    const opened = await openService({ folder, version: '0', onProblem: problem => problems.push(problem) })
    const rows = await opened.service.database.read(db => db.selectFrom('secrets').selectAll().execute())
    await opened.close()
    return rows
  }
  expect(await start()).toEqual([])
  const row = { name: 'kept', value: SecretKey.of(folder).wrap('kept', secret) }
  const database = await openDatabase({ folder })
  await database.write(db =>
    db
      .insertInto('secrets')
      .values([row, { name: 'of_an_older_version', value: secret.toString('base64url') }])
      .execute(),
  )
  await database.close()
  expect([await start(), problems.length]).toEqual([[row], 1])
  expect([await start(), problems.length]).toEqual([[row], 1])
  rmSync(file())
  expect([await start(), problems]).toEqual([
    [],
    Array(2).fill('secret.key did not open the stored secrets: MCP sessions and upload tickets have ended'),
  ])
})
