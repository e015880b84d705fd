import type { Scene } from '../support/scene.ts'
import type { Rows } from './row.ts'

/** A share of a new agent that makes no call. */
const shared = async (scene: Scene) => {
  const { id } = await scene.managedBy(scene.world.owner)
  const share = await scene.world.ok('create_board_share', { board_id: scene.boardId, user_id: id })
  return { board_id: scene.boardId, share_id: share.id }
}

const archivable = async (scene: Scene) => ({
  board_id: scene.boardId,
  entity_type: 'ideation',
  entity_id: await scene.ideation(),
})

export const boards: Rows<'boards'> = {
  create_board: { args: () => ({ name: 'Product', description: '' }) },
  list_boards: { args: () => ({ limit: 2 }) },
  get_board: { args: scene => ({ board_id: scene.boardId }) },
  update_board: { args: scene => ({ board_id: scene.boardId, settings: { max_scenarios_per_card: 4 } }) },
  delete_board: {
    args: async scene => ({ board_id: (await scene.world.ok('create_board', { name: 'Old', description: '' })).id }),
    permissionTestedBy: 'boards.test.ts: delete_board is for its owner only',
  },
  create_card: {
    args: async scene => ({ board_id: scene.boardId, title: 'Card', spec_id: await scene.spec('approved') }),
  },
  get_board_columns: { args: scene => ({ board_id: scene.boardId, limit: 10 }) },
  archive_record: { args: archivable },
  restore_record: { args: archivable },
  create_board_share: {
    args: async scene => ({
      board_id: scene.boardId,
      user_id: (await scene.managedBy(scene.world.owner)).id,
      permission: 'editor',
    }),
  },
  list_board_shares: {
    args: async scene => {
      await shared(scene)
      return { board_id: scene.boardId }
    },
  },
  update_board_share: { args: async scene => ({ ...(await shared(scene)), permission: 'admin' }) },
  delete_board_share: { args: shared },
}
