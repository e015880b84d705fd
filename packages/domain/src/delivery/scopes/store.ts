import { type ClientSession, pathNamed } from '@specboard/contract'
import { dialect, type Json } from '@specboard/storage'
import { sql } from 'kysely'
import type { z } from 'zod'
import { parseJson } from '../../lib/json.ts'
import { exampleOf, matchesPath, mayBeSameRepository, repositoryOf } from '../../lib/path-patterns.ts'
import { byAscii } from '../../lib/text-order.ts'
import type { Db } from '../../schema/database.ts'
import { hot } from '../../schema/hot.ts'
import { refOf } from '../../schema/refs.ts'
import { sameBoard } from '../../schema/same-board.ts'
import type { AgentsTable, PathReservationsTable } from '../../schema/tables.ts'
import { patternsOf } from './known-patterns.ts'

/**
 * Paths that somebody works on now: the scope of a card that is claimed or reserved for rework, or a reservation
 * (harness 5.1).
 */
export interface Scope {
  readonly kind: 'card' | 'reservation'
  /** The id of the card or reservation. */
  readonly id: string
  readonly ref: string | null
  readonly title: string | null
  readonly agent_id: string
  readonly agent_name: string
  /** The conversation that works on it. */
  readonly session: z.output<typeof ClientSession> | null
  readonly stage: 'work' | 'reserved' | null
  readonly since: string
  readonly until: string
  /** The name of the repository of patterns that do not name one themselves. */
  readonly repository: string | null
  readonly patterns: readonly string[]
}

/** Whether a scope holds a file; `repository` is the name of the file's repository, null if it is not known. */
export const isInScope = (
  { patterns, repository: own }: Pick<Scope, 'patterns' | 'repository'>,
  { path, repository }: { readonly path: string; readonly repository: string | null },
): boolean => patterns.some(one => mayBeSameRepository(repositoryOf(one) ?? own, repository) && matchesPath(one, path))

type ScopeRow = Omit<Scope, 'patterns' | 'session'> & {
  readonly session: string | null
  readonly client: string | null
  readonly worktree: string | null
  readonly paths: Json<string[]>
}

/** The columns of the session that holds something, in a query that joins it as `s`. */
const ofSession = sql`s.name as session, s.client, s.worktree`

const live = hot<{ board: string; now: string }, ScopeRow>(
  (_, param) =>
    sql<ScopeRow>`select 'card' as kind, c.id, ${refOf('c')} as ref, c.title, k.agent_id, a.name as agent_name,
        ${ofSession}, 'work' as stage, k.claimed_at as since, k.expires_at as until,
        null as repository, c.paths
      from claims k join cards c on c.id = k.card_id and ${sameBoard('c', 'k')} join agents a on a.id = k.agent_id
        left join client_sessions s on s.agent_id = k.agent_id and s.name = k.session and s.expires_at > ${param('now')}
      where k.board_id = ${param('board')} and k.expires_at > ${param('now')} and k.stage = 'work'
        and c.paths <> '[]' and c.archived = 0
      union all
      select 'card', c.id, ${refOf('c')}, c.title, c.reserved_for, a.name, null, null, null, 'reserved', c.moved_at,
        c.reserved_until, null, c.paths
      from cards c join agents a on a.id = c.reserved_for
      where c.board_id = ${param('board')} and c.paths <> '[]' and c.reserved_until > ${param('now')} and c.archived = 0
        and not exists (select 1 from claims k where k.card_id = c.id and ${sameBoard('k', 'c')} and k.expires_at > ${param('now')})
      union all
      select 'reservation', r.id, null, r.note, r.agent_id, a.name, r.session, s.client, s.worktree, null, r.created_at,
        r.expires_at, g.name, r.paths
      from path_reservations r join agents a on a.id = r.agent_id
        left join client_sessions s on s.agent_id = r.agent_id and s.name = r.session
        left join repositories g on g.id = r.repository_id and ${sameBoard('g', 'r')}
      where r.board_id = ${param('board')} and r.expires_at > ${param('now')}`,
)

