/** Persons: who is somebody of their own here (people). */
import { z } from 'zod'
import { operation } from '../operation.ts'
import { askedByImplementation } from '../permission-rules.ts'
import { Id, Timestamp } from '../shared.ts'
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

/** A link that signs a person in, once (people 2.5). */
const SignInLink = z.object({ url: z.string(), expires_at: Timestamp }).meta({ id: 'SignInLink' })

const create_sign_in_link = operation({
  name: 'create_sign_in_link',
  method: 'POST',
  path: '/api/v1/agents/{agent_id}/sign-in-link',
  permission: '-',
  caller: 'present',
  changesAccess: true,
  extension: true,
  title: 'Create sign-in link',
  description: 'Make a link that signs a person in, once, within 10 minutes.',
  params: { agent_id: Id },
  response: SignInLink,
  status: 201,
  errors: ['VALIDATION_ERROR'],
  secret: 'url',
  asks: askedByImplementation({ permission: 'PEOPLE_MANAGE', part: 'for another person' }),
  keywords: [...keywords, 'login', 'sign in', 'device', 'qr'],
})

const end_sessions = operation({
  name: 'end_sessions',
  method: 'DELETE',
  path: '/api/v1/agents/{agent_id}/sessions',
  permission: '-',
  caller: 'person',
  changesAccess: true,
  extension: true,
  title: 'End sessions',
  description: 'Sign a person out everywhere.',
  params: { agent_id: Id },
  errors: ['VALIDATION_ERROR'],
  asks: askedByImplementation({ permission: 'PEOPLE_MANAGE', part: 'of another person' }),
  keywords: [...keywords, 'logout', 'sign out'],
})

export const people = { convert_agent_to_person, create_sign_in_link, end_sessions } as const
