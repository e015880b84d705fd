import { boardSettings } from '../../kernel/board-settings.ts'
import type { Context } from '../../kernel/context.ts'
import { evaluationRefusal } from '../evaluation.ts'
import { evidenceRequired } from '../evidence.ts'
import { readSpec } from '../specs/store.ts'
import { checkCards, checkScopedScenarios, type Gate, withoutEvidence } from './rules.ts'
import { readGateCards, type SprintRecord } from './store.ts'

/**
 * Checks the gates of a move, in order (planning 1.6).
 * @returns whether evidence is missing but the board allows that
 * @throws DomainError with the code of the first closed gate
 */
export async function passGates(ctx: Context, sprint: SprintRecord, gates: readonly Gate[]): Promise<boolean> {
  if (gates.length === 0) return false
  const settings = await boardSettings(ctx.db, sprint.board_id)
  const cards = await readGateCards(ctx.db, sprint.id)
  const scenarios = (await readSpec(ctx.db, sprint.spec_id)).test_scenarios ?? []
  const unproven = gates.includes('evidence') ? withoutEvidence(cards, scenarios) : []
  const asked: Readonly<Record<Gate, () => void>> = {
    cards: () => checkCards(cards),
    scenarios: () => {
      const skipped = sprint.skip_test_coverage || settings.skip_test_coverage_global
      if (!skipped) checkScopedScenarios(sprint.test_scenario_ids, scenarios)
    },
    evidence: () => {
      if (unproven.length > 0 && !settings.skip_test_evidence_global) throw evidenceRequired(unproven)
    },
    evaluations: () => {
      if (sprint.skip_qualitative_validation) return
      const refusal = evaluationRefusal(sprint.evaluations ?? [], sprint.validation_threshold, 'sprint')
      if (refusal !== null) throw refusal
    },
  }
  for (const gate of gates) asked[gate]()
  return unproven.length > 0
}
