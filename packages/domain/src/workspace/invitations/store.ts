/** Stored invitations (people 2.6). */
import { recordAudit } from '../../kernel/audit.ts'
import type { Context } from '../../kernel/context.ts'
import { hot } from '../../schema/hot.ts'
import type { InvitationsTable } from '../../schema/tables.ts'

/** An invitation as the audit names it. */
export const targetOf = ({ id, name, email }: InvitationsTable) =>
  ({ type: 'invitation', id, name: name ?? email ?? '' }) as const

/** Every invitation, by the index of their times. */
export const listed = hot<{ since: string }, InvitationsTable>((db, param) =>
  db
    .selectFrom('invitations')
    .selectAll()
    .where('created_at', '>', param('since'))
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc'),
)

/** Whether somebody may still accept an invitation. */
export const isOpen = ({ accepted_at, revoked_at, expires_at }: InvitationsTable, now: string): boolean =>
  accepted_at === null && revoked_at === null && expires_at > now

/** Revokes an invitation. */
export async function revoke(ctx: Context, invitation: InvitationsTable): Promise<void> {
  await ctx.db.updateTable('invitations').set({ revoked_at: ctx.now() }).where('id', '=', invitation.id).execute()
  await recordAudit(ctx, 'invitation_revoked', targetOf(invitation), [])
}

/** Revokes the open invitations of somebody who leaves (people 7.1). */
export async function revokeInvitationsOf(ctx: Context, inviterId: string): Promise<void> {
  for (const invitation of await listed(ctx.db, { since: '' }))
    if (invitation.invited_by === inviterId && isOpen(invitation, ctx.now())) await revoke(ctx, invitation)
}
