/** Test reports, proof runs, and what they show (evidence). */
import type {
  CaseStatus,
  EvidenceTier,
  ProofRunStatus,
  ReportMapping,
  ReportOutcome,
  TierReason,
} from '@specboard/contract'
import type { z } from 'zod'
import {
  anyId,
  author,
  flag,
  id,
  idOf,
  json,
  jsonOf,
  nullable,
  numberOf,
  ofBoard,
  oneOf,
  text,
  whole,
} from '../columns.ts'
import type { EvidenceOrigin, ProofTargets, ReportFile, ReportScenario } from '../contents.ts'
import { type RowOf, table } from '../table.ts'
import type { PrincipalKind } from './shared.ts'

/** Reports of test runs (evidence 2). */
export const testReports = table({
  name: 'test_reports',
  archived: 'test_report',
  removed: 'in pieces',
  columns: {
    id: text,
    board_id: ofBoard,
    repository_id: nullable(id('repositories', 'set null')),
    name: text,
    commit_sha: nullable(text),
    tested_commit: nullable(text),
    tree: nullable(text),
    branch: nullable(text),
    pull_request: nullable(whole),
    ci_run: nullable(text),
    attempt: whole,
    run_url: nullable(text),
    /** Its identity on its board: repository, commit, run, attempt, name, and its content if it has no run. */
    identity: text,
    tier: oneOf<z.output<typeof EvidenceTier>>(),
    tier_reason: oneOf<z.output<typeof TierReason>>(),
    /** Who was shown the key that sent it, unless that was a present person (evidence 1, rule 3). */
    seen_by: nullable(text),
    actor_type: oneOf<PrincipalKind>(),
    submitted_by: author,
    submitted_by_name: text,
    proof_run_id: nullable(anyId),
    files: json<ReportFile[]>(),
    cases: whole,
    executed: whole,
    passed: whole,
    failed: whole,
    skipped: whole,
    flaky: whole,
    outcome: oneOf<z.output<typeof ReportOutcome>>(),
    content_sha256: text,
    /** Its effect on scenarios and records; null for reports older than this column. */
    mapping: nullable(jsonOf<typeof ReportMapping>()),
    /** 0 once only those of its cases are kept that a scenario names. */
    cases_kept: flag,
    created_at: text,
    /** What it was in the service from which it was imported; null if it was sent here. */
    origin: nullable(json<EvidenceOrigin>()),
  },
})
export type TestReportsTable = RowOf<typeof testReports>

/** The records that reports count for. */
export const reportRecords = table({
  name: 'report_records',
  key: ['report_id', 'entity_id'],
  removed: 'in pieces',
  columns: {
    report_id: id('test_reports'),
    board_id: ofBoard,
    entity_type: oneOf<'card' | 'spec'>(),
    entity_id: text,
    how: text,
  },
})
export type ReportRecordsTable = RowOf<typeof reportRecords>

/** The tests of reports (evidence 2). */
export const testCases = table({
  name: 'test_cases',
  key: ['report_id', 'position'],
  removed: 'in pieces',
  columns: {
    report_id: text,
    position: whole,
    board_id: ofBoard,
    /** 0 for a failed one; those are listed first. */
    rank: numberOf<0 | 1>(),
    address: text,
    suite: nullable(text),
    class: nullable(text),
    name: text,
    file: nullable(text),
    status: oneOf<z.output<typeof CaseStatus>>(),
    is_flaky: flag,
    duration_ms: nullable(whole),
    message: nullable(text),
    refs: json<string[]>(),
    /** 1 if a scenario names it: it is kept. */
    is_named: flag,
  },
})
export type TestCasesTable = RowOf<typeof testCases>

/** The results of a scenario's tests in a report: the reports of a run are combined (evidence 4). */
export const reportScenarios = table({
  name: 'report_scenarios',
  key: ['report_id', 'spec_id', 'scenario_id'],
  removed: 'in pieces',
  columns: {
    report_id: id('test_reports'),
    board_id: ofBoard,
    spec_id: id('specs'),
    scenario_id: text,
    /** The fingerprint of the scenario: the result does not apply to a changed one. */
    print: text,
    content: json<ReportScenario>(),
  },
})

