/** The stored sessions of browsers: a session without a row has ended (people 2.4). */
import type { features, Session as SessionSchema } from '@specboard/contract'
import { sql } from 'kysely'
import type { z } from 'zod'
import { recordAudit } from '../../kernel/audit.ts'
import type { Context } from '../../kernel/context.ts'
import { notFound } from '../../kernel/errors.ts'
import type { Implementation } from '../../kernel/implement.ts'
import { pageOf } from '../../kernel/page.ts'
import { keyless } from '../../kernel/service/authenticate.ts'
import type { Service } from '../../kernel/service/service.ts'
import type { Db } from '../../schema/database.ts'
import { hot } from '../../schema/hot.ts'
import { insertRow } from '../../schema/rows.ts'
import type { AgentsTable, WebSessionsTable } from '../../schema/tables.ts'
import { announceEnded } from '../tokens/stored-sessions.ts'

type People = typeof features.people

/** How long sessions last. */
export interface SessionLife {
  /** Without use, ms. */
  readonly idleMs: number
  /** From the beginning, ms. */
  readonly maxMs: number
}

const hour = 3_600_000

/** How long sessions last by default. */
export const defaultSessionLife: SessionLife = { idleMs: 12 * hour, maxMs: 30 * 24 * hour }

/** The interval in which further uses are not recorded, ms. */
const notedEveryMs = 60_000

/** When a session ends if nobody uses it. */
export const endOfSession = (
  { started_at, last_used_at }: Pick<WebSessionsTable, 'started_at' | 'last_used_at'>,
  { idleMs, maxMs }: SessionLife,
): number => Math.min(Date.parse(last_used_at) + idleMs, Date.parse(started_at) + maxMs)

const byHash = hot<{ hash: string }, WebSessionsTable>((db, param) =>
  db.selectFrom('web_sessions').selectAll().where('hash', '=', param('hash')),
)

const ofAgent = hot<{ agent: string }, WebSessionsTable>((db, param) =>
  db
    .selectFrom('web_sessions')
    .selectAll()
    .where('agent_id', '=', param('agent'))
    .orderBy('last_used_at', 'desc')
    .orderBy('id', 'desc'),
)

/** How many expired sessions are removed at a time. */
const removedAtOnce = 100

/** Stores a new session, and removes some that have expired. */
export async function beginWebSession(
  { database, environment }: Service,
  session: Omit<WebSessionsTable, 'id' | 'started_at' | 'last_used_at'>,
): Promise<void> {
  const { clock, newId, sessionLife } = environment
  const now = new Date(clock()).toISOString()
  const unused = new Date(clock() - sessionLife.idleMs).toISOString()
  await database.write(
    async db => {
      await insertRow(db, 'web_sessions', { id: newId(), ...session, started_at: now, last_used_at: now })
      await db
        .deleteFrom('web_sessions')
        .where('id', 'in', old =>
          old
            .selectFrom('web_sessions')
            .select('id')
            .where('last_used_at', '<', unused)
            .orderBy('last_used_at')
            .limit(removedAtOnce),
        )
        .execute()
    },
    { lock: 'web sessions' },
  )
}

/** A session that has not ended, by the hash of its id; records its use, at most once in 60 s. */
export async function useWebSession(
  { database, environment }: Service,
  hash: string,
): Promise<WebSessionsTable | undefined> {
  const { clock, sessionLife } = environment
  const [row] = await database.read(db => byHash(db, { hash }))
  const now = clock()
  if (row === undefined || endOfSession(row, sessionLife) <= now) return undefined
  if (now - Date.parse(row.last_used_at) >= notedEveryMs)
    await database.write(
      db =>
        db
          .updateTable('web_sessions')
          .set({ last_used_at: new Date(now).toISOString() })
          .where('hash', '=', hash)
          .execute(),
      { lock: `web session ${hash}` },
    )
  return row
}

/** Ends a session, and notifies the other nodes. */
export async function endWebSession({ database, environment }: Service, hash: string): Promise<void> {
  await database.write(db => db.deleteFrom('web_sessions').where('hash', '=', hash).execute(), {
    lock: `web session ${hash}`,
  })
  announceEnded(database, hash)
  environment.streams.open.endSession(hash)
}

