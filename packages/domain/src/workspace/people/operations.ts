import { features } from '@specboard/contract'
import { endClaimsOf } from '../../delivery/claims/end.ts'
import { refuseEscalation } from '../../kernel/access/base.ts'
import { recordAudit } from '../../kernel/audit.ts'
import { blocked } from '../../kernel/errors.ts'
import { type Implementation, implement } from '../../kernel/implement.ts'
import { updateRow } from '../../schema/rows.ts'
import { baseOf, noKey, readAgent, readWholeAgent } from '../agents/store.ts'

type People = typeof features.people

/** convert_agent_to_person: an agent that stood for a colleague becomes that person (people 1.2, rule 4). */
const convertAgentToPerson: Implementation<People['convert_agent_to_person']> = async ({ params }, ctx) => {
  const agent = await readAgent(ctx.db, params.agent_id)
  if (agent.kind !== 'agent')
    throw blocked('INVALID_STATE', `Only an agent becomes a person; this is of kind ${agent.kind}.`, {
      status: agent.kind,
    })
  refuseEscalation((await baseOf(ctx.db, agent)).allowed, ctx.caller.base)
  const { id, name } = agent
  await endClaimsOf(ctx, id)
  await updateRow(ctx.db, 'agents', id, {
    ...noKey,
    kind: 'person',
    session_generation: agent.session_generation + 1,
  })
  await recordAudit(ctx, 'person_converted', { type: 'agent', id, name }, ['kind'])
  return readWholeAgent(ctx, id)
}

export const peopleOperations = implement(features.people, {
  convert_agent_to_person: convertAgentToPerson,
})
