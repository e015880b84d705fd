import { builtinPresets } from '@specboard/contract'
import { idSource } from '@specboard/domain'
import { altered } from '../support/event-log.ts'
import { Person } from '../support/person.ts'
import type { Rows } from './row.ts'

const newId = idSource(Date.now)

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
  list_my_identities: { args: () => ({ limit: 3 }) },
  unlink_my_identity: {
    args: async ({ world }, caller) => {
      // Only a provider makes one.
      const id = newId()
      await altered(
        world,
        `insert into identities (id, person_id, provider, issuer, subject, linked_at, last_used_at)
          values (?, ?, 'corp', 'https://login.example.com', '${id}', '2030-01-01', '2030-01-01')`,
        id,
        caller.id,
      )
      return { identity_id: id }
    },
  },
  list_connections: { args: () => ({ limit: 3 }) },
  revoke_connection: {
    args: async ({ world }, caller) => {
      // Only a client makes one.
      const id = newId()
      await altered(
        world,
        `insert into connections (id, client_id, client_name, agent_id, person_id, grant_id, scopes, choice, confirm,
            created_at, last_used_at)
          values (?, 'client', 'Client', '${caller.id}', '${caller.id}', '${id}', 'read write', '{}', 1,
            '2030-01-01T00:00:00.000Z', '2030-01-01T00:00:00.000Z')`,
        id,
      )
      return { connection_id: id }
    },
  },
  end_sessions: { args: (_, caller) => ({ agent_id: caller.id }) },
}
