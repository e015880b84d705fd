import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import { databaseFile } from '@specboard/storage'
import Sqlite from 'better-sqlite3'
import { openDatabase } from '../../packages/domain/src/schema/database.ts'

/**
 * A new database with all migrations applied, compressed: with it the first start is 100 ms faster. Equal sources give
 * equal bytes, so it contains no time of creation.
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
