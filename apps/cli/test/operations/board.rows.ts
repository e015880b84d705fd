import type { Rows } from './row.ts'

export const board: Rows<'board'> = {
  get_allowed_moves: { args: async scene => ({ entity_type: 'spec', entity_id: await scene.spec('draft') }) },
  get_board_overview: {
    args: async scene => {
      await scene.sprint('active')
      return { board_id: scene.boardId }
    },
  },
  list_board_members: { args: scene => ({ board_id: scene.boardId, all: true, limit: 2 }) },
}
