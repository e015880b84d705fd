import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, unlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Database, inspectDatabase, openDatabase } from './database.ts'
import { insertRow } from './rows.ts'

const megabytes = 6
const folder = mkdtempSync(join(tmpdir(), 'specboard-full-'))
const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', folder]).status === 0

/** Fills the disk to its last byte. */
function fill(file: string): void {
  try {
    writeFileSync(file, Buffer.alloc(megabytes << 20))
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOSPC')) throw error
  }
}

describe.skipIf(!mounted)('a full disk (needs the right to mount a small one)', () => {
  let database: Database

  beforeAll(async () => {
    database = await openDatabase({ folder, cacheMb: 4 })
  })

  afterAll(async () => {
    await database.close()
    spawnSync('umount', ['-l', folder])
    rmSync(folder, { recursive: true, force: true })
  })

  const put = (name: string) => database.write(db => insertRow(db, 'secrets', { name, value: 'x'.repeat(400_000) }))
  const names = async () =>
    (await database.read(db => db.selectFrom('secrets').select('name').orderBy('name').execute())).map(row => row.name)

  test('answers the whole group STORAGE_FULL, keeps what was acknowledged, reads on, and resumes with room', async () => {
    await put('kept')
    fill(join(folder, 'filler'))
    const outcomes = await Promise.allSettled([put('a'), put('b'), put('c'), put('d'), put('e'), put('f')])
    for (const outcome of outcomes)
      expect(outcome).toMatchObject({ status: 'rejected', reason: { code: 'STORAGE_FULL' } })
    expect(await names()).toEqual(['kept'])
    unlinkSync(join(folder, 'filler'))
    await put('after')
    expect(await names()).toEqual(['after', 'kept'])
    expect(await inspectDatabase(folder)).toMatchObject({ integrity: 'ok', brokenReferences: 0 })
  })
})
