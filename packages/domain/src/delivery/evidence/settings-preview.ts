/** preview_board_settings: how many cards settings about evidence and changes would refuse now, and what
 * automations would have done lately (evidence 13, git 10). */
import type { features } from '@specboard/contract'
import { sql } from 'kysely'
import { boardSettings } from '../../kernel/board-settings.ts'
import type { Context } from '../../kernel/context.ts'
import type { Implementation } from '../../kernel/implement.ts'
import { provenSpecs } from '../../planning/proof/proven-specs.ts'
import { type CardAndSpec, readProofOfCards } from '../../planning/proof/records.ts'
import { asksProof, type ProofSettings } from '../../planning/proof/rules.ts'
import { type Waivable, waiversOf } from '../../planning/proof/waivers.ts'
import { hot } from '../../schema/hot.ts'
import type { CardsTable } from '../../schema/tables.ts'
import { automationsPreview } from '../automations/preview.ts'
import { type ChangeSettings, changeFactsOf } from '../git/change-gates.ts'
import { type ProvenRow, provenCard } from './board-proof.ts'

type Row = ProvenRow & Pick<CardsTable, 'card_type'>

const inValidation = hot<{ board: string }, Row>(
  (_, param) => sql<Row>`select c.id, c.title, c.status, c.spec_id, c.test_scenario_ids, c.validation_stay, c.card_type
    from cards c where c.board_id = ${param('board')} and c.archived = 0 and c.status = 'validation'`,
)

/** The cards of a list with the specs that contain their scenarios. */
async function withSpecs({ db, boardId }: Context, rows: readonly Row[]): Promise<CardAndSpec[]> {
  const tested = rows.map(provenCard).map(card => ({ card, isTested: card.test_scenario_ids.length > 0 }))
  const specs = await provenSpecs(
    db,
    boardId,
    tested.flatMap(({ card, isTested }) => (isTested ? (card.spec_id ?? []) : [])),
  )
  return tested.map(({ card, isTested }) => ({
    card,
    spec: isTested && card.spec_id !== null ? (specs.get(card.spec_id) ?? null) : null,
  }))
}

/** Counts the cards that the gate `proof` would refuse under some settings; what proves them is read once. */
async function unprovenUnder({ db, boardId }: Context, cards: readonly CardAndSpec[]) {
  const judge = await readProofOfCards(db, boardId, cards)
  return async (settings: ProofSettings): Promise<number> => {
    if (!asksProof(settings)) return 0
    const proofs = await judge(settings)
    return [...proofs.values()].filter(items => items.some(({ problem }) => problem !== 'none')).length
  }
}

/** The number of cards that the gates `change` and `checks` would refuse, as a move judges them. */
async function unmerged(
  { db, boardId }: Context,
  rows: readonly Row[],
  waivers: ReadonlyMap<string, readonly Waivable[]>,
  settings: ChangeSettings,
) {
  const judged = rows.filter(({ card_type }) => card_type !== 'test')
  const strictSettings = { ...settings, require_merged_change: true, require_green_checks: true }
  const facts = await changeFactsOf(
    db,
    boardId,
    judged.map(({ id }) => id),
    strictSettings,
  )
  let [change, checks] = [0, 0]
  for (const { id } of judged) {
    const waived = waivers.get(id) ?? []
    if (!waived.includes('change') && facts.get(id)!.changes!.length > 0) change++
    if (!waived.includes('checks') && facts.get(id)!.checks!.length > 0) checks++
  }
  return { change, checks }
}

/** Judges the cards in validation as each of the settings would. */
export const previewBoardSettings: Implementation<(typeof features.evidence)['preview_board_settings']> = async (
  _,
  ctx,
) => {
  const { db, boardId: board, access } = ctx
  const settings = await boardSettings(db, board)
  const rows = await inValidation(db, { board })
  const waivers = await waiversOf(
    db,
    board,
    rows.map(({ id }) => id),
  )
  const unwaived = rows.filter(({ id }) => waivers.get(id)?.includes('proof') !== true)
  const cards = await withSpecs(ctx, unwaived)
  const unproven = await unprovenUnder(ctx, cards)
  const refusedBy = (change: Partial<ProofSettings>) => unproven({ ...settings, ...change })
  const changes = access.allows('CHANGES_READ') ? await unmerged(ctx, rows, waivers, settings) : null
  return {
    in_validation: rows.length,
    refused: {
      min_evidence_tier: {
        claimed: await refusedBy({ min_evidence_tier: 'claimed' }),
        observed: await refusedBy({ min_evidence_tier: 'observed' }),
        ci: await refusedBy({ min_evidence_tier: 'ci' }),
        person: await refusedBy({ min_evidence_tier: 'person' }),
      },
      require_fresh_evidence: await refusedBy({ require_fresh_evidence: true }),
      require_merged_change: changes?.change ?? null,
      require_green_checks: changes?.checks ?? null,
    },
    automations: changes === null ? null : await automationsPreview(ctx),
  }
}
