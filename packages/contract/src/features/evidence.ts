/** Test reports, and what they prove about records (evidence). */
import { z } from 'zod'
import { inForm } from '../forms.ts'
import { operation } from '../operation.ts'
import { CommaList, commaListOf, FreeObject, Id, Moment, PrincipalKind, paging50, Ref, Timestamp } from '../shared.ts'
import { TestPattern } from '../test-patterns.ts'
import { toolHints } from '../tool-hints.ts'
import { range } from './analytics-range.ts'
import { Card } from './card.ts'
import { EvidenceAnalytics } from './evidence-analytics.ts'
import { EvidenceTier, Sha, TierReason } from './evidence-tiers.ts'
import { RecordProof, WaivedGate } from './record-proof.ts'
import { preview_board_settings } from './settings-preview.ts'
import { listedTests, ProvenScenario, ScenarioStatus } from './spec-items.ts'

export const ReportFormat = z.enum(['junit', 'tap', 'ctrf', 'go'])

export const ReportOutcome = z.enum(['passed', 'failed', 'empty'])

export const CaseStatus = z.enum(['passed', 'failed', 'skipped'])

const hexadecimal = /^[0-9a-f]+$/

const isWebAddress = (text: string): boolean => {
  const url = URL.parse(text)
  return url !== null && (url.protocol === 'https:' || url.protocol === 'http:')
}

const Count = z.int().min(0)

/** Where a run of a CI system is shown. */
export const RunAddress = z.string().max(2_048).refine(isWebAddress, inForm('web_address'))

const ReportFile = z
  .object({ name: z.string(), format: ReportFormat, size: Count, sha256: z.string(), cases: Count })
  .meta({ id: 'ReportFile' })

/** The effect of a report on a scenario (evidence 4). */
export const MappedScenario = z
  .object({
    spec_id: Id,
    spec_ref: Ref.nullable(),
    scenario_id: z.string(),
    title: z.string(),
    from: ScenarioStatus,
    to: ScenarioStatus,
    result: z.enum(['passed', 'failed', 'incomplete', 'ignored']),
    reason: z.enum(['spec_status', 'archived', 'other_branch']).nullable().describe('why it is ignored'),
    tests: Count,
    cases: z.array(z.string()).describe('the first 5 addresses'),
    unmatched: z.array(z.string()).describe('patterns that name no test'),
    skipped: Count,
    flaky: z.boolean(),
  })
  .meta({ id: 'MappedScenario' })

/** A record that a report is about. */
const MappedRecord = z
  .object({
    entity_type: z.enum(['card', 'spec']),
    id: Id,
    ref: Ref.nullable(),
    how: z.enum(['for', 'commit', 'branch', 'pull_request', 'scenario']),
  })
  .meta({ id: 'MappedRecord' })

/** What tests prove; the first 200 entries of each list. */
export const ReportMapping = z
  .object({
    scenarios: z.array(MappedScenario),
    scenarios_total: Count,
    records: z.array(MappedRecord),
    records_total: Count,
    unknown_refs: z.array(z.string()).describe('names that fit no scenario'),
    unknown_refs_total: Count,
    unmapped: z.array(z.string()).describe('tests that ran and prove nothing'),
    unmapped_total: Count,
  })
  .meta({ id: 'ReportMapping' })

export const TestReport = z
  .object({
    id: Id.nullable().describe('null for a preview'),
    board_id: Id,
    repository_id: Id.nullable(),
    repository: z.string().nullable(),
    name: z.string(),
    commit: z.string().nullable(),
    tested_commit: z.string().nullable(),
    tree: z.string().nullable(),
    branch: z.string().nullable(),
    pull_request: z.int().nullable(),
    ci_run: z.string().nullable(),
    attempt: z.int(),
    run_url: z.string().nullable(),
    tier: EvidenceTier,
    tier_reason: TierReason,
    actor_type: PrincipalKind,
    submitted_by: Id,
    submitted_by_name: z.string(),
    proof_run_id: Id.nullable(),
    files: z.array(ReportFile),
    cases: Count,
    executed: Count,
    passed: Count,
    failed: Count,
    skipped: Count,
    flaky: Count,
    outcome: ReportOutcome,
    content_sha256: z.string(),
    cases_kept: z.boolean().describe('false: only those that a scenario names'),
    origin: z
      .object({ tier: EvidenceTier, tier_reason: TierReason, service: z.string().nullable() })
      .exactOptional()
      .describe('of an imported one: what it was elsewhere'),
    created_at: Timestamp,
    mapping: ReportMapping.exactOptional().describe('not in lists'),
  })
  .meta({ id: 'TestReport' })

