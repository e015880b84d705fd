/** Figures about the proof of a board's cards (evidence 10). */
import type { BoardProof, CountsByTier } from '@specboard/contract'
import { sql } from 'kysely'
import type { z } from 'zod'
import { parseJson } from '../../lib/json.ts'
import { shownBy, signsBy } from '../../planning/proof/proofs.ts'
import type { Tier } from '../../planning/proof/tiers.ts'
import type { Db } from '../../schema/database.ts'
import { hot } from '../../schema/hot.ts'
import { sameBoard } from '../../schema/same-board.ts'
import type { CardsTable } from '../../schema/tables.ts'

/** Counts by tier. */
export type ByTier = z.output<typeof CountsByTier>

/** Sums by tier; null is `none`. */
export function byTier(rows: readonly { readonly tier: Tier | null; readonly count: number }[]): ByTier {
  const sums: ByTier = { none: 0, claimed: 0, observed: 0, ci: 0, person: 0 }
  for (const { tier, count } of rows) sums[tier ?? 'none'] += count
  return sums
}

const doneByTier = hot<{ board: string }, { tier: Tier | null; count: number }>(
  (_, param) => sql<{ tier: Tier | null; count: number }>`select t.tier, count(*) as count
    from cards c left join done_tiers t on t.entity_id = c.id and ${sameBoard('t', 'c')} and t.origin is null
    where c.board_id = ${param('board')} and c.archived = 0 and c.status = 'done' group by t.tier`,
)

/** The fields of a card that its proof depends on. */
export type ProvenRow = Pick<
  CardsTable,
  'id' | 'title' | 'status' | 'spec_id' | 'test_scenario_ids' | 'validation_stay'
>

/** A stored card with the fields that its proof depends on, without its reference. */
export const provenCard = (row: ProvenRow) => ({
  ...row,
  ref: '',
  test_scenario_ids: parseJson(row.test_scenario_ids),
})

const begunCards = hot<{ board: string }, ProvenRow>(
  (_, param) => sql<ProvenRow>`select c.id, c.title, c.status, c.spec_id, c.test_scenario_ids, c.validation_stay
    from cards c where c.board_id = ${param('board')} and c.archived = 0
      and c.status in ('started', 'in_progress', 'validation')`,
)

/** The figures of a board; null if it shows no proof. */
export async function boardProof(db: Db, board: string): Promise<z.input<typeof BoardProof> | null> {
  const settings = await shownBy(db, board)
  if (settings === null) return null
  const cards = await begunCards(db, { board })
  const signs = await signsBy(db, board, settings, cards.map(provenCard))
  const allSigns = [...signs.values()]
  return {
    done_by_tier: byTier(await doneByTier(db, { board })),
    unproven: cards.filter(({ id, status }) => status === 'validation' && signs.get(id)?.status !== 'proven').length,
    stale: allSigns.filter(({ stale }) => stale).length,
    failing: allSigns.filter(({ status }) => status === 'failing').length,
  }
}
