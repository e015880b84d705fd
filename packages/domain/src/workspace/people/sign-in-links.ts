import { hash, randomBytes } from 'node:crypto'
import type { Context } from '../../kernel/context.ts'
import type { Service } from '../../kernel/service/service.ts'
import type { Db } from '../../schema/database.ts'
import { hot } from '../../schema/hot.ts'
import type { SignInLinksTable } from '../../schema/tables.ts'

/** How long a link can be opened, ms (people 2.5). */
const lifeMs = 10 * 60_000

/** An unguessable token of 43 characters. */
export const newToken = (): string => randomBytes(32).toString('base64url')

/** The stored form of a token. */
export const tokenHash = (token: string): string => hash('sha256', token, 'hex')

/** How a link reaches its person. */
type LinkVia = SignInLinksTable['via']

/** What making a link needs: a unit of work, and where people reach the service. */
type LinkMaker = Pick<Context, 'db' | 'now'> & { readonly environment: Pick<Context['environment'], 'publicUrl'> }

/** Makes the only sign-in link of a person; the previous one ends. */
export async function makeSignInLink(ctx: LinkMaker, agentId: string, via: LinkVia = 'link') {
  const token = newToken()
  const expires_at = new Date(Date.parse(ctx.now()) + lifeMs).toISOString()
  const link = { token_hash: tokenHash(token), expires_at, via }
  await ctx.db
    .insertInto('sign_in_links')
    .values({ agent_id: agentId, ...link })
    .onConflict(conflict => conflict.column('agent_id').doUpdateSet(link))
    .execute()
  return { url: `${ctx.environment.publicUrl ?? ''}/#${token}`, expires_at }
}

/** Who a link signs in, and how it reached them. */
type UsedLink = Pick<SignInLinksTable, 'agent_id' | 'via'>

const deleteByToken = hot<{ hash: string; now: string }, UsedLink>((db, param) =>
  db
    .deleteFrom('sign_in_links')
    .where('token_hash', '=', param('hash'))
    .where('expires_at', '>', param('now'))
    .returning(['agent_id', 'via']),
)

/** Uses a link; returns who it signs in, or undefined if it was used, has expired or never existed. */
export async function takeSignInLink({ database, environment }: Service, token: string): Promise<UsedLink | undefined> {
  const now = new Date(environment.clock()).toISOString()
  const rows = await database.write((db: Db) => deleteByToken(db, { hash: tokenHash(token), now }), {
    lock: 'sign-in links',
  })
  return rows[0]
}
