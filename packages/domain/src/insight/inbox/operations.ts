import type { features, InputOf } from '@specboard/contract'
import type { Access } from '../../kernel/access/access.ts'
import type { Context } from '../../kernel/context.ts'
import { Answered, inSteps } from '../../kernel/implement.ts'
import { waitFor } from '../../kernel/streams/waiting.ts'
import { accessTo, boardsOf, findAll, firstThings, nextItemAt, type Sourced, sizeOf } from './find.ts'
import { findHeld, HoldingWatch, holdingOf } from './holding.ts'
import { countsOf, type Item, idOf } from './rules.ts'
import { keysOfBoards, namesOf, recordsByIds } from './store.ts'

type ListMyInbox = typeof features.me.list_my_inbox
type Query = InputOf<ListMyInbox>['query']

/** list_my_inbox (board 1, crew 5.1, 5.2). */
export const listMyInbox = inSteps<ListMyInbox>(({ query }, steps) => {
  const watch = new HoldingWatch()
  return waitFor(steps, {
    waitMs: query.wait_ms,
    boards: async ctx => (await boardsOf(ctx, query.board_id)).map(access => access.way!.boardId),
    look: () =>
      steps.read(async ctx => {
        const seen = await boardsOf(ctx, query.board_id)
        const { answer, total, held } = await lookInto(ctx, seen, query)
        const { hasChanged, nextAt } = watch.changed(ctx.now(), held)
        const found = total > 0 || hasChanged
        if (found || query.wait_ms === 0) return { answer, found, nextAt: null }
        return { answer, found, nextAt: firstOf([nextAt, await nextItemAt(ctx, seen)]) }
      }),
  })
})

const firstOf = (times: readonly (string | null)[]): string | null =>
  times.filter(time => time !== null).toSorted()[0] ?? null

/** What waits for the caller on boards, and what it holds there. */
async function lookInto(ctx: Context, boards: readonly Access[], { kind, order, offset, limit }: Query) {
  const found = await findAll(ctx, boards)
  const waiting = found.filter(({ from }) => kind?.includes(from.kind) ?? true)
  const page = firstThings(waiting, order, offset + limit).slice(offset)
  const total = waiting.reduce((sum, { things }) => sum + things.length, 0)
  const held = await findHeld(ctx, boards)
  const body = {
    holding: await holdingOf(ctx, held),
    items: await itemsOf(ctx, page, boards),
    counts: countsOf(found.map(sizeOf)),
  }
  return { answer: new Answered(body, { total }), total, held }
}

/** The items of a page: what each source shows of its own, read together. */
async function itemsOf(ctx: Context, page: readonly Sourced[], boards: readonly Access[]): Promise<Item[]> {
  const on = accessTo(boards)
  const items = new Map<Sourced, Omit<Item, 'actor_name'> & { readonly actor_name: string | null | undefined }>()
  for (const [source, things] of Map.groupBy(page, ({ from }) => from)) {
    const shown = await source.show(ctx, things, on)
    const records = await recordsByIds(
      ctx.db,
      source.about,
      things.map(({ record }) => record),
    )
    for (const thing of things) {
      const { actor_id, actor_name, data, operation, arguments: args, record: former } = shown.get(thing.source)!
      const { board_key, ...record } = records.get(thing.record) ?? {
        id: thing.record,
        board_key: (await keysOfBoards(ctx.db, [thing.board])).get(thing.board)!,
        ...former!,
      }
      items.set(thing, {
        id: idOf(thing),
        kind: thing.kind,
        board_id: thing.board,
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
  const names = await namesOf(
    ctx.db,
    all.flatMap(({ actor_id }) => actor_id ?? []),
  )
  return all.map(item => ({ ...item, actor_name: item.actor_name ?? names.get(item.actor_id ?? '') ?? item.actor_id }))
}
