import type { features } from '@specboard/contract'
import type { Param } from '@specboard/storage'
import { type Selectable, sql } from 'kysely'
import { isOwner, managedBy } from '../../kernel/access/managed.ts'
import type { Implementation } from '../../kernel/implement.ts'
import { paged } from '../../kernel/page.ts'
import { parseJson, parseNullable } from '../../lib/json.ts'
import type { Flag } from '../../schema/columns.ts'
import { hot } from '../../schema/hot.ts'
import type { AuditTable } from '../../schema/tables.ts'

/** Entries about people and signing in, shown only to those who manage people (people). */
const ofPersons: readonly AuditTable['action'][] = [
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
  'signed_in',
  'signed_out',
  'sign_in_refused',
]

/** The filters of the entries; null for any. */
interface AuditFilter {
  caller: string
  /** 1 for the `Local Owner`, who sees every entry. */
  all: Flag
  actor: string | null
  action: AuditTable['action'] | null
  target: string | null
  since: string | null
  until: string | null
  /** 1 for a caller who also sees entries about people. */
  people: Flag
  /** 1 for a person who manages people, and sees the entries about all of them. */
  everybody: Flag
}

const isOfPersons = sql`action in (${sql.join(ofPersons.map(sql.lit))})`

/** The requested entries: those whose actor or target is the caller or an agent that it manages, and those about people. */
const entries = (param: Param<AuditFilter>) => sql`from audit
  where (${param('all')} = 1 or actor_id = ${param('caller')} or target_id = ${param('caller')}
      or actor_id in (select id from managed) or target_id in (select id from managed)
      or (${param('everybody')} = 1 and ${isOfPersons}))
    and actor_id = coalesce(${param('actor')}, actor_id) and action = coalesce(${param('action')}, action)
    and target_id = coalesce(${param('target')}, target_id)
    and (${param('people')} = 1 or not ${isOfPersons})
    and created_at >= coalesce(${param('since')}, '') and created_at <= coalesce(${param('until')}, '9999')`

const listed = hot<AuditFilter & { limit: number; offset: number }, Selectable<AuditTable>>(
  (_, param) => sql<Selectable<AuditTable>>`with recursive ${managedBy(param('caller'))}
    select * ${entries(param)} order by created_at desc, id desc
    limit ${param('limit')} offset ${param('offset')}`,
)

const counted = hot<AuditFilter, { count: number }>(
  (_, param) => sql<{ count: number }>`with recursive ${managedBy(param('caller'))}
    select count(*) as count ${entries(param)}`,
)

const entryOf = (row: Selectable<AuditTable>) => ({
  id: row.id,
  at: row.created_at,
  actor_id: row.actor_id || null,
  actor_name: row.actor_name || null,
  actor_type: row.actor_type,
  actor_via: row.actor_via,
  action: row.action,
  target_type: row.target_type,
  target_id: row.target_id,
  target_name: row.target_name,
  fields: parseJson(row.fields),
  details: parseNullable(row.details),
  origin: row.origin,
})

/** The audit entries that the caller may see, newest first (trust 3). */
export const listAudit: Implementation<typeof features.agents.list_audit> = async ({ query }, ctx) => {
  const { limit, offset, actor_id, action, target_id, since, until } = query
  const managesPeople = ctx.access.allows('PEOPLE_MANAGE')
  const filter: AuditFilter = {
    caller: ctx.caller.id,
    all: (await isOwner(ctx.db, ctx.caller.id)) ? 1 : 0,
    actor: actor_id === 'me' ? ctx.caller.id : (actor_id ?? null),
    action: action ?? null,
    target: target_id ?? null,
    since: since ?? null,
    until: until ?? null,
    people: managesPeople ? 1 : 0,
    everybody: managesPeople && ctx.caller.kind === 'person' ? 1 : 0,
  }
  const rows = await listed(ctx.db, { ...filter, limit, offset })
  return paged(rows, query, async () => (await counted(ctx.db, filter))[0]!.count, entryOf)
}
