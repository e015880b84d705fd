/** Putting items of the inbox away for a while, and noting what was read (board 1.1). */
import { type features, InboxKind } from '@specboard/contract'
import { dialect } from '@specboard/storage'
import type { Context } from '../../kernel/context.ts'
import { blocked, invalid } from '../../kernel/errors.ts'
import { multiStep } from '../../kernel/implement.ts'
import { hot } from '../../schema/hot.ts'
import type { InboxMarksTable } from '../../schema/tables.ts'
import { boardsOf, findAll } from './find.ts'
import { type Marks, marksOf, replaceMarks } from './marks.ts'
import { type InboxRow, idOf, type Kind, kindOf, noBoard } from './rules.ts'
import { boardIdsOf } from './source.ts'

type Me = typeof features.me

/** Maximum number of items that somebody has put away at a time. */
const maxSnoozed = 500

/** How far ahead an item may be put away, ms. */
const maxMs = 366 * 24 * 3_600_000

const isKind = (name: string): name is Kind => (InboxKind.options as readonly string[]).includes(name)

/** The caller's items, its marks of them, and the marks of items that no longer wait. */
interface CallerItems {
  readonly waiting: ReadonlyMap<string, InboxRow>
  readonly marks: Marks
  /** The ids of items whose marks no longer mean anything. */
  readonly stale: readonly string[]
}

/** Finds items of the caller's inbox: those with the given ids, or all of them if no ids are given. */
async function lookFor(ctx: Context, ids: readonly string[] | undefined): Promise<CallerItems> {
  const marks = await marksOf(ctx)
  const isCrowded = marks.rows.length + (ids?.length ?? 0) > maxSnoozed
  const kinds = ids === undefined || isCrowded ? undefined : new Set(ids.map(kindOf).filter(isKind))
  const boards = await boardsOf(ctx, undefined)
  const batches = await findAll(ctx, boards, { ...(kinds && { kinds }), everywhere: true, snoozed: 'with' })
  const waiting = new Map(
    batches.flatMap(({ from: { kind }, things }) =>
      things.map(thing => [idOf({ kind, source: thing.source }), { ...thing, kind }]),
    ),
  )
  const boardIds = new Set([noBoard, ...boardIdsOf(boards)])
  const wasLookedFor = (id: string): boolean => kinds === undefined || (kinds as ReadonlySet<string>).has(kindOf(id))
  const stale = marks.rows.filter(
    ({ item_id, board_id, since }) =>
      boardIds.has(board_id) && wasLookedFor(item_id) && waiting.get(item_id)?.since !== since,
  )
  return { waiting, marks, stale: stale.map(({ item_id }) => item_id) }
}

/** Notifies the caller's streams and channels once the change is durable, because no log entry does. */
export function notifyInbox(ctx: Context): void {
  const { environment, caller } = ctx
  ctx.afterCommit.push(() => environment.streams.inboxChanged(caller.id))
}

const sequences = hot<{ ids: string }, { id: string; seq: number }>((db, param) =>
  db
    .selectFrom('boards')
    .select(['id', 'seq'])
    .where(eb => dialect.inList(eb.ref('id'), param('ids'))),
)

/** An empty mark: the item is neither read nor put away. */
const markOf = (agent: string, item: InboxRow): InboxMarksTable => ({
  agent_id: agent,
  item_id: idOf(item),
  board_id: item.board,
  record_id: item.record,
  since: item.since,
  is_read: 0,
  is_snoozed: 0,
  until: null,
  after_seq: null,
})

/** @throws DomainError VALIDATION_ERROR for a time that has passed, or is too far ahead */
function checkUntil(until: string | null, now: string): void {
  if (until === null) return
  const ms = Date.parse(until) - Date.parse(now)
  if (ms > 0 && ms <= maxMs) return
  throw invalid('until', 'Send a future time, at most a year ahead, or null.')
}

/** snooze_inbox_items (board 1.1). */
export const snoozeInboxItems = multiStep<Me['snooze_inbox_items']>(async ({ body }, steps) => {
  const { until, until_change } = body
  const ids = [...new Set(body.ids)]
  const { waiting, marks, stale } = await steps.read(async ctx => {
    checkUntil(until, ctx.now())
    return lookFor(ctx, ids)
  })
  const items = ids.flatMap(id => waiting.get(id) ?? [])
  const isWoken = until === null && !until_change
  const replaced = new Set([...stale, ...items.map(idOf)])
  const remaining = marks.rows.filter(({ is_snoozed, item_id }) => is_snoozed === 1 && !replaced.has(item_id))
  if (!isWoken && remaining.length + items.length > maxSnoozed)
    throw blocked('LIMIT_REACHED', `At most ${maxSnoozed} items can be snoozed at a time. Unsnooze some first.`, {
      limit: maxSnoozed,
      what: 'snoozed items',
    })
  return steps.finish(async ctx => {
    const boards = JSON.stringify([...new Set(items.map(({ board }) => board))])
    const at = new Map((until_change ? await sequences(ctx.db, { ids: boards }) : []).map(({ id, seq }) => [id, seq]))
    const rows = items.map(item => ({
      ...markOf(ctx.caller.id, item),
      is_snoozed: 1 as const,
      until,
      after_seq: until_change ? (at.get(item.board) ?? 0) : null,
    }))
    await replaceMarks(ctx.db, ctx.caller.id, [...replaced], isWoken ? [] : rows)
    notifyInbox(ctx)
    return { snoozed: items.map(idOf), not_waiting: ids.filter(id => !waiting.has(id)) }
  })
})

/** mark_inbox_items (board 1.1): an item that was put away stays unread, so that it is unread when it comes back. */
export const markInboxItems = multiStep<Me['mark_inbox_items']>(async ({ body }, steps) => {
  const ids = body.ids && [...new Set(body.ids)]
  const { waiting, marks, stale } = await steps.read(ctx => lookFor(ctx, ids))
  const named = ids === undefined ? [...waiting.values()] : ids.flatMap(id => waiting.get(id) ?? [])
  const items = named.filter(item => marks.snooze(item) === undefined)
  return steps.finish(async ctx => {
    const rows = items.map(item => ({ ...markOf(ctx.caller.id, item), is_read: 1 as const }))
    await replaceMarks(ctx.db, ctx.caller.id, [...stale, ...items.map(idOf)], body.unread ? [] : rows)
    return { marked: items.length, not_waiting: (ids ?? []).filter(id => !waiting.has(id)) }
  })
})
