/** The part of `specboard doctor` about people: how they sign in, and how they are notified (people 7.3). */
import { sql } from 'kysely'
import { unapprovedBoards } from '../insight/board-advice.ts'
import type { Db } from '../schema/database.ts'
import { agentsThatMaySignIn } from '../workspace/people/by-hand.ts'

/** How long a message may wait before its channel counts as behind, ms. */
const behindMs = 5 * 60_000

/** Maximum number of names of each kind. */
const maxNamed = 20

/** The findings about people. */
export interface PeopleInspection {
  /** Channels that fail or were disabled, with their people. */
  readonly failing: readonly { readonly person: string; readonly name: string; readonly reason: string }[]
  /** People whose messages have been waiting for more than 5 minutes. */
  readonly behind: readonly string[]
  /** People who have no key, account or session and, if mail is set up, no address either. */
  readonly locked: readonly string[]
  /** Whether any active person has a key that works, an account or, if mail is set up, an address. */
  readonly isEntered: boolean
  /** The keys of boards with a gate that requires a person but that nobody may pass. */
  readonly unapproved: readonly string[]
  /** Agents whose keys may sign in. */
  readonly agents: readonly string[]
  /** Clients that registered, and when the first did. */
  readonly clients: { readonly count: number; readonly oldest: string | null }
}

const namesIn = (rows: readonly { readonly name: string }[]): string[] => rows.map(({ name }) => name)

/** Inspects the people of a service. */
export async function inspectPeople(
  db: Db,
  {
    now,
    agentSignIn,
    hasMail,
  }: { readonly now: number; readonly agentSignIn: 'auto' | 'on' | 'off'; readonly hasMail: boolean },
): Promise<PeopleInspection> {
  const failing = await sql<{ person: string; name: string; reason: string }>`
    select a.name as person, c.name, coalesce(c.disabled_reason, 'failing since ' || c.failing_since) as reason
    from notification_channels c join agents a on a.id = c.person_id
    where c.failing_since is not null
    order by a.name, c.id limit ${sql.lit(maxNamed)}`.execute(db)
  const at = new Date(now).toISOString()
  const before = new Date(now - behindMs).toISOString()
  const behind = await sql<{ name: string }>`
    select distinct a.name from notification_deliveries d join agents a on a.id = d.person_id
    where d.status = 'pending' and coalesce(d.next_attempt_at, d.created_at) < ${before}
    order by a.name limit ${sql.lit(maxNamed)}`.execute(db)
  const locked = await sql<{ name: string }>`
    select a.name from agents a
    where a.kind = 'person' and a.is_active = 1 and a.deleted_at is null and a.created_by <> a.id
      and a.key_hash is null ${hasMail ? sql`and a.email is null` : sql``}
      and not exists (select 1 from identities i where i.person_id = a.id)
      and not exists (select 1 from web_sessions s where s.agent_id = a.id)
      and not exists (select 1 from sign_in_links l where l.agent_id = a.id and l.expires_at > ${at})
    order by a.name limit ${sql.lit(maxNamed)}`.execute(db)
  const entered = await sql`
    select 1 from agents a
    where a.is_active = 1 and a.deleted_at is null
      and (a.key_hash is not null and (a.key_expires_at is null or a.key_expires_at > ${at})
        ${hasMail ? sql`or a.email is not null` : sql``}
        or exists (select 1 from identities i where i.person_id = a.id))
    limit 1`.execute(db)
  const clients = await sql<{ count: number; oldest: string | null }>`
    select count(*) as count, min(created_at) as oldest from oauth_clients`.execute(db)
  const [counted] = clients.rows
  return {
    failing: failing.rows,
    behind: namesIn(behind.rows),
    locked: namesIn(locked.rows),
    isEntered: entered.rows.length > 0,
    unapproved: await unapprovedBoards(db),
    agents: await agentsThatMaySignIn(db, agentSignIn, maxNamed),
    clients: { count: Number(counted!.count), oldest: counted!.oldest },
  }
}
