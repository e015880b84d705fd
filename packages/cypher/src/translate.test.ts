import { testEngines } from '@specboard/storage/testing'
import fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { Drawing, drawnParameters } from '../test/drawing.ts'
import { evaluate, shown } from '../test/evaluation.ts'
import { GraphDatabase, testGraph } from '../test/graph-database.ts'
import { plainEdge as edge, plainNode as node, type PlainGraph } from '../test/plain-graph.ts'
import { CypherError } from './cypher-error.ts'
import { dialects } from './dialects.ts'
import { parseCypher } from './parse.ts'
import { translate } from './translate.ts'

const graph: PlainGraph = {
  nodes: [
    node('n1', 'Decision', { title: 'Use Redis', query_hits: 3, superseded_by: 'n2' }),
    node('n2', 'Decision', { title: 'Use SQLite', query_hits: 5 }),
    node('n3', 'Requirement', { title: 'Fast', relevance_score: 0.25 }),
    node('n4', 'Entity', { title: 'Élan' }),
    node('x1', 'Decision', { title: 'Elsewhere', graph: 'other' }),
  ],
  edges: [
    edge('e1', 'supersedes', 'n2', 'n1'),
    edge('e2', 'derives_from', 'n1', 'n3', { confidence: 0.6 }),
    edge('e3', 'derives_from', 'n2', 'n3'),
    edge('e4', 'belongs_to', 'n3', 'n4'),
  ],
}

/** Nodes, edges and paths reduced to what identifies them. */
function known(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(known)
  if (typeof value !== 'object' || value === null) return value
  const object = value as Readonly<Record<string, unknown>>
  if ('_NODES' in object)
    return { nodes: (object._NODES as unknown[]).map(known), edges: (object._RELS as unknown[]).map(known) }
  return '_SRC' in object ? { edge: object.id } : { node: object.id }
}

/** Sorts collected lists, whose order is undefined; lists of walks and paths keep their order. */
const unordered = (row: readonly unknown[], columns: readonly string[]) =>
  row.map((value, index) =>
    columns[index]!.startsWith('collect(') && Array.isArray(value)
      ? value.map(each => JSON.stringify(each)).sort()
      : value,
  )

