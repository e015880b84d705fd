/** Whether both databases give the same answers where SQL leaves room: numbers, kinds, texts, lists, order. */
import { whyNoServer } from '@specboard/storage/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { GraphDatabase } from '../test/graph-database.ts'
import { plainEdge as edge, plainNode as node, type PlainGraph } from '../test/plain-graph.ts'

const missing = whyNoServer()

const graph: PlainGraph = {
  nodes: [
    node('n1', 'Decision', { title: 'Straße ΑΣ İ', query_hits: 3, superseded_by: 'n2', relevance_score: 0.1 }),
    node('n2', 'Decision', { title: 'b', query_hits: -5, relevance_score: 0.2 }),
    node('n3', 'Requirement', { title: 'a', relevance_score: 0.25 }),
    node('n4', 'Entity', { title: 'Élan 😀', relevance_score: 1 }),
  ],
  edges: [
    edge('e1', 'supersedes', 'n2', 'n1'),
    edge('e2', 'derives_from', 'n1', 'n3', { confidence: 0.6 }),
    edge('e3', 'derives_from', 'n2', 'n3'),
    edge('e4', 'belongs_to', 'n3', 'n4'),
  ],
}

const parameters = {
  none: null,
  flag: true,
  real: 1.5,
  long: Array.from({ length: 60 }, (_, index) => `n${index}`),
  mixed: [...Array.from({ length: 60 }, (_, index) => `x${index}`), 1, 'a', true, null, [1], 3],
}

/** Numbers of every form: integers, reals, at and beyond the ends of both, and those that are known at run time. */
const numbers = [
  '1',
  '-7',
  '0',
  '2.5',
  '-0.5',
  '9007199254740991 * 1024',
  '9007199254740991 * 1024 * 1024',
  '1e308',
  '1e-308',
  '1e999',
  '-1e999',
  '0.1',
  '1e15',
  '1e16',
  '123456789012345678',
  '1e-5',
  'coalesce(n.query_hits, 0.5)',
  'coalesce(null, 0.5, 1)',
  'n.query_hits',
  'n.relevance_score',
  'null',
  '1.0',
  '$real',
]

const rounded = ['2.675', '0.15', '1.005', '0.285', '1.45', '8.345', '-2.5', '0.125', '12345.6789', '1e20', '0.045']

const strings = ['n.title', '"ὈΔΥΣΣΕΎΣ ǅ ﬁ"', '"ŉ ß"', '""', '"😀é"', 'coalesce(n.superseded_by, n.query_hits)', 'null']

const lists = [
  '[1]',
  '[1.0]',
  '[null]',
  '["a", null]',
  '[[1, null]]',
  '[[2, null]]',
  '[true]',
  'labels(n)',
  '$mixed',
  '[]',
]

const pairs = (values: readonly string[], operators: readonly string[]): string[] =>
  values.flatMap(a => values.flatMap(b => operators.map(operator => `${a} ${operator} ${b}`)))

const calls = (values: readonly string[], texts: readonly string[]): string[] =>
  values.flatMap(value => texts.map(text => text.replaceAll('X', value)))

const values: Readonly<Record<string, readonly string[]>> = {
  'of arithmetic': pairs(numbers, ['+', '-', '*', '/', '%']),
  'of comparing numbers': pairs(numbers, ['<', '=']),
  'of functions of numbers': calls(numbers, [
    '-(X)',
    'abs(X)',
    'round(X)',
    '"t" + X',
    '[X]',
    'X IS NULL',
    'X IN $mixed',
  ]),
  'of rounding': calls(rounded, [
    'round(X)',
    'round(X, 1)',
    'round(X, 2)',
    'round(X, 40)',
    'round(X, -1)',
    'round(X, 1.9)',
  ]),
  'of comparing strings': pairs(strings, ['<', '=', 'CONTAINS', 'STARTS WITH', 'ENDS WITH']),
  'of functions of strings': calls(
    strings.filter(text => !text.startsWith('coalesce')),
    ['toLower(X)', 'toUpper(X)', 'size(X)', 'X + 1'],
  ),
  'of lists': [
    ...pairs(lists, ['=', '<>']),
    ...calls([...strings, 'n', 'true'], ['X IN $mixed', 'X IN $long', 'X IN []']),
  ],
  'of truth': pairs(['true', 'false', 'null', '(null = 1)', '$flag', '$none'], ['AND', 'OR', 'XOR', '=', '<']),
}