export const TestCase = z
  .object({
    address: z.string(),
    suite: z.string().nullable(),
    class: z.string().nullable(),
    name: z.string(),
    file: z.string().nullable(),
    status: CaseStatus,
    flaky: z.boolean(),
    duration_ms: z.int().nullable(),
    message: z.string().nullable(),
    refs: z.array(Ref).describe('scenarios that it names'),
  })
  .meta({ id: 'TestCase' })

/** Maximum number of characters of a file in JSON: the limit of a body. */
const maxFileLength = 8 << 20

const SentReport = z
  .object({
    name: z.string().min(1).max(255),
    text: z.string().max(maxFileLength).exactOptional(),
    content_base64: z.string().max(maxFileLength).exactOptional(),
  })
  .refine(({ text, content_base64 }) => (text === undefined) !== (content_base64 === undefined), {
    error: 'send exactly one of text and content_base64',
  })
  .refine(({ content_base64 = '' }) => isBase64(content_base64), {
    error: 'is not base64',
    path: ['content_base64'],
  })

/** Whether a text is base64; line breaks are allowed. */
function isBase64(text: string): boolean {
  const end = text.trimEnd().length
  let padding = 0
  while (text[end - padding - 1] === '=') padding++
  const body = text.slice(0, end - padding)
  if (/[^A-Za-z0-9+/\r\n]/.test(body)) return false
  const digits = body.replaceAll(/[\r\n]/g, '').length
  const needed = (4 - (digits % 4)) % 4
  return needed !== 3 && (padding === 0 || padding === needed)
}

export const TestReportSubmit = z
  .object({ files: z.array(SentReport).min(1).max(500) })
  .meta({ id: 'TestReportSubmit' })

const onBoard = { board_id: Id }
const onReport = { report_id: Id }
const keywords = ['test result', 'junit', 'tap', 'ctrf', 'ci', 'evidence', 'proof']

/** Maximum number of records that a report can name. */
export const maxNamedRecords = 50

const submit_test_report = operation({
  name: 'submit_test_report',
  method: 'POST',
  path: '/api/v1/boards/{board_id}/test-reports',
  permission: 'REPORTS_SUBMIT',
  extension: true,
  openToCi: true,
  title: 'Submit test report',
  description: 'Submit what a test run reported: JUnit XML, TAP, CTRF or go test -json.',
  params: onBoard,
  query: {
    commit: Sha.optional(),
    repository_id: Id.optional().describe('id or name; default: the only one'),
    branch: z.string().min(1).max(255).optional(),
    tested_commit: Sha.optional().describe('what was checked out, where another').register(toolHints, { hidden: true }),
    tree: Sha.optional().register(toolHints, { hidden: true }),
    pull_request: z.int().min(1).optional().register(toolHints, { hidden: true }),
    name: z.string().min(1).max(100).default('tests').describe('of a job or shard'),
    ci_run: z.string().min(1).max(100).optional(),
    attempt: z.int().min(1).max(1_000).default(1).register(toolHints, { hidden: true }),
    run_url: RunAddress.optional().register(toolHints, { hidden: true }),
    for: CommaList.refine(refs => refs.length <= maxNamedRecords, { error: `must name at most ${maxNamedRecords}` })
      .optional()
      .describe('refs of cards and specs it speaks for'),
    proof_run_id: Id.optional().describe('a run of yours that it belongs to'),
    format: ReportFormat.optional().describe('default: told from the content'),
    preview: z.boolean().default(false).describe('answer, store nothing'),
  },
  kind: 'files',
  body: TestReportSubmit,
  response: TestReport,
  status: 201,
  otherStatus: 200,
  errors: ['VALIDATION_ERROR', 'ARCHIVED', 'INVALID_STATE', 'REPORT_EXISTS', 'PAYLOAD_TOO_LARGE', 'RATE_LIMITED'],
  keywords: [...keywords, 'upload', 'coverage'],
})

