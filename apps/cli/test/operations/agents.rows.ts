import type { Scene } from '../support/scene.ts'
import type { TestAgent } from '../support/world.ts'
import type { Rows } from './row.ts'

const managed = async (scene: Scene, caller: TestAgent) => ({ agent_id: (await scene.managedBy(caller)).id })

const granted = async (scene: Scene, caller: TestAgent) => {
  const at = { ...(await managed(scene, caller)), board_id: scene.boardId }
  await scene.world.ok('grant_board_access', at)
  return at
}

export const agents: Rows<'agents'> = {
  list_audit: { args: () => ({ limit: 3 }) },
  create_agent: {
    args: ({ boardId }) => ({ name: 'Scout', permission_flags: { CARDS_MOVE_DONE: false }, board_ids: [boardId] }),
  },
  list_agents: { args: () => ({ limit: 3, boards: true }) },
  list_board_agents: {
    args: async scene => {
      await granted(scene, scene.world.owner)
      return { board_id: scene.boardId }
    },
  },
  get_agent: { args: managed },
  update_agent: {
    args: async (scene, caller) => ({ ...(await managed(scene, caller)), objective: 'Cover the specs' }),
  },
  regenerate_agent_key: { args: managed },
  delete_agent: { args: managed },
  grant_board_access: {
    args: async (scene, caller) => ({
      ...(await managed(scene, caller)),
      board_id: scene.boardId,
      permission_overrides: { CARDS_DELETE: false },
    }),
  },
  update_board_access: {
    args: async (scene, caller) => ({ ...(await granted(scene, caller)), permission_overrides: { CARDS_MOVE: false } }),
  },
  revoke_board_access: { args: granted },
}
