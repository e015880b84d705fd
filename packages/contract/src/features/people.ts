/** People: principals with an identity of their own (people). */
import { z } from 'zod'
import { operation } from '../operation.ts'
import { checkedByImplementation } from '../permission-rules.ts'
import { Id, Name, paging, Timestamp } from '../shared.ts'
import { Agent } from './agents.ts'
import { list_connections, revoke_connection } from './connections.ts'

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
  description: 'Turn an agent that stood for a person into one. Its key and claims end.',
  params: { agent_id: Id },
  response: Agent,
  errors: ['INVALID_STATE'],
  keywords,
})

/** A one-time sign-in link (people 2.5). */
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
  description: 'Create a link that signs a person in, once, within 10 minutes.',
  params: { agent_id: Id },
  response: SignInLink,
  status: 201,
  errors: ['VALIDATION_ERROR'],
  secret: 'url',
  asks: checkedByImplementation({ permission: 'PEOPLE_MANAGE', part: 'for another person' }),
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
  asks: checkedByImplementation({ permission: 'PEOPLE_MANAGE', part: 'of another person' }),
  keywords: [...keywords, 'logout', 'sign out'],
})

const invited = {
  name: Name.nullable(),
  email: z.email().max(254).nullable(),
  boards: z
    .array(
      z
        .object({ board_id: Id, share: z.enum(['viewer', 'editor', 'admin']).default('editor') })
        .meta({ id: 'InvitedBoard' }),
    )
    .max(20),
}

/** An invitation of a person (people 2.6). */
export const Invitation = z
  .object({
    id: Id,
    ...invited,
    preset_id: Id,
    invited_by: Id,
    created_at: Timestamp,
    expires_at: Timestamp,
    accepted_at: Timestamp.nullable(),
    accepted_by: Id.nullable(),
  })
  .meta({ id: 'Invitation' })

const InvitationMade = z
  .object({ ...Invitation.shape, url: z.string().nullable().describe('null when an answer is replayed') })
  .meta({ id: 'InvitationMade' })

const InvitationCreate = z
  .object({
    name: invited.name.exactOptional(),
    email: invited.email.exactOptional(),
    preset_id: Id.describe('id or name'),
    boards: invited.boards.exactOptional(),
    expires_in_hours: z.int().min(1).max(720).default(72),
  })
  .meta({ id: 'InvitationCreate' })

const invitationWords = [...keywords, 'invite', 'join', 'onboard']

const create_invitation = operation({
  name: 'create_invitation',
  method: 'POST',
  path: '/api/v1/invitations',
  permission: 'PEOPLE_INVITE',
  caller: 'present',
  extension: true,
  title: 'Create invitation',
  description: 'Invite a person, with a preset and boards. The link is shown in this answer only.',
  body: InvitationCreate,
  response: InvitationMade,
  status: 201,
  errors: ['VALIDATION_ERROR', 'NOT_FOUND'],
  asks: {
    permissions: () => ['PEOPLE_INVITE'],
    guards: [{ permission: 'PEOPLE_INVITE' }, { permission: 'BOARDS_SHARE', part: 'on each board of boards' }],
  },
  secret: 'url',
  keywords: invitationWords,
})

const list_invitations = operation({
  name: 'list_invitations',
  method: 'GET',
  path: '/api/v1/invitations',
  permission: 'PEOPLE_INVITE',
  caller: 'person',
  extension: true,
  title: 'List invitations',
  description: 'List the open invitations, newest first.',
  query: { ...paging, all: z.boolean().default(false).describe('also those that are over') },
  list: Invitation,
  errors: ['NOT_FOUND'],
  keywords: invitationWords,
})

const revoke_invitation = operation({
  name: 'revoke_invitation',
  method: 'DELETE',
  path: '/api/v1/invitations/{invitation_id}',
  permission: 'PEOPLE_INVITE',
  caller: 'present',
  extension: true,
  title: 'Revoke invitation',
  description: 'Revoke an open invitation.',
  params: { invitation_id: Id },
  errors: [],
  keywords: invitationWords,
})

/** How a session began (people 2.4). */
export const SessionVia = z.enum(['oidc', 'link', 'invitation', 'mail', 'key'])

/** A browser in which somebody is signed in (people 2.4). */
export const Session = z
  .object({
    id: Id,
    via: SessionVia,
    provider: z.string().nullable(),
    present: z.boolean(),
    current: z.boolean(),
    started_at: Timestamp,
    last_used_at: Timestamp,
    expires_at: Timestamp,
    address: z.string(),
    browser: z.string().max(80),
  })
  .meta({ id: 'Session' })

const sessionWords = ['session', 'signed in', 'device', 'browser', 'sign out', 'logout']

const list_my_sessions = operation({
  name: 'list_my_sessions',
  method: 'GET',
  path: '/api/v1/me/sessions',
  permission: '-',
  caller: 'person',
  extension: true,
  title: 'List my sessions',
  description: 'List the browsers in which you are signed in, last used first.',
  query: paging,
  list: Session,
  errors: [],
  keywords: sessionWords,
})

const end_my_session = operation({
  name: 'end_my_session',
  method: 'DELETE',
  path: '/api/v1/me/sessions/{session_id}',
  permission: '-',
  caller: 'person',
  changesAccess: true,
  extension: true,
  title: 'End my session',
  description: 'Sign yourself out of one browser.',
  params: { session_id: Id },
  errors: [],
  keywords: sessionWords,
})

/** An account at a provider that signs a person in (people 2.3). */
export const Identity = z
  .object({
    id: Id,
    provider: z.string(),
    issuer: z.string(),
    subject: z.string(),
    email: z.string().nullable(),
    name: z.string().nullable(),
    linked_at: Timestamp,
    last_used_at: Timestamp,
  })
  .meta({ id: 'Identity' })

const identityWords = [...keywords, 'identity', 'provider', 'single sign-on', 'sso', 'openid', 'login']

const list_my_identities = operation({
  name: 'list_my_identities',
  method: 'GET',
  path: '/api/v1/me/identities',
  permission: '-',
  caller: 'person',
  extension: true,
  title: 'List my identities',
  description: 'List your accounts at providers that sign you in here.',
  query: paging,
  list: Identity,
  errors: [],
  keywords: identityWords,
})

const unlink_my_identity = operation({
  name: 'unlink_my_identity',
  method: 'DELETE',
  path: '/api/v1/me/identities/{identity_id}',
  permission: '-',
  caller: 'present',
  changesAccess: true,
  extension: true,
  title: 'Unlink my identity',
  description: 'Unlink an account at a provider, unless it is your last way to sign in.',
  params: { identity_id: Id },
  errors: ['LAST_SIGN_IN'],
  keywords: identityWords,
})

export const people = {
  convert_agent_to_person,
  create_sign_in_link,
  end_sessions,
  create_invitation,
  list_invitations,
  revoke_invitation,
  list_my_sessions,
  end_my_session,
  list_my_identities,
  unlink_my_identity,
  list_connections,
  revoke_connection,
} as const