const list_test_reports = operation({
  name: 'list_test_reports',
  method: 'GET',
  path: '/api/v1/boards/{board_id}/test-reports',
  permission: 'REPORTS_READ',
  extension: true,
  title: 'List test reports',
  description: 'List the test reports of a board, newest first.',
  params: onBoard,
  query: {
    commit: z.string().min(7).max(64).regex(hexadecimal, { error: 'must be hexadecimal digits' }).optional(),
    branch: z.string().max(255).optional(),
    repository_id: Id.optional(),
    name: z.string().max(100).optional(),
    ci_run: z.string().max(100).optional().register(toolHints, { hidden: true }),
    tier: commaListOf(EvidenceTier.options).optional(),
    outcome: commaListOf(ReportOutcome.options).optional(),
    card_id: Id.optional(),
    spec_id: Id.optional(),
    since: Moment.optional(),
    ...paging50,
  },
  list: TestReport,
  errors: [],
  keywords,
})

const get_test_report = operation({
  name: 'get_test_report',
  method: 'GET',
  path: '/api/v1/test-reports/{report_id}',
  permission: 'REPORTS_READ',
  extension: true,
  openToCi: true,
  title: 'Get test report',
  description: 'Get a test report.',
  params: onReport,
  response: TestReport,
  errors: [],
  keywords,
})

const list_test_cases = operation({
  name: 'list_test_cases',
  method: 'GET',
  path: '/api/v1/test-reports/{report_id}/cases',
  permission: 'REPORTS_READ',
  extension: true,
  openToCi: true,
  title: 'List test cases',
  description: 'List the tests of a report, failed ones first.',
  params: onReport,
  query: {
    status: commaListOf(CaseStatus.options).optional(),
    q: z.string().max(500).optional().describe('in the address'),
    pattern: TestPattern.optional().describe('as a scenario would name them').register(toolHints, { hidden: true }),
    flaky: z.boolean().optional(),
    ...paging50,
  },
  list: TestCase,
  errors: [],
  keywords: [...keywords, 'failing'],
})

const ScenarioTestsSet = z.object({ tests: listedTests() }).meta({ id: 'ScenarioTestsSet' })

const set_scenario_tests = operation({
  name: 'set_scenario_tests',
  method: 'PUT',
  path: '/api/v1/specs/{spec_id}/scenarios/{scenario_id}/tests',
  permission: 'SPECS_MAP_TESTS',
  extension: true,
  title: 'Set scenario tests',
  description: 'Set which tests prove a scenario, by the end of their address; * and ** are wildcards.',
  params: { spec_id: Id, scenario_id: z.string() },
  body: ScenarioTestsSet,
  response: ProvenScenario,
  status: 200,
  errors: ['ARCHIVED'],
  effect: 'repeatable',
  keywords: [...keywords, 'map', 'pattern', 'trace'],
})

export const ProofRunStatus = z.enum(['running', 'passed', 'failed', 'empty', 'expired'])

const Digest = z.string().length(64).regex(hexadecimal, { error: 'must be 64 lower-case hexadecimal digits' })

export const ProofRun = z
  .object({
    id: Id,
    board_id: Id,
    for: z.array(z.string()),
    commit: z.string().nullable(),
    tree: z.string().nullable(),
    dirty: z.boolean(),
    branch: z.string().nullable(),
    repository_id: Id.nullable(),
    command: z.string(),
    status: ProofRunStatus,
    exit_code: z.int().nullable(),
    signal: z.string().nullable(),
    output_sha256: z.string().nullable(),
    output_bytes: z.int().nullable(),
    output_tail: z.string().nullable(),
    duration_ms: z.int().nullable(),
    report_ids: z.array(Id),
    tier: EvidenceTier,
    tier_reason: TierReason,
    started_at: Timestamp,
    expires_at: Timestamp,
    finished_at: Timestamp.nullable(),
    started_by: Id,
    mapping: ReportMapping.nullable().describe('once it is finished'),
  })
  .meta({ id: 'ProofRun' })

const ProofRunBegin = z
  .object({
    for: z.array(z.string().min(1).max(300)).min(1).max(maxNamedRecords).describe('refs of cards, specs, or SPE-3/S2'),
    commit: Sha.nullable().exactOptional(),
    tree: Sha.nullable().exactOptional().register(toolHints, { hidden: true }),
    dirty: z.boolean().default(false),
    branch: z.string().min(1).max(255).nullable().exactOptional(),
    repository_id: Id.nullable().exactOptional().describe('id or name; default: the only one'),
    command: z.string().min(1).max(2_000),
    host: z.string().max(100).nullable().exactOptional().register(toolHints, { hidden: true }),
    via: z
      .enum(['run', 'hook'])
      .default('run')
      .describe('hook: a hook of a client saw it')
      .register(toolHints, { hidden: true }),
  })
  .meta({ id: 'ProofRunBegin' })

