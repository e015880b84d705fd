import SqliteDatabase from 'better-sqlite3'
import { DummyDriver, Kysely, SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler } from 'kysely'
import { parseCypher } from '../src/parse.ts'
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
  },
  edges: {
    table: 'links',
    typeColumn: 'edge_type',
    types: ['supersedes', 'derives_from', 'belongs_to', 'depends_on'],
    properties: { id: 'string', edge_type: 'string', confidence: 'number' },
    fromColumn: 'from_id',
    toColumn: 'to_id',
    rowColumn: 'rowid',
  },
  scopeColumn: 'graph',
}

const schema = `
  create table things (
    row_number integer primary key,
    id text not null unique,
    graph text not null,
    node_type text not null,
    title text not null,
    source_artifact_ref text not null,
    query_hits integer not null,
    relevance_score real not null,
    boosted_at text,
    superseded_by text,
    hidden text not null
  );
  create table links (
    id text not null primary key,
    graph text not null,
    edge_type text not null,
    from_id text not null,
    to_id text not null,
    confidence real not null
  );`

/** Compiles translated queries; never runs anything. */
const compiler = new Kysely<unknown>({
  dialect: {
    createAdapter: () => new SqliteAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: db => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  },
})

/** An in-memory graph to run queries on. */
export class GraphDatabase {
  readonly #database = new SqliteDatabase(':memory:')

  constructor() {
    this.#database.exec(schema)
    for (const [name, call] of Object.entries({ ...sqlFunctions, within: () => 1 }))
      this.#database.function(name, { deterministic: true, varargs: true }, call)
  }

  /** Replaces the stored graph. */
  store({ nodes, edges }: PlainGraph): void {
    this.#database.exec('delete from things; delete from links')
    for (const [table, rows] of Object.entries({ things: nodes, links: edges }))
      for (const row of rows) {
        const names = Object.keys(row)
        const values = names.map(name => `@${name}`)
        this.#database.prepare(`insert into ${table} (${names.join(', ')}) values (${values.join(', ')})`).run(row)
      }
  }

  /** Runs a query on the plain scope. */
  ask(
    cypher: string,
    parameters: Readonly<Record<string, unknown>> = {},
    maxRows = 10_000,
  ): { readonly columns: string[]; readonly rows: unknown[][] } {
    const { sql, columns } = translate(parseCypher(cypher), {
      graph: testGraph,
      scope: plainScope,
      parameters,
      maxRows,
    })
    const compiled = sql.compile(compiler)
    const rows = this.#database
      .prepare<unknown[], unknown[]>(compiled.sql)
      .raw()
      .all(...compiled.parameters)
    return {
      columns: columns.map(({ name }) => name),
      rows: rows.map(row => row.map((value, index) => readValue(value, columns[index]!.type))),
    }
  }

  close(): void {
    this.#database.close()
  }
}
