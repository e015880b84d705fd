import type { Param } from '@specboard/storage'
import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { oneOf } from '../kernel/one-of.ts'
import { type Paging, window } from '../kernel/page.ts'
import type { Flag } from '../schema/columns.ts'
import type { Db } from '../schema/database.ts'
import { hot } from '../schema/hot.ts'

/** What the lists of ideations, refinements and specs ask for. */
export interface ListQuery extends Paging {
  readonly status?: string | undefined
  readonly include_archived: boolean
}

/** The parameters of a list's query that choose records. */
export interface ListFilter {
  /** Null takes every status. */
  status: string | null
  /** 1 takes archived records too. */
  archived: Flag
}

/**
 * The parameters of a list's query.
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

/** Whether a record is one of those asked for. */
export const matches = (param: Param<ListFilter>): RawBuilder<SqlBool> =>
  sql`(status = coalesce(${param('status')}, status) and archived <= ${param('archived')})`

/** The query that counts the records of an owner, a board or an ideation, that a list asks for. */
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
