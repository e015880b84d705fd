import type { features } from '@specboard/contract'
import { archivedCard } from '../../kernel/archived.ts'
import { blocked, type DomainError } from '../../kernel/errors.ts'
import { passGates, type Ruling, ruling } from '../../kernel/gates.ts'
import type { Implementation } from '../../kernel/implement.ts'
import type { Requester } from '../../kernel/record-gates.ts'
import { insertSpec } from '../../planning/specs/insert.ts'
import { linkCard } from '../../planning/specs/link-operations.ts'
import { readWholeSpec } from '../../planning/specs/store.ts'
import type { CardRecord } from '../card-record/record.ts'
import { recordOnCard } from '../card-record/write.ts'
import { releaseStoredClaim } from '../claims/end.ts'
import { moveRefusal } from '../claims/rules.ts'
import { enterStatus } from './enter-status.ts'
import { type MoveFacts, readMoveFacts } from './gates/facts.ts'
import { isSmall } from './gates/gates.ts'
import { readWholeCard } from './whole-card.ts'

const ended: ReadonlySet<string> = new Set(['done', 'cancelled'])

/** Why a card cannot become a spec: it belongs to a spec, or its work is over; null if it can (crew 6.5). */
function notPromotable(facts: MoveFacts): DomainError | null {
  const { status } = facts.card
  if (!isSmall(facts))
    return blocked('INVALID_STATE', 'This card is already on a spec. Only a small change can be promoted.', { status })
  return ended.has(status)
    ? blocked('INVALID_STATE', `This card is ${status}: there is nothing to plan. Create a spec instead.`, { status })
    : null
}

/** The rulings of the gates of promote_card. */
const promotionGates = (facts: MoveFacts, requester: Requester): Ruling[] => [
  ruling('archived', archivedCard(facts.card)),
  ruling('status', notPromotable(facts)),
  ruling('claim', moveRefusal(facts.claim, requester)),
]

/** The behaviour of a bug, as the context of a spec. */
function contextOf({ expected_behavior, observed_behavior }: CardRecord): string | null {
  const parts = [
    ...(expected_behavior === null ? [] : [`Expected: ${expected_behavior}`]),
    ...(observed_behavior === null ? [] : [`Observed: ${observed_behavior}`]),
  ]
  return parts.length === 0 ? null : parts.join('\n\n')
}

/** promote_card: a small change that grew becomes a draft spec, with this card as its first (crew 6.5). */
export const promoteCard: Implementation<typeof features.cards.promote_card> = async ({ params, body }, ctx) => {
  const facts = await readMoveFacts(ctx, params.card_id)
  passGates(promotionGates(facts, ctx))
  const { card } = facts
  const criteria = body?.acceptance_criteria ?? (card.check === null ? [] : [card.check.how])
  const requirements = body?.requirements ?? []
  const spec = await insertSpec(ctx, {
    board_id: card.board_id,
    title: body?.title ?? card.title,
    description: card.description,
    context: contextOf(card),
    labels: card.labels,
    assignee_id: card.assignee_id,
    functional_requirements: requirements.length === 0 ? null : requirements,
    acceptance_criteria: criteria.length === 0 ? null : criteria,
  })
  if (facts.claim !== null) await releaseStoredClaim(ctx, card.id)
  await linkCard(ctx, spec, card.id)
  const linked = { ...card, spec_id: spec.id }
  if (card.status !== 'not_started') await enterStatus(ctx, linked, 'not_started')
  await recordOnCard(ctx, linked, 'card_promoted', { spec_id: spec.id, spec_ref: spec.ref })
  return { spec: await readWholeSpec(ctx, spec.id), card: await readWholeCard(ctx, card.id) }
}
