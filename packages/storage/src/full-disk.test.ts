import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync, unlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Database } from './database.ts'
import { inspectWithoutLock } from './inspection.ts'
import type { Migrations } from './migrate.ts'
import { idsIn, migrations, type NotesSchema, put } from './notes.testing.ts'

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

describe.skipIf(!mounted)('a full disk (needs permission to mount a small one)', () => {
  let database: Database<NotesSchema>

  beforeAll(async () => {
    database = await Database.open({ folder, migrations, cacheMb: 4 })
  })

  afterAll(async () => {
    await database.close()
    spawnSync('umount', ['-l', folder])
    rmSync(folder, { recursive: true, force: true })
  })

  const store = (id: string) => database.write(db => put(db, id, 'x'.repeat(400_000)))
  const ids = () => database.read(idsIn)

  test('rejects the whole group with STORAGE_FULL, keeps durable writes, still reads, and recovers with room', async () => {
    await store('kept')
    fill(join(folder, 'filler'))
    const outcomes = await Promise.allSettled([store('a'), store('b'), store('c'), store('d'), store('e'), store('f')])
    for (const outcome of outcomes)
      expect(outcome).toMatchObject({ status: 'rejected', reason: { code: 'STORAGE_FULL' } })
    expect(await ids()).toEqual(['kept'])
    unlinkSync(join(folder, 'filler'))
    await store('after')
    expect(await ids()).toEqual(['after', 'kept'])
    expect(await inspectWithoutLock({ folder, migrations }, ['notes'])).toMatchObject({
      integrity: 'ok',
      brokenReferences: { total: 0 },
    })
  })

  test('a database that does not fit there twice is not migrated, and no part of a copy is left', async () => {
    await database.close()
    fill(join(folder, 'filler'))
    const more: Migrations = { ...migrations, '0002_more': { up: () => Promise.reject(new Error('it came so far')) } }
    await expect(Database.open({ folder, migrations: more })).rejects.toMatchObject({ code: 'STORAGE_FULL' })
    expect(readdirSync(folder).filter(name => name.startsWith('before-'))).toEqual([])
    unlinkSync(join(folder, 'filler'))
    database = await Database.open({ folder, migrations, cacheMb: 4 })
    expect(await ids()).toEqual(['after', 'kept'])
  })
})
