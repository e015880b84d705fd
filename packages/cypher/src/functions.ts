import { sql } from 'kysely'
import { aggregates } from './aggregation.ts'
import { type Position, wrong } from './cypher-error.ts'
import type { Dialect } from './dialect.ts'
import type { PropertyGraph } from './property-graph.ts'
import { joined, type Sql, type Value } from './sql.ts'
import { common, edge, integer, is, listOf, named, node, nothing, real, string, type Type } from './types.ts'

/** The dialect and graph that a call is translated for. */
interface FunctionTarget {
  readonly dialect: Dialect
  readonly graph: PropertyGraph
}

/** A function that takes one value, or one value and a number. */
interface OneRow {
  readonly takes: readonly Type['kind'][]
  readonly call: (value: Value, target: FunctionTarget, second: Value | undefined) => Value
  /** Whether it may take a number as its second value. */
  readonly second?: true
}

const property = (table: string, name: string, id: Sql): Sql =>
  sql`(select ${sql.ref(name)} from ${sql.table(table)} where id = ${id})`

const labelOf = ({ sql: id, type }: Value, { nodes, edges }: PropertyGraph): Sql =>
  type.kind === 'node' ? property(nodes.table, nodes.labelColumn, id) : property(edges.table, edges.typeColumn, id)

const size: OneRow = {
  takes: ['string', 'list', 'path'],
  call: ({ sql: value, type }, { dialect: { lists } }) => ({
    sql:
      type.kind === 'string'
        ? sql`length(${value})`
        : type.kind === 'path'
          ? lists.pathLength(value)
          : lists.length(value),
    type: integer,
  }),
}

const table: Readonly<Record<string, OneRow>> = {
  label: { takes: ['node', 'edge'], call: (of, { graph }) => ({ sql: labelOf(of, graph), type: string }) },
  labels: {
    takes: ['node'],
    call: (of, { dialect: { lists }, graph }) => ({
      sql: sql`(case when ${of.sql} is not null then ${lists.of([lists.item({ sql: labelOf(of, graph), type: string })])} end)`,
      type: listOf(string),
    }),
  },
  type: { takes: ['edge'], call: (of, { graph }) => ({ sql: labelOf(of, graph), type: string }) },
  id: { takes: ['node', 'edge'], call: of => ({ sql: of.sql, type: string }) },
  startNode: {
    takes: ['edge'],
    call: (of, { graph: { edges } }) => ({ sql: property(edges.table, edges.fromColumn, of.sql), type: node }),
  },
  endNode: {
    takes: ['edge'],
    call: (of, { graph: { edges } }) => ({ sql: property(edges.table, edges.toColumn, of.sql), type: node }),
  },
  nodes: { takes: ['path'], call: (of, { dialect }) => ({ sql: dialect.lists.nodesOf(of.sql), type: listOf(node) }) },
  relationships: {
    takes: ['path'],
    call: (of, { dialect }) => ({ sql: dialect.lists.edgesOf(of.sql), type: listOf(edge) }),
  },
  size,
  length: size,
  toLower: { takes: ['string'], call: of => ({ sql: sql`cypher_lower(${of.sql})`, type: string }) },
  toUpper: { takes: ['string'], call: of => ({ sql: sql`cypher_upper(${of.sql})`, type: string }) },
  abs: { takes: ['number'], call: (of, { dialect }) => ({ sql: dialect.numbers.absolute(of), type: of.type }) },
  round: {
    takes: ['number'],
    second: true,
    call: (of, { dialect }, places) => ({ sql: dialect.numbers.rounded(of, places), type: real }),
  },
}

/** The names of the functions that are not aggregates. */
export const functions: readonly string[] = ['coalesce', ...Object.keys(table)]

/** The first value that is not null. */
function coalesce({ values: { as } }: Dialect, values: readonly Value[], position: Position): Value {
  const type = common(values.map(value => value.type))
  const [first] = values
  if (first === undefined) return wrong('coalesce takes at least one value.', position)
  if (type === null) return wrong('The values of coalesce must be of one kind.', position)
  if (values.length === 1) return first
  const all = joined(
    values.map(value => as(value, type)),
    ', ',
  )
  return { sql: sql`coalesce(${all})`, type }
}

/**
 * A call of a function that is not an aggregate; its name may be in any letter case.
 * @throws CypherError
 */
export function callFunction(
  name: string,
  values: readonly Value[],
  target: FunctionTarget,
  position: Position,
): Value {
  const functionName = functions.find(candidate => candidate.toLowerCase() === name)
  if (functionName === undefined)
    return wrong(`There is no function ${name}. There are ${[...functions, ...aggregates].join(', ')}.`, position)
  if (functionName === 'coalesce') return coalesce(target.dialect, values, position)
  const { takes, call, second: takesSecond } = table[functionName]!
  const [first, second, ...more] = values
  if (first === undefined || more.length > 0 || (second !== undefined && takesSecond !== true))
    return wrong(`${functionName} takes ${takesSecond ? 'one or two values' : 'one value'}.`, position)
  if (second !== undefined && !is(second.type, 'number'))
    return wrong(`The second value of ${functionName} must be a number.`, position)
  if (first.type.kind === 'null') return { sql: sql`null`, type: nothing }
  if (!takes.includes(first.type.kind)) return wrong(`${functionName} does not take ${named(first.type)}.`, position)
  return call(first, target, second)
}
