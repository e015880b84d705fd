import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { newDatabase } from '@specboard/storage/testing'
import { expect, test } from 'vitest'
import { toJson } from '../../lib/json.ts'
import { openService } from '../../open.ts'
import type { ImportWrite } from '../../schema/contents.ts'
import { readWithoutLock, writeWithoutLock } from '../../schema/database.ts'
import { insertRow } from '../../schema/rows.ts'
import { boardRow, guidelineRow } from '../stored.testing.ts'

const at = '2026-03-02T09:14:27.318Z'

const guideline = (id: string, more: object = {}): ImportWrite => ({
  kind: 'insert',
  table: 'guidelines',
  row: { ...guidelineRow(id), ...more },
})

test('a start leaves out what can never be written, reports it, and goes on with the rest', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'specboard-import-'))
  const database = await newDatabase()
  const place = { folder, databaseUrl: database?.url }
  try {
    await (await openService({ ...place, version: '1' })).close()
    const pieces: ImportWrite[][] = [
      [guideline('one'), guideline('one'), guideline('two', { unknown: 1 }), guideline('three')],
      [{ kind: 'card knowledge', row: { id: 'k', owner_id: 'nowhere' } }, guideline('four')],
    ]
    await writeWithoutLock(place, async db => {
      await insertRow(db, 'boards', boardRow)
      await insertRow(db, 'imports', {
        id: 'left',
        board_id: 'b',
        written: 0,
        started_at: at,
        staged: 'placing',
        node_id: 'gone',
      })
      for (const [at, writes] of pieces.entries())
        await db
          .insertInto('import_writes')
          .values({ import_id: 'left', at, writes: toJson(writes) })
          .execute()
    })
    const faults: unknown[] = []
    const opened = await openService({ ...place, version: '1', onFault: fault => faults.push(fault) })
    await opened.close()
    expect(faults.map(String)).toEqual([
      expect.stringContaining('guidelines one'),
      expect.stringContaining('guidelines two'),
      expect.stringContaining('card knowledge k'),
    ])
    const remaining = await readWithoutLock(place, async db => ({
      guidelines: (await db.selectFrom('guidelines').select('id').execute()).map(({ id }) => id).toSorted(),
      imports: await db.selectFrom('imports').selectAll().execute(),
      pieces: await db.selectFrom('import_writes').selectAll().execute(),
    }))
    expect(remaining).toEqual({ guidelines: ['four', 'one', 'three'], imports: [], pieces: [] })
  } finally {
    await database?.drop()
    rmSync(folder, { recursive: true, force: true })
  }
})
