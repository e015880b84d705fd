import type { Param } from '@specboard/storage'
import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Segment } from '../kernel/counted-list.ts'
import { oneOf } from '../kernel/one-of.ts'
import type { Paging } from '../kernel/page.ts'
import type { Flag } from '../schema/columns.ts'
import type { Db } from '../schema/database.ts'

/** The query of the lists of ideations, refinements, specs and sprints. */
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
 * The SQL parameters that select the records of a list.
 * @throws DomainError VALIDATION_ERROR for a status that the records cannot have
 */
export const filterOf = ({ status, include_archived }: ListQuery, statuses: readonly string[]): ListFilter => ({
  status: status === undefined ? null : oneOf('status', statuses, status),
  archived: include_archived ? 1 : 0,
})

/**
 * The condition for records with the requested status: none if any status will do, so that the index of the order is
 * used.
 */
type StatusCondition = (param: Param<ListFilter>) => RawBuilder<SqlBool>

const any: StatusCondition = () => sql`1 = 1`
const one: StatusCondition = param => sql`status = ${param('status')}`

/**
 * Makes a list's queries with and without a status, each of which has its index; a call runs the one that it needs.
 *
 * @example
 * const listed = byStatus(status => hot<BoardFilter & Segment, Row>((db, param) =>
 *   db.selectFrom('specs').selectAll().where('board_id', '=', param('board')).where(status(param))))
 */
export function byStatus<Parameters extends ListFilter, Row>(
  query: (status: StatusCondition) => (db: Db, parameters: Parameters) => Promise<Row[]>,
): (db: Db, parameters: Parameters) => Promise<Row[]> {
  const [ofAny, ofOne] = [query(any), query(one)]
  return (db, parameters) => (parameters.status === null ? ofAny : ofOne)(db, parameters)
}

/** The condition for records in a segment of a list, archived ones only on request. */
export const inSegment = (param: Param<ListFilter & Segment>): RawBuilder<SqlBool> =>
  sql`(updated_at < ${param('before')} and archived <= ${param('archived')})`

/** The condition for the requested records where they are so few that no index by status is needed. */
export const requested = (param: Param<ListFilter>): RawBuilder<SqlBool> =>
  sql`(status = coalesce(${param('status')}, status) and archived <= ${param('archived')})`
