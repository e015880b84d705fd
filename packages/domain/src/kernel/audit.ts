import { toJson } from '../lib/json.ts'
import type { AuditTable } from '../schema/tables.ts'
import type { Caller, Context } from './context.ts'
import { confirmedByClient } from './events.ts'

/** The parts of a context that an audit entry needs; the command line has no others. */
type Auditing = Pick<Context, 'db' | 'newId' | 'now' | 'origin'> & {
  readonly isConfirmed?: boolean
  readonly caller: Pick<Caller, 'id' | 'name' | 'kind' | 'via'>
}

/** The record that an entry is about, with its current name. */
interface Target {
  readonly type: AuditTable['target_type']
  readonly id: string
  readonly name: string
}

/**
 * Appends an entry to the service's audit log of writes that belong to no board. It stores the names of fields, never a
 * value (access 14, trust 3).
 * @param details further facts, without secrets (people 7.2)
 */
export async function recordAudit(
  ctx: Auditing,
  action: AuditTable['action'],
  { type, id, name }: Target,
  fields: readonly string[],
  details: Readonly<Record<string, unknown>> | null = null,
): Promise<void> {
  await ctx.db
    .insertInto('audit')
    .values({
      id: ctx.newId(),
      actor_id: ctx.caller.id,
      actor_name: ctx.caller.name,
      actor_type: ctx.caller.kind,
      actor_via: ctx.caller.via,
      action,
      target_type: type,
      target_id: id,
      target_name: name,
      fields: toJson([...fields].sort()),
      details: toJson(ctx.isConfirmed ? { ...details, ...confirmedByClient } : details),
      origin: ctx.origin,
      created_at: ctx.now(),
    })
    .execute()
}