/** The newest result of each tier of scenarios (evidence 4). */
export const scenarioResults = table({
  name: 'scenario_results',
  key: ['spec_id', 'scenario_id', 'tier'],
  removed: 'in pieces',
  columns: {
    spec_id: id('specs'),
    scenario_id: text,
    tier: oneOf<z.output<typeof EvidenceTier>>(),
    board_id: ofBoard,
    tier_reason: oneOf<z.output<typeof TierReason>>(),
    status: oneOf<'automated' | 'passed' | 'failed'>(),
    /** Who was shown the key that sent it, unless that was a present person. */
    seen_by: nullable(text),
    commit_sha: nullable(text),
    repository_id: nullable(id('repositories', 'set null')),
    report_id: nullable(idOf('test_reports')),
    run_id: nullable(idOf('proof_runs')),
    /** The first addresses of its tests. */
    cases: json<string[]>(),
    is_flaky: flag,
    /** The fingerprint of the scenario: the result counts as long as it is unchanged. */
    print: text,
    made_at: text,
  },
})
export type ScenarioResultsTable = RowOf<typeof scenarioResults>

const { seen_by: _, ...importedResult } = scenarioResults.columns

/** Imported results, as they were in the service that they came from; here they are claims (evidence 14). */
export const importedResults = table({
  name: 'imported_results',
  key: ['spec_id', 'scenario_id', 'tier'],
  archived: 'scenario_result',
  removed: 'in pieces',
  columns: {
    ...importedResult,
    /** Where it came from. */
    service: nullable(text),
  },
})

/** Runs of commands watched by one of our programs (evidence 5). */
export const proofRuns = table({
  name: 'proof_runs',
  archived: 'proof_run',
  removed: 'in pieces',
  columns: {
    id: text,
    board_id: ofBoard,
    /** As sent. */
    targets: json<string[]>({ namesInside: true }),
    /** The scenarios, cards and specs that the targets resolve to. */
    meant: json<ProofTargets>(),
    commit_sha: nullable(text),
    tree: nullable(text),
    is_dirty: flag,
    branch: nullable(text),
    repository_id: nullable(id('repositories', 'set null')),
    command: text,
    host: nullable(text),
    status: oneOf<z.output<typeof ProofRunStatus>>(),
    exit_code: nullable(whole),
    signal: nullable(text),
    output_sha256: nullable(text),
    output_bytes: nullable(whole),
    output_tail: nullable(text),
    duration_ms: nullable(whole),
    tier: oneOf<z.output<typeof EvidenceTier>>(),
    tier_reason: oneOf<z.output<typeof TierReason>>(),
    seen_by: nullable(text),
    mapping: nullable(jsonOf<typeof ReportMapping>()),
    started_by: author,
    started_at: text,
    expires_at: text,
    finished_at: nullable(text),
    /** The key by which the hook that ends the run finds it (harness 3.2). */
    hook_key: nullable(text),
    /** What it was in the service from which it was imported; null if it was begun here. */
    origin: nullable(json<EvidenceOrigin>()),
  },
})
export type ProofRunsTable = RowOf<typeof proofRuns>

/** The records that proof runs count for. */
export const runRecords = table({
  name: 'run_records',
  key: ['run_id', 'entity_id'],
  removed: 'in pieces',
  columns: {
    run_id: id('proof_runs'),
    board_id: ofBoard,
    entity_type: oneOf<'card' | 'spec'>(),
    entity_id: text,
  },
})

/** The tier that a record had when it was moved to `done`; a record without a tier has no row (evidence 7). */
export const doneTiers = table({
  name: 'done_tiers',
  key: ['entity_id'],
  archived: 'done_tier',
  removed: 'in pieces',
  columns: {
    entity_id: text,
    board_id: ofBoard,
    tier: oneOf<z.output<typeof EvidenceTier>>(),
    /** What it was in the service from which it was imported; null if the record was done here. */
    origin: nullable(json<{ tier: z.output<typeof EvidenceTier>; service: string | null }>()),
  },
})
export type DoneTiersTable = RowOf<typeof doneTiers>