const aggregates = calls(
  ['n.query_hits', 'n.relevance_score', 'coalesce(n.query_hits, 0.5)', 'null', '1e308'],
  ['sum(X)', 'sum(DISTINCT X)', 'avg(X)', 'min(X)', 'max(X)', 'collect(X)', 'count(DISTINCT X)'],
).concat(
  calls(
    ['n.title', 'n.query_hits > 0', 'coalesce(n.superseded_by, n.query_hits)', 'null = 1'],
    ['min(X)', 'max(X)', 'collect(X)', 'count(X)', 'count(DISTINCT X)'],
  ),
)

const queries = [
  ...calls(
    [
      'n.title',
      'n.query_hits',
      'n.query_hits > 0',
      'coalesce(n.superseded_by, n.query_hits)',
      '1',
      'true',
      'null',
      '$none',
    ],
    ['DISTINCT X ORDER BY X', 'DISTINCT X AS x ORDER BY x DESC', 'X, count(*) ORDER BY X DESC', 'X AS x ORDER BY x'],
  ).map(text => `MATCH (n) RETURN ${text}`),
  'MATCH p = (a)-[*0..2]-(b) RETURN p, length(p), nodes(p), relationships(p) ORDER BY length(p)',
  'MATCH p = (a)-[r*1..2]->(b) RETURN r, collect(p), count(*) ORDER BY size(r)',
  'MATCH p = (a)-->(b) RETURN [[p]], collect([p]), collect([a])',
  'MATCH (a) OPTIONAL MATCH p = (a)-[r*1..2]->(b) RETURN a.id, p, r, b, [p] ORDER BY b.title DESC',
  'MATCH (n) RETURN n, n.title + "x", count(*) ORDER BY n.title + "x" DESC, n.query_hits + 1',
  'MATCH (a)-[r]->(b) RETURN DISTINCT r ORDER BY r.confidence, r.id',
  'MATCH (a) OPTIONAL MATCH (a)-[r]->(b) RETURN a, r, count(b), b.title ORDER BY a.title, b.title',
  'MATCH (a) OPTIONAL MATCH (a)--(b) OPTIONAL MATCH (b)-[r*0..1]-(c) RETURN a.id, b.id, r, c.id',
  'OPTIONAL MATCH (x:Bug) RETURN x, x.title, labels(x)',
  'MATCH (a)-[x]-(b)-[y*1..2]-(c), (c)-[z*1..1]-(d) RETURN count(*), collect(DISTINCT x.id)',
  'MATCH (a)-[r]->(b) RETURN startNode(r), endNode(r), type(r), [r, a], [[a], 1]',
]

/** The number of values that are asked for at once. */
const atOnce = 40

/** 0 and -0 are the same. */
const comparable = (found: unknown): unknown => (found === 0 ? 0 : found)

describe.skipIf(missing !== undefined)(`both databases${missing === undefined ? '' : `: ${missing}`}`, () => {
  let databases: GraphDatabase[]

  beforeAll(async () => {
    databases = await Promise.all([GraphDatabase.open('sqlite'), GraphDatabase.open('postgres')])
    for (const database of databases) await database.store(graph)
  })

  afterAll(async () => {
    for (const database of databases ?? []) await database.close()
  })

  async function compare(query: string): Promise<void> {
    const [onSqlite, onPostgres] = await Promise.all(databases.map(each => each.ask(query, parameters)))
    const [expected, found] = [onSqlite!, onPostgres!].map(({ columns, rows }) =>
      rows.map(row => row.map((value, index) => [columns[index], comparable(value)])),
    )
    expect(found).toEqual(expected)
  }

  test.each(Object.entries(values))('give the same results %s', async (_, expressions) => {
    for (let from = 0; from < expressions.length; from += atOnce)
      await compare(`MATCH (n) RETURN ${expressions.slice(from, from + atOnce).join(', ')}`)
  })

  test('give the same results of aggregates', async () => {
    await compare(`MATCH (n) RETURN ${aggregates.join(', ')}`)
  })

  test.each(queries)('answer alike: %s', compare)
})
