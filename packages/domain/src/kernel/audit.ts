import { toJson } from '../lib/json.ts'
import type { AuditTable } from '../schema/tables.ts'
import type { Caller, Context } from './context.ts'

/** What an entry of the audit needs of a unit of work; a command line has no more. */
type Auditing = Pick<Context, 'db' | 'newId' | 'now' | 'origin'> & { readonly caller: Pick<Caller, 'id' | 'name'> }

/** What an entry is about, under the name that it has now. */
interface Target {
  readonly type: AuditTable['target_type']
  readonly id: string
  readonly name: string
}

/**
 * Appends an entry to the service's audit: writes without a board. Names of fields only, never a value
 * (access 14, trust 3).
 */
export async function recordAudit(
  ctx: Auditing,
  action: AuditTable['action'],
  { type, id, name }: Target,
  fields: readonly string[],
): Promise<void> {
  await ctx.db
    .insertInto('audit')
    .values({
      id: ctx.newId(),
      actor_id: ctx.caller.id,
      actor_name: ctx.caller.name,
      action,
      target_type: type,
      target_id: id,
      target_name: name,
      fields: toJson([...fields].sort()),
      origin: ctx.origin,
      created_at: ctx.now(),
    })
    .execute()
}
