/**
 * Makes the fixture of this version for the test of upgrades: the database of a service on which every operation that
 * writes was called, with rows in every table. It is named after the newest migration. Fixtures of earlier versions are
 * not changed.
 *
 * Usage: pnpm run fixture
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync } from 'node:zlib'
import { databaseFile } from '@specboard/storage'
import SqliteDatabase from 'better-sqlite3'
import { migrations } from '../packages/domain/src/schema/migrations/all.ts'
import { callEveryWrite } from './fixture/every-write.ts'
import { fillRest } from './fixture/fill-rest.ts'

/** Maximum size of a fixture, bytes, so that the repository stays small. */
const maxBytes = 200 << 10

const name = Object.keys(migrations).toSorted().at(-1)!
const target = fileURLToPath(new URL(`../apps/cli/test/upgrades/${name}.db.br`, import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'specboard-fixture-'))
try {
  await callEveryWrite(folder)
  const database = new SqliteDatabase(databaseFile(folder))
  // They are only needed for undo and open streams, and would take up most of the file.
  for (const table of ['kg_session_changes', 'kg_stream_events'])
    database.exec(`delete from ${table} where rowid > (select min(rowid) + 20 from ${table})`)
  fillRest(database)
  // The log has no gaps.
  database.exec('update event_archives set entries = 0')
  const copy = join(folder, 'copy.db')
  database.prepare('vacuum into ?').run(copy)
  database.close()
  const bytes = brotliCompressSync(readFileSync(copy))
  if (bytes.length > maxBytes) throw new Error(`The fixture takes ${bytes.length} bytes, more than ${maxBytes}.`)
  writeFileSync(target, bytes)
  console.log(`${target}: ${bytes.length} bytes`)
} finally {
  rmSync(folder, { recursive: true, force: true })
}
