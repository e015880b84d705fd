import { builtinPresets } from '@specboard/contract'
import { Person } from '../support/person.ts'
import type { Rows } from './row.ts'

const executor = builtinPresets.find(({ name }) => name === 'Executor')!.id

export const people: Rows<'people'> = {
  convert_agent_to_person: {
    args: async (scene, caller) => ({ agent_id: (await scene.managedBy(caller)).id }),
  },
  create_sign_in_link: { args: (_, caller) => ({ agent_id: caller.id }) },
  create_invitation: {
    args: ({ boardId }) => ({ name: 'Ada', preset_id: executor, boards: [{ board_id: boardId }] }),
  },
  list_invitations: { args: () => ({ limit: 3 }) },
  revoke_invitation: {
    args: async ({ world }) => ({
      invitation_id: (await (await Person.owner(world)).ok('create_invitation', { preset_id: executor })).id,
    }),
  },
  list_my_sessions: { args: () => ({ limit: 3 }) },
  end_my_session: {
    args: async ({ world }) => {
      const owner = await Person.owner(world)
      const sessions: { id: string; current: boolean }[] = await owner.ok('list_my_sessions')
      // Where a table was filled, the first page may hold others of the same person.
      return { session_id: (sessions.find(({ current }) => current) ?? sessions[0]!).id }
    },
  },
  end_sessions: { args: (_, caller) => ({ agent_id: caller.id }) },
}
