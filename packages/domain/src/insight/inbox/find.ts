import { Access } from '../../kernel/access/access.ts'
import type { Context } from '../../kernel/context.ts'
import type { Steps } from '../../kernel/implement.ts'
import { type Counts, countsOf, type Found, inOrder, type Kind, type Waiting } from './rules.ts'
import type { AccessTo, Source } from './source.ts'
import { sources } from './sources/all.ts'

/** A thing that waits, with the source that it came from. */
export type Sourced = Waiting & { readonly from: Source }

/** What a source found. */
export interface Batch {
  readonly from: Source
  readonly things: readonly Found[]
}

/** The kind of what a source found, and how much it is. */
export const sizeOf = ({ from, things }: Batch) => ({ kind: from.kind, count: things.length })

/**
 * The caller's access to the boards that it sees, or to those of them that it names.
 * @throws DomainError NOT_FOUND for a named board that is not visible
 */
export async function boardsOf(ctx: Context, named: readonly string[] | undefined): Promise<readonly Access[]> {
  if (named === undefined) return (await ctx.ways()).map(way => new Access(ctx.caller.base, way))
  return Promise.all([...new Set(named)].map(async id => (await ctx.reach('board', id)).access))
}

/** The caller's access to one of some boards. */
export function accessTo(boards: readonly Access[]): AccessTo {
  const byId = new Map(boards.map(access => [access.way!.boardId, access]))
  return boardId => byId.get(boardId)!
}

/** What a source finds on boards that are open to the caller; on none only where a call asks for all there is. */
async function findIn(
  ctx: Context,
  source: Source,
  boards: readonly Access[],
  everywhere: boolean,
): Promise<readonly Found[]> {
  if (source.isBoardless) return everywhere ? source.find(ctx, []) : []
  const open = boards.filter(source.isOpen)
  return open.length === 0 ? [] : source.find(ctx, open)
}

/** What is looked for. */
export interface Sought {
  /** These alone. */
  readonly kinds?: ReadonlySet<Kind>
  /** Also what is on no board. */
  readonly everywhere?: boolean
}

/** All that waits for the caller on boards, by source. */
export async function findAll(
  ctx: Context,
  boards: readonly Access[],
  { kinds, everywhere = false }: Sought = {},
): Promise<readonly Batch[]> {
  const found: Batch[] = []
  for (const from of sources)
    if (kinds?.has(from.kind) ?? true) found.push({ from, things: await findIn(ctx, from, boards, everywhere) })
  return found
}

/** The first of what came from sources, in an order; only what may be among them is sorted. */
export function firstThings(batches: readonly Batch[], order: 'newest' | 'oldest', most: number): readonly Sourced[] {
  const times = batches.flatMap(({ things }) => things.map(({ since }) => since)).sort()
  if (order === 'newest') times.reverse()
  const last = times[most - 1]
  const mayBeAmong = ({ since }: Found): boolean =>
    last === undefined || (order === 'newest' ? since >= last : since <= last)
  return batches
    .flatMap(({ from, things }) => things.filter(mayBeAmong).map(thing => ({ ...thing, kind: from.kind, from })))
    .sort(inOrder(order))
    .slice(0, most)
}

/** How much waits, and when, by the clock alone, there may next be more. */
export interface Counted {
  readonly counts: Counts
  readonly nextAt: string | null
}

/**
 * Counts what waits for the caller on boards, a source at a time, so that no other call waits for all of them.
 * @param everywhere also what is on no board
 */
export async function countWaiting(steps: Steps, named: readonly string[], everywhere: boolean): Promise<Counted> {
  const found: Parameters<typeof countsOf>[0][number][] = []
  const times: string[] = []
  for (const source of sources) {
    const { count, at } = await steps.read(async ctx => {
      if (source.isBoardless) return { count: (await findIn(ctx, source, [], everywhere)).length, at: null }
      const all = (await ctx.ways()).filter(({ boardId }) => named.includes(boardId))
      const boards = all.map(way => new Access(ctx.caller.base, way)).filter(source.isOpen)
      if (boards.length === 0) return { count: 0, at: null }
      return { count: (await source.find(ctx, boards)).length, at: (await source.nextAt?.(ctx, boards)) ?? null }
    })
    found.push({ kind: source.kind, count })
    if (at !== null) times.push(at)
  }
  return { counts: countsOf(found), nextAt: times.toSorted()[0] ?? null }
}
