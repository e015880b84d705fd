/** Persons: who is somebody of their own here (people). */
import { operation } from '../operation.ts'
import { Id } from '../shared.ts'
import { Agent } from './agents.ts'

const keywords = ['person', 'human', 'colleague', 'user', 'account']

const convert_agent_to_person = operation({
  name: 'convert_agent_to_person',
  method: 'POST',
  path: '/api/v1/agents/{agent_id}/convert-to-person',
  permission: 'PEOPLE_MANAGE',
  caller: 'present',
  changesAccess: true,
  extension: true,
  title: 'Convert agent to person',
  description: 'Make a person of an agent that stood for one. Its key and claims end.',
  params: { agent_id: Id },
  response: Agent,
  errors: ['INVALID_STATE'],
  keywords,
})

export const people = { convert_agent_to_person } as const
