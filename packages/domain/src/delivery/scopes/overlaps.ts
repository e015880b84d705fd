import type { Overlap } from '@specboard/contract'
import { dialect } from '@specboard/storage'
import { type RawBuilder, sql } from 'kysely'
import type { z } from 'zod'
import { boardSettings, type Settings } from '../../kernel/board-settings.ts'
import type { Context } from '../../kernel/context.ts'
import { blocked } from '../../kernel/errors.ts'
import { exampleOf, mayBeSameRepository, mayShare, repositoryOf } from '../../lib/path-patterns.ts'
import { quotedName } from '../../lib/quoted-name.ts'
import { hot } from '../../schema/hot.ts'
import { onBoard, sameBoard } from '../../schema/same-board.ts'
import type { CardsTable } from '../../schema/tables.ts'
import type { CardRecord } from '../card-record/record.ts'
import { knownPatterns, patternsOf } from './known-patterns.ts'
import { type Near, type ScopeIndex, scopeIndexOf } from './scope-index.ts'
import { liveScopes, type Scope } from './store.ts'

/** An overlap, as seen from one side (harness 5.2). */
export type OverlapRecord = z.output<typeof Overlap>

/** Two scopes that overlap, each with the overlapping patterns. */
export interface Pair {
  readonly a: Scope
  readonly b: Scope
  readonly patterns: readonly Near[]
  readonly example: string
}

/** Maximum number of pairs of patterns that an overlap lists. */
const maxNamed = 5

/** Whether two scopes belong to different agents, or to different sessions of one agent (harness 5.1). */
const areApart = (a: Scope, b: Scope): boolean =>
  a.id !== b.id &&
  (a.agent_id !== b.agent_id || (a.session !== null && b.session !== null && a.session.id !== b.session.id))

/** The two scopes of a pair, with their patterns that may share a path. */
interface Nearing {
  readonly a: Scope
  readonly b: Scope
  readonly near: readonly Near[]
}

/** The overlap of two scopes; null if there is none. `max` is how many pairs of patterns it lists. */
function meeting({ a, b, near }: Nearing, shared: readonly string[], max = maxNamed): Pair | null {
  const patterns: Near[] = []
  let example: string | undefined
  for (const [ofA, ofB] of near) {
    if (patterns.length === max) break
    if (!mayShare(ofA, ofB)) continue
    if (!mayBeSameRepository(repositoryOf(ofA) ?? a.repository, repositoryOf(ofB) ?? b.repository)) continue
    const found = exampleOf(ofA, ofB, shared)
    if (found === null) continue
    patterns.push([ofA, ofB])
    example ??= found
  }
  return example === undefined ? null : { a, b, patterns, example }
}

const later = (one: string, other: string): string => (one < other ? other : one)

/** A pair as seen from its first side: the other one, with the patterns of both. */
export const seenByA = ({ a, b, patterns, example }: Pair): OverlapRecord => ({
  kind: b.kind,
  ...(b.ref === null ? { reservation_id: b.id } : { ref: b.ref }),
  title: b.title,
  agent_id: b.agent_id,
  agent_name: b.agent_name,
  session: b.session,
  stage: b.stage,
  until: b.until,
  mine: patterns.map(([ofA]) => ofA),
  theirs: patterns.map(([, ofB]) => ofB),
  example,
  since: later(a.since, b.since),
})

/** The same pair from its other side. */
export const fromOtherSide = ({ a, b, patterns, example }: Pair): Pair => ({
  a: b,
  b: a,
  patterns: patterns.map(([ofA, ofB]) => [ofB, ofA]),
  example,
})

/** The scope of a plan, which belongs to nobody yet. */
const planned = (patterns: readonly string[], { caller }: Pick<Context, 'caller'>): Scope => ({
  kind: 'card',
  id: '',
  ref: null,
  title: null,
  agent_id: caller.id,
  agent_name: caller.name,
  session: null,
  stage: null,
  since: '',
  until: '',
  repository: null,
  patterns,
})

/** The fields of a card that its overlaps depend on. */
export type ScopedCard = Pick<CardRecord, 'id' | 'board_id'> & { readonly paths: readonly string[] }

/** Who works on which paths of a board at one moment, and where they overlap: computed anew each time (harness 5.3). */
export class BoardScopes {
  readonly #scopes: readonly Scope[]
  readonly #places: ReadonlyMap<string, number>
  readonly #index: ScopeIndex
  readonly #settings: Pick<Settings, 'overlap' | 'shared_paths'>
  readonly #requester: Pick<Context, 'caller'>

