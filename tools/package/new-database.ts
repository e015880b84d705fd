import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import { databaseFile } from '@specboard/storage'
import Sqlite from 'better-sqlite3'
import { openDatabase } from '../../packages/domain/src/schema/database.ts'

/**
 * A database that all migrations have made, compressed: a service that begins with it starts 100 ms sooner. Equal sources
 * give equal bytes, so it does not say when it was made.
 */
export async function newDatabase(): Promise<Buffer> {
  const folder = mkdtempSync(join(tmpdir(), 'specboard-new-'))
  try {
    await (await openDatabase({ folder })).close()
    const database = new Sqlite(databaseFile(folder))
    database.exec(`update kysely_migration set timestamp = ''; vacuum`)
    database.close()
    return brotliCompressSync(readFileSync(databaseFile(folder)))
  } finally {
    rmSync(folder, { recursive: true })
  }
}
