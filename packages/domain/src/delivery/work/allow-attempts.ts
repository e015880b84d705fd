import type { features } from '@specboard/contract'
import { refuseArchivedCard } from '../../kernel/archived.ts'
import type { Implementation } from '../../kernel/implement.ts'
import { updateRow } from '../../schema/rows.ts'
import { recordOnCard } from '../card-record/write.ts'
import { readMoveFacts } from '../cards/gates/facts.ts'
import { attemptsOf } from '../claims/attempts.ts'
import { addComment } from '../comments/add.ts'

/** allow_attempts: raises the number of attempts for a card; the note becomes a comment (crew 4.6). */
export const allowAttempts: Implementation<typeof features.work.allow_attempts> = async ({ params, body }, ctx) => {
  const { card, attempts, settings } = await readMoveFacts(ctx, params.card_id)
  refuseArchivedCard(card)
  const attempt_limit = attempts.used + body.more
  await updateRow(ctx.db, 'cards', card.id, { attempt_limit })
  const { note } = body
  if (note != null)
    await addComment(ctx, card, { content: note, comment_type: 'text', choices: null, allow_free_text: false })
  const isLost = attempts.lost > card.lost_attempts
  const allowed = attemptsOf({ ...card, attempt_limit }, isLost, settings.max_attempts)
  await recordOnCard(ctx, card, 'card_attempts_allowed', { attempts: allowed })
  return { card_id: card.id, attempts: allowed }
}