  private constructor(
    scopes: readonly Scope[],
    board: string,
    settings: Pick<Settings, 'overlap' | 'shared_paths'>,
    requester: Pick<Context, 'caller'>,
  ) {
    this.#scopes = scopes
    this.#places = new Map(scopes.map(({ id }, place) => [id, place]))
    this.#index = scopeIndexOf(board)
    this.#settings = settings
    this.#requester = requester
  }

  static async read(ctx: Pick<Context, 'db' | 'now' | 'caller'>, board: string): Promise<BoardScopes> {
    const settings = await boardSettings(ctx.db, board)
    const scopes = settings.overlap === 'off' ? [] : await liveScopes(ctx.db, board, ctx.now())
    return new BoardScopes(scopes, board, settings, ctx)
  }

  /** Whether the board forbids starting work on paths that others work on. */
  get refuses(): boolean {
    return this.#settings.overlap === 'refuse'
  }

  /** Whether the board does not compare scopes. */
  get isOff(): boolean {
    return this.#settings.overlap === 'off'
  }

  /** The active scope of a card or reservation; undefined if it has none. */
  scopeOf(id: string): Scope | undefined {
    const place = this.#places.get(id)
    return place === undefined ? undefined : this.#scopes[place]
  }

  /** The scopes that a scope may overlap with, from a position on. */
  #nearTo(scope: Scope, from = 0): Nearing[] {
    this.#index.hold(this.#scopes)
    const isAsked = (other: Scope) => areApart(scope, other) && (from === 0 || this.#places.get(other.id)! >= from)
    const near = this.#index.near(scope.patterns, isAsked)
    return Array.from(near, ([other, pairs]) => ({ a: scope, b: other, near: pairs })).sort(
      (one, next) => this.#places.get(one.b.id)! - this.#places.get(next.b.id)!,
    )
  }