for (const { engine, title, isMissing } of testEngines())
  describe.skipIf(isMissing)(title, () => {
    let database: GraphDatabase
    const ask: GraphDatabase['ask'] = (...query) => database.ask(...query)

    beforeAll(async () => {
      database = await GraphDatabase.open(engine)
    })

    afterAll(() => database.close())

    describe('a query', () => {
      beforeEach(() => database.store(graph))

      test.each<[string, unknown[][]]>([
        ['MATCH (n) RETURN n.id', [['n1'], ['n2'], ['n3'], ['n4']]],
        ['MATCH (n:Decision|Entity) RETURN n.id', [['n1'], ['n2'], ['n4']]],
        ['MATCH (a)-[:supersedes]->(b) RETURN a.id, b.id', [['n2', 'n1']]],
        [
          'MATCH (a)<-[:supersedes|:belongs_to]-(b) RETURN a.id, b.id',
          [
            ['n1', 'n2'],
            ['n4', 'n3'],
          ],
        ],
        ['MATCH (a {id: "n3"})--(b) RETURN b.id', [['n1'], ['n2'], ['n4']]],
        ['MATCH (a {id: "n2"})-[:supersedes|derives_from*1..2]->(b) RETURN b.id', [['n1'], ['n3'], ['n3']]],
        [
          'MATCH (a {id: "n2"})-[r*0..1]->(b) RETURN b.id, size(r)',
          [
            ['n1', 1],
            ['n2', 0],
            ['n3', 1],
          ],
        ],
        ['MATCH p = (a {id: "n2"})-[*]->(:Entity) RETURN length(p) ORDER BY length(p)', [[2], [3]]],
        [
          'MATCH (a)-[r]->(b)<-[s]-(c) RETURN a.id, c.id',
          [
            ['n1', 'n2'],
            ['n2', 'n1'],
          ],
        ],
        [
          'MATCH (a:Decision) OPTIONAL MATCH (a)-[:supersedes]->(b) RETURN a.id, b.id',
          [
            ['n1', null],
            ['n2', 'n1'],
          ],
        ],
        [
          'MATCH (a:Decision) OPTIONAL MATCH (a)-[r]->(b:Entity) WHERE b.title = "x" RETURN a.id, r, b',
          [
            ['n1', null, null],
            ['n2', null, null],
          ],
        ],
        [
          'MATCH (n:Decision) RETURN count(*), sum(n.query_hits), avg(n.query_hits), min(n.title), max(n.title)',
          [[2, 8, 4, 'Use Redis', 'Use SQLite']],
        ],
        ['MATCH (n:Bug) RETURN count(n), sum(n.query_hits), avg(n.query_hits), collect(n)', [[0, 0, null, []]]],
        [
          'MATCH (n) RETURN n.node_type AS t, count(n) AS c ORDER BY c DESC, t',
          [
            ['Decision', 2],
            ['Entity', 1],
            ['Requirement', 1],
          ],
        ],
        ['MATCH (n)-->(m) RETURN DISTINCT m.id', [['n3'], ['n1'], ['n4']]],
        ['MATCH (n)-->(m) RETURN collect(DISTINCT m.id)', [[['n1', 'n3', 'n4']]]],
        ['MATCH (n) RETURN n.superseded_by ORDER BY n.superseded_by', [['n2'], [null], [null], [null]]],
        ['MATCH (n) RETURN n.superseded_by ORDER BY n.superseded_by DESC', [[null], [null], [null], ['n2']]],
        ['MATCH (n) WHERE n.superseded_by <> "n2" OR n.superseded_by IS NULL RETURN count(*)', [[3]]],
        ['MATCH (n) WHERE NOT n.superseded_by = "n2" RETURN count(*)', [[0]]],
        ['MATCH (n) WHERE n.title = 3 RETURN count(*)', [[0]]],
        ['MATCH (n) WHERE n.title STARTS WITH "Use" AND n.title ENDS WITH "s" RETURN n.id', [['n1']]],
        ['MATCH (n) WHERE n.title CONTAINS "use" RETURN n.id', []],
        ['MATCH (n {id: "n4"}) RETURN toLower(n.title), toUpper(n.title), size(n.title)', [['élan', 'ÉLAN', 4]]],
        ['MATCH (n) WHERE n.id IN ["n1", "n4", null] RETURN n.id', [['n1'], ['n4']]],
        ['MATCH (n) WHERE NOT n.id IN ["n1", null] RETURN n.id', []],
        [
          'MATCH (n {id: "n1"}) RETURN 7 / 2, 7.0 / 2, 7 % 4, 5.5 % 2, -n.query_hits, 1 / 0, abs(-2), round(2.5)',
          [[3, 3.5, 3, 1.5, -3, null, 2, 3]],
        ],
        [
          'MATCH (n {id: "n1"}) RETURN "a" + n.title, true XOR null, null = null, coalesce(null, n.boosted_at, "none")',
          [['aUse Redis', null, null, 'none']],
        ],
        [
          'MATCH (a)-[r:supersedes]->(b) RETURN type(r), label(r), label(a), labels(b), id(r), startNode(r) = a, endNode(r) = a',
          [['supersedes', 'supersedes', 'Decision', ['Decision'], 'e1', true, false]],
        ],
        ['MATCH (n) RETURN n.id SKIP 1 LIMIT 2', [['n2'], ['n3']]],
        [
          'MATCH (n:Decision), (m:Entity) RETURN n.id, m.id',
          [
            ['n1', 'n4'],
            ['n2', 'n4'],
          ],
        ],
        ['MATCH (n) WHERE 3 <= n.query_hits < 5 RETURN n.id', [['n1']]],
        ['MATCH (a)-[r {confidence: 0.6}]->(b) RETURN r.id', [['e2']]],
        ['MATCH (n:Decision) RETURN DISTINCT n.title AS t ORDER BY size(t) DESC', [['Use SQLite'], ['Use Redis']]],
        [
          'MATCH (n:Decision)-->(m) RETURN n.id, n.id + count(*) ORDER BY -count(*), n.id',
          [
            ['n2', 'n22'],
            ['n1', 'n11'],
          ],
        ],
        ['MATCH (n {id: "n1"}) RETURN [1, "a", true, null, [2]]', [[[1, 'a', true, null, [2]]]]],
        [
          'MATCH (n {id: "n1"}) RETURN [1, null] = [1, null], [1, null] = [2, null], [1] = ["a"]',
          [[null, false, null]],
        ],
        ['MATCH (n:Decision) RETURN collect(labels(n))', [[[['Decision'], ['Decision']]]]],
        ['MATCH (n {id: "n1"}) OPTIONAL MATCH (b:Bug) MATCH (b) RETURN b', []],
        ['MATCH (n {id: "n1"}) RETURN coalesce(n.superseded_by, n.query_hits) CONTAINS "2"', [[true]]],
        ['MATCH (n {id: "n1"}) RETURN sum(9223372036854775807)', [[2 ** 63]]],
      ])('answers %s', async (cypher, rows) => expect((await ask(cypher)).rows).toEqual(rows))

      test('returns nodes and edges as objects of all their attributes', async () => {
        const { columns, rows } = await ask('MATCH (a)-[r:supersedes]->(b) RETURN a, r, b.title AS older')
        expect(columns).toEqual(['a', 'r', 'older'])
        const [a, r] = rows[0] as [Record<string, unknown>, Record<string, unknown>]
        expect(a).toMatchObject({ id: 'n2', title: 'Use SQLite', query_hits: 5, boosted_at: null, _LABEL: 'Decision' })
        expect(Object.keys(a)).not.toContain('hidden')
        expect(r).toMatchObject({ id: 'e1', edge_type: 'supersedes', _LABEL: 'supersedes', _SRC: 'n2', _DST: 'n1' })
        expect(Object.keys(r)).not.toContain('from_id')
      })

      test('returns paths and lists of nodes in their order; * is every variable', async () => {
        const { columns, rows } = await ask(
          'MATCH p = (a {id: "n2"})-[r:supersedes]->(b) RETURN *, nodes(p), relationships(p)',
        )
        expect(columns).toEqual(['a', 'r', 'b', 'p', 'nodes(p)', 'relationships(p)'])
        const [, , , path, nodes, edges] = rows[0] as [
          unknown,
          unknown,
          unknown,
          { _NODES: { id: string }[] },
          { id: string }[],
          { id: string }[],
        ]
        expect(path._NODES.map(({ id }) => id)).toEqual(['n2', 'n1'])
        expect(nodes.map(({ id }) => id)).toEqual(['n2', 'n1'])
        expect(edges.map(({ id }) => id)).toEqual(['e1'])
      })

      test('sorts grouped rows by properties of their columns', async () => {
        const { rows } = await ask('MATCH (n:Decision) RETURN DISTINCT n AS found ORDER BY n.title DESC, found.id')
        expect(rows.map(([found]) => (found as { id: string }).id)).toEqual(['n2', 'n1'])
        const { rows: counted } = await ask('MATCH (n)-->(m) RETURN m, count(*) ORDER BY m.title')
        expect(counted.map(([m, count]) => [(m as { id: string }).id, count])).toEqual([
          ['n3', 2],
          ['n1', 1],
          ['n4', 1],
        ])
      })

      test('returns * in the order of the query text', async () => {
        expect((await ask('MATCH (c)<-[r*0..1]-(c:Decision) RETURN *')).columns).toEqual(['c', 'r'])
      })

      test('accepts long lists and long conditions', async () => {
        const ids = Array.from({ length: 20_000 }, (_, index) => (index % 2 === 0 ? `n${index}` : index))
        const all = (cypher: string) => ask(cypher, { ids, hits: ids.map((_, index) => index) })
        expect((await all('MATCH (n) WHERE n.id IN $ids RETURN n.id')).rows).toEqual([['n2'], ['n4']])
        expect((await all('MATCH (n) WHERE n.query_hits IN $hits RETURN count(*), size($ids)')).rows).toEqual([
          [4, 20_000],
        ])
        const many = (item: string, word: string) => Array.from({ length: 1_200 }, () => item).join(word)
        expect((await all(`MATCH (n) WHERE ${many('1=1', ' AND ')} RETURN count(*)`)).rows).toEqual([[4]])
        expect((await all(`MATCH (n) WHERE n.query_hits IN [${many('3', ',')}] RETURN n.id`)).rows).toEqual([['n1']])
      })

      test('accepts parameters of every kind', async () => {
        const { rows } = await ask(
          'MATCH (n) WHERE n.id IN $ids AND n.query_hits >= $hits RETURN n.id, $flag, $none, $ids LIMIT $limit',
          {
            ids: ['n1', 'n2'],
            hits: 4,
            flag: true,
            none: null,
            limit: 5,
          },
        )
        expect(rows).toEqual([['n2', true, null, ['n1', 'n2']]])
        const many = Array.from({ length: 200 }, (_, index) => `n${index}`)
        expect((await ask('MATCH (n) WHERE n.id IN $ids RETURN count(*)', { ids: many })).rows).toEqual([[4]])
      })

      test('never leaves its scope, whatever its strings contain', async () => {
        expect((await ask('MATCH (n) WHERE n.title = $t RETURN n', { t: "' or 1=1 --" })).rows).toEqual([])
        expect((await ask("MATCH (n) WHERE n.title = '\\' or 1=1 --' OR n.id = 'x1' RETURN n")).rows).toEqual([])
        expect((await ask("MATCH (n {id: 'n1'})-[*0..3]-(m) WHERE m.id = 'x1' RETURN m")).rows).toEqual([])
      })

      test('returns at most `maxRows` rows', async () => {
        expect((await ask('MATCH (n) RETURN n.id', {}, { maxRows: 2 })).rows).toEqual([['n1'], ['n2']])
        expect((await ask('MATCH (n) RETURN n.id LIMIT 3', {}, { maxRows: 2 })).rows).toEqual([['n1'], ['n2']])
      })
    })

    test('generated queries give the same answers as the brute-force evaluation', async () => {
      await fc.assert(
        fc.asyncProperty(fc.gen(), async g => {
          const drawing = new Drawing(g)
          const drawnGraph = drawing.graph()
          const { text, ordered } = drawing.query()
          await database.store(drawnGraph)
          const query = parseCypher(text)
          const { rows } = await ask(text, drawnParameters)
          const columns = [...query.items.map(({ column }) => column)]
          const stars = (rows[0]?.length ?? 0) - columns.length
          columns.unshift(...Array.from({ length: Math.max(0, stars) }, () => '*'))
          const plain = (row: readonly unknown[]) => JSON.stringify(unordered(row, columns))
          const found = rows.map(row => plain(row.map(known)))
          const expected = evaluate(query, drawnGraph, drawnParameters).map(row => plain(row.map(shown)))
          expect({ text, rows: ordered ? found : found.sort() }).toEqual({
            text,
            rows: ordered ? expected : expected.sort(),
          })
        }),
        // Each costs ten times as much on a server.
        { numRuns: engine === 'postgres' ? 100 : process.env.SPECBOARD_TESTS === 'quick' ? 60 : 300 },
      )
    }, 120_000)
  })

