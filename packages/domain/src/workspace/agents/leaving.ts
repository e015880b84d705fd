import type { Context } from '../../kernel/context.ts'
import type { AgentsTable } from '../../schema/tables.ts'
import { endConnectionsOf } from '../connections/store.ts'
import { revokeInvitationsOf } from '../invitations/store.ts'

/**
 * Ends everything by which somebody who is disabled or deleted could come back or let others in (people 7.1). None of
 * it returns when the person is enabled again.
 */
export async function endAccessOf(ctx: Context, leaving: Pick<AgentsTable, 'id' | 'kind'>): Promise<void> {
  await ctx.db.deleteFrom('web_sessions').where('agent_id', '=', leaving.id).execute()
  await ctx.db.deleteFrom('sign_in_links').where('agent_id', '=', leaving.id).execute()
  await endConnectionsOf(ctx, leaving)
  if (leaving.kind === 'person') await revokeInvitationsOf(ctx, leaving.id)
}
