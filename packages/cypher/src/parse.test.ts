import { describe, expect, test } from 'vitest'
import type { Expression } from './ast.ts'
import { CypherError } from './cypher-error.ts'
import { parseCypher } from './parse.ts'

const refusal = (text: string) => {
  try {
    parseCypher(text)
  } catch (error) {
    if (error instanceof CypherError)
      return { line: error.position.line, column: error.position.column, feature: error.feature }
    throw error
  }
  return null
}

describe('a query', () => {
  test('is parsed to its tree', () => {
    const query = parseCypher(
      'match p = (a:Decision|Bug {title: $t})-[r:tests|:implements*2..4]->(b)<--() optional match (b)--(c) where not a.title contains "x" return distinct a.title as t, count(*), p order by t desc, a.id skip 1 limit $n;',
    )
    expect(query.matches.map(match => match.optional)).toEqual([false, true])
    const [path] = query.matches[0]!.paths
    expect(path).toMatchObject({
      variable: { name: 'p' },
      nodes: [
        { variable: { name: 'a' }, labels: [{ name: 'Decision' }, { name: 'Bug' }], members: [{ name: 'title' }] },
        { variable: { name: 'b' }, labels: [] },
        { variable: null },
      ],
      relationships: [
        {
          variable: { name: 'r' },
          types: [{ name: 'tests' }, { name: 'implements' }],
          direction: 'out',
          range: { min: 2, max: 4 },
        },
        { direction: 'in', range: null },
      ],
    })
    expect(query).toMatchObject({ distinct: true, order: [{ descending: true }, { descending: false }] })
    expect(query.items.map(({ column }) => column)).toEqual(['t', 'count(*)', 'p'])
  })

  test.each([
    ['*', { min: 1, max: 10 }],
    ['*3', { min: 3, max: 3 }],
    ['*0..2', { min: 0, max: 2 }],
    ['*2..', { min: 2, max: 10 }],
    ['*..4', { min: 1, max: 4 }],
    ['*1..99', { min: 1, max: 10 }],
  ])('limits a range to ten edges: %s', (range, expected) =>
    expect(parseCypher(`MATCH (a)-[${range}]-(b) RETURN a`).matches[0]!.paths[0]!.relationships[0]!.range).toEqual(
      expected,
    ),
  )

  test.each([
    ['1 + 2 * 3 - 4', '((1+(2*3))-4)'],
    ['NOT true AND false OR null XOR true', '((!(true)ANDfalse)OR(nullXORtrue))'],
    ['1 < 2 <= 3', '((1<2)AND(2<=3))'],
    ['-(1 + 1) % 2', '(-((1+1))%2)'],
    ["n.title STARTS WITH 'a' = true", '((n.titleSTARTS WITHa)=true)'],
    ['n.title IS NOT NULL AND n.id IN [1, 2]', '((n.title?)AND(n.idIN[1,2]))'],
  ])('respects operator precedence: %s', (text, expected) => {
    const show = (expression: Expression): string => {
      switch (expression.kind) {
        case 'binary':
          return `(${show(expression.left)}${expression.operator}${show(expression.right)})`
        case 'not':
          return `!(${show(expression.operand)})`
        case 'minus':
          return `-(${show(expression.operand)})`
        case 'isNull':
          return `(${show(expression.operand)}?)`
        case 'property':
          return `${expression.variable}.${expression.name}`
        case 'list':
          return `[${expression.items.map(show).join()}]`
        default:
          return 'value' in expression ? String(expression.value) : expression.kind
      }
    }
    expect(show(parseCypher(`MATCH (n) RETURN ${text}`).items[0]!.expression)).toBe(expected)
  })
})

describe('refusals give the position', () => {
  test.each([
    ['', 1, 1],
    ['   ', 1, 1],
    ['x'.repeat(10_001), 1, 1],
    ['RETURN 1', 1, 1],
    ['MATCH (n RETURN n', 1, 10],
    ['MATCH (n)\nRETURN n,', 2, 10],
    ['MATCH (n) RETURN n n', 1, 20],
    ["MATCH (n) RETURN 'open", 1, 18],
    ['MATCH (n) /* open', 1, 11],
    ['MATCH (n) RETURN n § 1', 1, 20],
    ['MATCH (a)<-[r]->(b) RETURN a', 1, 10],
    ['MATCH (a)-[*3..1]->(b) RETURN a', 1, 13],
    [`MATCH (n) RETURN ${'('.repeat(150)}1`, 1, 118],
  ])('%s', (text, line, column) => expect(refusal(text)).toEqual({ line, column, feature: undefined }))

  test.each([
    ['MATCH (n) WITH n RETURN n', 'WITH'],
    ['UNWIND [1] AS x RETURN x', 'UNWIND'],
    ['MATCH (n) RETURN n UNION MATCH (m) RETURN m', 'UNION'],
    ['CALL db.labels()', 'CALL'],
    ['MATCH (n) RETURN CASE n.title WHEN 1 THEN 2 END', 'CASE'],
    ['MATCH (n) WHERE EXISTS { (n)-->() } RETURN n', 'EXISTS'],
    ['MATCH (n) WHERE exists(n.title) RETURN n', 'EXISTS'],
    ['MATCH (n) RETURN COUNT { (n)-->() }', 'subqueries'],
    ['MATCH (n) RETURN [x IN labels(n) | x]', 'list comprehension'],
    ['MATCH (n) WHERE all(x IN labels(n) WHERE x = 1) RETURN n', 'list comprehension'],
    ["MATCH (n) WHERE n.title =~ 'a.*' RETURN n", 'regular expressions'],
    ['MATCH p = shortestPath((a)-[*]-(b)) RETURN p', 'shortestPath'],
    ['MATCH (n) RETURN n {.title}', 'map projection'],
    ['MATCH (n) RETURN {a: 1}', 'map literal'],
    ['MATCH (n) RETURN labels(n)[0]', 'list index'],
    ['MATCH (a), (b) WHERE (a)-->(b) RETURN a', 'pattern expression'],
  ])('and the unsupported construct: %s', (text, feature) => expect(refusal(text)?.feature).toBe(feature))
})
