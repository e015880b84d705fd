/** All tables, from the files of their subjects. */
import type { RowOf, Table } from '../table.ts'
import * as access from './access.ts'
import * as delivery from './delivery.ts'
import * as evidence from './evidence.ts'
import * as exchange from './exchange.ts'
import * as git from './git.ts'
import * as graph from './graph.ts'
import * as notifications from './notifications.ts'
import * as people from './people.ts'
import * as planning from './planning.ts'
import * as planningParts from './planning-parts.ts'
import * as search from './search.ts'
import * as service from './service.ts'

const subjects = {
  ...access,
  ...people,
  ...notifications,
  ...planning,
  ...planningParts,
  ...delivery,
  ...git,
  ...evidence,
  ...graph,
  ...search,
  ...exchange,
  ...service,
}

type Tables = { readonly [Key in keyof typeof subjects as (typeof subjects)[Key]['name']]: (typeof subjects)[Key] }

/** The tables as Kysely knows them. */
export type Schema = { [Name in keyof Tables]: RowOf<Tables[Name]> }

export type TableName = keyof Schema

/** A table whose records have a reference. */
export type NumberedTable = {
  [Name in TableName]: true extends NonNullable<Tables[Name]['isNumbered']> ? Name : never
}[TableName]

/** The literals of all tables. */
export const tables: readonly Table<TableName>[] = Object.values(subjects)

const byName: ReadonlyMap<string, Table<TableName>> = new Map(tables.map(table => [table.name, table]))

/** The literal of a table; undefined for an unknown name. */
export const tableNamed = (name: string): Table<TableName> | undefined => byName.get(name)

/** The tables whose records have a reference (work 1). */
export const numberedTables = tables.filter(({ isNumbered }) => isNumbered).map(({ name }) => name as NumberedTable)
