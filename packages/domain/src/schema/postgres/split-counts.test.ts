/**
 * Whether the counts of lists stay correct when a statement writes many rows: its triggers run once all rows are
 * stored.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestServer, testServer, whyNoServer } from '@specboard/storage/testing'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { toJson } from '../../lib/json.ts'
import { countFalse } from '../check-counts.ts'
import { type Database, openDatabase } from '../database.ts'
import { countingTriggers, dividedTables } from '../list-counts.ts'
import { insertRow } from '../rows.ts'
import { postgresFunction } from '../triggers.ts'
import { splittingFunction } from './0131_baseline.ts'

const missing = whyNoServer()
const ideations = dividedTables[0]!

/** So short that a few records span several segments. */
const length = 3
const records = 40

describe.skipIf(missing !== undefined)(`counts of lists${missing === undefined ? '' : `: ${missing}`}`, () => {
  let server: TestServer
  let folder: string
  let database: Database

  beforeAll(async () => {
    server = await testServer()
    folder = mkdtempSync(join(tmpdir(), 'specboard-counts-'))
    database = await openDatabase({ folder, url: await server.database() })
    await database.write(async db => {
      const counting = countingTriggers(ideations, length).map(postgresFunction)
      for (const text of [...counting, splittingFunction(ideations, length)]) await sql.raw(text).execute(db)
      const columns = { description: '', owner_id: '', seq: 0, last_number: 0, created_at: '', updated_at: '' }
      await insertRow(db, 'boards', { id: 'b', key: 'B', name: '', settings: toJson({}), ...columns })
    })
  })

  afterAll(async () => {
    await database?.close()
    await server?.stop()
    rmSync(folder, { recursive: true, force: true })
  })

  test('stay true when one statement inserts, changes and deletes many records', async () => {
    const wrongAfter = async (statement: ReturnType<typeof sql>) => {
      await database.write(db => statement.execute(db))
      return database.read(countFalse)
    }
    expect(
      await wrongAfter(sql`insert into ideations
        (id, board_id, number, title, status, version, archived, created_by, created_at, updated_at)
        select 'i' || n, 'b', n, '', 'draft', 1, 0, '', '', to_char(n, 'FM000') from generate_series(1, ${records}) n`),
    ).toBe(0)
    expect(
      await wrongAfter(sql`update ideations set status = 'done', updated_at = to_char(number + 100, 'FM000')`),
    ).toBe(0)
    expect(await wrongAfter(sql`update ideations set archived = 1, updated_at = '500' where number > 5`)).toBe(0)
    expect(await wrongAfter(sql`delete from ideations where number % 2 = 0`)).toBe(0)
  })
})
