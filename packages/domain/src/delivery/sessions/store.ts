import type { ClientSession } from '@specboard/contract'
import { sql } from 'kysely'
import type { z } from 'zod'
import type { Context } from '../../kernel/context.ts'
import { toJson } from '../../lib/json.ts'
import type { Db } from '../../schema/database.ts'
import { hot } from '../../schema/hot.ts'
import { refOf } from '../../schema/refs.ts'
import { insertRow, updateRow } from '../../schema/rows.ts'
import { sameBoard } from '../../schema/same-board.ts'
import type { ClaimsTable, ClientSessionsTable } from '../../schema/tables.ts'

const hourMs = 3_600_000

/** How long a session lives after its last event, ms (harness 3.2, rule 1). */
const lifeMs = 12 * hourMs

/** How long an ended session is kept, ms: it is still shown, and does not get the same messages again if it resumes. */
const keptMs = 24 * hourMs

/** Sessions that ended before this moment are kept no longer. */
export const sessionsOver = (now: string): string => later(now, -keptMs)

const later = (now: string, ms: number): string => new Date(Date.parse(now) + ms).toISOString()

/** A session as claims and overlaps show it. */
export const shownSession = ({
  name,
  client,
  worktree,
}: Pick<ClientSessionsTable, 'name' | 'client' | 'worktree'>): z.output<typeof ClientSession> => ({
  id: name,
  client,
  name: worktree,
})

const byName = hot<{ agent: string; name: string }, ClientSessionsTable>((db, param) =>
  db.selectFrom('client_sessions').selectAll().where('agent_id', '=', param('agent')).where('name', '=', param('name')),
)

/** A session of the caller, ended or not; undefined if none is known. */
export async function findSession(
  { db, caller }: Pick<Context, 'db' | 'caller'>,
  name: string,
): Promise<ClientSessionsTable | undefined> {
  return (await byName(db, { agent: caller.id, name }))[0]
}

/** The fields of a session in an event; absent ones are unchanged. */
export type SessionFacts = Partial<
  Pick<
    ClientSessionsTable,
    'client' | 'client_version' | 'model' | 'worktree' | 'worktree_hash' | 'repository' | 'branch' | 'commit_sha'
  >
>

/** The first event of a session of the caller creates its row; later ones update it and extend its life. */
export async function beginSession(
  ctx: Context,
  { board, name, facts = {} }: { readonly board: string | null; readonly name: string; readonly facts?: SessionFacts },
): Promise<ClientSessionsTable> {
  const now = ctx.now()
  const former = await findSession(ctx, name)
  const living = { last_event_at: now, expires_at: later(now, lifeMs) }
  if (former !== undefined) {
    const changed = { ...facts, board_id: board ?? former.board_id, ...living }
    await updateRow(ctx.db, 'client_sessions', former.id, changed)
    return { ...former, ...changed }
  }
  await sweepSessions(ctx.db, { before: sessionsOver(now) })
  const row: ClientSessionsTable = {
    id: ctx.newId(),
    agent_id: ctx.caller.id,
    name,
    board_id: board,
    client: null,
    client_version: null,
    model: null,
    worktree: null,
    worktree_hash: null,
    repository: null,
    branch: null,
    commit_sha: null,
    ...facts,
    memory: toJson({}),
    started_at: now,
    ...living,
  }
  await insertRow(ctx.db, 'client_sessions', row)
  return row
}

/** Removes sessions that ended a day ago; a few at a time, with each new session. */
const sweepSessions = hot<{ before: string }, never>(
  (_, param) => sql<never>`delete from client_sessions where id in (
    select id from client_sessions where expires_at < ${param('before')} limit 100)`,
)

const unbindAll = hot<{ agent: string; session: string }, never>((db, param) =>
  db
    .updateTable('claims')
    .set({ session: null })
    .where('agent_id', '=', param('agent'))
    .where('session', '=', param('session')),
)

/** Ends a session: its claims are unbound, not released. */
export async function endSession(ctx: Context, { id, agent_id, name }: ClientSessionsTable): Promise<void> {
  await updateRow(ctx.db, 'client_sessions', id, { expires_at: ctx.now(), last_event_at: ctx.now() })
  await unbindAll(ctx.db, { agent: agent_id, session: name })
}

/** An active claim of an agent, with the live session that it is bound to. */
export interface HeldClaim
  extends Pick<
    ClaimsTable,
    'card_id' | 'board_id' | 'agent_id' | 'stage' | 'claimed_at' | 'renewed_at' | 'expires_at' | 'session'
  > {
  readonly ref: string
}

/** The active claims of an agent on a board, oldest first. */
export const claimsOn = hot<{ agent: string; board: string; now: string }, HeldClaim>(
  (_, param) => sql<HeldClaim>`select k.card_id, k.board_id, k.agent_id, k.stage, k.claimed_at, k.renewed_at,
        k.expires_at, s.name as session, ${refOf('c')} as ref
      from claims k join cards c on c.id = k.card_id and ${sameBoard('c', 'k')}
        left join client_sessions s on s.agent_id = k.agent_id and s.name = k.session and s.expires_at > ${param('now')}
      where k.agent_id = ${param('agent')} and k.board_id = ${param('board')} and k.expires_at > ${param('now')}
      order by k.claimed_at, k.card_id`,
)

/** The live sessions of an agent that work on a board. */
export const sessionsOn = hot<{ agent: string; board: string; now: string }, ClientSessionsTable>((db, param) =>
  db
    .selectFrom('client_sessions')
    .selectAll()
    .where('agent_id', '=', param('agent'))
    .where('board_id', '=', param('board'))
    .where('expires_at', '>', param('now')),
)

/** The sessions of a board that are live or have ended since a time, with the names of their agents. */
export const sessionsSince = hot<{ board: string; since: string }, ClientSessionsTable & { agent_name: string }>(
  (db, param) =>
    db
      .selectFrom('client_sessions')
      .innerJoin('agents', 'agents.id', 'client_sessions.agent_id')
      .selectAll('client_sessions')
      .select('agents.name as agent_name')
      .where('client_sessions.board_id', '=', param('board'))
      .where('client_sessions.expires_at', '>', param('since')),
)

const bind = hot<{ card: string; agent: string; session: string }, never>((db, param) =>
  db
    .updateTable('claims')
    .set({ session: param('session') })
    .where('card_id', '=', param('card'))
    .where('agent_id', '=', param('agent')),
)

/** Binds an active claim to a session of its agent. */
export const bindClaim = (db: Db, { card_id, agent_id }: HeldClaim, session: string): Promise<unknown> =>
  bind(db, { card: card_id, agent: agent_id, session })

const renew = hot<{ card: string; agent: string; now: string; until: string }, never>((db, param) =>
  db
    .updateTable('claims')
    .set({ renewed_at: param('now'), expires_at: param('until') })
    .where('card_id', '=', param('card'))
    .where('agent_id', '=', param('agent')),
)

/** The minimum interval between renewals of a claim by hooks, ms (harness 3.2, rule 9). */
const renewMs = 60_000

/** Renews a claim by its own length, without an entry; a claim that was renewed within the last minute is unchanged. */
export async function renewByHook(db: Db, now: string, claim: HeldClaim): Promise<HeldClaim> {
  const { card_id, agent_id, renewed_at, expires_at } = claim
  if (Date.parse(now) - Date.parse(renewed_at) < renewMs) return claim
  const until = later(now, Date.parse(expires_at) - Date.parse(renewed_at))
  if (until <= expires_at) return claim
  await renew(db, { card: card_id, agent: agent_id, now, until })
  return { ...claim, renewed_at: now, expires_at: until }
}
