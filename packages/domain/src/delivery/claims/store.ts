import { dialect } from '@specboard/storage'
import { sql } from 'kysely'
import type { Context } from '../../kernel/context.ts'
import { type Paging, paged, window } from '../../kernel/page.ts'
import { type ClaimRecord, type ClaimRow, claimColumns, claimOfRow } from '../../planning/summaries/claims.ts'
import type { Db } from '../../schema/database.ts'
import { hot } from '../../schema/hot.ts'
import { sameBoard } from '../../schema/same-board.ts'
import type { ClaimsTable } from '../../schema/tables.ts'

const storedOf = hot<{ card: string }, ClaimsTable>((db, param) =>
  db.selectFrom('claims').selectAll().where('card_id', '=', param('card')),
)

/** The row of a card's claim, active or expired; undefined without one. */
export async function findStoredClaim(db: Db, card: string): Promise<ClaimsTable | undefined> {
  return (await storedOf(db, { card }))[0]
}

const claims = (db: Db, now: unknown) =>
  db
    .selectFrom('claims')
    .innerJoin('agents', 'agents.id', 'claims.agent_id')
    .innerJoin('cards as claimed', 'claimed.id', 'claims.card_id')
    .where(sameBoard('claimed', 'claims'))
    .select(claimColumns(now))

const liveOf = hot<{ card: string; now: string }, ClaimRow>((db, param) =>
  claims(db, param('now')).where('claims.card_id', '=', param('card')).where('claims.expires_at', '>', param('now')),
)

/** The active claim on a card; null without one. */
export async function findClaim(db: Db, card: string, now: string): Promise<ClaimRecord | null> {
  const [row] = await liveOf(db, { card, now })
  return row === undefined ? null : claimOfRow(row)
}

const upsert = hot<ClaimsTable, Pick<ClaimsTable, 'card_id'>>(
  (_, param) =>
    sql<Pick<ClaimsTable, 'card_id'>>`insert into claims
        (card_id, board_id, agent_id, stage, note, claimed_at, renewed_at, expires_at, recorded_at, is_attempt, lost_seen,
         session)
      values (${param('card_id')}, ${param('board_id')}, ${param('agent_id')}, ${param('stage')}, ${param('note')},
        ${param('claimed_at')}, ${param('renewed_at')}, ${param('expires_at')}, ${param('recorded_at')},
        ${param('is_attempt')}, ${param('lost_seen')}, ${param('session')})
      on conflict (${dialect.keyOnBoard(['card_id'])}) do update set
        agent_id = excluded.agent_id, stage = excluded.stage, note = excluded.note, claimed_at = excluded.claimed_at,
        renewed_at = excluded.renewed_at, expires_at = excluded.expires_at, recorded_at = excluded.recorded_at,
        is_attempt = excluded.is_attempt, lost_seen = excluded.lost_seen, session = excluded.session
      where claims.agent_id = excluded.agent_id or claims.expires_at <= excluded.renewed_at
      returning card_id`,
)

/**
 * Stores a claim, unless another agent's is active. The database decides, so that only one of two agents that claim a
 * card at the same time gets it, even in different processes.
 * @returns whether the claim is stored
 */
export const storeClaim = async (db: Db, claim: ClaimsTable): Promise<boolean> => (await upsert(db, claim)).length > 0

/** The active claims on cards of a board, with their agents. */
export const liveClaims = hot<{ board: string; now: string }, Pick<ClaimsTable, 'card_id' | 'agent_id'>>((db, param) =>
  db
    .selectFrom('claims')
    .select(['card_id', 'agent_id'])
    .where('board_id', '=', param('board'))
    .where('expires_at', '>', param('now')),
)

const nextFree = hot<{ board: string; now: string }, { at: string | null }>(
  (_, param) =>
    sql<{ at: string | null }>`select min(at) as at from (
        select min(expires_at) as at from claims where board_id = ${param('board')} and expires_at > ${param('now')}
        union all
        select min(reserved_until) from cards
          where board_id = ${param('board')} and reserved_for is not null and reserved_until > ${param('now')}
      ) times`,
)

/** When the next claim or reservation of the board expires, so that its card may become free; null without one. */
export const nextFreeAt = async (ctx: Context): Promise<string | null> =>
  (await nextFree(ctx.db, { board: ctx.boardId, now: ctx.now() }))[0]?.at ?? null

/** Deletes the claim on a card. */
export const deleteClaim = hot<{ card: string }, never>((db, param) =>
  db.deleteFrom('claims').where('card_id', '=', param('card')),
)

const listed = hot<{ board: string; now: string; limit: number; offset: number }, ClaimRow>((db, param) =>
  claims(db, param('now'))
    .where('claims.board_id', '=', param('board'))
    .where('claims.expires_at', '>', param('now'))
    .orderBy('claims.expires_at')
    .orderBy('claims.card_id')
    .limit(param('limit'))
    .offset(param('offset')),
)

const counted = hot<{ board: string; now: string }, { count: number }>((db, param) =>
  db
    .selectFrom('claims')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('board_id', '=', param('board'))
    .where('expires_at', '>', param('now')),
)

/** The active claims of a board, ordered by expiry. */
export async function listClaimsOf(db: Db, board: string, now: string, paging: Paging) {
  const rows = await listed(db, { board, now, ...window(paging) })
  return paged(rows, paging, async () => (await counted(db, { board, now }))[0]!.count, claimOfRow)
}
