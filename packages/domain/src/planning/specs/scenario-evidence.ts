import type { Settings } from '../../kernel/board-settings.ts'
import type { Entry } from '../../kernel/events.ts'
import { evidenceOf, evidenceRequired, missingEvidence } from '../evidence.ts'
import type { StatusChange } from './content.ts'
import type { Scenario } from './items.ts'

type EvidenceSettings = Pick<Settings, 'skip_test_evidence_global'>

/**
 * Checks the evidence of new and changed scenarios (specs 4.3).
 * @throws DomainError TEST_EVIDENCE_REQUIRED
 */
export function checkEvidence(scenarios: readonly Scenario[], settings: EvidenceSettings) {
  if (settings.skip_test_evidence_global) return
  const missing = scenarios
    .map(scenario => ({ scenario_id: scenario.id, status: scenario.status, required: missingEvidence(scenario) }))
    .filter(({ required }) => required.length > 0)
  if (missing.length > 0) throw evidenceRequired(missing)
}

/** The entry of a changed scenario status in the board's activity (specs 9). */
export const statusChanged = (
  spec: { readonly id: string },
  { scenario, from }: StatusChange,
  settings: EvidenceSettings,
): NonNullable<Entry['activity']> => ({
  action: 'test_scenario_status_changed',
  details: {
    spec_id: spec.id,
    scenario_id: scenario.id,
    scenario_title: scenario.title,
    from_status: from,
    to_status: scenario.status,
    evidence_provided: evidenceOf(scenario) !== null,
    evidence_gate_skipped: settings.skip_test_evidence_global,
  },
})