const ProofRunFinish = z
  .object({
    exit_code: z.int().min(-255).max(255).exactOptional(),
    unknown: z
      .string()
      .min(1)
      .max(200)
      .exactOptional()
      .describe('why there is no exit_code; then it proves nothing')
      .register(toolHints, { hidden: true }),
    signal: z.string().max(100).nullable().exactOptional().register(toolHints, { hidden: true }),
    output_sha256: Digest.nullable().exactOptional().register(toolHints, { hidden: true }),
    output_bytes: Count.nullable().exactOptional().register(toolHints, { hidden: true }),
    output_tail: z.string().max(8_192).nullable().exactOptional(),
    duration_ms: Count.nullable().exactOptional(),
    reports_expected: z.boolean().default(false),
  })
  .meta({ id: 'ProofRunFinish', examples: [{ exit_code: 0, duration_ms: 1_200 }] })

const begin_proof_run = operation({
  name: 'begin_proof_run',
  method: 'POST',
  path: '/api/v1/boards/{board_id}/proof-runs',
  permission: 'REPORTS_SUBMIT',
  extension: true,
  openToCi: true,
  title: 'Begin proof run',
  description: 'Begin a run of a command that is to prove cards, specs or scenarios.',
  params: onBoard,
  body: ProofRunBegin,
  response: ProofRun,
  status: 201,
  errors: ['VALIDATION_ERROR', 'ARCHIVED'],
  keywords: [...keywords, 'run', 'observe'],
})

const finish_proof_run = operation({
  name: 'finish_proof_run',
  method: 'POST',
  path: '/api/v1/proof-runs/{run_id}/finish',
  permission: 'REPORTS_SUBMIT',
  extension: true,
  openToCi: true,
  title: 'Finish proof run',
  description: 'Report how a run ended; it sets the scenarios that it was begun for.',
  params: { run_id: Id },
  body: ProofRunFinish,
  response: ProofRun,
  status: 200,
  errors: ['VALIDATION_ERROR', 'INVALID_STATE'],
  keywords: [...keywords, 'run', 'exit code'],
})

const sha = z.string().nullable()

/** A result, as in proof and its items. */
const ProofResult = z
  .object({
    tier: EvidenceTier,
    tier_reason: TierReason,
    status: z.enum(['passed', 'failed']),
    at: Timestamp,
    commit: sha,
    repository_id: Id.nullable(),
    report_id: Id.nullable(),
    run_id: Id.nullable(),
    flaky: z.boolean(),
    outdated: z.enum(['scenario_changed', 'tests_changed']).nullable().describe('why it no longer counts'),
  })
  .meta({ id: 'ProofResult' })

export const CardWaiver = z
  .object({
    gates: z.array(WaivedGate),
    reason: z.string(),
    by: Id,
    by_name: z.string(),
    at: Timestamp,
    imported: z.literal(true).exactOptional(),
  })
  .meta({ id: 'CardWaiver' })

export const ProofItem = z
  .object({
    kind: z.enum(['scenario', 'card']),
    id: z.string(),
    ref: z.string(),
    title: z.string(),
    ok: z.boolean(),
    problem: z.enum(['none', 'tier', 'failed', 'stale', 'outdated', 'needs_person']),
    required_tier: EvidenceTier,
    results: z.array(ProofResult).describe('the newest of each tier'),
  })
  .meta({ id: 'ProofItem' })

/** A way to satisfy a gate. */
export const ProofWay = z
  .object({
    how: z.enum(['command', 'operation', 'ci', 'person', 'waiver']),
    text: z.string(),
    operation: z.string().nullable(),
    arguments: FreeObject.nullable(),
  })
  .meta({ id: 'ProofWay' })

export const Proof = z
  .object({
    entity_type: z.enum(['card', 'spec', 'sprint']),
    entity_id: Id,
    ref: Ref,
    ...RecordProof.shape,
    done_origin: z
      .object({ tier: EvidenceTier, service: z.string().nullable() })
      .exactOptional()
      .describe('of an imported done_tier: what it was elsewhere'),
    waiver: CardWaiver.nullable(),
    required_tier: EvidenceTier,
    fresh: z.boolean().describe('whether it must not be stale'),
    items: z.array(ProofItem),
    ways: z.array(ProofWay),
  })
  .meta({ id: 'Proof' })

