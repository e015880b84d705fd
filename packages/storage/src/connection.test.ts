import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { Connection } from './connection.ts'
import { bind } from './executor.ts'

let folder: string
let connection: Connection

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'specboard-connection-'))
  connection = new Connection(join(folder, 'plain.db'), { readonly: false, cacheMb: 4, watched: ['notes'] })
})

afterEach(() => {
  connection.close()
  rmSync(folder, { recursive: true, force: true })
})

test('every connection is durable', () => {
  expect(['journal_mode', 'synchronous', 'foreign_keys'].map(name => connection.pragma(name))).toEqual(['wal', 2, 1])
})

test('statements that may write are counted, and separately those that write to a watched table', () => {
  connection.execute('create table notes (id text)')
  connection.execute('create table others (id text)')
  const [writes, watched] = [connection.writes, connection.watchedWrites]
  connection.execute('select * from notes')
  connection.execute('insert into others values (?)', ['o'])
  expect([connection.writes - writes, connection.watchedWrites - watched]).toEqual([1, 0])
  connection.execute('insert into notes values (?) returning id', ['n'])
  expect([connection.writes - writes, connection.watchedWrites - watched]).toEqual([2, 1])
})

describe('the query builder on one connection', () => {
  test('runs queries, and has no transactions or connections of its own', async () => {
    const db = bind(connection, { open: true })
    expect((await sql<{ one: number }>`select 1 as one`.execute(db)).rows).toEqual([{ one: 1 }])
    await expect(db.transaction().execute(async () => {})).rejects.toThrow()
    await expect(db.connection().execute(async () => {})).rejects.toThrow()
  })

  test('a closed gate refuses every query', async () => {
    const gate = { open: true }
    const db = bind(connection, gate)
    await sql`select 1`.execute(db)
    gate.open = false
    await expect(sql`select 1`.execute(db)).rejects.toMatchObject({ code: 'UNIT_CLOSED' })
  })
})
