/** Before all tests, where they run on PostgreSQL: one server for all, unless the environment names one. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openDatabase } from '@specboard/domain/testing'
import { privateServer, testServer, volatileOptions, whyNoServer } from '@specboard/storage/testing'

export default async function setup(): Promise<(() => Promise<void>) | undefined> {
  if (process.env.SPECBOARD_TEST_ENGINE !== 'postgres') return undefined
  const missing = whyNoServer()
  if (missing !== undefined) throw new Error(missing)
  const isGiven = process.env.SPECBOARD_TEST_DATABASE_URL !== undefined
  const server = isGiven ? await testServer() : await privateServer({ options: volatileOptions })
  // Copying a migrated database takes a quarter of the time that the migrations take.
  const template = await server.database()
  const folder = mkdtempSync(join(tmpdir(), 'specboard-template-'))
  await (await openDatabase({ folder, url: template })).close()
  rmSync(folder, { recursive: true })
  // The workers, which start after this, take them from their environment.
  process.env.SPECBOARD_TEST_DATABASE_URL = server.url
  process.env.SPECBOARD_TEST_TEMPLATE = template
  process.stdout.write('Tests run on PostgreSQL; those of describeOnSqlite and testOnSqlite are skipped.\n')
  return server.stop
}