/** Removes all sessions of somebody; their signatures become invalid too. */
export const removeWebSessions = (db: Db, agentId: string) =>
  db.deleteFrom('web_sessions').where('agent_id', '=', agentId).execute()

/** Ends all sessions of somebody, and the link that would start another (people 2.4). */
export async function endAllSessions(ctx: Context, { id, name }: { readonly id: string; readonly name: string }) {
  await ctx.db
    .updateTable('agents')
    .set(({ eb }) => ({ session_generation: eb('session_generation', '+', 1) }))
    .where('id', '=', id)
    .execute()
  await removeWebSessions(ctx.db, id)
  await ctx.db.deleteFrom('sign_in_links').where('agent_id', '=', id).execute()
  await recordAudit(ctx, 'sessions_ended', { type: 'agent', id, name }, [])
}

type Keys = Pick<
  AgentsTable,
  'key_hash' | 'key_expires_at' | 'former_key_hash' | 'former_key_until' | 'session_generation'
>

const keysOf = hot<{ agent: string }, Keys>((db, param) =>
  db
    .selectFrom('agents')
    .select(['key_hash', 'key_expires_at', 'former_key_hash', 'former_key_until', 'session_generation'])
    .where('id', '=', param('agent')),
)

/** Whether the key that a session began with is still valid; a session without a key needs none. */
function holds({ key_hash, generation }: WebSessionsTable, keys: Keys, now: string): boolean {
  if (generation !== keys.session_generation) return false
  if (key_hash === keyless) return true
  const isAfter = (time: string | null) => time === null || time > now
  return (
    (key_hash === keys.key_hash && isAfter(keys.key_expires_at)) ||
    (key_hash === keys.former_key_hash && isAfter(keys.former_key_until))
  )
}

/** list_my_sessions: the last used first (people 2.4). */
export const listMySessions: Implementation<People['list_my_sessions']> = async ({ query }, ctx) => {
  const { clock, sessionLife } = ctx.environment
  const [keys] = await keysOf(ctx.db, { agent: ctx.caller.id })
  const rows = await ofAgent(ctx.db, { agent: ctx.caller.id })
  const current = ctx.caller.proof?.session?.hash
  const sessions = rows
    .filter(row => keys !== undefined && holds(row, keys, ctx.now()))
    .filter(row => endOfSession(row, sessionLife) > clock())
    .map(
      (row): z.output<typeof SessionSchema> => ({
        id: row.id,
        via: row.via,
        provider: row.provider,
        present: row.present === 1,
        current: row.hash === current,
        started_at: row.started_at,
        last_used_at: row.last_used_at,
        expires_at: new Date(endOfSession(row, sessionLife)).toISOString(),
        address: row.address,
        browser: row.browser,
      }),
    )
  return pageOf(sessions, query)
}

/** end_my_session (people 2.4). */
export const endMySession: Implementation<People['end_my_session']> = async ({ params }, ctx: Context) => {
  const ended = await ctx.db
    .deleteFrom('web_sessions')
    .where('id', '=', params.session_id)
    .where('agent_id', '=', ctx.caller.id)
    .returning('hash')
    .execute()
  const [session] = ended
  if (session === undefined) throw notFound('session', params.session_id)
  // Other nodes check their streams again, because what somebody may see has changed.
  ctx.afterCommit.push(() => ctx.environment.streams.open.endSession(session.hash))
}

const agentsBefore = sql<{ count: number }>`select count(*) as count from agents a
  where a.deleted_at is null and a.created_at < (select m.timestamp from kysely_migration m
    where m.name = '0125_web_sessions')`

/**
 * Whether keys of agents can start sessions by default: in a database that contained agents besides the owner before
 * sessions were stored as rows (people 1.2, rule 4).
 */
export const agentsMaySignIn = ({ database }: Pick<Service, 'database'>): Promise<boolean> =>
  database.read(wereAgentsBefore)

/** The same, for a database. */
export async function wereAgentsBefore(db: Db): Promise<boolean> {
  const { rows } = await agentsBefore.execute(db)
  return Number(rows[0]!.count) > 1
}
