import { toJson } from '../lib/json.ts'
import type { Caller, Context } from './context.ts'

/** What an entry of the audit needs of a unit of work; a command line has no more. */
type Auditing = Pick<Context, 'db' | 'newId' | 'now'> & { readonly caller: Pick<Caller, 'id' | 'name'> }

/** Appends an entry to the service's audit: writes without a board. Names of fields only, never a value (access 14). */
export async function recordAudit(
  ctx: Auditing,
  action: string,
  targetId: string,
  fields: readonly string[],
): Promise<void> {
  await ctx.db
    .insertInto('audit')
    .values({
      id: ctx.newId(),
      actor_id: ctx.caller.id,
      actor_name: ctx.caller.name,
      action,
      target_id: targetId,
      fields: toJson([...fields].sort()),
      created_at: ctx.now(),
    })
    .execute()
}
