import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { databaseFile } from '@specboard/storage'
import { openDatabase } from './database.ts'

let migrated: Promise<Uint8Array> | undefined

/** Puts an empty SQLite database with all migrations into a new folder: a copy takes a tenth of the time. */
export async function putEmptyDatabase(folder: string): Promise<void> {
  migrated ??= emptyDatabase()
  await writeFile(databaseFile(folder), await migrated, { mode: 0o600 })
}

/** A new folder for a service, with such a database in it. */
export async function migratedFolder(prefix: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), prefix))
  await putEmptyDatabase(folder)
  return folder
}

/** The database that another process of this test run has migrated, or else one migrated here for all of them. */
async function emptyDatabase(): Promise<Uint8Array> {
  const run = process.env.SPECBOARD_TEST_RUN
  if (run === undefined) return migrate()
  const shared = join(run, 'empty.db')
  if (!existsSync(shared)) {
    const own = join(run, `empty-${randomUUID()}.db`)
    await writeFile(own, await migrate())
    await rename(own, shared)
  }
  return readFile(shared)
}

async function migrate(): Promise<Uint8Array> {
  const folder = await mkdtemp(join(tmpdir(), 'specboard-empty-'))
  try {
    await (await openDatabase({ folder })).close()
    return await readFile(databaseFile(folder))
  } finally {
    await rm(folder, { recursive: true })
  }
}
