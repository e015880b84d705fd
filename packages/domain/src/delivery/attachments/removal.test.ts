import { randomUUID } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openService } from '../../open.ts'
import { type Database, openDatabase } from '../../schema/database.ts'
import { FolderFiles } from './files/folder-files.ts'
import { compareFiles } from './removal.ts'

/** The board whose files are looked at. */
const board = randomUUID()

let folder: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'specboard-files-'))
})

afterEach(() => rmSync(folder, { recursive: true, force: true }))

const write = (path: string) => {
  mkdirSync(dirname(join(folder, path)), { recursive: true })
  writeFileSync(join(folder, path), 'bytes')
}
const start = async () => (await openService({ folder, version: '0' })).close()

async function onDatabase<Value>(run: (database: Database) => Promise<Value>): Promise<Value> {
  const database = await openDatabase({ folder })
  try {
    return await run(database)
  } finally {
    await database.close()
  }
}

const queued = () =>
  onDatabase(database => database.read(db => db.selectFrom('file_removals').select('path').execute()))

const queue = (...paths: string[]) =>
  onDatabase(database =>
    database.write(db =>
      db
        .insertInto('file_removals')
        .values(paths.map(path => ({ path })))
        .execute(),
    ),
  )

test('a start removes queued files and unfinished uploads of an earlier process', async () => {
  write(`attachments/${board}/left`)
  write('attachments/incoming/x.part')
  await queue(`attachments/${board}/left`, `attachments/${board}/gone`)
  await start()
  expect(await queued()).toEqual([])
  expect(existsSync(join(folder, `attachments/${board}/left`))).toBe(false)
  expect(existsSync(join(folder, 'attachments/incoming'))).toBe(false)
})

test('a file that cannot be removed stays queued and does not prevent a start', async () => {
  write(`attachments/${board}/folder/file`)
  write(`attachments/${board}/left`)
  await queue(`attachments/${board}/folder`, `attachments/${board}/left`)
  await start()
  expect(await queued()).toEqual([{ path: `attachments/${board}/folder` }])
  expect(existsSync(join(folder, `attachments/${board}/left`))).toBe(false)
})

test('files without a row are found; unfinished uploads do not count', async () => {
  const found = async () =>
    (await onDatabase(database => compareFiles(run => database.read(run), new FolderFiles(folder)))).surplus
  expect(await found()).toEqual([])
  write(`attachments/${board}/lost`)
  write('attachments/incoming/x.part')
  expect(await found()).toEqual([`attachments/${board}/lost`])
})
