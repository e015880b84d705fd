import type { Claim, ClientSession } from '@specboard/contract'
import { dialect, type Json } from '@specboard/storage'
import { expressionBuilder, sql } from 'kysely'
import type { z } from 'zod'
import { parseJson } from '../../lib/json.ts'
import { refOf } from '../../schema/refs.ts'
import { sameBoard } from '../../schema/same-board.ts'
import type { AgentsTable, ClaimsTable, Schema } from '../../schema/tables.ts'

/** A claim as answered (work 3). */
export type ClaimRecord = z.output<typeof Claim>

type SessionShown = z.output<typeof ClientSession>

/** A row with the columns of a claim. */
export type ClaimRow = Omit<ClaimsTable, 'board_id' | 'recorded_at' | 'is_attempt' | 'lost_seen' | 'session'> & {
  session: Json<SessionShown> | SessionShown | null
  card_ref: string
  agent_name: AgentsTable['name']
  agent_kind: AgentsTable['kind']
}

/** The conversation that a claim is bound to while it exists, as one JSON column; null without one (harness 3.2). */
const withSession = (now: unknown) =>
  dialect.jsonObjectFrom(
    expressionBuilder<Schema>()
      .selectFrom('client_sessions')
      .select(['client_sessions.name as id', 'client_sessions.client', 'client_sessions.worktree as name'])
      .where('client_sessions.agent_id', '=', sql<string>`claims.agent_id`)
      .where('client_sessions.name', '=', sql<string>`claims.session`)
      .where('client_sessions.expires_at', '>', sql<string>`${now}`),
  )

/** The columns of a claim, in a query of claims joined with their agents and cards (`claimed`). */
export const claimColumns = (now: unknown) =>
  [
    'claims.card_id',
    refOf('claimed').as('card_ref'),
    'claims.agent_id',
    'agents.name as agent_name',
    'agents.kind as agent_kind',
    'claims.stage',
    'claims.note',
    'claims.claimed_at',
    'claims.renewed_at',
    'claims.expires_at',
    withSession(now).as('session'),
  ] as const

/** The active claim of a card, or null, as one JSON column. */
export const withClaim = (card: string, now: string) =>
  dialect.jsonObjectFrom(
    expressionBuilder<Schema>()
      .selectFrom('claims')
      .innerJoin('agents', 'agents.id', 'claims.agent_id')
      .innerJoin('cards as claimed', 'claimed.id', 'claims.card_id')
      .where(sameBoard('claimed', 'claims'))
      .select(claimColumns(now))
      .where('claims.card_id', '=', sql.ref<string>(`${card}.id`))
      .where(sameBoard('claims', card))
      .where('claims.expires_at', '>', now),
  )

/** A claim from its column; inside a nested collection it may be parsed already. */
export const claimOf = (claim: Json<ClaimRow> | ClaimRow | null): ClaimRecord | null =>
  claim === null ? null : claimOfRow(typeof claim === 'string' ? (JSON.parse(claim) as ClaimRow) : claim)

/** A claim from its row. */
export const claimOfRow = ({ session, ...claim }: ClaimRow): ClaimRecord => ({
  ...claim,
  session: typeof session === 'string' ? parseJson(session) : session,
})
