import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { oneOf } from './one-of.ts'
import { type Paging, window } from './page.ts'
import type { Param } from './storage/hot.ts'
import type { Flag } from './storage/schema.ts'

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
