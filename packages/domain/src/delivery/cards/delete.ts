import type { features } from '@specboard/contract'
import { dialect } from '@specboard/storage'
import { sql } from 'kysely'
import type { Context } from '../../kernel/context.ts'
import { refuse } from '../../kernel/errors.ts'
import type { Implementation } from '../../kernel/implement.ts'
import { parseJson } from '../../lib/json.ts'
import { removeDesigns } from '../../planning/architecture/removal.ts'
import { removeFromItems } from '../../planning/specs/card-links.ts'
import { onBoard } from '../../schema/same-board.ts'
import { queueFilesOf } from '../attachments/removal.ts'
import type { CardRecord } from '../card-record/record.ts'
import { readCard } from '../card-record/store.ts'
import { recordOnCard, writeCard } from '../card-record/write.ts'
import { loseClaimOnDeletion } from '../claims/end.ts'
import { moveRefusal } from '../claims/rules.ts'
import { findKeepingClaim } from './kept.ts'

/**
 * Deletes a card in any status, archived or not (cards 14). Rows that reference it are deleted by foreign key; this
 * deletes the rest, and the card's id in other records.
 */
export const deleteCard: Implementation<(typeof features.cards)['delete_card']> = async ({ params }, ctx) => {
  const card = await readCard(ctx.db, params.card_id)
  refuse(moveRefusal(await findKeepingClaim(ctx, card.id), ctx))
  await loseClaimOnDeletion(ctx, card)
  await queueFilesOf(ctx, 'card_id', card.id)
  await removeDesigns(ctx, 'card', [card.id])
  await ctx.db
    .deleteFrom('questions')
    .where('owner_id', '=', card.id)
    .where(onBoard('questions', card.board_id))
    .execute()
  if (card.spec_id !== null) await removeFromItems(ctx, card.spec_id, card.id)
  await unlinkFromBugs(ctx, card)
  await ctx.db.deleteFrom('cards').where('id', '=', card.id).execute()
  await recordOnCard(ctx, card, 'card_deleted', { title: card.title, card_type: card.card_type })
}

/** Removes the card as origin and as test task of bugs. */
async function unlinkFromBugs(ctx: Context, card: CardRecord): Promise<void> {
  await ctx.db
    .updateTable('cards')
    .set({ origin_task_id: null, updated_at: ctx.now() })
    .where('origin_task_id', '=', card.id)
    .where(onBoard('cards', card.board_id))
    .execute()
  const tested = await ctx.db
    .selectFrom('cards')
    .select(['id', 'linked_test_task_ids'])
    .where('board_id', '=', card.board_id)
    .where('card_type', '=', 'bug')
    .where(eb =>
      eb.exists(
        eb
          .selectFrom(dialect.jsonElements(eb.ref('cards.linked_test_task_ids')).as('linked'))
          .select(sql<number>`1`.as('one'))
          .where('linked.value', '=', card.id),
      ),
    )
    .execute()
  for (const bug of tested) {
    const remaining = parseJson(bug.linked_test_task_ids).filter(id => id !== card.id)
    await writeCard(ctx, bug.id, { linked_test_task_ids: remaining })
  }
}
