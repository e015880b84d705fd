import { type features, InboxKind, type InputOf } from '@specboard/contract'
import type { Access } from '../../kernel/access/access.ts'
import type { Context } from '../../kernel/context.ts'
import { ExplicitAnswer, multiStep, type Steps } from '../../kernel/implement.ts'
import { type IgnoredChanges, waitFor } from '../../kernel/streams/waiting.ts'
import {
  accessTo,
  type Batch,
  boardsOf,
  counting,
  countWaiting,
  findAll,
  firstItems,
  type SourcedItem,
  sizeOf,
} from './find.ts'
import { findHeld, HoldingWatch, holdingOf } from './holding.ts'
import { type Marks, marksOf } from './marks.ts'
import { countsOf, type Item, idOf, noBoard, type WaitingItem } from './rules.ts'
import { boardIdsOf, type Source } from './source.ts'
import { actorsOf, keysOfBoards, recordsOfItems, waysOf } from './store.ts'

type ListMyInbox = typeof features.me.list_my_inbox
type Query = InputOf<ListMyInbox>['query']

/** list_my_inbox (board 1, crew 5.1, 5.2). */
export const listMyInbox = multiStep<ListMyInbox>(async ({ query }, steps) => {
  const read = () => steps.read(async ctx => lookInto(ctx, await boardsOf(ctx, query.board_id), query))
  if (query.wait_ms > 0) await waitForWork(query, steps)
  return read()
})

/** The events that bring nothing into an inbox. */
const unheard: IgnoredChanges = {
  happened: ({ isRemark }) => isRemark,
  fields: new Set(['labels', 'priority', 'due_date']),
}

/** Waits until there is an item of the requested kinds and boards, or what the caller holds has changed. */
async function waitForWork({ board_id, kind, wait_ms }: Query, steps: Steps): Promise<void> {
  const watch = new HoldingWatch()
  await waitFor(steps, {
    waitMs: wait_ms,
    unheard,
    boards: async ctx => boardIdsOf(await boardsOf(ctx, board_id)),
    look: async () => {
      const { ids, holding } = await steps.read(async ctx => {
        const boards = await boardsOf(ctx, board_id)
        return { ids: boardIdsOf(boards), holding: watch.changed(ctx.now(), await findHeld(ctx, boards)) }
      })
      const { counts, nextAt } = await countWaiting(steps, ids, board_id === undefined)
      const isThere = (kind ?? InboxKind.options).some(name => counts[name] > 0)
      const times = [holding.nextAt, nextAt].filter(time => time !== null).toSorted()
      return { found: isThere || holding.hasChanged || null, nextAt: times[0] ?? null }
    },
  })
}

/** The items waiting for the caller on boards, and what it holds there. */
async function lookInto(ctx: Context, boards: readonly Access[], query: Query) {
  const { board_id, kind, order, offset, limit, snoozed } = query
  const marks = await marksOf(ctx)
  const all = await findAll(ctx, boards, { everywhere: board_id === undefined, snoozed: 'with' })
  const found = all.map(batch => counting(batch, marks, snoozed))
  const waiting = found.filter(({ from }) => kind?.includes(from.kind) ?? true)
  const page = firstItems(waiting, order, offset + limit).slice(offset)
  const total = waiting.reduce((sum, { things }) => sum + things.length, 0)
  const body = {
    holding: await holdingOf(ctx, await findHeld(ctx, boards), accessTo(boards)),
    items: withMarks(await itemsOf(ctx, page, boards), page, query.marks ? marks : undefined),
    counts: countsOf(found.map(sizeOf)),
    ...(query.marks && {
      unread: sum(found, (thing, { kind }) => marks.isUnread({ ...thing, kind })),
      snoozed: sum(all, (thing, { kind }) => marks.snooze({ ...thing, kind }) !== undefined),
    }),
  }
  return new ExplicitAnswer(body, { total })
}

/** How many items of some batches fulfil a condition. */
const sum = (batches: readonly Batch[], fulfils: (thing: WaitingItem, from: Source) => boolean): number =>
  batches.reduce((count, { from, things }) => count + things.filter(thing => fulfils(thing, from)).length, 0)

/** Items with the caller's marks, if it asks for them (board 1.1). */
const withMarks = (items: readonly Item[], page: readonly SourcedItem[], marks: Marks | undefined): Item[] =>
  items.map((item, index) => {
    if (marks === undefined) return item
    const thing = page[index]!
    const snooze = marks.snooze(thing)
    return {
      ...item,
      unread: marks.isUnread(thing),
      snoozed_until: snooze?.until ?? null,
      until_change: snooze !== undefined && snooze.after_seq !== null,
    }
  })

/** The items of a page: the details from each source are read together. */
export async function itemsOf(ctx: Context, page: readonly SourcedItem[], boards: readonly Access[]): Promise<Item[]> {
  const on = accessTo(boards)
  const items = new Map<
    SourcedItem,
    Omit<Item, 'actor_name' | 'actor_type' | 'actor_via'> & { readonly actor_name: string | null | undefined }
  >()
  for (const [source, things] of Map.groupBy(page, ({ from }) => from)) {
    const details = await source.show(ctx, things, on)
    const records = await recordsOfItems(ctx.db, source.about, things)
    for (const thing of things) {
      const { actor_id, actor_name, data, operation, arguments: args, record: former } = details.get(thing.source)!
      const { board_key, ...record } = records.get(thing.record) ?? {
        id: thing.record,
        board_key: (await keysOfBoards(ctx.db, [thing.board])).get(thing.board)!,
        ...former!,
      }
      items.set(thing, {
        id: idOf(thing),
        kind: thing.kind,
        board_id: thing.board === noBoard ? null : thing.board,
        board_key,
        record: { entity_type: source.about, ...record },
        since: thing.since,
        actor_id,
        actor_name,
        data,
        operation,
        arguments: args,
      })
    }
  }
  const all = page.map(thing => items.get(thing)!)
  const actors = await actorsOf(
    ctx.db,
    all.flatMap(({ actor_id }) => actor_id ?? []),
  )
  const ways = await waysOf(
    ctx.db,
    all.map(({ record, board_id, actor_id, since }) => ({
      record: record.id,
      board: board_id ?? noBoard,
      actor: actor_id ?? '',
      since,
    })),
  )
  return all.map((item, index) => {
    const actor = actors.get(item.actor_id ?? '')
    return {
      ...item,
      actor_name: item.actor_name ?? actor?.name ?? item.actor_id,
      actor_type: actor?.kind ?? null,
      actor_via: ways[index]!,
    }
  })
}
