import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { brotliDecompressSync } from 'node:zlib'
import { attachmentFolder, secretKeyName } from '@specboard/domain'
import { Database, databaseFile } from '@specboard/storage'
import { describeOnSqlite, testOnSqlite } from '@specboard/storage/on-sqlite'
import SqliteDatabase from 'better-sqlite3'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { migrations } from '../../../packages/domain/src/schema/migrations/all.ts'
import { runCommand, ServerProcess } from './support/command.ts'

const fixtures = fileURLToPath(new URL('upgrades', import.meta.url))
const names = readdirSync(fixtures).map(file => file.replace('.db.br', ''))

/** What every attachment of a fixture holds: databases are kept without their files. */
const attached = 'bytes'

/** A table of a database: its columns, and its rows as one hash. */
interface Table {
  readonly columns: readonly string[]
  readonly count: number
  readonly sha256: string
}

/** The columns that a migration rewrites on purpose, by table. */
const rewritten: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {}

const pendingAfter = (name: string): string[] => Object.keys(migrations).filter(migration => migration > name)

/** How long a start, a migration and a check of everything may take on a busy machine, ms. */
const limit = 180_000

let folder: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'specboard-upgrade-'))
})

afterEach(() => rmSync(folder, { recursive: true, force: true }))

function write(path: string, bytes: string | Uint8Array): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true, mode: 0o700 })
  writeFileSync(join(folder, path), bytes, { mode: 0o600 })
}

/** Puts a fixture and the files of its attachments into the folder. */
function unpack(name: string): void {
  write('specboard.db', brotliDecompressSync(readFileSync(join(fixtures, `${name}.db.br`))))
  write(secretKeyName, Buffer.alloc(32))
  onDatabase(database => {
    const files = database.prepare('select board_id, filename, sha256 from attachments').all() as Attached[]
    for (const { board_id, filename, sha256 } of files) {
      expect(sha256).toBe(createHash('sha256').update(attached).digest('hex'))
      write(join(attachmentFolder, board_id, filename), attached)
    }
  })
}

interface Attached {
  readonly board_id: string
  readonly filename: string
  readonly sha256: string
}

function onDatabase<Value>(run: (database: SqliteDatabase.Database) => Value, file = databaseFile(folder)): Value {
  const database = new SqliteDatabase(file)
  try {
    return run(database)
  } finally {
    database.close()
  }
}

/** Tables of the engine, what full-text search keeps of its own, and what it is yet to look at, to which migrations add. */
const derived = /^(?:sqlite_|kysely_|kg_terms|search_changes|search_terms_(?:config|data))/

/** The tables of the service, or those that are known already, with the columns that are known of them. */
function tablesOf(database: SqliteDatabase.Database, previous?: ReadonlyMap<string, Table>): Map<string, Table> {
  const all = database.prepare(`select name from sqlite_master where type = 'table'`).pluck().all() as string[]
  const names = previous?.keys().toArray() ?? all.filter(name => !derived.test(name))
  return new Map(names.map(name => [name, tableOf(database, name, previous?.get(name)?.columns)]))
}

function tableOf(database: SqliteDatabase.Database, name: string, columnNames?: readonly string[]): Table {
  const columns =
    columnNames ?? (database.prepare('select name from pragma_table_info(?)').pluck().all(name) as string[])
  const rows = database.prepare(`select ${columns} from ${name}`).raw().all()
  const hash = createHash('sha256')
  for (const row of rows.map(row => JSON.stringify(row)).toSorted()) hash.update(row)
  return { columns, count: rows.length, sha256: hash.digest('hex') }
}

/** The tables of a fixture, without the columns that later migrations rewrite. */
function tablesToKeep(database: SqliteDatabase.Database, name: string): Map<string, Table> {
  const changed = pendingAfter(name).map(migration => rewritten[migration] ?? {})
  return new Map(
    [...tablesOf(database)].map(([table, { columns }]) => {
      const unchanged = columns.filter(column => !changed.some(tables => tables[table]?.includes(column)))
      return [table, tableOf(database, table, unchanged)]
    }),
  )
}

testOnSqlite('there is a fixture of the newest migration (pnpm run fixture)', () => {
  expect(names).toContain(Object.keys(migrations).toSorted().at(-1))
})

describeOnSqlite.each(names)('a database of %s', name => {
  test('has rows in every table, and keeps each of them when it is migrated', async () => {
    unpack(name)
    const before = onDatabase(database => tablesToKeep(database, name))
    expect([...before].filter(([, { count }]) => count === 0)).toEqual([])
    await (await Database.open({ folder, migrations })).close()
    expect(onDatabase(database => tablesOf(database, before))).toEqual(before)
    const copies = readdirSync(folder).filter(file => file.startsWith('before-'))
    expect(copies).toEqual(
      pendingAfter(name)
        .slice(0, 1)
        .map(migration => `before-${migration}.db`),
    )
    for (const copy of copies)
      expect(onDatabase(database => tablesToKeep(database, name), join(folder, copy))).toEqual(before)
  })

  test(
    'is served by this version, and doctor finds nothing wrong but the ids that the fixture made up',
    async () => {
      unpack(name)
      const server = await ServerProcess.start(folder)
      const { problems = [] } = (await (await fetch(`${server.url}/health`)).json()) as { problems?: string[] }
      // The receivers of its webhooks are made up.
      expect(problems.filter(problem => !problem.includes('failing'))).toEqual([])
      expect(await server.end()).toMatchObject({ code: 0 })
      const { code, output } = await runCommand('doctor', '--data-dir', folder)
      const findings = output.split('\n').filter(line => line.includes('BAD '))
      expect(findings.filter(line => !/"fixture |(?:spec|graph_action) fixture /.test(line))).toEqual([])
      expect(code).toBe(findings.length === 0 ? 0 : 1)
    },
    limit,
  )
})
