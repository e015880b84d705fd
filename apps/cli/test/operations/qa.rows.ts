import type { Rows } from './row.ts'

export const qa: Rows<'qa'> = {
  ask_card_question: { args: async scene => ({ card_id: await scene.card(), question: 'Why?' }) },
  answer_card_question: { args: async scene => ({ qa_id: await scene.cardQuestion(), answer: 'Because.' }) },
  ask_question: {
    args: async scene => ({ record: await scene.spec(), question: 'Why?' }),
    permissionTestedBy: 'questions-anywhere.test.ts: asks for what the operation of the kind asks for',
  },
  answer_question: {
    args: async scene => ({ question_id: await scene.cardQuestion(), answer: 'Because.' }),
    permissionTestedBy: 'questions-anywhere.test.ts: asks for what the operation of the kind asks for',
  },
  delete_card_question: { args: async scene => ({ qa_id: await scene.cardQuestion() }) },
}
