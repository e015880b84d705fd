import { blocked, type DomainError } from '../kernel/errors.ts'

/** The evidence for a test scenario's status. It may have any keys; five of them count here (specs 2.2). */
export type Evidence = Readonly<Record<string, unknown>>

/** The fields of a test scenario that the evidence rule reads. */
export interface EvidencedScenario {
  readonly status: string
  readonly evidence?: Evidence | null
  readonly latest_evidence?: Evidence | null
}

const isFilled = (value: unknown) => typeof value === 'string' && value.trim() !== ''

/** The evidence that counts: `evidence` unless it is empty, otherwise `latest_evidence`. */
export const evidenceOf = ({ evidence, latest_evidence }: EvidencedScenario): Evidence | null =>
  [evidence, latest_evidence].find(
    candidate => candidate != null && Object.values(candidate).some(value => value !== null),
  ) ?? null

/** The keys that each status needs: one key from each inner list. */
const needed: Readonly<Record<string, readonly (readonly string[])[]>> = {
  automated: [['test_file_path'], ['test_function']],
  passed: [['last_run_at'], ['output_snippet', 'test_run_id']],
  failed: [['last_run_at'], ['output_snippet', 'test_run_id']],
}

/**
 * The keys that a scenario's status needs and its evidence lacks, with alternatives as `a or b`; `[]` when nothing is
 * missing (specs 4.3).
 */
export function missingEvidence(scenario: EvidencedScenario): string[] {
  const evidence = evidenceOf(scenario)
  return (needed[scenario.status] ?? [])
    .filter(keys => !keys.some(key => isFilled(evidence?.[key])))
    .map(keys => keys.join(' or '))
}

/**
 * The keys that evidence lacks when a sprint is closed, where a result that was recorded later counts too (planning
 * 1.6).
 */
export const unproven = (scenario: EvidencedScenario): string[] =>
  missingEvidence({ ...scenario, evidence: null }).length === 0 ? [] : missingEvidence(scenario)

/** 409 TEST_EVIDENCE_REQUIRED; `missing` has an item for each scenario that lacks evidence. */
export const evidenceRequired = (
  missing: readonly { readonly scenario_id: string; readonly status: string; readonly required: readonly string[] }[],
): DomainError =>
  blocked(
    'TEST_EVIDENCE_REQUIRED',
    `Test scenarios lack the evidence of their status: ${missing
      .map(({ scenario_id, status, required }) => `${scenario_id} (${status}) needs ${required.join(', ')}`)
      .join('; ')}. Store it in the scenario's evidence.`,
    { missing },
  )
