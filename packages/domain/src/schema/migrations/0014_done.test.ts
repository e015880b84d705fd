import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { databaseFile, Database as StorageDatabase } from '@specboard/storage'
import SqliteDatabase from 'better-sqlite3'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { migrations } from './all.ts'

let folder: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'specboard-migration-'))
})

afterEach(() => rmSync(folder, { recursive: true, force: true }))

/** Opens the folder at a version, and closes it again. */
async function migrate(upTo: string): Promise<void> {
  const known = Object.entries(migrations).filter(([name]) => name <= upTo)
  const database = await StorageDatabase.open({ folder, migrations: Object.fromEntries(known) })
  await database.close()
}

interface Row extends Readonly<Record<string, unknown>> {}

/** Runs on the file of the closed database. */
function onFile<Value>(run: (db: SqliteDatabase.Database) => Value): Value {
  const db = new SqliteDatabase(databaseFile(folder))
  db.pragma('foreign_keys = off')
  try {
    return run(db)
  } finally {
    db.close()
  }
}

/** Inserts a row with the given columns; required ones that are missing are empty or 0. */
function insert(db: SqliteDatabase.Database, table: string, row: Row): void {
  const columns = db.pragma(`table_info(${table})`) as { name: string; type: string; notnull: number }[]
  const missing = columns
    .filter(({ name, notnull }) => notnull === 1 && !(name in row))
    .map(({ name, type }) => [name, type === 'integer' ? 0 : ''])
  const whole = { ...Object.fromEntries(missing), ...row } as Record<string, unknown>
  const names = Object.keys(whole)
  db.prepare(`insert into ${table} (${names.join()}) values (${names.map(name => `@${name}`).join()})`).run(whole)
}

let seq = 0
const event = (db: SqliteDatabase.Database, row: Row) => {
  const number = ++seq
  insert(db, 'events', { id: `e${String(number).padStart(4, '0')}`, board_id: 'b', seq: number, ...row })
}
const history = (db: SqliteDatabase.Database, spec: string, action: string, changes: object[]) =>
  event(db, { entity_type: 'spec', entity_id: spec, history_action: action, changes: JSON.stringify(changes) })
const status = (value: string) => ({ field: 'status', old: 'draft', new: value })
const change = (field: string) => ({ field, old: null, new: 'x' })

test('a database of the version before learns what changed since validation, and which moves validations made', async () => {
  await migrate('0013_work')
  onFile(db => {
    insert(db, 'agents', { id: 'a', key_hash: 'h' })
    insert(db, 'boards', { id: 'b', owner_id: 'a' })
    for (const [id, validation, number] of [
      ['never', null, 1],
      ['changed', null, 2],
      ['born', null, 3],
      ['locked', 'v', 4],
    ] as const)
      insert(db, 'specs', { id, board_id: 'b', current_validation_id: validation, number })
    insert(db, 'spec_validations', { id: 'v', board_id: 'b', spec_id: 'locked', outcome: 'success' })
    history(db, 'never', 'created', [change('title'), status('draft')])
    history(db, 'never', 'updated', [change('context')])
    history(db, 'changed', 'updated', [change('description')])
    history(db, 'changed', 'status_changed', [status('validated')])
    history(db, 'changed', 'updated', [change('title'), change('labels')])
    history(db, 'changed', 'status_changed', [status('in_progress')])
    history(db, 'changed', 'updated', [change('context'), change('title')])
    history(db, 'born', 'created', [change('title'), status('validated')])
    history(db, 'locked', 'status_changed', [status('validated')])
    history(db, 'locked', 'updated', [change('test_scenarios')])

    const done = { entity_type: 'card', action: 'card_moved', details: '{"to_status":"done"}', actor_id: 'a' }
    const domain = JSON.stringify([{ name: 'card.moved' }])
    for (const [card, at] of [
      ['routed', 't1'],
      ['moved', 't2'],
    ] as const) {
      const details = '{"validation_id":"v1"}'
      event(db, { card_id: card, action: 'validation_submitted', details, actor_id: 'a', created_at: 't1' })
      event(db, { ...done, card_id: card, domain, created_at: at })
    }
    insert(db, 'presets', { id: 'p', is_builtin: 0, flags: '{"SPECS_UPDATE":true}' })
  })
  await migrate('0014_done')
  onFile(db => {
    const specs = db.prepare('select id, changed_since_validated as since from specs order by id').all()
    expect(specs).toEqual([
      { id: 'born', since: '[]' },
      { id: 'changed', since: '["context","title"]' },
      { id: 'locked', since: '[]' },
      { id: 'never', since: null },
    ])
    const moves = db.prepare("select card_id, domain from events where action = 'card_moved' order by card_id").all()
    expect(moves).toEqual([
      { card_id: 'moved', domain: '[{"name":"card.moved"}]' },
      { card_id: 'routed', domain: '[{"name":"card.moved","validation_id":"v1"}]' },
    ])
    const preset = db.prepare("select flags from presets where id = 'p'").get() as { flags: string }
    expect(JSON.parse(preset.flags)).toEqual({
      SPECS_UPDATE: true,
      SPECS_RECORD_RESULTS: false,
      SPECS_LINK_ITEMS: false,
    })
  })
})
