import type { Rows } from './row.ts'

export const qa: Rows<'qa'> = {
  ask_card_question: { args: async scene => ({ card_id: await scene.card(), question: 'Why?' }) },
  answer_card_question: { args: async scene => ({ qa_id: await scene.cardQuestion(), answer: 'Because.' }) },
  delete_card_question: { args: async scene => ({ qa_id: await scene.cardQuestion() }) },
}
