import type { Kysely } from 'kysely'

/** The query builder, bound to a unit of work or to the reader. */
export type Db<Schema> = Kysely<Schema>
