import {
  copyFileSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import SqliteDatabase from 'better-sqlite3'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { databaseFile, logFile } from './data-folder.ts'
import { Database, type DatabaseOptions } from './database.ts'
import type { StorageLoss } from './file-guard.ts'
import { idsIn, migrations, type NotesSchema, put } from './notes.testing.ts'

let folder: string
let database: Database<NotesSchema>
let problems: string[]

const open = (options: Partial<DatabaseOptions> = {}) =>
  Database.open<NotesSchema>({ folder, migrations, onProblem: problem => problems.push(problem), ...options })

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'specboard-guard-'))
  problems = []
  database = await open()
})

afterEach(async () => {
  await database.close()
  rmSync(folder, { recursive: true, force: true })
})

const write = (id: string, title = '') => database.write(db => put(db, id, title))

/** Reopens the database, with no time for last answers; `loss` returns the reported loss. */
async function watched(): Promise<{ loss: Promise<StorageLoss> }> {
  await database.close()
  const lost = Promise.withResolvers<StorageLoss>()
  database = await open({ onLoss: lost.resolve, lastAnswersMs: 0 })
  return { loss: lost.promise }
}

/** Writes twice, the second time as if nobody had looked at the files since the first. */
async function looked(): Promise<void> {
  await write('first')
  const clock = vi.spyOn(performance, 'now').mockReturnValue(performance.now() + 10_000)
  await write('second')
  clock.mockRestore()
}

function notesOf(file: string): string[] {
  const copy = new SqliteDatabase(file, { readonly: true })
  const notes = copy.prepare('select id from notes order by id').pluck().all() as string[]
  copy.close()
  return notes
}

/** Writes until a write is refused; returns the refusal. */
async function refusal(): Promise<unknown> {
  for (let later = 0; ; later++) {
    try {
      await write(`later ${String(later).padStart(9, '0')}`)
    } catch (error) {
      return error
    }
  }
}

describe('files that are lost', () => {
  test('a removed database: writes are refused, reads go on, everything is saved', async () => {
    const lost = Promise.withResolvers<StorageLoss>()
    const ended = Promise.withResolvers<void>()
    await database.close()
    database = await open({ onLoss: lost.resolve, lastAnswersMs: 2 ** 31 - 1 })
    await write('kept')
    rmSync(databaseFile(folder))
    expect(await refusal()).toMatchObject({
      code: 'STORAGE_LOST',
      message: expect.stringContaining('specboard.db was removed while the service was running'),
    })
    expect(database.condition.isLost).toBe(true)
    expect(problems).toEqual(['the storage was lost: specboard.db was removed while the service was running'])
    const read = await database.read(idsIn)
    expect(read[0]).toBe('kept')
    // Closing cuts the time for last answers short.
    void database.close().then(ended.resolve)
    const copy = join(folder, 'specboard.db.rescued')
    expect(await lost.promise).toEqual({ cause: 'specboard.db was removed', copy })
    await ended.promise
    expect(notesOf(copy)).toEqual(read)
    await expect(open()).rejects.toMatchObject({
      code: 'DATABASE_MISSING',
      message: expect.stringContaining('specboard.db.rescued'),
    })
    renameSync(copy, databaseFile(folder))
    database = await open()
    expect(database.condition.problems).toEqual([])
  })

  test('a replaced database is left as it is, and the log of the other is put aside', async () => {
    await write('other')
    await database.close()
    const other = readFileSync(databaseFile(folder))
    rmSync(databaseFile(folder))
    database = await open()
    const { loss } = await watched()
    await write('ours')
    writeFileSync(join(folder, 'other'), other)
    renameSync(join(folder, 'other'), databaseFile(folder))
    const { copy } = await loss
    expect(notesOf(copy!)).toEqual(['ours'])
    expect(readFileSync(databaseFile(folder)).equals(other)).toBe(true)
    expect(readdirSync(folder)).toEqual(expect.arrayContaining(['specboard.db-wal.rescued']))
    expect(existsSync(logFile(databaseFile(folder)))).toBe(false)
    database = await open()
    expect(await database.read(idsIn)).toEqual(['other'])
    expect(database.condition.problems).toEqual([])
  })

  test('a database that is overwritten in place is not written to any more', async () => {
    await write('large', 'x'.repeat(100_000))
    await database.close()
    copyFileSync(databaseFile(folder), join(folder, 'backup'))
    database = await open()
    const { loss } = await watched()
    await looked()
    const backup = readFileSync(join(folder, 'backup'))
    backup.writeUInt32BE(7, 60)
    writeFileSync(databaseFile(folder), backup)
    expect((await loss).cause).toBe('specboard.db was overwritten')
    expect(readFileSync(databaseFile(folder)).equals(backup)).toBe(true)
  })

  test('of a shortened database the copy has what the connection still knows', async () => {
    const { loss } = await watched()
    await write('kept')
    truncateSync(databaseFile(folder), 0)
    const { cause, copy } = await loss
    expect(cause).toBe('specboard.db was shortened')
    expect(notesOf(copy!)).toEqual(['kept'])
  })

  test('where the folder is gone the copy lies in the folder for temporary files, under a new name', async () => {
    const { loss } = await watched()
    await write('kept')
    rmSync(folder, { recursive: true })
    const { copy } = await loss
    expect(copy).toMatch(/^(.*)\/specboard\.db\.rescued(-\d+)?$/)
    expect(copy!.startsWith(tmpdir())).toBe(true)
    expect(notesOf(copy!)).toEqual(['kept'])
    rmSync(copy!)
  })

  test('are noticed before a commit when nobody looked for long, as on a busy event loop', async () => {
    const { loss } = await watched()
    const clock = vi.spyOn(performance, 'now').mockReturnValue(performance.now() + 10_000)
    const acknowledged = write('first')
    rmSync(databaseFile(folder))
    await expect(acknowledged).rejects.toMatchObject({ code: 'STORAGE_LOST' })
    clock.mockRestore()
    await loss
  })
})

