import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { StoreAddress } from '@specboard/storage'
import { readFixed } from '@specboard/storage/fixed-reader'
import { newDatabase, type TestDatabase } from '@specboard/storage/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openService } from '../../open.ts'
import { readWithoutLock, writeWithoutLock } from '../../schema/database.ts'
import { insertRow } from '../../schema/rows.ts'
import { boardRow, guidelineRow } from '../stored.testing.ts'
import { NamedAgents } from './authors.ts'
import { archiveForm } from './form.ts'
import { BoardLines } from './lines.ts'

let folder: string
let database: TestDatabase | undefined

/** Every other one has the time of the one before. */
const guidelines = Array.from({ length: 9 }, (_, at) => ({
  id: `g${(at * 7) % 9}`,
  at: `2026-03-0${1 + (at >> 1)}T09:14:27.318Z`,
}))

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'specboard-lines-'))
  database = await newDatabase()
  const place = { folder, databaseUrl: database?.url }
  await (await openService({ ...place, version: '1' })).close()
  await writeWithoutLock(place, async db => {
    await insertRow(db, 'boards', boardRow)
    for (const { id, at } of guidelines)
      await insertRow(db, 'guidelines', { ...guidelineRow(id), created_at: at, updated_at: at })
  })
})

afterAll(async () => {
  rmSync(folder, { recursive: true, force: true })
  await database?.drop()
})

test.each([1, 2, 3, 9, 10])(
  'records of one time stand in the order of their ids, %i keys read at once',
  async segment => {
    const form = await readWithoutLock({ folder, databaseUrl: database?.url }, async db => archiveForm(db, segment))
    const address: StoreAddress =
      database === undefined ? { engine: 'sqlite', folder } : { engine: 'postgres', url: database.url }
    const ids = await readFixed(address, 1, async rows => {
      const lines = new BoardLines(rows, boardRow.id, new NamedAgents([], () => undefined), form)
      const found: unknown[] = []
      for await (const { type, id } of lines.records({ attachments: true, events: true }))
        if (type === 'guideline') found.push(id)
      return found
    })
    const sorted = guidelines.toSorted((a, b) => (a.at + a.id < b.at + b.id ? -1 : 1))
    expect(ids).toEqual(sorted.map(({ id }) => id))
  },
)
