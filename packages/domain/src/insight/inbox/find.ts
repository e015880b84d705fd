import { Access } from '../../kernel/access/access.ts'
import type { Context } from '../../kernel/context.ts'
import type { Steps } from '../../kernel/implement.ts'
import { type Marks, snoozesOf } from './marks.ts'
import { type Counts, countsOf, type InboxRow, inOrder, type Kind, type WaitingItem } from './rules.ts'
import type { AccessTo, Source } from './source.ts'
import { sources } from './sources/all.ts'

/** A waiting item, with its source. */
export type SourcedItem = InboxRow & { readonly from: Source }

/** The items that a source found. */
export interface Batch {
  readonly from: Source
  readonly things: readonly WaitingItem[]
}

/** The kind and number of a source's items. */
export const sizeOf = ({ from, things }: Batch) => ({ kind: from.kind, count: things.length })

/**
 * The caller's access to the boards that it sees, or to those that it names.
 * @throws DomainError NOT_FOUND for a named board that is not visible
 */
export async function boardsOf(ctx: Context, named: readonly string[] | undefined): Promise<readonly Access[]> {
  if (named === undefined) return (await ctx.ways()).map(way => new Access(ctx.caller.base, way))
  return Promise.all([...new Set(named)].map(async id => (await ctx.reach('board', id)).access))
}

/** Returns a function that gives the caller's access to any one of these boards. */
export function accessTo(boards: readonly Access[]): AccessTo {
  const byId = new Map(boards.map(access => [access.way!.boardId, access]))
  return boardId => byId.get(boardId)!
}

/**
 * The items that a source finds on boards where the caller may act on them; items without a board only if a call asks
 * for everything.
 */
async function findIn(
  ctx: Context,
  source: Source,
  boards: readonly Access[],
  everywhere: boolean,
): Promise<readonly WaitingItem[]> {
  if (source.isBoardless) return everywhere ? source.find(ctx, []) : []
  const open = boards.filter(source.isOpen)
  return open.length === 0 ? [] : source.find(ctx, open)
}

/** The options of a search for items. */
export interface ItemSearch {
  /** Only these kinds. */
  readonly kinds?: ReadonlySet<Kind>
  /** Also items that belong to no board. */
  readonly everywhere?: boolean
  /** Whether to find items that the caller has put away; by default they are not found. */
  readonly snoozed?: SnoozeFilter
}

/** Which items count: only those that are not put away, all of them, or only those that are put away (board 1.1). */
export type SnoozeFilter = 'without' | 'with' | 'only'

/** The items of a batch that count. */
export const counting = ({ from, things }: Batch, marks: Marks, snoozed: SnoozeFilter): Batch => ({
  from,
  things:
    snoozed === 'with'
      ? things
      : things.filter(thing => (marks.snooze({ ...thing, kind: from.kind }) === undefined) === (snoozed === 'without')),
})

/** All items waiting for the caller on boards, by source. */
export async function findAll(
  ctx: Context,
  boards: readonly Access[],
  { kinds, everywhere = false, snoozed = 'without' }: ItemSearch = {},
): Promise<readonly Batch[]> {
  const found: Batch[] = []
  for (const from of sources)
    if (kinds?.has(from.kind) ?? true) found.push({ from, things: await findIn(ctx, from, boards, everywhere) })
  if (snoozed === 'with') return found
  const marks = await snoozesOf(ctx)
  return found.map(batch => counting(batch, marks, snoozed))
}

/** The first items of several sources, in an order; only those that may be among them are sorted. */
export function firstItems(batches: readonly Batch[], order: 'newest' | 'oldest', max: number): readonly SourcedItem[] {
  const times = batches.flatMap(({ things }) => things.map(({ since }) => since)).sort()
  if (order === 'newest') times.reverse()
  const last = times[max - 1]
  const mayBeAmong = ({ since }: WaitingItem): boolean =>
    last === undefined || (order === 'newest' ? since >= last : since <= last)
  return batches
    .flatMap(({ from, things }) => things.filter(mayBeAmong).map(thing => ({ ...thing, kind: from.kind, from })))
    .sort(inOrder(order))
    .slice(0, max)
}

/** The number of waiting items, and the next time at which more may appear merely because time passes. */
export interface WaitingCount {
  readonly counts: Counts
  readonly nextAt: string | null
}

/**
 * Counts the items waiting for the caller on boards, one source at a time, so that other calls need not wait for all of
 * them.
 * @param everywhere also items that belong to no board
 */
export async function countWaiting(steps: Steps, named: readonly string[], everywhere: boolean): Promise<WaitingCount> {
  const found: Parameters<typeof countsOf>[0][number][] = []
  const marks = await steps.read(snoozesOf)
  const times = marks.nextAt === null ? [] : [marks.nextAt]
  for (const source of sources) {
    const numberOf = (things: readonly WaitingItem[]) =>
      counting({ from: source, things }, marks, 'without').things.length
    const { count, at } = await steps.read(async ctx => {
      if (source.isBoardless) return { count: numberOf(await findIn(ctx, source, [], everywhere)), at: null }
      const all = (await ctx.ways()).filter(({ boardId }) => named.includes(boardId))
      const boards = all.map(way => new Access(ctx.caller.base, way)).filter(source.isOpen)
      if (boards.length === 0) return { count: 0, at: null }
      return { count: numberOf(await source.find(ctx, boards)), at: (await source.nextAt?.(ctx, boards)) ?? null }
    })
    found.push({ kind: source.kind, count })
    if (at !== null) times.push(at)
  }
  return { counts: countsOf(found), nextAt: times.toSorted()[0] ?? null }
}
