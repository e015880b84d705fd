import type { Rows } from './row.ts'

export const ideations: Rows<'ideations'> = {
  create_ideation: {
    args: scene => ({ board_id: scene.boardId, title: 'Idea', labels: ['a'], scope_assessment: { domains: 2 } }),
  },
  list_ideations: {
    args: async scene => {
      await scene.ideation()
      return { board_id: scene.boardId, status: 'draft', limit: 10 }
    },
  },
  get_ideation: { args: async scene => ({ ideation_id: await scene.ideation() }) },
  update_ideation: { args: async scene => ({ ideation_id: await scene.ideation(), description: 'More' }) },
  move_ideation: { args: async scene => ({ ideation_id: await scene.ideation(), status: 'review' }) },
  delete_ideation: { args: async scene => ({ ideation_id: await scene.ideation() }) },
  evaluate_ideation: { args: async scene => ({ ideation_id: await scene.ideation('evaluating'), domains: 2 }) },
  derive_spec_from_ideation: { args: async scene => ({ ideation_id: await scene.ideation('done') }) },
  list_ideation_snapshots: { args: async scene => ({ ideation_id: await scene.ideation('done') }) },
  get_ideation_snapshot: { args: async scene => ({ ideation_id: await scene.ideation('done'), version: 1 }) },
  list_ideation_history: { args: async scene => ({ ideation_id: await scene.ideation('review') }) },
  list_ideation_questions: { args: async scene => ({ ideation_id: (await scene.question('ideation')).ideation_id }) },
  ask_ideation_question: {
    args: async scene => ({ ideation_id: await scene.ideation(), question: 'Why?' }),
  },
  answer_ideation_question: {
    args: async scene => ({ ...(await scene.question('ideation')), answer: 'Because.' }),
  },
  delete_ideation_question: { args: scene => scene.question('ideation') },
}
