import type { NotNull, Selectable } from 'kysely'
import type { Context } from '../../kernel/context.ts'
import { type Page, type Paging, paged, window } from '../../kernel/page.ts'
import { parseNullable } from '../../lib/json.ts'
import type { Flag } from '../../schema/columns.ts'
import type { Change } from '../../schema/contents.ts'
import { hot } from '../../schema/hot.ts'
import { type OnBoard, onBoard } from '../../schema/same-board.ts'
import type { ActorVia, EventsTable, PrincipalKind } from '../../schema/tables.ts'

/** The kinds of record with a history. */
export type HistoryType = 'ideation' | 'refinement' | 'spec' | 'sprint'

/** An entry of a record's history, without the record's id (ideation 1.8). */
interface Entry {
  readonly id: string
  readonly action: string
  readonly actor_type: PrincipalKind
  readonly actor_via: ActorVia | null
  readonly actor_id: string
  readonly actor_name: string
  readonly changes: Change[] | null
  readonly summary: string | null
  readonly version: number | null
  readonly created_at: string
  readonly imported?: true
}

/** An entry of the history of one kind of record, with the record's id. */
export type HistoryEntry<Type extends HistoryType> = Entry & Readonly<Record<`${Type}_id`, string>>

type EntryRow = Pick<
  Selectable<EventsTable>,
  'id' | 'actor_id' | 'actor_name' | 'actor_type' | 'actor_via' | 'changes' | 'summary' | 'version' | 'created_at'
> & { readonly history_action: string; readonly imported: Flag }

const entriesOf = hot<OnBoard & { type: string; limit: number; offset: number }, EntryRow>((db, param) =>
  db
    .selectFrom('events')
    .select([
      'id',
      'history_action',
      'actor_id',
      'actor_name',
      'actor_type',
      'actor_via',
      'changes',
      'summary',
      'version',
      'created_at',
      'imported',
    ])
    .where('entity_type', '=', param('type'))
    .where('entity_id', '=', param('id'))
    .where(onBoard('events', param('board_id')))
    .where('history_action', 'is not', null)
    .$narrowType<{ history_action: NotNull }>()
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(param('limit'))
    .offset(param('offset')),
)

const countedOf = hot<OnBoard & { type: string }, { count: number }>((db, param) =>
  db
    .selectFrom('events')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('entity_type', '=', param('type'))
    .where('entity_id', '=', param('id'))
    .where(onBoard('events', param('board_id')))
    .where('history_action', 'is not', null),
)

/**
 * The operation that lists a record's history, newest first, read from the event log.
 *
 * @example
 * list_ideation_history: historyOperations('ideation').list
 */
export const historyOperations = <const Type extends HistoryType>(type: Type) => ({
  list: async ({ query }: { readonly query: Paging }, ctx: Context): Promise<Page<HistoryEntry<Type>>> => {
    const { id, board_id } = ctx.target
    const rows = await entriesOf(ctx.db, { type, id, board_id, ...window(query) })
    const count = async () => (await countedOf(ctx.db, { type, id, board_id }))[0]!.count
    return paged(rows, query, count, row => entryOf(type, id, row))
  },
})

const entryOf = <Type extends HistoryType>(type: Type, recordId: string, row: EntryRow) => {
  const { history_action, changes, imported, ...fields } = row
  return {
    ...fields,
    [`${type}_id`]: recordId,
    action: history_action,
    changes: parseNullable(changes),
    ...(imported === 1 && { imported: true as const }),
  } as HistoryEntry<Type>
}
