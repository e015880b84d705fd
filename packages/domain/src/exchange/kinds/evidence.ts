import {
  EvidenceTier,
  PrincipalKind,
  ProofRunStatus,
  ProvenType,
  ReportFormat,
  ReportOutcome,
  RunAddress,
  Sha,
  TestCase,
  TierReason,
  WaivedGate,
} from '@specboard/contract'
import { z } from 'zod'
import { cardWaivers } from '../../schema/tables/delivery.ts'
import { doneTiers, importedResults, proofRuns, testReports } from '../../schema/tables/evidence.ts'
import { author, column, texts } from './columns.ts'
import { kind } from './kind.ts'

const { id, nullableId, text, nullableText, nullableWhole, count, time, nullableTime } = column

const sha = Sha.nullable()

/** The tier of evidence in the original service: here it is a claim (evidence 14). */
const judged = { tier: EvidenceTier, tier_reason: TierReason }

const Spoken = z.strictObject({ entity_type: z.enum(['card', 'spec']), entity_id: z.string() })

const SpokenBecause = Spoken.extend({ how: z.enum(['for', 'commit', 'branch', 'pull_request', 'scenario']) })

const File = z.strictObject({
  name: z.string(),
  format: ReportFormat,
  size: z.int().min(0),
  sha256: z.string(),
  cases: z.int().min(0),
})

/** A test that a scenario names; other tests are not in archives. */
const Case = z.strictObject({ position: z.int().min(0), ...TestCase.shape, refs: texts })

/** A test report: its totals, the records that it applies to, and the tests that scenarios name. */
export const testReport = kind(testReports, {
  columns: {
    id,
    repository_id: nullableId,
    name: z.string().min(1).max(100),
    commit_sha: sha,
    tested_commit: sha,
    tree: sha,
    branch: nullableText,
    pull_request: nullableWhole,
    ci_run: nullableText,
    attempt: count,
    run_url: RunAddress.nullable(),
    ...judged,
    actor_type: PrincipalKind,
    submitted_by: author,
    submitted_by_name: text,
    proof_run_id: nullableId,
    files: z.array(File),
    cases: count,
    executed: count,
    passed: count,
    failed: count,
    skipped: count,
    flaky: count,
    outcome: ReportOutcome,
    content_sha256: text,
    records: { schema: z.array(SpokenBecause), form: 'json', idsIn: ['entity_id'] },
    named_cases: { schema: z.array(Case), form: 'cases' },
    created_at: time,
  },
})

/** A run that has ended. */
export const proofRun = kind(proofRuns, {
  columns: {
    id,
    repository_id: nullableId,
    targets: texts,
    commit_sha: sha,
    tree: sha,
    is_dirty: z.boolean(),
    branch: nullableText,
    command: text,
    host: nullableText,
    status: ProofRunStatus.exclude(['running', 'expired']),
    exit_code: nullableWhole,
    signal: nullableText,
    output_sha256: nullableText,
    output_bytes: nullableWhole,
    output_tail: nullableText,
    duration_ms: nullableWhole,
    ...judged,
    records: { schema: z.array(Spoken), form: 'json', idsIn: ['entity_id'] },
    started_by: author,
    started_at: time,
    finished_at: nullableTime,
  },
})

/** The newest result of a scenario in each tier; imported ones are in a separate table. */
export const scenarioResult = kind(importedResults, {
  columns: {
    spec_id: id,
    scenario_id: text,
    ...judged,
    status: z.enum(['automated', 'passed', 'failed']),
    commit_sha: sha,
    repository_id: nullableId,
    report_id: nullableId,
    run_id: nullableId,
    cases: texts,
    is_flaky: z.boolean(),
    print: text,
    made_at: time,
  },
})

/** What a card was excused from. */
export const waiver = kind(cardWaivers, {
  columns: {
    card_id: id,
    gates: z.array(WaivedGate),
    reason: text,
    waived_by: author,
    waived_by_name: text,
    waived_at: time,
  },
})

/** The tier that a record was done with. */
export const doneTier = kind(doneTiers, {
  columns: {
    entity_type: ProvenType,
    entity_id: { schema: id, idsIn: 'whole', names: { kindIn: 'entity_type' } },
    tier: EvidenceTier,
  },
})
