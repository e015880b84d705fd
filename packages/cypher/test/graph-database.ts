import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Database, type LimitedReader, openLimitedReader, type Store } from '@specboard/storage'
import { PostgresDatabase } from '@specboard/storage/postgres'
import { testServer } from '@specboard/storage/testing'
import { type Kysely, sql } from 'kysely'
import type { Dialect } from '../src/dialect.ts'
import { dialects } from '../src/dialects.ts'
import { parseCypher } from '../src/parse.ts'
import { postgresFunctions } from '../src/postgres/functions.ts'
import type { PropertyGraph } from '../src/property-graph.ts'
import { readValue } from '../src/read-value.ts'
import { sqlFunctions } from '../src/sql-functions.ts'
import { translate } from '../src/translate.ts'
import { type PlainGraph, plainScope } from './plain-graph.ts'

/** The tables of the tests. */
export const testGraph: PropertyGraph = {
  nodes: {
    table: 'things',
    labelColumn: 'node_type',
    labels: ['Decision', 'Requirement', 'Entity', 'Bug'],
    properties: {
      id: 'string',
      node_type: 'string',
      title: 'string',
      source_artifact_ref: 'string',
      query_hits: 'integer',
      relevance_score: 'number',
      boosted_at: 'timestamp',
      superseded_by: 'string',
    },
    keys: ['id', 'source_artifact_ref'],
    rowColumn: 'row_number',
    primaryKey: 'row_number',
  },
  edges: {
    table: 'links',
    typeColumn: 'edge_type',
    types: ['supersedes', 'derives_from', 'belongs_to', 'depends_on'],
    properties: { id: 'string', edge_type: 'string', confidence: 'number' },
    fromColumn: 'from_id',
    toColumn: 'to_id',
    rowColumn: 'rowid',
    primaryKey: 'id',
  },
  scopeColumn: 'graph',
}

const schema = (text: string, real: string) => [
  `create table things (
    row_number integer primary key,
    id ${text} not null unique,
    graph ${text} not null,
    node_type ${text} not null,
    title ${text} not null,
    source_artifact_ref ${text} not null,
    query_hits integer not null,
    relevance_score ${real} not null,
    boosted_at ${text},
    superseded_by ${text},
    hidden ${text} not null
  )`,
  `create table links (
    id ${text} not null primary key,
    graph ${text} not null,
    edge_type ${text} not null,
    from_id ${text} not null,
    to_id ${text} not null,
    confidence ${real} not null
  )`,
]

const migrations = (texts: readonly string[]) => ({
  '1': {
    up: async (db: Kysely<unknown>) => {
      for (const text of texts) await sql.raw(text).execute(db)
    },
  },
})

/** The answer to a query. */
interface Answer {
  readonly columns: string[]
  readonly rows: unknown[][]
}

/** The databases that queries are run on. */
export type EngineName = keyof typeof dialects

/** A graph to run queries on. */
export class GraphDatabase {
  readonly #dialect: Dialect
  readonly #store: Store<unknown>
  readonly #reader: LimitedReader
  readonly #remove: () => Promise<void> | void

  private constructor(
    engine: EngineName,
    store: Store<unknown>,
    reader: LimitedReader,
    remove: () => Promise<void> | void,
  ) {
    this.#dialect = dialects[engine]
    this.#store = store
    this.#reader = reader
    this.#remove = remove
  }

  static async open(engine: EngineName): Promise<GraphDatabase> {
    const { store, remove } = engine === 'sqlite' ? await onSqlite() : await onPostgres()
    const reader = await openLimitedReader({ address: store.address, functions: sqlFunctions, resultBytes: 16 << 20 })
    return new GraphDatabase(engine, store, reader, remove)
  }

  /** Replaces the stored graph. */
  async store({ nodes, edges }: PlainGraph): Promise<void> {
    const things = nodes.map((node, row_number) => ({ row_number, ...node }))
    await this.#store.write(async db => {
      await sql`delete from things`.execute(db)
      await sql`delete from links`.execute(db)
      for (const [table, rows] of Object.entries({ things, links: edges }))
        for (const row of rows) {
          const names = sql.join(Object.keys(row).map(name => sql.ref(name)))
          await sql`insert into ${sql.table(table)} (${names}) values (${sql.join(Object.values(row))})`.execute(db)
        }
    })
  }

  /** Runs a query on the plain scope. */
  async ask(
    cypher: string,
    parameters: Readonly<Record<string, unknown>> = {},
    { maxRows = 10_000, timeoutMs = 60_000 }: { readonly maxRows?: number; readonly timeoutMs?: number } = {},
  ): Promise<Answer> {
    const query = parseCypher(cypher)
    const { columns, ...text } = translate(query, {
      dialect: this.#dialect,
      graph: testGraph,
      scope: plainScope,
      parameters,
      maxRows,
    })
    const found = await this.#reader.run({ ...text, timeoutMs })
    if (!('rows' in found)) throw new Error(`${cypher}: ${JSON.stringify(found)}\n${text.sql}`)
    return {
      columns: columns.map(({ name }) => name),
      rows: found.rows.map(row => row.map((value, index) => readValue(value, columns[index]!.type))),
    }
  }

  async close(): Promise<void> {
    await this.#reader.close()
    await this.#store.close()
    await this.#remove()
  }
}

async function onSqlite() {
  const folder = mkdtempSync(join(tmpdir(), 'specboard-graph-'))
  const store = await Database.open<unknown>({ folder, migrations: migrations(schema('text', 'real')) })
  return { store, remove: () => rmSync(folder, { recursive: true }) }
}

async function onPostgres() {
  const server = await testServer()
  const texts = [...postgresFunctions, ...schema('text collate "C"', 'double precision')]
  const store = await PostgresDatabase.open<unknown>({ url: await server.database(), migrations: migrations(texts) })
  return { store, remove: server.stop }
}