const placeOfRefusal = (cypher: string, parameters: Readonly<Record<string, unknown>>) => {
  try {
    translate(parseCypher(cypher), { dialect: dialects.sqlite, graph: testGraph, scope: 'g', parameters, maxRows: 1 })
  } catch (error) {
    if (error instanceof CypherError) return error.position
    throw error
  }
  return null
}

describe('a refusal gives the position', () => {
  test.each([
    ['MATCH (n:Decison) RETURN n', 10],
    ['MATCH (n:decision) RETURN n', 10],
    ['MATCH (a)-[:uses]->(b) RETURN a', 13],
    ['MATCH (n) RETURN n.name', 20],
    ['MATCH (n {name: 1}) RETURN n', 11],
    ['MATCH (n) RETURN m', 18],
    ['MATCH (n) RETURN m.title', 20],
    ['MATCH (n) RETURN $x', 18],
    ['MATCH (n) RETURN foo(n)', 18],
    ['MATCH (n) WHERE n.title RETURN n', 19],
    ['MATCH (n) WHERE count(n) > 1 RETURN n', 26],
    ['MATCH (n) RETURN n.title - 1', 26],
    ['MATCH (n) RETURN toLower(1)', 18],
    ['MATCH (n) RETURN n, count(*) ORDER BY n.title, m.title', 50],
    ['MATCH (n) RETURN n.id + count(*), n.title', 23],
    ['MATCH (n)-[r]->(m) RETURN labels(r)', 27],
    ['MATCH (n) RETURN n < n', 20],
    ['MATCH (n) RETURN sum(n.title)', 18],
    ['MATCH (n) RETURN count(*) + n.query_hits', 27],
    ['MATCH (n) RETURN DISTINCT n.title ORDER BY n.id', 46],
    ['MATCH (n) RETURN n LIMIT -1', 26],
    ['MATCH (n) RETURN n LIMIT $n', 26],
    ['MATCH (a)-[a]->(b) RETURN a', 12],
    ['MATCH (n)-[r*]->(m) RETURN r.confidence', 30],
    ['MATCH (n) RETURN n.hidden', 20],
    ['MATCH (n) RETURN n.graph', 20],
  ])('%s', (cypher, column) => expect(placeOfRefusal(cypher, { n: 1.5 })).toEqual({ line: 1, column }))
})
