import type { Rows } from './row.ts'

export const agents: Rows<'agents'> = {
  create_agent: { args: () => ({ name: 'Scout', permission_flags: { CARDS_MOVE_DONE: false } }) },
  grant_board_access: {
    args: async (scene, caller) => ({
      agent_id: (await scene.managedBy(caller)).id,
      board_id: scene.boardId,
      permission_overrides: { CARDS_DELETE: false },
    }),
  },
}
