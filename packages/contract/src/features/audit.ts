/** The service's audit: writes outside boards, and refused keys (trust 3). */
import { z } from 'zod'
import { operation } from '../operation.ts'
import { actor, FreeObject, Id, LastMoment, Moment, paging50, Timestamp } from '../shared.ts'

/** The actions that the audit records. */
export const AuditAction = z.enum([
  'agent_created',
  'agent_updated',
  'agent_deleted',
  'key_regenerated',
  'preset_created',
  'preset_updated',
  'preset_deleted',
  'settings_updated',
  'backup_begun',
  'keys_refused',
  'webhook_created',
  'webhook_updated',
  'webhook_deleted',
  'webhook_secret_rotated',
  'imported',
  'signed_in',
  'signed_out',
  'sign_in_refused',
  'approval_loosened',
  'evidence_loosened',
  'person_created',
  'person_converted',
  'sign_in_link_created',
  'sessions_ended',
  'invitation_created',
  'invitation_accepted',
  'invitation_revoked',
  'identity_linked',
  'identity_unlinked',
  'client_registered',
  'connection_created',
  'connection_denied',
  'connection_ended',
  'connection_reused',
  'channel_created',
  'channel_deleted',
  'channel_disabled',
  'repository_created',
  'repository_updated',
  'repository_deleted',
  'repository_secret_rotated',
  'ci_trust_set',
  'ci_session_opened',
  'ci_refused',
])

/** The kinds of subject of an audit entry. */
export const AuditTarget = z.enum([
  'agent',
  'preset',
  'settings',
  'address',
  'webhook',
  'board',
  'invitation',
  'repository',
  'channel',
  'connection',
])

/** The origin of a write. */
export const Origin = z.enum(['http', 'mcp', 'cli', 'web'])

export const AuditEntry = z
  .object({
    id: Id,
    at: Timestamp,
    actor_id: Id.nullable(),
    actor_name: z.string().nullable(),
    ...actor,
    action: AuditAction,
    target_type: AuditTarget,
    target_id: z.string(),
    target_name: z.string(),
    fields: z.array(z.string()),
    details: FreeObject.nullable(),
    origin: Origin,
  })
  .meta({ id: 'AuditEntry' })

export const list_audit = operation({
  name: 'list_audit',
  method: 'GET',
  path: '/api/v1/audit',
  permission: 'AUDIT_READ',
  extension: true,
  title: 'List audit',
  description: 'List who changed agents, presets, settings and webhooks, newest first.',
  query: {
    ...paging50,
    actor_id: Id.optional(),
    action: AuditAction.optional(),
    target_id: z.string().optional(),
    since: Moment.optional().describe('date or date-time'),
    until: LastMoment.optional(),
  },
  list: AuditEntry,
  errors: [],
  keywords: ['log', 'history', 'security', 'keys', 'who'],
})
