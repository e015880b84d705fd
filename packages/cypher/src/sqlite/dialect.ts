import { createQueryId, type RootOperationNode, SqliteQueryCompiler } from 'kysely'
import type { Dialect } from '../dialect.ts'
import { lists } from './lists.ts'
import { numbers } from './numbers.ts'
import { tables } from './tables.ts'
import { texts } from './texts.ts'
import { values } from './values.ts'

const compiler = new SqliteQueryCompiler()

/** SQLite, with `sqlFunctions` and `within`. */
export const sqlite: Dialect = {
  values,
  numbers,
  texts,
  lists,
  tables,
  compile: query => compiler.compileQuery(query.toOperationNode() as RootOperationNode, createQueryId()),
}
