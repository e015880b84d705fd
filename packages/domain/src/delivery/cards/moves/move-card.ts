import type { features } from '@specboard/contract'
import type { Context } from '../../../kernel/context.ts'
import { passGates, type Ruling } from '../../../kernel/gates.ts'
import type { Implementation } from '../../../kernel/implement.ts'
import type { CardRecord, Report, Status } from '../../card-record/record.ts'
import { recordOnCard, recordUpdate, writeCard } from '../../card-record/write.ts'
import { moveGates } from '../card-gates.ts'
import { conclusionAdded, enterStatus } from '../enter-status.ts'
import { readMoveFacts } from '../gates/facts.ts'
import { isSmall, type Move } from '../gates/gates.ts'
import { checkShares, isSent, reportOf, type SentReport } from '../gates/report.ts'
import { place } from '../positions.ts'
import { readWholeCard } from '../whole-card.ts'

/** Options of a move that no caller asked for. */
export interface Automatic {
  /** The rulings on the move. */
  readonly gates: (move: Move) => Ruling[]
  /** The change that causes it. */
  readonly cause: Readonly<Record<string, unknown>>
}

/**
 * Moves a card through the gates of its row (cards 4).
 * @returns the status before the move
 * @throws DomainError ARCHIVED, CLAIMED, or with the code of the first closed gate
 */
export async function moveThroughGates(
  ctx: Context,
  cardId: string,
  to: Status,
  position: number | null | undefined,
  report: SentReport = {},
  automatic?: Automatic,
): Promise<Status> {
  const facts = await readMoveFacts(ctx, cardId)
  const { card } = facts
  const move = { facts, to, report }
  passGates(automatic === undefined ? moveGates(move, ctx) : automatic.gates(move))
  const conclusions = isSent(report)
    ? [reportOf(report, { to, isSmall: isSmall(facts), authorId: ctx.caller.id, now: ctx.now() })]
    : []
  if (card.status === to) await stay(ctx, card, position, conclusions)
  else await enterStatus(ctx, card, to, { position, conclusions, cause: automatic?.cause })
  return card.status
}

/** A move to the current status: changes the position if one was sent, and appends the report (cards 4.2). */
async function stay(
  ctx: Context,
  card: CardRecord,
  requested: number | null | undefined,
  reports: readonly Report[],
): Promise<void> {
  const position =
    requested == null || requested === card.position
      ? card.position
      : await place(ctx.db, card, card.status, requested, ctx.now())
  const moved = position !== card.position
  if (!moved && reports.length === 0) return
  const conclusions = [...card.conclusions, ...reports]
  await writeCard(ctx, card.id, { ...(moved && { position }), ...(reports.length > 0 && { conclusions }) })
  const { status } = card
  const domain = reports.map(conclusionAdded)
  if (moved) {
    const details = { from_status: status, to_status: status, from_position: card.position, to_position: position }
    await recordOnCard(ctx, card, 'card_moved', details, domain)
  } else {
    await recordUpdate(ctx, card, [{ field: 'conclusions', old: card.conclusions, new: conclusions }], domain)
  }
}

export const moveCard: Implementation<typeof features.cards.move_card> = async ({ params, body }, ctx) => {
  const { target_status, position, ...report } = body
  checkShares(report)
  const from_status = await moveThroughGates(ctx, params.card_id, target_status, position, report)
  return { ...(await readWholeCard(ctx, params.card_id)), from_status }
}
