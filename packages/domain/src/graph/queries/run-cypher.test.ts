import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { dialects } from '@specboard/cypher'
import { type TestServer, testEngines, testServer } from '@specboard/storage/testing'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { plainBoard as board, plainEdge as edge, plainNode as node } from '../../../test/plain-nodes.ts'
import { AgentSlots } from '../../kernel/agent-slots.ts'
import { DomainError } from '../../kernel/errors.ts'
import { toJson } from '../../lib/json.ts'
import { type Database, openDatabase } from '../../schema/database.ts'
import { insertRow } from '../../schema/rows.ts'
import { QueryProcesses } from './query-processes.ts'
import { queryLimits, runCypher } from './run-cypher.ts'

const now = '2026-01-01T00:00:00.000Z'

interface PlainGraph {
  readonly nodes: readonly ReturnType<typeof node>[]
  readonly edges: readonly ReturnType<typeof edge>[]
}

const graph: PlainGraph = {
  nodes: [
    node('n1', 'Decision', { title: 'Use Redis', query_hits: 3, superseded_by: 'n2' }),
    node('n2', 'Decision', { title: 'Use SQLite', query_hits: 5 }),
    node('n3', 'Requirement', { title: 'Fast', relevance_score: 0.25 }),
    node('n4', 'Entity', { title: 'Élan' }),
    node('x1', 'Decision', { title: 'Elsewhere', board_id: 'other' }),
    node('x4', 'Entity', { title: 'Elsewhere too', board_id: 'other' }),
  ],
  edges: [
    edge('e1', 'supersedes', 'n2', 'n1'),
    edge('e2', 'derives_from', 'n1', 'n3'),
    edge('e3', 'derives_from', 'n2', 'n3'),
    edge('e4', 'belongs_to', 'n3', 'n4'),
    edge('x5', 'belongs_to', 'x1', 'x4', { board_id: 'other' }),
  ],
}

/** Edges between two boards, which PostgreSQL refuses: the board is in its foreign keys. */
const between = [
  edge('x2', 'belongs_to', 'n3', 'x1', { board_id: 'other' }),
  edge('x3', 'supersedes', 'x1', 'n2', { board_id: 'other' }),
]

