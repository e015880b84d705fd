import type { InboxItem } from '@specboard/contract'
import { dialect, type Param } from '@specboard/storage'
import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { z } from 'zod'
import type { Access } from '../../kernel/access/access.ts'
import type { Context } from '../../kernel/context.ts'
import { type OnBoard, sameBoard } from '../../schema/same-board.ts'
import type { Kind, WaitingItem } from './rules.ts'

/** What an item shows besides its record: who caused it, what it says, and the call that settles it. */
export interface ItemDetails extends Pick<z.output<typeof InboxItem>, 'data' | 'operation' | 'arguments'> {
  readonly actor_id: string | null
  /** The actor's name if it is stored with the source; otherwise it is the agent's. */
  readonly actor_name?: string | null
  /** The last state of the record, if it no longer exists. */
  readonly record?: { readonly ref: string | null; readonly title: string; readonly status: string }
}

/** The source of items of a kind. To add one, add a file next to the others and a line to the table of sources. */
export interface Source {
  readonly kind: Kind
  readonly about:
    | 'ideation'
    | 'refinement'
    | 'spec'
    | 'sprint'
    | 'card'
    | 'webhook'
    | 'repository'
    | 'board'
    | 'connection'
  /** Whether its items belong to no board: they are looked up, without boards, if a call names none. */
  readonly isBoardless?: true
  /** Whether the caller can have such items on a board: it may read them and make the call that settles them. */
  readonly isOpen: (access: Access) => boolean
  /** The items waiting on boards where the caller may act on them. */
  readonly find: (ctx: Context, boards: readonly Access[]) => Promise<readonly WaitingItem[]>
  /** The details of a page of items, by source. */
  readonly show: (ctx: Context, page: readonly WaitingItem[], on: AccessTo) => Promise<ReadonlyMap<string, ItemDetails>>
  /** When more of them may appear merely because time passes; null if nothing expires. */
  readonly nextAt?: (ctx: Context, boards: readonly Access[]) => Promise<string | null>
}

/** The caller's access to a board. */
export type AccessTo = (boardId: string) => Access

/** The ids of boards, as the parameter of a query. */
export const idsOf = (boards: readonly Access[]): string => JSON.stringify(boardIdsOf(boards))

/** The ids of boards. */
export const boardIdsOf = (boards: readonly Access[]): string[] => boards.map(access => access.way!.boardId)

/** The boards where a condition on the caller's access holds, as the parameter of a query. */
export const idsWhere = (boards: readonly Access[], holds: (access: Access) => boolean): string =>
  idsOf(boards.filter(holds))

/** The condition for records `table` that are on one of the boards of a parameter. */
export const onBoards = (table: string, boards: string) =>
  dialect.inList(sql.ref(`${table}.board_id`), sql<string>`${boards}`)

/** The columns of a waiting item. */
export const foundColumns = (
  table: string,
  { source, record, since }: { readonly source: string; readonly record: string; readonly since: RawBuilder<string> },
) =>
  sql`${sql.ref(source)} as source, ${sql.ref(record)} as record, ${sql.ref(`${table}.board_id`)} as board, ${since} as since`

/** The last entry by which a record entered its status, as a from clause; a record that was created in it has none. */
const lastMove = (table: string) =>
  sql`from events e where e.entity_id = ${sql.ref(`${table}.id`)} and e.history_action = 'status_changed'
    and ${sameBoard('e', table)} order by e.seq desc limit 1`

/** Since when a record has its status. */
export const inStatusSince = (table: string): RawBuilder<string> =>
  sql<string>`coalesce((select e.created_at ${lastMove(table)}), ${sql.ref(`${table}.created_at`)})`

/** The agent that gave a record its current status. */
export const statusSetBy = (table: string): RawBuilder<string> =>
  sql<string>`coalesce((select e.actor_id ${lastMove(table)}), ${sql.ref(`${table}.created_by`)})`

/** The sequence number of the entry by which a record entered its status; 0 if it was created in it. */
export const movedAtSequence = (table: string): RawBuilder<number> =>
  sql<number>`coalesce((select e.seq ${lastMove(table)}), 0)`

/** Rows that are asked for by their ids, and the boards that they are on, as the parameters of a query. */
export interface Selection {
  ids: string
  boards: string
}

const selectionOf = (page: readonly WaitingItem[], id: 'source' | 'record'): Selection => ({
  ids: JSON.stringify(page.map(item => item[id])),
  boards: JSON.stringify([...new Set(page.map(({ board }) => board))]),
})

/** The sources of items. */
export const sourcesOf = (page: readonly WaitingItem[]): Selection => selectionOf(page, 'source')

/** The records of items. */
export const recordsOf = (page: readonly WaitingItem[]): Selection => selectionOf(page, 'record')

/** The condition for the rows of a table, or an alias of it, that are asked for by a column. */
export const isAsked = (table: string, param: Param<Selection>, column = 'id') =>
  sql<SqlBool>`(${dialect.inList(sql.ref(`${table}.${column}`), sql<string>`${param('ids')}`)}
    and ${dialect.onBoards(sql.ref(`${table}.board_id`), sql<string>`${param('boards')}`)})`

/** The record of an item, with its board. */
export const recordOf = ({ record, board }: WaitingItem): OnBoard => ({ id: record, board_id: board })
