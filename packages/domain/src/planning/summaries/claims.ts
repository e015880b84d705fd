import type { Claim } from '@specboard/contract'
import { dialect, type Json } from '@specboard/storage'
import { type Expression, expressionBuilder } from 'kysely'
import type { z } from 'zod'
import { refOf } from '../../schema/refs.ts'
import type { AgentsTable, ClaimsTable, Schema } from '../../schema/tables.ts'

/** A claim as answered (work 3). */
export type ClaimRecord = z.output<typeof Claim>

/** A row with the columns of a claim. */
export type ClaimRow = Omit<ClaimsTable, 'board_id' | 'recorded_at' | 'is_attempt' | 'lost_seen'> & {
  card_ref: string
  agent_name: AgentsTable['name']
  agent_kind: AgentsTable['kind']
}

/** The columns of a claim, in a query of claims joined with their agents and cards (`claimed`). */
export const claimColumns = [
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
] as const

/** The live claim of a card, or null, as one JSON column. */
export const withClaim = (card: Expression<string>, now: string) =>
  dialect.jsonObjectFrom(
    expressionBuilder<Schema>()
      .selectFrom('claims')
      .innerJoin('agents', 'agents.id', 'claims.agent_id')
      .innerJoin('cards as claimed', 'claimed.id', 'claims.card_id')
      .select(claimColumns)
      .where('claims.card_id', '=', card)
      .where('claims.expires_at', '>', now),
  )

/** A claim from its column; inside a nested collection it may be parsed already. */
export const claimOf = (claim: Json<ClaimRow> | ClaimRow | null): ClaimRecord | null =>
  typeof claim === 'string' ? (JSON.parse(claim) as ClaimRow) : claim
