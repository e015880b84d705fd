import type { HoldingItem } from '@specboard/contract'
import { dialect } from '@specboard/storage'
import { sql } from 'kysely'
import type { z } from 'zod'
import { findMoveFacts, type MoveFacts } from '../../delivery/cards/gates/facts.ts'
import { nextStep } from '../../delivery/cards/next-step.ts'
import { unreadChanges } from '../../delivery/cards/requirement-changes.ts'
import { attemptsUsedUp } from '../../delivery/claims/attempts.ts'
import { overlapsOfCards } from '../../delivery/scopes/overlaps.ts'
import { type CarryTests, carriersOn } from '../../delivery/work/carried.ts'
import type { Access } from '../../kernel/access/access.ts'
import type { Context } from '../../kernel/context.ts'
import type { Requester } from '../../kernel/record-gates.ts'
import { byAscii } from '../../lib/text-order.ts'
import { hot } from '../../schema/hot.ts'
import { sameBoard } from '../../schema/same-board.ts'
import { idsWhere } from './source.ts'

/** A card that the caller holds, or that is reserved for it (crew 5.2). */
type Holding = z.output<typeof HoldingItem>

/** How many of them are shown: those that expire first. */
const maxShown = 50

interface HoldingRow {
  card_id: string
  stage: Holding['stage']
  since: string
  until: string
}

const holdingRows = hot<{ boards: string; agent: string; now: string }, HoldingRow>(
  (_, param) =>
    sql<HoldingRow>`select k.card_id, k.stage, k.renewed_at as since, k.expires_at as until from claims k
        where k.agent_id = ${param('agent')} and k.expires_at > ${param('now')}
          and ${dialect.inList(sql.ref('k.board_id'), sql<string>`${param('boards')}`)}
      union all
      select c.id, 'reserved', c.moved_at, c.reserved_until from cards c
        where c.reserved_for = ${param('agent')} and c.reserved_until > ${param('now')}
          and ${dialect.inList(sql.ref('c.board_id'), sql<string>`${param('boards')}`)}
          and not exists (select 1 from claims k where k.card_id = c.id and ${sameBoard('k', 'c')} and k.expires_at > ${param('now')})`,
)

const rankOf = ({ stage }: HoldingRow): number => (stage === 'reserved' ? 1 : 0)

/** The cards that the caller holds on boards, and those reserved for it, ordered by expiry. */
export async function findHeld(ctx: Context, boards: readonly Access[]): Promise<readonly HoldingRow[]> {
  const rows = await holdingRows(ctx.db, {
    boards: idsWhere(boards, access => access.allows('CARDS_READ')),
    agent: ctx.caller.id,
    now: ctx.now(),
  })
  return rows.sort((a, b) => rankOf(a) - rankOf(b) || byAscii(a.until, b.until) || byAscii(a.card_id, b.card_id))
}

/** The cards that the caller holds, as shown: with what each needs next, and what it waits for. */
export async function holdingOf(
  ctx: Context,
  cards: readonly HoldingRow[],
  on: (board: string) => Access,
): Promise<Holding[]> {
  const overlapsOf = overlapsOfCards(ctx)
  const carriedOn = new Map<string, CarryTests>()
  const holdings: Holding[] = []
  for (const { card_id, stage, until } of cards.slice(0, maxShown)) {
    const facts = await findMoveFacts(ctx, card_id)
    if (facts === undefined) continue
    const { ref, title, status, checkpoint, board_id: boardId } = facts.card
    const overlaps = await overlapsOf(facts.card)
    const session = facts.claim?.session ?? null
    const carried = carriedOn.get(boardId) ?? (await carriersOn(ctx.db, boardId)(on(boardId)))
    carriedOn.set(boardId, carried)
    const mayGoOn = carried[status as keyof CarryTests]?.(facts.card) !== false
    holdings.push({
      ref,
      title,
      status,
      stage,
      until,
      checkpoint: checkpoint?.text ?? null,
      needs: needsOf(stage, facts, { caller: ctx.caller, boardId, access: on(boardId) }, mayGoOn),
      blocked_by: facts.openDependencies.map(card => card.ref),
      ...(session !== null && { session }),
      ...(overlaps !== null && overlaps.length > 0 && { overlaps }),
      ...unreadOf(facts.card),
    })
  }
  return holdings
}

/** The next call that a card needs from its holder; its release if the holder may not continue. */
function needsOf(stage: Holding['stage'], facts: MoveFacts, requester: Requester, mayGoOn: boolean): string {
  if (facts.card.archived) return 'wait for restore_record'
  if (stage !== 'reserved') return mayGoOn ? nextStep(facts, requester) : 'release_claim'
  return attemptsUsedUp(facts.attempts, requester) === null ? 'claim_card' : 'wait for allow_attempts'
}

/** What others changed on a card since the caller read it, if anything. */
function unreadOf(card: Parameters<typeof unreadChanges>[0]): Pick<Holding, 'changed'> {
  const changed = unreadChanges(card)
  return changed.length === 0 ? {} : { changed }
}

/** The remaining share of its time at which a claim is near its end. */
const lastPart = 0.1

/** When a claim renewed at a time will be near its end. */
const nearEnd = ({ since, until }: HoldingRow): string =>
  new Date(Date.parse(until) - lastPart * (Date.parse(until) - Date.parse(since))).toISOString()

/** Watches the claims and reservations of a waiting caller for one that has ended or is near its end (crew 5.1). */
export class HoldingWatch {
  #before: ReadonlySet<string> | undefined
  readonly #near = new Set<string>()

  /**
   * Whether any that was held before has ended, or any is newly near its end; and when the next one will be near its
   * end merely because time passes.
   */
  changed(now: string, cards: readonly HoldingRow[]): { readonly hasChanged: boolean; readonly nextAt: string | null } {
    const ids = new Set(cards.map(({ card_id }) => card_id))
    const hasEnded = [...(this.#before ?? [])].some(id => !ids.has(id))
    this.#before = ids
    const claims = cards.filter(({ stage }) => stage !== 'reserved')
    const near = claims.filter(claim => nearEnd(claim) <= now)
    const isNear = near.some(({ card_id }) => !this.#near.has(card_id))
    for (const { card_id } of near) this.#near.add(card_id)
    const times = claims.filter(claim => nearEnd(claim) > now).map(nearEnd)
    times.push(...cards.map(({ until }) => until))
    return { hasChanged: hasEnded || isNear, nextAt: times.toSorted()[0] ?? null }
  }
}
