import type { Context } from '../context.ts'
import { notFound } from '../errors.ts'
import { manages } from './managed.ts'

/**
 * Records without a board that a path names, by parameter: each check throws NOT_FOUND for what the caller
 * cannot see, before permissions are asked.
 */
export const ownVisibility: Readonly<Record<string, (ctx: Context, id: string) => Promise<void>>> = {
  agent_id: seesAgent,
}

/** An agent sees itself and those it manages, while they are not deleted (access 8.2). */
async function seesAgent({ db, caller }: Context, id: string): Promise<void> {
  const agent = await db
    .selectFrom('agents')
    .select('id')
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  if (agent === undefined || !(id === caller.id || (await manages(db, caller.id, id)))) throw notFound('agent', id)
}