/** All paths of a board that somebody works on now, the longest held first. */
export async function liveScopes(db: Db, board: string, now: string): Promise<Scope[]> {
  const rows = await live(db, { board, now })
  return rows
    .map(({ paths, session, client, worktree, ...scope }) => ({
      ...scope,
      session: session === null ? null : { id: session, client, name: worktree },
      patterns: patternsOf(scope.id, paths),
    }))
    .sort((a, b) => byAscii(a.since, b.since) || byAscii(a.id, b.id))
}

const scoped = hot<{ boards: string }, { id: string; paths: Json<string[]> }>(
  (_, param) =>
    sql<{ id: string; paths: Json<string[]> }>`select c.id, c.paths from cards c
      where ${dialect.inList(sql.ref('c.board_id'), sql<string>`${param('boards')}`)} and c.paths <> '[]'`,
)

/** The cards of boards whose scope contains a file, or overlaps with a pattern (harness 4.1). */
export async function cardsInScope(db: Db, boards: readonly string[], path: string): Promise<string[]> {
  const file = pathNamed(path)
  const fits = (patterns: readonly string[]) =>
    file === null
      ? patterns.some(one => exampleOf(one, path) !== null)
      : isInScope({ patterns, repository: null }, file)
  const rows = await scoped(db, { boards: JSON.stringify(boards) })
  return rows.filter(({ paths }) => fits(parseJson(paths))).map(({ id }) => id)
}

/** A card of a board with its scope; empty if the board has no such card. */
export const scopeOn = hot<{ board: string; card: string }, { id: string; paths: Json<string[]> }>((db, param) =>
  db.selectFrom('cards').select(['id', 'paths']).where('id', '=', param('card')).where('board_id', '=', param('board')),
)

/** A reservation with the name of its agent. */
export type ReservationRow = PathReservationsTable & {
  agent_name: AgentsTable['name']
  client: string | null
  worktree: string | null
}

const reservations = (db: Db) =>
  db
    .selectFrom('path_reservations')
    .innerJoin('agents', 'agents.id', 'path_reservations.agent_id')
    .leftJoin('client_sessions', join =>
      join
        .onRef('client_sessions.agent_id', '=', 'path_reservations.agent_id')
        .onRef('client_sessions.name', '=', 'path_reservations.session'),
    )
    .selectAll('path_reservations')
    .select(['agents.name as agent_name', 'client_sessions.client', 'client_sessions.worktree'])

/** The active reservations of a board, ordered by expiry. */
export const reservationsOf = hot<{ board: string; now: string; limit: number; offset: number }, ReservationRow>(
  (db, param) =>
    reservations(db)
      .where('path_reservations.board_id', '=', param('board'))
      .where('path_reservations.expires_at', '>', param('now'))
      .orderBy('path_reservations.expires_at')
      .orderBy('path_reservations.id')
      .limit(param('limit'))
      .offset(param('offset')),
)

/** How many active reservations a board has. */
export const countReservations = hot<{ board: string; now: string }, { count: number }>((db, param) =>
  db
    .selectFrom('path_reservations')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('board_id', '=', param('board'))
    .where('expires_at', '>', param('now')),
)

const byId = hot<{ id: string; now: string }, ReservationRow>((db, param) =>
  reservations(db)
    .where('path_reservations.id', '=', param('id'))
    .where('path_reservations.expires_at', '>', param('now')),
)

/** An active reservation; undefined if it has expired. */
export async function findReservation(db: Db, id: string, now: string): Promise<ReservationRow | undefined> {
  return (await byId(db, { id, now }))[0]
}

/** The active reservations of an agent, on all boards. */
export const ownReservations = hot<{ agent: string; now: string }, PathReservationsTable>((db, param) =>
  db
    .selectFrom('path_reservations')
    .selectAll()
    .where('agent_id', '=', param('agent'))
    .where('expires_at', '>', param('now')),
)

/** Deletes a reservation. */
export const deleteReservation = hot<{ id: string }, never>((db, param) =>
  db.deleteFrom('path_reservations').where('id', '=', param('id')),
)

/** Deletes the expired reservations of a board. */
export const sweepReservations = hot<{ board: string; now: string }, never>((db, param) =>
  db.deleteFrom('path_reservations').where('board_id', '=', param('board')).where('expires_at', '<=', param('now')),
)
