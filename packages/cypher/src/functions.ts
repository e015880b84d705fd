import { sql } from 'kysely'
import { aggregates } from './aggregation.ts'
import { type Position, wrong } from './cypher-error.ts'
import type { PropertyGraph } from './property-graph.ts'
import { joined, type Sql, type Value } from './sql.ts'
import { common, edge, is, listOf, named, node, nothing, number, string, type Type } from './types.ts'

/** A function that takes one value, or one value and a number. */
interface OneRow {
  readonly takes: readonly Type['kind'][]
  readonly call: (value: Sql, type: Type, graph: PropertyGraph, second: Value | undefined) => Value
  /** Whether it may take a number as its second value. */
  readonly second?: true
}

const property = (table: string, name: string, id: Sql): Sql =>
  sql`(select ${sql.ref(name)} from ${sql.table(table)} where id = ${id})`

const labelOf = (id: Sql, { kind }: Type, { nodes, edges }: PropertyGraph): Sql =>
  kind === 'node' ? property(nodes.table, nodes.labelColumn, id) : property(edges.table, edges.typeColumn, id)

const size: OneRow = {
  takes: ['string', 'list', 'path'],
  call: (value, { kind }) => ({
    sql:
      kind === 'string'
        ? sql`length(${value})`
        : kind === 'path'
          ? sql`json_array_length(${value}, '$.edges')`
          : sql`json_array_length(${value})`,
    type: number,
  }),
}

const table: Readonly<Record<string, OneRow>> = {
  label: { takes: ['node', 'edge'], call: (id, type, graph) => ({ sql: labelOf(id, type, graph), type: string }) },
  labels: {
    takes: ['node'],
    call: (id, type, graph) => ({
      sql: sql`(case when ${id} is not null then json_array(${labelOf(id, type, graph)}) end)`,
      type: listOf(string),
    }),
  },
  type: { takes: ['edge'], call: (id, type, graph) => ({ sql: labelOf(id, type, graph), type: string }) },
  id: { takes: ['node', 'edge'], call: value => ({ sql: value, type: string }) },
  startNode: {
    takes: ['edge'],
    call: (id, _, { edges }) => ({ sql: property(edges.table, edges.fromColumn, id), type: node }),
  },
  endNode: {
    takes: ['edge'],
    call: (id, _, { edges }) => ({ sql: property(edges.table, edges.toColumn, id), type: node }),
  },
  nodes: { takes: ['path'], call: value => ({ sql: sql`json_extract(${value}, '$.nodes')`, type: listOf(node) }) },
  relationships: {
    takes: ['path'],
    call: value => ({ sql: sql`json_extract(${value}, '$.edges')`, type: listOf(edge) }),
  },
  size,
  length: size,
  toLower: { takes: ['string'], call: value => ({ sql: sql`cypher_lower(${value})`, type: string }) },
  toUpper: { takes: ['string'], call: value => ({ sql: sql`cypher_upper(${value})`, type: string }) },
  abs: { takes: ['number'], call: value => ({ sql: sql`abs(${value})`, type: number }) },
  round: {
    takes: ['number'],
    second: true,
    call: (value, _type, _graph, second) => ({
      sql: second === undefined ? sql`round(${value})` : sql`round(${value}, ${second.sql})`,
      type: number,
    }),
  },
}

/** The names of the functions that are not aggregates. */
export const functions: readonly string[] = ['coalesce', ...Object.keys(table)]

/** The first value that is not null. */
function coalesce(values: readonly Value[], position: Position): Value {
  const type = common(values.map(value => value.type))
  const [first] = values
  if (first === undefined) return wrong('coalesce takes at least one value.', position)
  if (type === null) return wrong('The values of coalesce must be of one kind.', position)
  if (values.length === 1) return first
  const all = joined(
    values.map(value => value.sql),
    ', ',
  )
  return { sql: sql`coalesce(${all})`, type }
}

/**
 * A call of a function that is not an aggregate; its name may be in any letter case.
 * @throws CypherError
 */
export function callFunction(name: string, values: readonly Value[], graph: PropertyGraph, position: Position): Value {
  const known = functions.find(candidate => candidate.toLowerCase() === name)
  if (known === undefined)
    return wrong(`There is no function ${name}. There are ${[...functions, ...aggregates].join(', ')}.`, position)
  if (known === 'coalesce') return coalesce(values, position)
  const { takes, call, second: takesSecond } = table[known]!
  const [first, second, ...more] = values
  if (first === undefined || more.length > 0 || (second !== undefined && takesSecond !== true))
    return wrong(`${known} takes ${takesSecond ? 'one or two values' : 'one value'}.`, position)
  if (second !== undefined && !is(second.type, 'number'))
    return wrong(`The second value of ${known} must be a number.`, position)
  if (first.type.kind === 'null') return { sql: sql`null`, type: nothing }
  if (!takes.includes(first.type.kind)) return wrong(`${known} does not take ${named(first.type)}.`, position)
  return call(first.sql, first.type, graph, second)
}
