import { features } from '@specboard/contract'
import { implement } from '../implement.ts'
import { listCardActivity } from './activity.ts'
import { deleteCard } from './delete.ts'
import { addCardDependency, listCardDependencies, listCardDependents, removeCardDependency } from './dependencies.ts'
import {
  createCardKnowledge,
  deleteCardKnowledge,
  downloadCardKnowledge,
  getCardKnowledge,
  listCardKnowledge,
  updateCardKnowledge,
} from './knowledge.ts'
import { moveCard } from './move.ts'
import { getCard, getCardSeen } from './seen.ts'
import { linkTestTask, unlinkTestTask } from './test-tasks.ts'
import { updateCard } from './update.ts'
import { deleteTaskValidation, getTaskValidation, listTaskValidations, submitTaskValidation } from './validate.ts'

export const cardOperations = implement(features.cards, {
  get_card: getCard,
  update_card: updateCard,
  move_card: moveCard,
  list_card_dependencies: listCardDependencies,
  list_card_dependents: listCardDependents,
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
