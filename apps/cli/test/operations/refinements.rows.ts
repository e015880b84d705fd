import type { Rows } from './row.ts'

export const refinements: Rows<'refinements'> = {
  create_refinement: {
    args: async scene => ({
      ideation_id: await scene.ideation('done', { description: 'An idea' }),
      title: 'Story',
      in_scope: ['Everything'],
    }),
  },
  list_refinements: {
    args: async scene => {
      const { ideation_id } = await scene.world.ok('get_refinement', { refinement_id: await scene.refinement() })
      return { ideation_id, status: 'draft', limit: 10 }
    },
  },
  get_refinement: { args: async scene => ({ refinement_id: await scene.refinement() }) },
  update_refinement: { args: async scene => ({ refinement_id: await scene.refinement(), analysis: 'More' }) },
  move_refinement: { args: async scene => ({ refinement_id: await scene.refinement(), status: 'review' }) },
  delete_refinement: { args: async scene => ({ refinement_id: await scene.refinement() }) },
  derive_spec_from_refinement: { args: async scene => ({ refinement_id: await scene.refinement('done') }) },
  list_refinement_history: { args: async scene => ({ refinement_id: await scene.refinement('review') }) },
  list_refinement_questions: {
    args: async scene => ({ refinement_id: (await scene.question('refinement')).refinement_id }),
  },
  ask_refinement_question: {
    args: async scene => ({ refinement_id: await scene.refinement(), question: 'Why?' }),
  },
  answer_refinement_question: {
    args: async scene => ({ ...(await scene.question('refinement')), answer: 'Because.' }),
  },
  delete_refinement_question: { args: scene => scene.question('refinement') },
  list_refinement_snapshots: { args: async scene => ({ refinement_id: await scene.refinement('done') }) },
  get_refinement_snapshot: { args: async scene => ({ refinement_id: await scene.refinement('done'), version: 1 }) },
  list_refinement_knowledge: {
    args: async scene => ({ refinement_id: (await scene.knowledge('refinement')).refinement_id }),
  },
  get_refinement_knowledge: { args: scene => scene.knowledge('refinement') },
  create_refinement_knowledge: {
    args: async scene => ({ refinement_id: await scene.refinement(), title: 'Notes', content: 'What we know.' }),
  },
  delete_refinement_knowledge: { args: scene => scene.knowledge('refinement') },
}
