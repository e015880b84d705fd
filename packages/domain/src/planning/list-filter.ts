import type { Param } from '@specboard/storage'
import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { oneOf } from '../kernel/one-of.ts'
import { type Paging, window } from '../kernel/page.ts'
import type { Flag } from '../schema/columns.ts'
import type { Db } from '../schema/database.ts'
import { hot } from '../schema/hot.ts'

/** The query of the lists of ideations, refinements and specs. */
export interface ListQuery extends Paging {
  readonly status?: string | undefined
  readonly include_archived: boolean
}

/** The SQL parameters that select the records of a list. */
export interface ListFilter {
  /** Null for any status. */
  status: string | null
  /** 1 includes archived records. */
  archived: Flag
}

/**
 * The SQL parameters of a list.
 * @throws DomainError VALIDATION_ERROR for a status that the records cannot have
 */
export const filterOf = (
  { status, include_archived, ...paging }: ListQuery,
  statuses: readonly string[],
): ListFilter & ReturnType<typeof window> => ({
  status: status === undefined ? null : oneOf('status', statuses, status),
  archived: include_archived ? 1 : 0,
  ...window(paging),
})

/** The condition for the requested records. */
export const matches = (param: Param<ListFilter>): RawBuilder<SqlBool> =>
  sql`(status = coalesce(${param('status')}, status) and archived <= ${param('archived')})`

/** Makes the query that counts the requested records of a board or ideation. */
export function counterOf<Owner extends 'board' | 'ideation'>(
  table: 'ideations' | 'refinements' | 'specs',
  owner: Owner,
): (db: Db, filter: ListFilter & Readonly<Record<Owner, string>>) => Promise<number> {
  const counted = hot<ListFilter & { owner: string }, { count: number }>(
    (_, param) =>
      sql<{ count: number }>`select count(*) as count from ${sql.table(table)}
        where ${sql.ref(`${owner}_id`)} = ${param('owner')} and ${matches(param)}`,
  )
  return async (db, filter) => {
    const [all] = await counted(db, { status: filter.status, archived: filter.archived, owner: filter[owner] })
    return all!.count
  }
}
