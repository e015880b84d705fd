import { CardPriority, CardStatus, type features } from '@specboard/contract'
import { dialect, foldedText, needsFolding, type Param } from '@specboard/storage'
import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Context } from '../../../kernel/context.ts'
import type { Implementation, Input } from '../../../kernel/implement.ts'
import { paged, window } from '../../../kernel/page.ts'
import type { Flag } from '../../../schema/columns.ts'
import { hot } from '../../../schema/hot.ts'
import { refOf } from '../../../schema/refs.ts'
import { cardsInScope } from '../../scopes/store.ts'
import { type CardFilter, filterOf, isOpen, matchesFilter, waits } from './filters.ts'
import { readyAmong } from './ready.ts'
import { readSummaries } from './summaries.ts'

type ListCards = typeof features.cards.list_cards
type Query = Input<ListCards>['query']
type Order = Query['order']

interface ListFilter extends CardFilter {
  board: string
  /** A JSON array; null for any. */
  ids: string | null
  /** JSON arrays; null for any. */
  statuses: string | null
  priorities: string | null
  /** A JSON array of folded words, all of which must be in the card's texts. */
  words: string
  /** Whether the texts must be folded to find them. */
  foreign_words: Flag
  since: string
  /** 1 for cards that wait for another, 0 for cards that do not, null for both. */
  blocked: Flag | null
  /** 1 for overdue open cards, 0 for others, null for both. */
  overdue: Flag | null
  archived: Flag
}

const anyOf = (column: string, values: string | null): RawBuilder<SqlBool> =>
  sql<SqlBool>`(${values} is null or ${dialect.inList(sql.ref(column), sql<string>`${values}`)})`

/** The condition for open cards that were due before now. */
const isOverdue = (param: Param<ListFilter>): RawBuilder<SqlBool> =>
  sql<SqlBool>`(${isOpen('c')} and c.due_date is not null and c.due_date < ${param('now')})`

const matching = (param: Param<ListFilter>): RawBuilder<unknown> =>
  sql`from cards c
    where c.board_id = ${param('board')} and c.archived <= ${param('archived')}
      and ${anyOf('c.id', param('ids'))} and ${anyOf('c.status', param('statuses'))} and ${anyOf('c.priority', param('priorities'))}
      and c.updated_at >= ${param('since')} and ${matchesFilter(param)}
      and (${param('blocked')} is null or ${dialect.flag(waits)} = ${param('blocked')})
      and (${param('overdue')} is null or ${dialect.flag(isOverdue(param))} = ${param('overdue')})
      and (${param('words')} = '[]' or not exists (
        select 1 from ${dialect.jsonElements(sql`${param('words')}`)} as word
        where not ${dialect.contains(
          dialect.foldedIf(
            param('foreign_words'),
            sql`(${refOf('c')} || ' ' || c.title || ' ' || coalesce(c.description, '') || ' ' || coalesce(c.details, ''))`,
          ),
          sql.ref('word.value'),
        )}))`

/** The rank of a column's value among the words of an enumeration. */
const rank = (column: string, words: readonly string[]) =>
  sql`case ${sql.ref(column)} ${sql.join(
    words.map((word, index) => sql`when ${sql.lit(word)} then ${sql.lit(index)}`),
    sql` `,
  )} end`

/** The sort keys of each order, before creation time and id (cards 16). */
const orders: Readonly<Record<Order, RawBuilder<unknown>>> = {
  board: sql`${rank('c.status', CardStatus.options)}, c.position`,
  updated: sql`c.updated_at desc`,
  created: sql`c.created_at desc`,
  due: sql`c.due_date is null, c.due_date`,
  priority: rank('c.priority', CardPriority.options),
}

/** The orders that sort descending by all keys. */
const newestFirst: ReadonlySet<Order> = new Set(['updated', 'created'])

const listedIn = (order: Order) => {
  const direction = newestFirst.has(order) ? sql`desc` : sql`asc`
  return hot<ListFilter & { limit: number; offset: number }, { id: string }>(
    (_, param) =>
      sql<{ id: string }>`select c.id ${matching(param)}
        order by ${orders[order]}, c.created_at ${direction}, c.id ${direction}
        limit ${param('limit')} offset ${param('offset')}`,
  )
}

const listed = Object.fromEntries((Object.keys(orders) as Order[]).map(order => [order, listedIn(order)])) as Record<
  Order,
  ReturnType<typeof listedIn>
>

const counted = hot<ListFilter, { count: number }>(
  (_, param) => sql<{ count: number }>`select count(*) as count ${matching(param)}`,
)

const listOf = (values: readonly string[] | undefined): string | null =>
  values === undefined ? null : JSON.stringify(values)

/** The ids that a query selects: those that it lists, and those whose scope contains its path; undefined for any. */
async function idsOf({ ids, path }: Query, ctx: Context): Promise<readonly string[] | undefined> {
  if (path === undefined) return ids
  const found = await cardsInScope(ctx.db, [ctx.boardId], path)
  return ids === undefined ? found : found.filter(id => ids.includes(id))
}

/** The cards of a board that a query selects (cards 16). */
export const listCards: Implementation<ListCards> = async ({ query }, ctx) => {
  const words = query.q?.split(/\s+/).filter(Boolean).map(foldedText) ?? []
  const filter: ListFilter = {
    ...filterOf(query, ctx),
    board: ctx.boardId,
    ids: listOf(await idsOf(query, ctx)),
    statuses: listOf(query.status),
    priorities: listOf(query.priority),
    words: JSON.stringify(words),
    foreign_words: needsFolding(words) ? 1 : 0,
    since: query.updated_since ?? '',
    blocked: query.blocked === undefined ? null : query.blocked ? 1 : 0,
    overdue: query.overdue === undefined ? null : query.overdue ? 1 : 0,
    archived: query.include_archived ? 1 : 0,
  }
  const rows = await listed[query.order](ctx.db, { ...filter, ...window(query) })
  const ids = rows.map(row => row.id)
  const total = async () => (await counted(ctx.db, filter))[0]!.count
  const ready = await readyAmong(ctx, ids)
  return paged(await readSummaries(ctx, ids), query, total, ({ spec_title, ...summary }) => ({
    ...summary,
    ready: ready.has(summary.id),
  }))
}
