import { features } from '@specboard/contract'
import { endClaimsOf } from '../../delivery/claims/end.ts'
import { refuseEscalation } from '../../kernel/access/base.ts'
import { recordAudit } from '../../kernel/audit.ts'
import type { Context } from '../../kernel/context.ts'
import { blocked, invalid } from '../../kernel/errors.ts'
import { type Implementation, implement } from '../../kernel/implement.ts'
import { updateRow } from '../../schema/rows.ts'
import { refuseOverPerson, requirePresence } from '../agents/persons.ts'
import { baseOf, noKey, readAgent, readWholeAgent } from '../agents/store.ts'
import { listConnections, revokeConnection } from '../connections/operations.ts'
import { endConnectionsOf } from '../connections/store.ts'
import { listMyIdentities, unlinkMyIdentity } from './identities.ts'
import { createInvitation, listInvitations, revokeInvitation } from './invitations.ts'
import { makeSignInLink } from './sign-in-links.ts'
import { endAllSessions, endMySession, listMySessions, removeWebSessions } from './web-sessions.ts'

type People = typeof features.people

/** convert_agent_to_person: turns an agent that stood in for a colleague into that person (people 1.2, rule 4). */
const convertAgentToPerson: Implementation<People['convert_agent_to_person']> = async ({ params }, ctx) => {
  const agent = await readAgent(ctx.db, params.agent_id)
  if (agent.kind !== 'agent')
    throw blocked('INVALID_STATE', `Only an agent can become a person; this is of kind ${agent.kind}.`, {
      status: agent.kind,
    })
  refuseEscalation((await baseOf(ctx.db, agent)).allowed, ctx.caller.base)
  const { id, name } = agent
  await endClaimsOf(ctx, id, 'taken_over')
  await removeWebSessions(ctx.db, id)
  await endConnectionsOf(ctx, agent)
  await updateRow(ctx.db, 'agents', id, {
    ...noKey,
    kind: 'person',
    session_generation: agent.session_generation + 1,
  })
  await recordAudit(ctx, 'person_converted', { type: 'agent', id, name }, ['kind'])
  return readWholeAgent(ctx, id)
}

/**
 * A person who is the caller, or whom the caller manages (people 1.2, rule 3).
 * @throws DomainError FORBIDDEN, PERSON_REQUIRED, VALIDATION_ERROR
 */
async function personOf(ctx: Context, id: string, subject: string) {
  const person = await readAgent(ctx.db, id)
  if (id !== ctx.caller.id) {
    ctx.require('PEOPLE_MANAGE')
    requirePresence(ctx, 'PEOPLE_MANAGE', subject)
  }
  if (person.kind !== 'person') throw invalid('agent_id', `${person.name} is not a person, and cannot sign in.`)
  await refuseOverPerson(ctx, person, subject)
  return person
}

/** create_sign_in_link (people 2.5). */
const createSignInLink: Implementation<People['create_sign_in_link']> = async ({ params }, ctx) => {
  const { id, name } = await personOf(ctx, params.agent_id, 'a sign-in link')
  await recordAudit(ctx, 'sign_in_link_created', { type: 'agent', id, name }, [])
  return makeSignInLink(ctx, id)
}

/** end_sessions (people 2.4). */
const endSessions: Implementation<People['end_sessions']> = async ({ params }, ctx) => {
  await endAllSessions(ctx, await personOf(ctx, params.agent_id, 'the end of all sessions'))
}

export const peopleOperations = implement(features.people, {
  create_sign_in_link: createSignInLink,
  end_sessions: endSessions,
  create_invitation: createInvitation,
  list_invitations: listInvitations,
  revoke_invitation: revokeInvitation,
  list_my_sessions: listMySessions,
  end_my_session: endMySession,
  list_my_identities: listMyIdentities,
  unlink_my_identity: unlinkMyIdentity,
  list_connections: listConnections,
  revoke_connection: revokeConnection,
  convert_agent_to_person: convertAgentToPerson,
})