  /** The overlaps among pairs of scopes that may overlap. */
  #met(pairs: readonly Nearing[]): Pair[] {
    return pairs.flatMap(pair => meeting(pair, this.#settings.shared_paths) ?? [])
  }

  /** Whether a pair is an overlap, without determining everything that it would list. */
  #meets(pair: Nearing): boolean {
    return meeting(pair, this.#settings.shared_paths, 1) !== null
  }

  /** The overlaps of an active or planned scope. */
  pairsOf(scope: Scope): Pair[] {
    return this.#met(this.#nearTo(scope))
  }

  /** The overlaps of everything that an agent holds, from its side. */
  pairsOfAgent(agent: string): Pair[] {
    return this.#scopes.filter(({ agent_id }) => agent_id === agent).flatMap(scope => this.pairsOf(scope))
  }

  /** Whether a card overlaps with what others hold, according to the overlaps that `ofCard` would return. */
  hasOverlap(card: Pick<ScopedCard, 'id' | 'paths'>): boolean {
    return !this.isOff && this.#nearTo(this.#scopeOfCard(card)).some(pair => this.#meets(pair))
  }

  /**
   * The number of overlaps that `ofCard` would return, and the first of them; null if the board does not compare
   * scopes.
   */
  firstOfCard(
    card: Pick<ScopedCard, 'id' | 'paths'>,
  ): { readonly count: number; readonly first: OverlapRecord | null } | null {
    if (this.isOff) return null
    const pairs = this.#nearTo(this.#scopeOfCard(card)).filter(pair => this.#meets(pair))
    const [first] = this.#met(pairs.slice(0, 1))
    return { count: pairs.length, first: first === undefined ? null : seenByA(first) }
  }

  #scopeOfCard({ id, paths }: Pick<ScopedCard, 'id' | 'paths'>): Scope {
    return this.scopeOf(id) ?? { ...planned(knownPatterns(id, paths), this.#requester), id }
  }

  /** The overlaps of a held card or reservation, by its id. */
  heldBy(id: string): Pair[] {
    const scope = this.scopeOf(id)
    return scope === undefined ? [] : this.pairsOf(scope)
  }

  /** The overlaps that the patterns of a plan would have. */
  ofPlan(patterns: readonly string[]): OverlapRecord[] {
    return this.pairsOf(planned(patterns, this.#requester)).map(seenByA)
  }

  /**
   * The overlaps of a card; for one that nobody holds, those it would have if the caller claimed it. Null if the board
   * does not compare scopes.
   */
  ofCard(card: Pick<ScopedCard, 'id' | 'paths'>): OverlapRecord[] | null {
    return this.isOff ? null : this.pairsOf(this.#scopeOfCard(card)).map(seenByA)
  }

  /** The overlaps of a card or reservation while it is held. */
  ofHeld(id: string): OverlapRecord[] | null {
    return this.isOff ? null : this.heldBy(id).map(seenByA)
  }

  /** The overlaps shown with a claim; omitted if its card has no scope. */
  shownOf(card: string): { readonly overlaps?: OverlapRecord[] | null } {
    return this.isOff || this.scopeOf(card) !== undefined ? { overlaps: this.ofHeld(card) } : {}
  }

  /** Every overlap of the board, each once. */
  pairs(): Pair[] {
    return this.#scopes.flatMap((scope, place) => this.#met(this.#nearTo(scope, place + 1)))
  }
}

/**
 * Finds the overlaps of cards: a card without a scope has none. A board's scopes are read once, and only for a card
 * with a scope.
 */
export function overlapsOfCards(ctx: Context): (card: ScopedCard) => Promise<OverlapRecord[] | null> {
  const boards = new Map<string, BoardScopes>()
  return async card => {
    if (card.paths.length === 0) return []
    const scopes = boards.get(card.board_id) ?? (await BoardScopes.read(ctx, card.board_id))
    boards.set(card.board_id, scopes)
    return scopes.ofCard(card)
  }
}

/** The overlaps of one card. */
export const overlapsOfCard = (ctx: Context, card: ScopedCard): Promise<OverlapRecord[] | null> =>
  overlapsOfCards(ctx)(card)

/** The fields of a scope in an entry. */
const named = ({ kind, id, ref, agent_id, agent_name }: Scope) => ({
  kind,
  ...(ref === null ? { reservation_id: id } : { ref }),
  agent_id,
  agent_name,
})

const keyOf = ({ a, b }: Pair): string => `${a.id} ${b.id}`

/** A literal, so that the index of cards with a scope is used. */
const noPaths: RawBuilder<CardsTable['paths']> = sql`'[]'`

const scoped = hot<{ board: string; ids: string }, Pick<CardsTable, 'id' | 'paths'>>(
  (_, param) =>
    sql<Pick<CardsTable, 'id' | 'paths'>>`select c.id, c.paths from cards c
      where ${dialect.inList(sql.ref('c.id'), sql<string>`${param('ids')}`)} and ${onBoard('c', param('board'))} and c.paths <> ${noPaths}`,
)

/** The cards among some of the board that would overlap with what others hold, if the caller claimed them. */
export async function overlappingAmong(ctx: Context, ids: readonly string[]): Promise<ReadonlySet<string>> {
  const cards = await scoped(ctx.db, { board: ctx.boardId, ids: JSON.stringify(ids) })
  if (cards.length === 0) return new Set()
  const scopes = await BoardScopes.read(ctx, ctx.boardId)
  return new Set(
    cards.filter(({ id, paths }) => scopes.hasOverlap({ id, paths: patternsOf(id, paths) })).map(({ id }) => id),
  )
}

const refusable = hot<{ board: string }, Pick<CardsTable, 'id' | 'paths'>>(
  (_, param) =>
    sql<Pick<CardsTable, 'id' | 'paths'>>`select c.id, c.paths from cards c join boards b on b.id = c.board_id
      where c.board_id = ${param('board')} and c.paths <> ${noPaths} and c.archived = 0
        and c.status in ('not_started', 'started', 'in_progress')
        and ${dialect.jsonText(sql.ref<string>('b.settings'), 'overlap')} = 'refuse'`,
)

/**
 * The open cards whose claim by the caller the board would refuse because of others' work; empty on most boards
 * (harness 5.5).
 */
export async function refusedForOverlaps(ctx: Context): Promise<string[]> {
  const cards = await refusable(ctx.db, { board: ctx.boardId })
  if (cards.length === 0) return []
  const scopes = await BoardScopes.read(ctx, ctx.boardId)
  // What is already held is allowed, whatever it overlaps with.
  const begins = ({ id, paths }: (typeof cards)[number]) =>
    scopes.scopeOf(id) === undefined && scopes.hasOverlap({ id, paths: patternsOf(id, paths) })
  return cards.filter(begins).map(({ id }) => id)
}

/**
 * Records which overlaps a write has ended and begun, with the entries `overlap_ended` and `overlap_began` (harness
 * 5.4).
 */
async function recordDifference(ctx: Context, board: string, before: readonly Pair[], after: readonly Pair[]) {
  const [was, is] = [new Set(before.map(keyOf)), new Set(after.map(keyOf))]
  const entries = [
    ...before.filter(pair => !is.has(keyOf(pair))).map(pair => ['overlap_ended', pair] as const),
    ...after.filter(pair => !was.has(keyOf(pair))).map(pair => ['overlap_began', pair] as const),
  ]
  for (const [action, { a, b, example }] of entries) {
    const card = [a, b].find(({ kind }) => kind === 'card')
    await ctx.record({
      boardId: board,
      entity: card === undefined ? { type: 'board', id: board } : { type: 'card', id: card.id },
      activity: { action, details: { a: named(a), b: named(b), example } },
      ...(card !== undefined && { cardId: card.id }),
    })
  }
}

/** How a change of scopes treats the overlaps that it begins. */
interface Beginning {
  /** Whether the caller starts work with it, which a board may refuse (harness 5.5). */
  readonly isWork?: boolean
  /** Whether the caller asks to proceed anyway. */
  readonly allow?: boolean | undefined
  /** Whether nobody held it before, so that no overlaps end. */
  readonly isUnheld?: boolean
}

/**
 * Changes who holds a card or reservation, or its paths, and records the overlaps that this ends and begins.
 * @throws DomainError PATHS_OVERLAP if it starts work that the board refuses; the unit of work is rolled back with it
 */
export async function recordingOverlaps<Result>(
  ctx: Context,
  { board_id, id }: { readonly board_id: string; readonly id: string },
  change: () => Promise<Result>,
  { isWork = false, allow = false, isUnheld = false }: Beginning = {},
): Promise<Result> {
  const before = isUnheld ? [] : (await BoardScopes.read(ctx, board_id)).heldBy(id)
  const result = await change()
  const scopes = await BoardScopes.read(ctx, board_id)
  const after = scopes.heldBy(id)
  if (isWork && scopes.refuses && !(allow && ctx.access.allows('BOARDS_UPDATE'))) refuseBegun(board_id, before, after)
  await recordDifference(ctx, board_id, before, after)
  return result
}

/** Refuses pairs that were not there before (harness 5.5). */
function refuseBegun(board_id: string, before: readonly Pair[], after: readonly Pair[]): void {
  const formerKeys = new Set(before.map(keyOf))
  const newOverlaps = after.filter(pair => !formerKeys.has(keyOf(pair))).map(seenByA)
  const [first] = newOverlaps
  if (first === undefined) return
  const where = first.ref === undefined ? 'by a reservation' : `for ${first.ref}`
  throw blocked(
    'PATHS_OVERLAP',
    `${quotedName(first.agent_name)} works on the same files ${where}. Take other work, or agree with them first.`,
    { board_id, overlaps: newOverlaps },
  )
}

/**
 * The same for a change of who holds a card; for a card without a scope there is nothing to record, and nothing is
 * read.
 */
export const recordingOverlapsOfCard = <Result>(
  ctx: Context,
  card: ScopedCard,
  change: () => Promise<Result>,
  beginning?: Beginning,
): Promise<Result> => (card.paths.length === 0 ? change() : recordingOverlaps(ctx, card, change, beginning))

/** Changes what a board compares, and records the overlaps that this ends and begins. */
export async function recordingAllOverlaps(ctx: Context, board: string, change: () => Promise<void>): Promise<void> {
  const before = (await BoardScopes.read(ctx, board)).pairs()
  await change()
  await recordDifference(ctx, board, before, (await BoardScopes.read(ctx, board)).pairs())
}

/** The boards on which an agent holds paths. */
export const boardsHeldOn = hot<{ agent: string; now: string }, { board_id: string }>((db, param) =>
  db
    .selectFrom('path_reservations')
    .select('board_id')
    .where('agent_id', '=', param('agent'))
    .where('expires_at', '>', param('now'))
    .unionAll(
      db
        .selectFrom('claims')
        .innerJoin('cards', 'cards.id', 'claims.card_id')
        .where(sameBoard('cards', 'claims'))
        .select('claims.board_id')
        .where('claims.agent_id', '=', param('agent'))
        .where('claims.expires_at', '>', param('now'))
        .where('cards.paths', '<>', noPaths),
    )
    .unionAll(
      db
        .selectFrom('cards')
        .select('cards.board_id')
        .where('cards.reserved_for', '=', param('agent'))
        .where('cards.reserved_until', '>', param('now'))
        .where('cards.paths', '<>', noPaths),
    ),
)
