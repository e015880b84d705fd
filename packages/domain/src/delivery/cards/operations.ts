import { features } from '@specboard/contract'
import { type Implementation, implement } from '../../kernel/implement.ts'
import { markSeen, marksOf } from '../card-record/seen-marks.ts'
import { listCardActivity } from './activity.ts'
import { deleteCard } from './delete.ts'
import {
  addCardDependency,
  listBoardDependencies,
  listCardDependencies,
  listCardDependents,
  removeCardDependency,
} from './dependencies/operations.ts'
import {
  createCardKnowledge,
  deleteCardKnowledge,
  downloadCardKnowledge,
  getCardKnowledge,
  listCardKnowledge,
  updateCardKnowledge,
} from './knowledge/operations.ts'
import { listCards } from './list/operations.ts'
import { moveCard } from './moves/move-card.ts'
import { markRead } from './news.ts'
import { promoteCard } from './promote.ts'
import { markChangesRead } from './requirement-changes.ts'
import { linkTestTask, unlinkTestTask } from './test-tasks.ts'
import { updateCard } from './update.ts'
import {
  deleteTaskValidation,
  getTaskValidation,
  listTaskValidations,
  submitTaskValidation,
} from './validations/operations.ts'
import { readCardOf } from './whole-card.ts'

type Cards = typeof features.cards

/** Returns a card and marks new items on it as seen; writes only if there are any. */
const getCard: Implementation<Cards['get_card']> = async ({ params }, ctx) => {
  const { card, seen, lost } = await readCardOf(ctx, params.card_id, ctx.caller.id)
  const unseen = [...card.comments, ...card.qa_items].map(item => item.id).filter(id => !seen.has(id))
  if (unseen.length > 0) ctx.following.push(later => markSeen(later, card.id, unseen))
  if (card.changed_since_claimed !== undefined && card.claim?.agent_id === ctx.caller.id)
    ctx.following.push(later => markChangesRead(later, card.id))
  if (lost || ctx.target.news) ctx.following.push(later => markRead(later, card.id))
  return card
}

const getCardSeen: Implementation<Cards['get_card_seen']> = async ({ params }, ctx) => {
  const marks = await marksOf(ctx.db, { card: params.card_id })
  const byItem = Map.groupBy(marks, mark => mark.item_id)
  const seenBy = [...byItem].map(([item, seen]) => [
    item,
    seen.map(({ agent_id, agent_name, seen_at }) => ({ agent_id, agent_name, seen_at })),
  ])
  return { items: Object.fromEntries(seenBy) }
}

export const cardOperations = implement(features.cards, {
  list_cards: listCards,
  get_card: getCard,
  update_card: updateCard,
  move_card: moveCard,
  promote_card: promoteCard,
  list_card_dependencies: listCardDependencies,
  list_card_dependents: listCardDependents,
  list_board_dependencies: listBoardDependencies,
  add_card_dependency: addCardDependency,
  remove_card_dependency: removeCardDependency,
  list_card_activity: listCardActivity,
  get_card_seen: getCardSeen,
  link_test_task: linkTestTask,
  unlink_test_task: unlinkTestTask,
  delete_card: deleteCard,
  submit_task_validation: submitTaskValidation,
  list_task_validations: listTaskValidations,
  get_task_validation: getTaskValidation,
  delete_task_validation: deleteTaskValidation,
  list_card_knowledge: listCardKnowledge,
  create_card_knowledge: createCardKnowledge,
  get_card_knowledge: getCardKnowledge,
  update_card_knowledge: updateCardKnowledge,
  delete_card_knowledge: deleteCardKnowledge,
  download_card_knowledge: downloadCardKnowledge,
})
