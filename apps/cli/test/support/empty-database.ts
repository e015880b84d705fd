import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openDatabase } from '@specboard/domain/testing'
import { databaseFile } from '@specboard/storage'

let migrated: Promise<Uint8Array> | undefined

/** Puts an empty SQLite database of all migrations into a new folder: a copy is there in a tenth of the time. */
export async function putEmptyDatabase(folder: string): Promise<void> {
  migrated ??= emptyDatabase()
  await writeFile(databaseFile(folder), await migrated, { mode: 0o600 })
}

async function emptyDatabase(): Promise<Uint8Array> {
  const folder = await mkdtemp(join(tmpdir(), 'specboard-empty-'))
  try {
    await (await openDatabase({ folder })).close()
    return await readFile(databaseFile(folder))
  } finally {
    await rm(folder, { recursive: true })
  }
}
