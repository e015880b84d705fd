import type { features } from '@specboard/contract'
import type { Access } from '../../kernel/access/access.ts'
import type { Context } from '../../kernel/context.ts'
import { Answered, type Implementation } from '../../kernel/implement.ts'
import { accessTo, boardsOf, findAll, firstOf, type Sourced, sizeOf } from './find.ts'
import { countsOf, type Item, idOf } from './rules.ts'
import { keysOfBoards, namesOf, recordsByIds } from './store.ts'

/** list_my_inbox (board 1). */
export const listMyInbox: Implementation<typeof features.me.list_my_inbox> = async ({ query }, ctx) => {
  const boards = await boardsOf(ctx, query.board_id)
  const found = await findAll(ctx, boards)
  const waiting = found.filter(({ from }) => query.kind?.includes(from.kind) ?? true)
  const page = firstOf(waiting, query.order, query.offset + query.limit).slice(query.offset)
  const total = waiting.reduce((sum, { things }) => sum + things.length, 0)
  return new Answered({ items: await itemsOf(ctx, page, boards), counts: countsOf(found.map(sizeOf)) }, { total })
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
