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
import { author, column, flag, json, naming, namingBy, namingOrNull, oneOf, texts } from './columns.ts'
import type { Kind } from './kind.ts'

const { id, nullableId, text, nullableText, nullableWhole, count, time, nullableTime } = column

const sha = oneOf(Sha.nullable())

/** How far somebody was believed where the evidence comes from: here it is a claim (evidence 14). */
const judged = { tier: oneOf(EvidenceTier), tier_reason: oneOf(TierReason) }

const Spoken = z.strictObject({ entity_type: z.enum(['card', 'spec']), entity_id: z.string() })

const SpokenBecause = Spoken.extend({ how: z.enum(['for', 'commit', 'branch', 'pull_request', 'scenario']) })

const File = z.strictObject({
  name: z.string(),
  format: ReportFormat,
  size: z.int().min(0),
  sha256: z.string(),
  cases: z.int().min(0),
})

/** A test that a scenario names: the others are not in archives. */
const Case = z.strictObject({ position: z.int().min(0), ...TestCase.shape, refs: texts })

/** A test report: its totals, whom it speaks for, and the tests that scenarios name. */
export const testReport: Kind = {
  type: 'test_report',
  table: 'test_reports',
  columns: {
    id,
    repository_id: namingOrNull('repository'),
    name: oneOf(z.string().min(1).max(100)),
    commit_sha: sha,
    tested_commit: sha,
    tree: sha,
    branch: nullableText,
    pull_request: nullableWhole,
    ci_run: nullableText,
    attempt: count,
    run_url: oneOf(RunAddress.nullable()),
    ...judged,
    actor_type: oneOf(PrincipalKind),
    submitted_by: author,
    submitted_by_name: text,
    proof_run_id: { ...nullableId, namesInside: true },
    files: json(z.array(File)),
    cases: count,
    executed: count,
    passed: count,
    failed: count,
    skipped: count,
    flaky: count,
    outcome: oneOf(ReportOutcome),
    content_sha256: text,
    records: json(z.array(SpokenBecause), { idsIn: ['entity_id'] }),
    named_cases: { ...json(z.array(Case)), form: 'cases' },
    created_at: time,
  },
}

/** A run that has ended. */
export const proofRun: Kind = {
  type: 'proof_run',
  table: 'proof_runs',
  columns: {
    id,
    repository_id: namingOrNull('repository'),
    targets: json(texts),
    commit_sha: sha,
    tree: sha,
    is_dirty: flag,
    branch: nullableText,
    command: text,
    host: nullableText,
    status: oneOf(ProofRunStatus.exclude(['running', 'expired'])),
    exit_code: nullableWhole,
    signal: nullableText,
    output_sha256: nullableText,
    output_bytes: nullableWhole,
    output_tail: nullableText,
    duration_ms: nullableWhole,
    ...judged,
    records: json(z.array(Spoken), { idsIn: ['entity_id'] }),
    started_by: author,
    started_at: time,
    finished_at: nullableTime,
  },
}

/** The newest result of a scenario of a tier; what came with an import stands in a table of its own. */
export const scenarioResult: Kind = {
  type: 'scenario_result',
  table: 'imported_results',
  columns: {
    spec_id: naming('spec'),
    scenario_id: text,
    ...judged,
    status: oneOf(z.enum(['automated', 'passed', 'failed'])),
    commit_sha: sha,
    repository_id: namingOrNull('repository'),
    report_id: namingOrNull('test_report'),
    run_id: namingOrNull('proof_run'),
    cases: json(texts),
    is_flaky: flag,
    print: text,
    made_at: time,
  },
}

/** What a card was excused from. */
export const waiver: Kind = {
  type: 'waiver',
  table: 'card_waivers',
  columns: {
    card_id: naming('card'),
    gates: json(z.array(WaivedGate)),
    reason: text,
    waived_by: author,
    waived_by_name: text,
    waived_at: time,
  },
}

/** The tier that a record was done with. */
export const doneTier: Kind = {
  type: 'done_tier',
  table: 'done_tiers',
  columns: { entity_type: oneOf(ProvenType), entity_id: namingBy('entity_type'), tier: oneOf(EvidenceTier) },
}
