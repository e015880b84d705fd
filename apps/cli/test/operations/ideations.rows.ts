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
}
