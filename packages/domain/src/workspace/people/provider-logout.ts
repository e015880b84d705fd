/** Sessions that end because somebody signed out at their provider (people 2.4). */
import { recordAudit } from '../../kernel/audit.ts'
import type { Service } from '../../kernel/service/service.ts'
import { hot } from '../../schema/hot.ts'
import type { WebSessionsTable } from '../../schema/tables.ts'
import { announceEnded } from '../tokens/stored-sessions.ts'

/** Who signed out at a provider: all sessions of an account, or one. */
export interface SignedOut {
  /** The id of the provider here. */
  readonly provider: string
  readonly subject?: string | undefined
  /** What the provider calls the session. */
  readonly sid?: string | undefined
}

const bySubject = hot<{ subject: string }, WebSessionsTable>((db, param) =>
  db.selectFrom('web_sessions').selectAll().where('provider_subject', '=', param('subject')),
)

const bySid = hot<{ sid: string }, WebSessionsTable>((db, param) =>
  db.selectFrom('web_sessions').selectAll().where('provider_sid', '=', param('sid')),
)

/**
 * Ends the sessions of whoever signed out at a provider; a session that the provider gave no name ends with any
 * sign-out of its account.
 */
export async function endSessionsAtProvider(service: Service, { provider, subject, sid }: SignedOut): Promise<void> {
  const rows = await service.database.read(db =>
    subject === undefined ? bySid(db, { sid: sid! }) : bySubject(db, { subject }),
  )
  const ended = rows.filter(
    row => row.provider === provider && (sid === undefined || [sid, null].includes(row.provider_sid)),
  )
  for (const [agentId, sessions] of Map.groupBy(ended, ({ agent_id }) => agent_id))
    await end(service, agentId, { provider, hashes: sessions.map(({ hash }) => hash) })
}

async function end(
  service: Service,
  agentId: string,
  { provider, hashes }: { readonly provider: string; readonly hashes: readonly string[] },
): Promise<void> {
  const agent = await service.agent(agentId)
  // The sessions of somebody who is disabled have ended already.
  if (agent === undefined) return
  const { id, name } = agent.caller
  await service.write(
    { ...agent.caller, via: 'session', present: true },
    async ctx => {
      await ctx.db.deleteFrom('web_sessions').where('hash', 'in', hashes).execute()
      await recordAudit(ctx, 'sessions_ended', { type: 'agent', id, name }, [], { provider })
      ctx.afterCommit.push(() => {
        for (const hash of hashes) {
          announceEnded(service.database, hash)
          service.environment.streams.open.endSession(hash)
        }
      })
    },
    'web',
  )
}
