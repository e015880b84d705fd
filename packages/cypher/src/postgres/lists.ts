import { sql } from 'kysely'
import type { ListSql } from '../dialect.ts'
import { joined, type Sql, type Value } from '../sql.ts'
import { number } from '../types.ts'
import { asNumber, asText, byBytes, numberOf, textOf, values } from './values.ts'

/**
 * A value in the form that PostgreSQL converts to a list item: reals are first converted to numbers, because some
 * cannot be represented in JSON.
 */
const plain = (value: Value): Sql => (value.type.kind === 'number' ? values.as(value, number) : value.sql)

/** The size of a value, bytes. */
const sizeOf = ({ sql: value, type }: Value): Sql => {
  switch (type.kind) {
    case 'number':
    case 'boolean':
      return sql`case when ${value} is not null then 8 end`
    case 'string':
    case 'node':
    case 'edge':
      return sql`octet_length(${value})`
    default:
      return sql`octet_length((${value})::text)`
  }
}

export const lists: ListSql = {
  parsed: json => sql`cast(cast(${json} as text) as jsonb)`,
  ofIds: json => sql`cast(${json} as jsonb)`,
  // An array takes any number of items, a function only a hundred.
  of: items => sql`to_jsonb(array[${joined(items, ', ')}]::jsonb[])`,
  item: value => (value.type.kind === 'null' ? values.as(value, { kind: 'any' }) : sql`to_jsonb(${plain(value)})`),
  nested: json => sql`to_jsonb(${json})`,
  length: list => sql`jsonb_array_length(${list})`,
  includes: (list, value) => {
    const among = (operand: Sql, item: Sql) => sql`(${operand} in (select ${item} from ${lists.items(list, 'j')}))`
    const item = sql`j.value`
    const inTexts = () => among(asText(value), textOf(item))
    const inNumbers = () => among(asNumber(value), numberOf(item))
    switch (value.type.kind) {
      case 'number':
        return inNumbers()
      case 'scalar':
        return sql`coalesce(${inTexts()}, ${inNumbers()})`
      case 'boolean':
        return among(value.sql, sql`case jsonb_typeof(${item}) when 'boolean' then ${item}::boolean end`)
      case 'list':
        return among(sql`true`, sql`cypher_lists_equal(${value.sql}, ${item})`)
      case 'node':
      case 'edge':
        return among(value.sql, textOf(item))
      case 'path':
        return among(value.sql, item)
      default:
        return inTexts()
    }
  },
  items: (list, alias) => sql`(select nullif(value, 'null') as value, key
    from jsonb_array_elements(${list}) with ordinality as each (value, key)) as ${sql.ref(alias)}`,
  ids: (list, alias) => sql`jsonb_array_elements_text(${list}) with ordinality as ${sql.ref(alias)} (value, key)`,
  collected: (value, distinct, order) => {
    const isText = ['string', 'node', 'edge', 'null'].includes(value.type.kind)
    const each = isText ? byBytes(values.as(value, { kind: 'string' })) : plain(value)
    const keys = distinct ? [each] : order
    const sorted = keys.length === 0 ? sql`` : sql` order by ${joined(keys, ', ')}`
    const items = sql`jsonb_agg(${distinct ? sql`distinct ` : sql``}${each}${sorted}) filter (where ${each} is not null)`
    return sql`coalesce(case when cypher_collected(${sizeOf(value)}) >= 0 then ${items} end, '[]'::jsonb)`
  },
  path: (nodes, edges) => sql`jsonb_build_object('nodes', ${nodes}, 'edges', ${edges})`,
  nodesOf: path => sql`(${path} -> 'nodes')`,
  edgesOf: path => sql`(${path} -> 'edges')`,
  pathLength: path => sql`jsonb_array_length(${path} -> 'edges')`,
  // Not jsonb, which reorders the members.
  object: members => {
    const pairs = members.map(([name, value]) => sql`${sql.lit(name)}, ${value}`)
    return sql`json_build_object(${joined(pairs, ', ')})`
  },
  member: json => json,
  gathered: column => sql`coalesce(json_agg(${column}), '[]'::json)`,
}
