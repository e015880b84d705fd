import { sql } from 'kysely'
import { readCard } from '../../../delivery/card-record/store.ts'
import { taskValidations, validationsOf } from '../../../delivery/cards/validations/store.ts'
import type { Context } from '../../../kernel/context.ts'
import { hot } from '../../../schema/hot.ts'
import type { CardFact } from '../facts.ts'
import { isDoneHere } from '../imported.ts'
import { shownCycle } from './card-figures.ts'

const completionOf = hot<{ card: string }, Pick<CardFact, 'created_at' | 'completed_at'>>(
  (_, param) =>
    sql<Pick<CardFact, 'created_at' | 'completed_at'>>`select c.created_at,
      case when ${isDoneHere('c')} then c.moved_at end as completed_at from cards c where c.id = ${param('card')}`,
)

/** The figures of a card (B.13). */
export async function cardEntity(ctx: Context, id: string) {
  const card = await readCard(ctx.db, id)
  const rows = await validationsOf(ctx.db, card)
  const [completion] = await completionOf(ctx.db, { card: id })
  const last = card.conclusions.findLast(({ imported }) => !imported)
  return {
    card_id: id,
    title: card.title,
    status: card.status,
    is_test: card.card_type === 'test',
    card_type: card.card_type,
    spec_id: card.spec_id,
    sprint_id: card.sprint_id,
    completeness: last?.completeness ?? null,
    drift: last?.drift ?? null,
    conclusions: ctx.access.allows('CARDS_READ_CONCLUSIONS') ? card.conclusions : [],
    validations: ctx.access.allows('CARDS_READ_VALIDATIONS') ? taskValidations(rows, card.validation_stay) : [],
    cycle_hours: shownCycle(completion!),
    created_at: card.created_at,
    updated_at: card.updated_at,
  }
}
