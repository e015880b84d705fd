/** The governance rules of a board (access 4). */
import { z } from 'zod'
import { matching } from '../forms.ts'
import { withinFreeJson } from '../free-json.ts'
import { PathPatterns } from '../path-patterns.ts'
import { EvidenceTier } from './evidence-tiers.ts'

const percent = z.int().min(0).max(100)

/**
 * Who approves: anyone with the permission, somebody who took no part in the work, or a person who is present (people
 * 1.3).
 */
const Approval = z.enum(['anyone', 'separate', 'person'])

/** A language model for clients to use: the service only stores and returns it. Undeclared keys are kept. */
const CognitiveModel = z
  .looseObject({
    provider: z.string().exactOptional(),
    model: z.string().exactOptional(),
    api_key_env: z
      .string()
      .regex(...matching('variable_name', /^[A-Za-z_]\w*$/))
      .exactOptional()
      .describe('name of a variable, never the key'),
    max_tokens: z.int().exactOptional().describe('default 800'),
    timeout_s: z.int().exactOptional().describe('default 30'),
  })
  .check(withinFreeJson)
  .meta({ id: 'CognitiveModel' })

/** The columns of open cards: only these can have a maximum number of cards (access 4). */
const limitedColumns = ['not_started', 'started', 'in_progress', 'validation', 'on_hold'] as const

/** The governance rules of a board, each with its default (access 4). */
const settingsFields = {
  max_scenarios_per_card: z.int().min(1).max(100),
  skip_test_coverage_global: z.boolean(),
  skip_rules_coverage_global: z.boolean(),
  skip_trs_coverage_global: z.boolean(),
  skip_contract_coverage_global: z.boolean(),
  skip_decisions_coverage_global: z.boolean(),
  skip_test_evidence_global: z.boolean(),
  require_task_validation: z.boolean(),
  min_confidence: percent,
  min_completeness: percent,
  max_drift: percent,
  require_spec_validation: z.boolean(),
  min_spec_completeness: percent,
  min_spec_assertiveness: percent,
  max_spec_ambiguity: percent,
  require_separate_reviewer: z.boolean(),
  approval_spec: Approval,
  approval_spec_validation: Approval,
  approval_card_validation: Approval,
  approval_done: Approval,
  auto_move: z.boolean(),
  rework_reserve_minutes: z.int().min(0).max(10_080),
  max_attempts: z.int().min(0).max(50).describe('0: no limit'),
  small_changes: z.boolean(),
  small_change_max_hours: z.int().min(0).max(1_000),
  small_change_max_attempts: z.int().min(0).max(50),
  overlap: z.enum(['off', 'warn', 'refuse']),
  shared_paths: PathPatterns,
  edit_guard: z.enum(['off', 'warn', 'deny']),
  stop_claim: z.enum(['remind', 'renew', 'release', 'off']),
  hook_evidence: z.enum(['observed', 'claimed', 'off']),
  min_evidence_tier: EvidenceTier,
  require_fresh_evidence: z.boolean(),
  require_merged_change: z.boolean(),
  require_green_checks: z.boolean(),
  auto_start_on_change: z.boolean(),
  auto_validation_on_pull_request: z.boolean(),
  auto_done_on_merge: z.boolean(),
  notify_failed_checks: z.boolean(),
  require_test_task_for_bug: z.boolean(),
  bug_test_gate_min_severity: z.enum(['minor', 'major', 'critical']),
  column_limits: z
    .partialRecord(z.enum(limitedColumns), z.int().min(1).max(1_000))
    .describe('open cards per column; replaced whole'),
  over_column_limit: z.enum(['warn', 'refuse']),
  cognitive_llm_config: CognitiveModel,
}

/** The complete settings of a board, as in every response. */
export const BoardSettings = z.object(settingsFields).meta({ id: 'BoardSettings' })

/** Settings in a create or update, with any of the keys. */
export const BoardSettingsInput = z
  .object(settingsFields)
  .extend({ cognitive_llm_config: CognitiveModel.nullable().describe('null: {}') })
  .partial()
  .meta({ id: 'BoardSettingsInput' })

/** The defaults of a new board. */
export const defaultBoardSettings: z.output<typeof BoardSettings> = {
  max_scenarios_per_card: 3,
  skip_test_coverage_global: false,
  skip_rules_coverage_global: false,
  skip_trs_coverage_global: false,
  skip_contract_coverage_global: false,
  skip_decisions_coverage_global: false,
  skip_test_evidence_global: false,
  require_task_validation: false,
  min_confidence: 70,
  min_completeness: 80,
  max_drift: 50,
  require_spec_validation: false,
  min_spec_completeness: 80,
  min_spec_assertiveness: 80,
  max_spec_ambiguity: 30,
  require_separate_reviewer: false,
  approval_spec: 'anyone',
  approval_spec_validation: 'anyone',
  approval_card_validation: 'anyone',
  approval_done: 'anyone',
  auto_move: true,
  rework_reserve_minutes: 60,
  max_attempts: 3,
  small_changes: true,
  small_change_max_hours: 8,
  small_change_max_attempts: 2,
  overlap: 'warn',
  shared_paths: [
    '**/*.lock',
    '**/{package-lock.json,npm-shrinkwrap.json,pnpm-lock.yaml,bun.lockb,go.sum,packages.lock.json}',
    'CHANGELOG.md',
  ],
  edit_guard: 'warn',
  stop_claim: 'remind',
  hook_evidence: 'observed',
  min_evidence_tier: 'claimed',
  require_fresh_evidence: false,
  require_merged_change: false,
  require_green_checks: false,
  auto_start_on_change: false,
  auto_validation_on_pull_request: false,
  auto_done_on_merge: false,
  notify_failed_checks: true,
  require_test_task_for_bug: true,
  bug_test_gate_min_severity: 'minor',
  column_limits: {},
  over_column_limit: 'warn',
  cognitive_llm_config: {},
}
