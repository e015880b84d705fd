import { blocked, type DomainError } from '../kernel/errors.ts'

/** What stands behind a test scenario's status: any keys, of which five count here (specs 2.2). */
export type Evidence = Readonly<Record<string, unknown>>

/** What the evidence rule reads of a test scenario. */
export interface Evidenced {
  readonly status: string
  readonly evidence?: Evidence | null
  readonly latest_evidence?: Evidence | null
}

const given = (value: unknown) => typeof value === 'string' && value.trim() !== ''

/** The evidence that counts: `evidence` unless nothing is in it, else `latest_evidence`. */
export const evidenceOf = ({ evidence, latest_evidence }: Evidenced): Evidence | null =>
  [evidence, latest_evidence].find(one => one != null && Object.values(one).some(value => value !== null)) ?? null

/** What each status needs: one key, or one of several, of each row. */
const needed: Readonly<Record<string, readonly (readonly string[])[]>> = {
  automated: [['test_file_path'], ['test_function']],
  passed: [['last_run_at'], ['output_snippet', 'test_run_id']],
  failed: [['last_run_at'], ['output_snippet', 'test_run_id']],
}

/**
 * The keys that a scenario's status needs and its evidence lacks, alternatives as `a or b`; `[]` when it has
 * enough. The one rule of specs (specs 4.3) and of a sprint's close (planning 1.6).
 */
export function missingEvidence(scenario: Evidenced): string[] {
  const evidence = evidenceOf(scenario)
  return (needed[scenario.status] ?? [])
    .filter(keys => !keys.some(key => given(evidence?.[key])))
    .map(keys => keys.join(' or '))
}

/** 409 TEST_EVIDENCE_REQUIRED; `missing` has an item for each scenario that lacks some. */
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