/** The kinds of record that have proof. */
export const ProvenType = z.enum(['card', 'spec', 'sprint'])

const get_proof = operation({
  name: 'get_proof',
  method: 'GET',
  path: '/api/v1/proof/{entity_type}/{entity_id}',
  permission: '-',
  extension: true,
  openToCi: true,
  title: 'Get proof',
  description: 'Get what proves a card, spec or sprint, and what is missing.',
  // Any text: an unknown word is 400, not 422.
  params: { entity_type: z.string().describe(ProvenType.options.join(', ')), entity_id: Id },
  response: Proof,
  errors: ['VALIDATION_ERROR', 'NOT_FOUND'],
  keywords: [...keywords, 'tier', 'stale', 'fresh', 'unproven'],
})

const get_evidence_analytics = operation({
  name: 'get_evidence_analytics',
  method: 'GET',
  path: '/api/v1/boards/{board_id}/analytics/evidence',
  permission: 'ANALYTICS_READ',
  reads: 'board',
  extension: true,
  title: 'Get evidence analytics',
  description: 'Show what was proven, and which tests are flaky or slow.',
  params: onBoard,
  query: range,
  response: EvidenceAnalytics,
  errors: ['VALIDATION_ERROR'],
  keywords: [...keywords, 'metrics', 'statistics', 'flaky', 'slow', 'unproven'],
})

const CardWaiverSet = z
  .object({
    gates: z
      .array(WaivedGate)
      .max(3)
      .overwrite(gates => [...new Set(gates)])
      .describe('[]: withdraws the waiver'),
    reason: z.string().min(10).max(2_000).exactOptional(),
  })
  .refine(({ gates, reason }) => gates.length === 0 || reason !== undefined, {
    error: 'Field required',
    path: ['reason'],
  })
  .meta({ id: 'CardWaiverSet', examples: [{ gates: ['proof'], reason: 'The text of the page, which no test reads.' }] })

const set_card_waiver = operation({
  name: 'set_card_waiver',
  method: 'PUT',
  path: '/api/v1/cards/{card_id}/waiver',
  permission: 'CARDS_WAIVE',
  extension: true,
  title: 'Set card waiver',
  description: 'Waive gates of a card that ask for proof, merged changes or green checks.',
  params: { card_id: Id },
  body: CardWaiverSet,
  response: Card,
  status: 200,
  errors: ['ARCHIVED', 'PERSON_REQUIRED'],
  effect: 'repeatable',
  keywords: [...keywords, 'waive', 'exception', 'excuse', 'gate'],
})

/** The session of a CI run: the permissions of its token for 15 minutes (evidence 6.2). */
const CiSession = z
  .object({
    token: z.string().nullable().describe('shown once; null when an answer is replayed'),
    expires_at: Timestamp,
    board_id: Id,
    board_key: z.string(),
    repository_id: Id,
    repository: z.string(),
    commit: Sha,
    ref: z.string(),
    event: z.string(),
    ci_run: z.string(),
    attempt: z.int().min(1),
    trusted: z.boolean(),
    reason: z.enum(['ref_not_trusted', 'event_not_trusted']).nullable().describe('why it is not trusted'),
  })
  .meta({ id: 'CiSession' })

const exchange_ci_token = operation({
  name: 'exchange_ci_token',
  method: 'POST',
  path: '/api/v1/ci/token',
  permission: 'public',
  extension: true,
  title: 'Exchange CI token',
  description: "Exchange the OIDC token of a CI job for a session that sends this run's reports. CI programs call it.",
  body: z
    .object({
      token: z.string().min(1).max(16_384),
      board_id: z.string().min(1).max(100).exactOptional().describe('id or key; may be left out where one board fits'),
    })
    .meta({ id: 'CiTokenExchange' }),
  response: CiSession,
  status: 201,
  errors: ['VALIDATION_ERROR', 'UNAUTHORIZED', 'FORBIDDEN', 'ISSUER_UNREACHABLE'],
  secret: 'token',
  keywords: ['oidc', 'pipeline', 'github actions', 'gitlab ci', 'id token'],
})

export const evidence = {
  submit_test_report,
  list_test_reports,
  get_test_report,
  list_test_cases,
  set_scenario_tests,
  begin_proof_run,
  finish_proof_run,
  get_proof,
  get_evidence_analytics,
  set_card_waiver,
  preview_board_settings,
  exchange_ci_token,
} as const