for (const { engine, title, isMissing } of testEngines())
  describe.skipIf(isMissing)(title, () => {
    let folder: string
    let server: TestServer | undefined
    let database: Database
    let processes: QueryProcesses

    beforeAll(async () => {
      folder = await mkdtemp(join(tmpdir(), 'specboard-cypher-'))
      if (engine === 'postgres') server = await testServer()
      database = await openDatabase({ folder, url: await server?.database() })
      processes = new QueryProcesses(database.address)
      await database.write(async db => {
        for (const id of [board, 'other'])
          await insertRow(db, 'boards', {
            id,
            name: id,
            description: '',
            owner_id: 'o',
            settings: toJson({}),
            key: id.slice(0, 10),
            seq: 0,
            last_number: 0,
            created_at: now,
            updated_at: now,
          })
      })
    })

    afterAll(async () => {
      await processes.stop()
      await database.close()
      await server?.stop()
      await rm(folder, { recursive: true })
    })

    const store = ({ nodes, edges }: PlainGraph) =>
      database.write(async db => {
        await db.deleteFrom('kg_nodes').execute()
        for (const each of nodes) await db.insertInto('kg_nodes').values(each).execute()
        for (const each of edges) await db.insertInto('kg_edges').values(each).execute()
      })

    const run = async (
      cypher: string,
      parameters: Readonly<Record<string, unknown>> = {},
      { maxRows, timeoutMs = 30_000 }: { maxRows?: number; timeoutMs?: number } = {},
    ) => {
      const runner = { slots: new AgentSlots(queryLimits), processes, dialect: dialects[engine] }
      return runCypher(runner, { agentId: 'a', boardId: board, cypher, parameters, maxRows, timeoutMs })
    }

    const refusal = (cypher: string, parameters = {}) =>
      run(cypher, parameters).then(
        () => null,
        error => {
          if (error instanceof DomainError) return { ...error.detail, message: undefined }
          throw error
        },
      )

    describe('a query', () => {
      beforeEach(() => store({ ...graph, edges: engine === 'sqlite' ? [...graph.edges, ...between] : graph.edges }))

      test('returns nodes and edges as objects of all their attributes', async () => {
        const { columns, rows } = await run('MATCH (a)-[r:supersedes]->(b) RETURN a, r, b.title AS older')
        expect(columns).toEqual(['a', 'r', 'older'])
        const [a, r] = rows[0] as [Record<string, unknown>, Record<string, unknown>]
        expect(a).toMatchObject({ id: 'n2', title: 'Use SQLite', query_hits: 5, boosted_at: null, _LABEL: 'Decision' })
        expect(Object.keys(a)).not.toContain('core')
        expect(r).toMatchObject({ id: 'e1', edge_type: 'supersedes', _LABEL: 'supersedes', _SRC: 'n2', _DST: 'n1' })
        expect(Object.keys(r)).not.toContain('from_id')
      })

      test('finds the items of a long list', async () => {
        const ids = Array.from({ length: 20_000 }, (_, index) => (index % 2 === 0 ? `n${index}` : index))
        const all = (cypher: string) => run(cypher, { ids, hits: ids.map((_, index) => index) })
        expect((await all('MATCH (n) WHERE n.id IN $ids RETURN n.id')).rows).toEqual([['n2'], ['n4']])
        expect((await all('MATCH (n) WHERE n.query_hits IN $hits RETURN count(*), size($ids)')).rows).toEqual([
          [4, 20_000],
        ])
      })

      test
        .runIf(engine === 'sqlite')
        .each([
          `MATCH ${Array.from({ length: 70 }, () => '(:Bug)').join(', ')} RETURN count(*)`,
          `MATCH (n) RETURN ${Array.from({ length: 2_000 }, () => '1').join('+')}`,
        ])('is refused when it exceeds a limit of the database: %.40s', async cypher =>
        expect(await refusal(cypher)).toMatchObject({ error: 'INVALID_CYPHER', line: 1, column: 1 }),
      )

      test('is refused when its integers overflow', async () =>
        expect(await refusal('MATCH (n) RETURN abs(0 - 9007199254740991 * 1024 - 1024)')).toMatchObject({
          error: 'INVALID_CYPHER',
          line: 1,
          column: 1,
        }))

      test('never leaves its board, whatever its strings contain', async () => {
        expect(
          await run("MATCH (n) WHERE n.title = $t OR n.board_id = 'other' RETURN n", { t: 'x' }).catch(
            error => error.code,
          ),
        ).toBe('INVALID_CYPHER')
        const { rows } = await run('MATCH (n) WHERE n.title = $t RETURN n', { t: "' or 1=1 --" })
        expect(rows).toEqual([])
        expect((await run("MATCH (n) WHERE n.title = '\\' or 1=1 --' OR n.id = 'x1' RETURN n")).rows).toEqual([])
      })

      test.each([
        'MATCH (a)--(b) RETURN a.id, b.id',
        'MATCH (a)-[r]->(b) RETURN r.id, startNode(r), endNode(r)',
        'MATCH p = (a)-[r*0..5]-(b) RETURN p, r, nodes(p)',
        'MATCH (a) OPTIONAL MATCH (a)-[r]-(b) RETURN a, collect(b), collect(r)',
        'MATCH (a) OPTIONAL MATCH (b {id: $id}) OPTIONAL MATCH (b)-[*1..2]-(c) RETURN a.id, b, c',
        'MATCH (a {superseded_by: $id})-[{id: $edge}]-(b) RETURN a, b',
      ])('never leaves its board by an edge: %s', async cypher => {
        const { rows } = await run(cypher, { id: 'x1', edge: engine === 'sqlite' ? 'x2' : 'x5' })
        expect(JSON.stringify(rows)).not.toMatch(/x\d|Elsewhere/)
      })

      test.runIf(engine === 'postgres').each(between)(
        'finds no edge $id between two boards: there is none',
        async one => {
          await expect(database.write(db => db.insertInto('kg_edges').values(one).execute())).rejects.toThrow(
            /foreign key/,
          )
        },
      )

      test('reports that there are more rows than requested', async () => {
        expect(await run('MATCH (n) RETURN n.id', {}, { maxRows: 2 })).toMatchObject({ row_count: 2, truncated: true })
        expect(await run('MATCH (n) RETURN n.id', {}, { maxRows: 4 })).toMatchObject({ row_count: 4, truncated: false })
        expect(await run('MATCH (n) RETURN n.id LIMIT 2', {}, { maxRows: 2 })).toMatchObject({
          row_count: 2,
          truncated: false,
        })
      })
    })

    describe('a refusal', () => {
      test('says what is wrong and where', async () =>
        expect(await refusal('MATCH (n)\nRETURN n.name')).toMatchObject({
          error: 'INVALID_CYPHER',
          line: 2,
          column: 10,
        }))

      test('names a construct outside of the subset', async () =>
        expect(await refusal('MATCH (n) WITH n RETURN n')).toMatchObject({ error: 'INVALID_CYPHER', feature: 'WITH' }))

      test('for a writing keyword comes before any other', async () => {
        expect(await refusal('MATCH (n SET n.x = 1')).toEqual({ error: 'UNSAFE_CYPHER', keyword: 'SET' })
        expect(await refusal('MATCH (n) ＤＥＬＥＴＥ n')).toEqual({ error: 'UNSAFE_CYPHER', keyword: 'DELETE' })
      })

      test('for the length comes before the query is read', async () =>
        expect(await refusal(`DELETE${' '.repeat(10_000)}`)).toMatchObject({
          error: 'INVALID_CYPHER',
          line: 1,
          column: 1,
        }))
    })

    test('stops a query that takes too long and answers the next one', async () => {
      const nodes = Array.from({ length: 40 }, (_, index) => node(`m${index}`, 'Entity'))
      const edges = nodes.flatMap((from, a) =>
        nodes.flatMap((to, b) => (a === b ? [] : [edge(`${from.id}-${to.id}`, 'depends_on', from.id, to.id)])),
      )
      await store({ nodes, edges })
      await expect(run('MATCH (a)-[*1..10]-(b) RETURN count(*)', {}, { timeoutMs: 1_000 })).rejects.toMatchObject({
        code: 'CYPHER_TIMEOUT',
      })
      expect((await run('MATCH (n) RETURN count(*)')).rows).toEqual([[40]])
    }, 30_000)

    test('refuses a query that holds more memory than it may, and one whose result is too large', async () => {
      const content = 'x'.repeat(100_000)
      await store({
        nodes: Array.from({ length: 70 }, (_, index) => node(`m${index}`, 'Entity', { content })),
        edges: [],
      })
      for (const large of [
        'MATCH (a), (b) RETURN a.content + b.content AS both ORDER BY both LIMIT 1',
        'MATCH (a), (b) RETURN size(collect(a.content + b.content))',
        'MATCH (a), (b) RETURN a.content',
      ])
        expect(await refusal(large)).toMatchObject({ error: 'QUERY_TOO_LARGE' })
      expect((await run('MATCH (n) RETURN count(*)')).rows).toEqual([[70]])
    })
  })
