import type { Rows } from './row.ts'

export const boards: Rows<'boards'> = {
  create_board: { args: () => ({ name: 'Product', description: '' }) },
  list_boards: { args: () => ({ limit: 2 }) },
  get_board: { args: scene => ({ board_id: scene.boardId }) },
  create_board_share: {
    args: async scene => ({
      board_id: scene.boardId,
      user_id: (await scene.managedBy(scene.world.owner)).id,
      permission: 'editor',
    }),
  },
}
