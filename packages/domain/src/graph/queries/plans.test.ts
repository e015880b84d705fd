import { rm } from 'node:fs/promises'
import { dialects } from '@specboard/cypher'
import { Connection, databaseFile } from '@specboard/storage'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Database, openDatabase } from '../../schema/database.ts'
import { migratedFolder } from '../../schema/empty-database.testing.ts'
import { prepare } from './run-cypher.ts'

let folder: string
let database: Database
let connection: Connection

beforeAll(async () => {
  folder = await migratedFolder('specboard-plans-')
  database = await openDatabase({ folder })
  connection = new Connection(databaseFile(folder), { readonly: true, cacheMb: 1 })
  connection.define('within', () => 1)
})

afterAll(async () => {
  connection.close()
  await database.close()
  await rm(folder, { recursive: true })
})

/** The query plan of the database, one line for each table. */
function planOf(cypher: string): string[] {
  const call = { agentId: 'a', boardId: 'b', cypher, parameters: {}, maxRows: undefined, timeoutMs: undefined }
  const { sql, parameters } = prepare(call, dialects.sqlite)
  const { rows } = connection.execute<{ detail: string }>(`explain query plan ${sql}`, parameters)
  return rows.map(({ detail }) => detail)
}

test.each([
  ['MATCH (a)-[:depends_on]->(b) RETURN a', 1],
  ['MATCH (b:Bug)-[:depends_on]->(c) RETURN c', 1],
  ['MATCH (e)<-[:belongs_to]-(a)-[:depends_on]->(b)-[:belongs_to]->(f) RETURN e, f', 1],
  ['MATCH (a)-[:depends_on]->(b), (a)-[:belongs_to]->(e), (b)-[:belongs_to]->(f) RETURN e, f', 1],
  ["MATCH (a {source_artifact_ref: 'card:x'})-[:depends_on]->(b)-[:belongs_to]->(f) RETURN f", 0],
  ['MATCH (a) OPTIONAL MATCH (a)-[:depends_on]->(b) RETURN count(b)', 0],
])('%s scans all edges of a type at most %i times, and finds other edges through their nodes', (cypher, max) => {
  const plan = planOf(cypher)
  const ofType = plan.filter(detail => /\be\d+ USING (COVERING )?INDEX kg_edges_counts/.test(detail))
  const reached = plan.filter(detail => /\be\d+ USING .*\((from|to)_id=\?/.test(detail))
  const edges = cypher.match(/-\[/g)!.length
  expect(ofType.length).toBeLessThanOrEqual(max)
  expect(ofType.length + reached.length).toBe(edges)
})
