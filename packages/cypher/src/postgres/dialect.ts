import { createQueryId, type RootOperationNode } from 'kysely'
import type { Dialect } from '../dialect.ts'
import { InterningCompiler } from './compiler.ts'
import { lists } from './lists.ts'
import { numbers } from './numbers.ts'
import { tables } from './tables.ts'
import { texts } from './texts.ts'
import { values } from './values.ts'

/** PostgreSQL, with `postgresFunctions`. */
export const postgres: Dialect = {
  values,
  numbers,
  texts,
  lists,
  tables,
  compile: query => new InterningCompiler().compileQuery(query.toOperationNode() as RootOperationNode, createQueryId()),
}
