import { hash, randomBytes } from 'node:crypto'
import type { Context } from '../../kernel/context.ts'
import type { Service } from '../../kernel/service/service.ts'
import type { Db } from '../../schema/database.ts'
import { hot } from '../../schema/hot.ts'

/** How long a link may be opened, ms (people 2.5). */
const lifeMs = 10 * 60_000

/** A token of 43 characters that nobody guesses. */
export const newToken = (): string => randomBytes(32).toString('base64url')

/** What is stored of a token. */
export const tokenHash = (token: string): string => hash('sha256', token, 'hex')

/** Makes the one link that signs a person in; the one before ends. */
export async function makeSignInLink(ctx: Context, agentId: string) {
  const token = newToken()
  const expires_at = new Date(Date.parse(ctx.now()) + lifeMs).toISOString()
  const link = { token_hash: tokenHash(token), expires_at }
  await ctx.db
    .insertInto('sign_in_links')
    .values({ agent_id: agentId, ...link })
    .onConflict(conflict => conflict.column('agent_id').doUpdateSet(link))
    .execute()
  return { url: `${ctx.environment.publicUrl ?? ''}/#${token}`, expires_at }
}

const taken = hot<{ hash: string; now: string }, { agent_id: string }>((db, param) =>
  db
    .deleteFrom('sign_in_links')
    .where('token_hash', '=', param('hash'))
    .where('expires_at', '>', param('now'))
    .returning('agent_id'),
)

/** Uses a link up; who it signs in, or undefined where it was used, has expired or never was. */
export async function takeSignInLink({ database, environment }: Service, token: string): Promise<string | undefined> {
  const now = new Date(environment.clock()).toISOString()
  const rows = await database.write((db: Db) => taken(db, { hash: tokenHash(token), now }), { lock: 'sign-in links' })
  return rows[0]?.agent_id
}