describe('damage', () => {
  /** Overwrites the pages after the first two with nonsense. */
  const damage = (file: string) => {
    const bytes = readFileSync(file)
    writeFileSync(file, bytes.fill(0xa5, 2 * 4_096))
  }

  test('that a start finds is refused, with the newest backup', async () => {
    await write('large', 'x'.repeat(20_000))
    await write('y')
    await database.close()
    copyFileSync(databaseFile(folder), join(folder, 'before-0001.db'))
    damage(databaseFile(folder))
    await expect(open()).rejects.toMatchObject({
      code: 'DATABASE_DAMAGED',
      message: expect.stringMatching(/ is damaged: .*\(newest: before-0001\.db of /),
    })
    copyFileSync(join(folder, 'before-0001.db'), databaseFile(folder))
    database = await open()
  })

  test('of a large database is found in a thread', async () => {
    for (let round = 0; round < 10; round++) await write(`large ${round}`, 'x'.repeat(1_000_000))
    await write('y')
    await database.close()
    damage(databaseFile(folder))
    const problem = Promise.withResolvers<string>()
    const outcome = await open({ onProblem: problem.resolve }).catch(error => error)
    const found = outcome instanceof Database ? await problem.promise : outcome.message
    expect(found).toMatch(/is damaged: /)
    if (outcome instanceof Database) await outcome.close()
    rmSync(folder, { recursive: true })
    database = await open()
  })

  test('of the log is told, and the log kept', async () => {
    for (let note = 0; note < 30; note++) await write(`note ${note}`)
    const crashed = mkdtempSync(join(tmpdir(), 'specboard-crashed-'))
    copyFileSync(databaseFile(folder), databaseFile(crashed))
    const log = readFileSync(logFile(databaseFile(folder)))
    log[log.length >> 1]! ^= 1
    writeFileSync(logFile(databaseFile(crashed)), log)
    const problems: string[] = []
    const lastWrite = "select '2030-01-01T00:00:00.000Z' as at from notes limit 1"
    const opening = { folder: crashed, lastWrite, onProblem: (problem: string) => void problems.push(problem) }
    for (let start = 0; start < 2; start++) {
      const damaged = await open(opening)
      expect(damaged.condition).toMatchObject({
        isLost: false,
        problems: ['the log ended early: writes since 2030-01-01T00:00:00.000Z may be missing; newest backup: none'],
      })
      await damaged.close()
    }
    expect(problems).toHaveLength(2)
    rmSync(join(crashed, 'specboard.db-wal.damaged-2030-01-01T00.00.00.000Z'))
    const settled = await open(opening)
    expect(settled.condition.problems).toEqual([])
    await settled.close()
    rmSync(crashed, { recursive: true })
  })
})
