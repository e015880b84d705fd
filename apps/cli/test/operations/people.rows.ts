import type { Rows } from './row.ts'

export const people: Rows<'people'> = {
  convert_agent_to_person: {
    args: async (scene, caller) => ({ agent_id: (await scene.managedBy(caller)).id }),
  },
  create_sign_in_link: { args: (_, caller) => ({ agent_id: caller.id }) },
  end_sessions: { args: (_, caller) => ({ agent_id: caller.id }) },
}
