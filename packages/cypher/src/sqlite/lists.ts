import { sql } from 'kysely'
import type { ListSql } from '../dialect.ts'
import { all, joined, type Sql, type Value } from '../sql.ts'

const each = (list: Sql, alias: string): Sql => sql`json_each(${list}) ${sql.ref(alias)}`

export const lists: ListSql = {
  parsed: json => sql`json(${json})`,
  ofIds: json => json,
  of: items => sql`json_array(${joined(items, ', ')})`,
  item: ({ sql: value, type }) => {
    switch (type.kind) {
      case 'boolean':
        return sql`json(case ${value} when 1 then 'true' when 0 then 'false' else 'null' end)`
      case 'list':
      case 'path':
        return sql`json(${value})`
      default:
        return value
    }
  },
  nested: json => sql`json(${json})`,
  length: list => sql`json_array_length(${list})`,
  includes: (list, value, kinds) => {
    const item = kinds === 'same' ? sql`j.value` : sql`case when ${sameKind(value)} then j.value end`
    return sql`${value.sql} in (select ${item} from ${each(list, 'j')})`
  },
  items: each,
  ids: each,
  collected: ({ sql: value }, distinct, order) => {
    const keys = distinct ? [value] : order
    const sorted = keys.length === 0 ? sql`` : sql` order by ${joined(keys, ', ')}`
    const only = distinct ? sql`distinct ` : sql``
    return sql`json_group_array(${only}${value}${sorted}) filter (where ${all([sql`${value} is not null`])})`
  },
  path: (nodes, edges) => sql`json_object('nodes', json(${nodes}), 'edges', json(${edges}))`,
  nodesOf: path => sql`json_extract(${path}, '$.nodes')`,
  edgesOf: path => sql`json_extract(${path}, '$.edges')`,
  pathLength: path => sql`json_array_length(${path}, '$.edges')`,
  object: members => {
    const pairs = members.map(([name, value]) => sql`${sql.lit(name)}, ${value}`)
    return sql`json_object(${joined(pairs, ', ')})`
  },
  member: json => sql`json(${json})`,
  gathered: column => sql`json_group_array(json(${column}))`,
}

/** Whether list item `j` has the same kind as a value; comparing different kinds gives null. */
function sameKind({ sql: value, type }: Value): Sql {
  switch (type.kind) {
    case 'number':
      return sql`j.type in ('integer', 'real')`
    case 'boolean':
      return sql`j.type in ('true', 'false')`
    case 'scalar':
      return sql`(typeof(${value}) = 'text') = (j.type = 'text') and j.type in ('text', 'integer', 'real')`
    default:
      return sql`j.type = 'text'`
  }
}
