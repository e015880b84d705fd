/** Specs (specs). */
import { z } from 'zod'
import { list } from '../limits.ts'
import { operation } from '../operation.ts'
import { always, byField, byTarget, createdIn, type PermissionRule } from '../permission-rules.ts'
import type { Permission } from '../permissions.ts'
import { listMembers } from '../sent-items.ts'
import {
  ArchitectureDesignSummary,
  Assignee,
  CommaList,
  commaListOf,
  ExpectedRev,
  historyEntry,
  Id,
  includeArchived,
  Labels,
  paging,
  paging50,
  Ref,
  Rev,
  ScreenMockup,
  SentMockup,
  Success,
  sent,
  Text,
  Through,
  Timestamp,
  Title,
} from '../shared.ts'
import { shownAs, toolHints } from '../tool-hints.ts'
import { Sha } from './evidence-tiers.ts'
import { KnowledgeCreate, knowledgeFields, knowledgeSummaryFields } from './knowledge.ts'
import { asking, QuestionAnswer, QuestionAsk, questionFields } from './questions.ts'
import { RecordProof } from './record-proof.ts'
import { ChangeCounts } from './repositories.ts'
import {
  ApiContract,
  BusinessRule,
  ItemChanges,
  ItemType,
  listedItems,
  ProvenScenario,
  Sentence,
  SpecDecision,
  SpecEvaluation,
  SpecEvaluationInput,
  SpecItemRow,
  SpecItemsPut,
  sentLists,
  TechnicalRequirement,
  TestEvidence,
  TestScenario,
} from './spec-items.ts'
import { SpecValidation, SpecValidationRecord, SpecValidationSubmit } from './spec-validations.ts'
import { CardBrief, SpecListItem, SpecStatus } from './summaries.ts'

const Percent = z.int().min(0).max(100).nullable()

const requirements = {
  description: Text,
  context: Text,
  functional_requirements: list(Sentence).nullable(),
  technical_requirements: list(z.union([z.string(), TechnicalRequirement])).nullable(),
  acceptance_criteria: list(Sentence).nullable(),
  test_scenarios: list(TestScenario).nullable(),
  business_rules: list(BusinessRule).nullable(),
  api_contracts: list(ApiContract).nullable(),
  decisions: list(SpecDecision).nullable(),
  screen_mockups: list(ScreenMockup).nullable(),
  assignee_id: Assignee,
  labels: Labels,
  ideation_id: Id.nullable(),
  refinement_id: Id.nullable(),
}

const gates = {
  skip_test_coverage: z.boolean(),
  skip_rules_coverage: z.boolean(),
  skip_trs_coverage: z.boolean(),
  skip_contract_coverage: z.boolean(),
  skip_decisions_coverage: z.boolean(),
  skip_qualitative_validation: z.boolean(),
  validation_threshold: Percent.describe('0-100'),
  require_task_validation: z.boolean().nullable(),
  validation_min_confidence: Percent,
  validation_min_completeness: Percent,
  validation_max_drift: Percent,
}

export const SpecQuestion = z.object({ ...questionFields, spec_id: Id }).meta({ id: 'SpecQuestion' })

export const SpecKnowledge = z.object({ ...knowledgeFields, spec_id: Id }).meta({ id: 'SpecKnowledge' })

export const SpecKnowledgeSummary = z
  .object({ ...knowledgeSummaryFields, spec_id: Id })
  .meta({ id: 'SpecKnowledgeSummary' })

export const Spec = z
  .object({
    id: Id,
    ref: Ref,
    board_id: Id,
    title: z.string(),
    ...requirements,
    test_scenarios: list(ProvenScenario).nullable(),
    ...gates,
    evaluations: z.array(SpecEvaluation),
    current_validation_id: Id.nullable(),
    changed_since_validated: z.array(z.string()).nullable(),
    locked: z.boolean(),
    standing: z.boolean().describe('collects small changes'),
    status: SpecStatus,
    version: z.int(),
    rev: Rev,
    archived: z.boolean(),
    pre_archive_status: z.string().nullable(),
    created_by: z.string(),
    created_at: Timestamp,
    updated_at: Timestamp,
    cards: z.array(CardBrief),
    cards_total: z.int().min(0),
    knowledge_bases: z.array(SpecKnowledgeSummary),
    architecture_designs: z.array(ArchitectureDesignSummary),
    qa_items: z.array(SpecQuestion),
    changes: ChangeCounts.nullable().describe('its cards by change_state; null without changes'),
    proof: RecordProof.nullable().describe('null where nothing but claims exists'),
  })
  .meta({ id: 'Spec' })

export const SpecCreate = z
  .object({ title: Title, status: SpecStatus.default('draft'), ...sent(requirements) })
  .meta({ id: 'SpecCreate' })

/** The lists of items in updates. */
const sentSpecLists = {
  technical_requirements: sentLists.technical_requirements.nullable().exactOptional(),
  test_scenarios: shownAs(sentLists.test_scenarios.nullable().exactOptional(), 'create_spec'),
  business_rules: shownAs(sentLists.business_rules.nullable().exactOptional(), 'create_spec'),
  api_contracts: shownAs(sentLists.api_contracts.nullable().exactOptional(), 'create_spec'),
  decisions: shownAs(sentLists.decisions.nullable().exactOptional(), 'create_spec'),
  screen_mockups: shownAs(list(SentMockup).nullable().exactOptional(), 'create_ideation'),
}

export const SpecUpdate = z
  .object({
    title: Title.exactOptional(),
    ...sent(requirements),
    ...sentSpecLists,
    ...sent(gates),
    evaluation: SpecEvaluationInput.exactOptional().register(toolHints, { like: 'submit_sprint_evaluation' }),
    ...listMembers,
    expected_rev: ExpectedRev,
  })
  .meta({ id: 'SpecUpdate' })

export const SpecMove = z
  .object({ status: SpecStatus, through: Through, expected_rev: ExpectedRev })
  .meta({ id: 'SpecMove' })

export const SpecHistoryEntry = historyEntry('spec_id', 'SpecHistoryEntry')

const SpecCardLink = z.object({ success: Success, spec_id: Id, card_id: Id }).meta({ id: 'SpecCardLink' })

const SpecTaskLink = z
  .object({ success: Success, spec_id: Id, scenario_id: z.string(), card_id: Id })
  .meta({ id: 'SpecTaskLink' })

/** A test result as an agent records it (specs 3.5). */
export const ScenarioResult = z
  .object({
    status: z.enum(['ready', 'automated', 'passed', 'failed']),
    evidence: TestEvidence.nullable()
      .exactOptional()
      .describe('by status (passed, failed: output_snippet or test_run_id); else what is stored counts'),
    note: z.string().max(2_000).nullable().exactOptional(),
    commit: Sha.nullable().exactOptional().describe('at which it was tested').register(toolHints, { hidden: true }),
    repository_id: Id.nullable()
      .exactOptional()
      .describe('id or name; default: the only one')
      .register(toolHints, { hidden: true }),
  })
  .meta({ id: 'ScenarioResult' })

const ItemLink = z
  .object({ item_type: ItemType.exactOptional().describe('where several lists hold the id') })
  .meta({ id: 'ItemLink' })

const SpecItemLink = z
  .object({
    success: Success,
    spec_id: Id,
    item_id: z.string(),
    item_type: ItemType,
    card_id: Id,
    linked_task_ids: z.array(Id),
  })
  .meta({ id: 'SpecItemLink' })

const SpecEvaluationSubmitted = z
  .object({
    evaluation: SpecEvaluation,
    gate: z
      .object({
        can_start: z.boolean(),
        approvals: z.int(),
        rejections: z.int(),
        average: z.number().nullable(),
        threshold: z.int(),
      })
      .meta({ id: 'SpecEvaluationGate' }),
  })
  .meta({ id: 'SpecEvaluationSubmitted' })

const unlocking: ReadonlySet<unknown> = new Set(['validated', 'in_progress', 'done'])
const editable: ReadonlySet<unknown> = new Set(['draft', 'review', 'approved'])

const toTarget = byTarget('SPECS_MOVE')

/** Permission rule of a move: its target; also SPECS_UNLOCK if it drops the active validation (access 2.5). */
const moving: PermissionRule = {
  permissions: (input, status) => [
    ...toTarget.permissions(input, status),
    ...(unlocking.has(status) && editable.has(input.body.status) ? (['SPECS_UNLOCK'] as const) : []),
  ],
  guards: [
    ...toTarget.guards,
    {
      permission: 'SPECS_UNLOCK',
      part: `besides its target, from ${[...unlocking].join(', ')} to ${[...editable].join(', ')}, which drops the active validation`,
    },
  ],
}

const params = { spec_id: Id }
const cardParams = { spec_id: Id, card_id: Id }
const itemParams = { spec_id: Id, item_id: z.string(), card_id: Id }
const scenarioParams = { spec_id: Id, scenario_id: z.string(), card_id: Id }
const keywords = ['specification', 'requirements', 'acceptance criteria']
const writeErrors = ['VALIDATION_ERROR', 'ARCHIVED', 'TEST_EVIDENCE_REQUIRED'] as const

const inStatus = createdIn('SPECS', 'draft')

const create_spec = operation({
  name: 'create_spec',
  method: 'POST',
  path: '/api/v1/boards/{board_id}/specs',
  permission: 'SPECS_CREATE',
  title: 'Create spec',
  description: 'Create a spec with its requirements and items.',
  aside: ['api_contracts', 'decisions', 'status', 'screen_mockups', 'ideation_id', 'refinement_id'],
  params: { board_id: Id },
  body: SpecCreate,
  response: Spec,
  status: 201,
  errors: writeErrors,
  asks: {
    permissions: (input, status) => ['SPECS_CREATE', ...inStatus.permissions(input, status)],
    guards: [{ permission: 'SPECS_CREATE' }, ...inStatus.guards],
  },
  keywords,
})

const list_specs = operation({
  name: 'list_specs',
  method: 'GET',
  path: '/api/v1/boards/{board_id}/specs',
  permission: 'SPECS_READ',
  title: 'List specs',
  description: 'List the specs of a board.',
  aside: ['include_archived'],
  params: { board_id: Id },
  query: {
    status: z.string().optional(),
    ...includeArchived,
    include_standing: z
      .boolean()
      .default(false)
      .describe('the spec of small changes')
      .register(toolHints, { hidden: true }),
    ...paging,
  },
  list: SpecListItem,
  errors: ['VALIDATION_ERROR'],
  keywords,
})

const get_spec = operation({
  name: 'get_spec',
  method: 'GET',
  path: '/api/v1/specs/{spec_id}',
  permission: 'SPECS_READ',
  title: 'Get spec',
  description: 'Get a spec with everything on it.',
  params,
  response: Spec,
  parts: {
    architecture_designs: 'ARCHITECTURE_READ',
    cards: 'CARDS_READ',
    evaluations: 'SPECS_READ_VALIDATIONS',
    knowledge_bases: 'KNOWLEDGE_READ',
    qa_items: 'QA_READ',
  },
  errors: [],
  keywords,
})

/** The permission of each list of a spec with one of its own (access 2.3). */
export const listPermissions = {
  screen_mockups: 'SPECS_UPDATE_MOCKUPS',
  test_scenarios: 'SPECS_UPDATE_SCENARIOS',
  business_rules: 'SPECS_UPDATE_RULES',
  api_contracts: 'SPECS_UPDATE_CONTRACTS',
} as const satisfies Readonly<Record<string, Permission>>

const update_spec = operation({
  name: 'update_spec',
  method: 'PATCH',
  path: '/api/v1/specs/{spec_id}',
  permission: 'SPECS_UPDATE',
  title: 'Update spec',
  description: 'Change fields of a spec, or whole lists of its items.',
  aside: [
    'functional_requirements',
    'technical_requirements',
    'acceptance_criteria',
    'test_scenarios',
    'business_rules',
    'api_contracts',
    'decisions',
    'screen_mockups',
    'ideation_id',
    'refinement_id',
    'skip_test_coverage',
    'skip_rules_coverage',
    'skip_trs_coverage',
    'skip_contract_coverage',
    'skip_decisions_coverage',
    'skip_qualitative_validation',
    'validation_threshold',
    'require_task_validation',
    'validation_min_confidence',
    'validation_min_completeness',
    'validation_max_drift',
    'evaluation',
    'lists',
    'allow_removal',
  ],
  params,
  body: SpecUpdate,
  response: Spec,
  errors: [...writeErrors, 'SPEC_LOCKED', 'ITEMS_IN_USE', 'SCENARIO_LIMIT', 'SPEC_NOT_VALIDATED'],
  asks: byField('SPECS_UPDATE', {
    ...listPermissions,
    assignee_id: 'SPECS_ASSIGN',
    labels: 'SPECS_LABEL',
    ...Object.fromEntries(Object.keys(gates).map(name => [name, 'SPECS_UPDATE_COVERAGE_FLAGS' as const])),
    evaluation: 'SPECS_VALIDATE',
  }),
  writesIn: 'SPECS',
  keywords: [...keywords, 'test scenarios', 'business rules', 'evaluate'],
})

const put_spec_items = operation({
  name: 'put_spec_items',
  method: 'POST',
  path: '/api/v1/specs/{spec_id}/items',
  permission: 'SPECS_UPDATE',
  extension: true,
  title: 'Put spec items',
  description: 'Add, change or remove single items of a spec. What is left out of an item stays; a new one gets an id.',
  aside: ['screen_mockups', 'allow_removal'],
  params,
  body: SpecItemsPut,
  response: ItemChanges,
  status: 200,
  errors: [...writeErrors, 'SPEC_LOCKED', 'ITEMS_IN_USE', 'SCENARIO_LIMIT'],
  // Removals determine the list: the implementation checks its permission.
  asks: byField('SPECS_UPDATE', listPermissions, ['remove']),
  writesIn: 'SPECS',
  keywords: [...keywords, 'scenario', 'rule', 'contract', 'decision', 'criterion', 'mockup'],
})

const list_spec_items = operation({
  name: 'list_spec_items',
  method: 'GET',
  path: '/api/v1/specs/{spec_id}/items',
  permission: 'SPECS_READ',
  extension: true,
  title: 'List spec items',
  description: 'List the matching items of a spec one by one.',
  params,
  query: {
    list: commaListOf(listedItems).optional().describe('comma list'),
    id: CommaList.optional().describe('comma list'),
    status: z.string().max(50).optional(),
    linked: z.string().max(255).optional().describe('card, or none'),
    criterion: z.string().max(200_000).optional().describe('index or text: scenarios that name it'),
    q: z.string().max(200).optional().describe('words'),
    ...paging50,
  },
  list: SpecItemRow,
  errors: ['VALIDATION_ERROR'],
  keywords: [...keywords, 'scenario', 'rule', 'contract', 'decision', 'criterion', 'criteria', 'requirement', 'mockup'],
})

const move_spec = operation({
  name: 'move_spec',
  method: 'POST',
  path: '/api/v1/specs/{spec_id}/move',
  permission: 'SPECS_MOVE',
  title: 'Move spec',
  description: 'Move a spec through its gates. A blocked move lists what is missing.',
  aside: ['expected_rev'],
  params,
  body: SpecMove,
  aliases: { target_status: 'status' },
  response: Spec,
  errors: [
    'VALIDATION_ERROR',
    'ARCHIVED',
    'INVALID_TRANSITION',
    'COVERAGE_REQUIRED',
    'SPEC_VALIDATION_REQUIRED',
    'EVALUATION_REJECTED',
    'EVALUATION_REQUIRED',
    'EVALUATION_BELOW_THRESHOLD',
    'CRITERIA_UNCOVERED',
    'SPRINTS_OPEN',
    'NO_CLOSED_SPRINT',
    'TASKS_OPEN',
    'SCENARIOS_OPEN',
    'PROOF_REQUIRED',
  ],
  asks: moving,
  writesIn: 'SPECS',
  keywords: [...keywords, 'approve', 'unlock', 'finish'],
})

const delete_spec = operation({
  name: 'delete_spec',
  method: 'DELETE',
  path: '/api/v1/specs/{spec_id}',
  permission: 'SPECS_DELETE',
  title: 'Delete spec',
  description: 'Delete a spec with its sprints; cards stay.',
  params,
  confirm: true,
  errors: [],
  writesIn: 'SPECS',
  keywords,
})

const list_spec_history = operation({
  name: 'list_spec_history',
  method: 'GET',
  path: '/api/v1/specs/{spec_id}/history',
  permission: 'SPECS_READ',
  title: 'List spec history',
  description: 'List the changes of a spec.',
  params,
  query: paging50,
  list: SpecHistoryEntry,
  errors: [],
  asks: always('SPECS_READ_HISTORY', 'SPECS_READ'),
  keywords: ['audit trail', 'changelog'],
})

const link_card_to_spec = operation({
  name: 'link_card_to_spec',
  method: 'POST',
  path: '/api/v1/specs/{spec_id}/link-card/{card_id}',
  permission: 'SPECS_LINK',
  title: 'Link card to spec',
  description: 'Put a card on an approved spec.',
  params: cardParams,
  response: SpecCardLink,
  errors: ['ARCHIVED', 'SPEC_NOT_READY'],
  asks: always('SPECS_LINK_CARDS'),
  writesIn: 'SPECS',
  effect: 'repeatable',
  keywords: ['attach task'],
})

const unlink_card_from_spec = operation({
  name: 'unlink_card_from_spec',
  method: 'POST',
  path: '/api/v1/specs/{spec_id}/unlink-card/{card_id}',
  permission: 'SPECS_LINK',
  title: 'Unlink card from spec',
  description: 'Take a card off its spec, sprint and links.',
  params: cardParams,
  response: SpecCardLink,
  errors: ['ARCHIVED'],
  asks: always('SPECS_LINK_CARDS'),
  writesIn: 'SPECS',
  effect: 'repeatable',
  keywords: ['detach task'],
})

const link_task_to_scenario = operation({
  name: 'link_task_to_scenario',
  method: 'POST',
  path: '/api/v1/specs/{spec_id}/scenarios/{scenario_id}/link-task/{card_id}',
  permission: 'SPECS_LINK',
  title: 'Link task to scenario',
  description: 'Link a card and a test scenario of its spec.',
  params: scenarioParams,
  response: SpecTaskLink,
  errors: ['ARCHIVED', 'CARD_NOT_IN_SPEC', 'SCENARIO_LIMIT'],
  asks: always('SPECS_LINK_SCENARIOS'),
  writesIn: 'SPECS',
  effect: 'repeatable',
  keywords: ['traceability', 'cover scenario', 'test card'],
})

const unlink_task_from_scenario = operation({
  name: 'unlink_task_from_scenario',
  method: 'POST',
  path: '/api/v1/specs/{spec_id}/scenarios/{scenario_id}/unlink-task/{card_id}',
  permission: 'SPECS_LINK',
  title: 'Unlink task from scenario',
  description: 'Take a card off a test scenario.',
  params: scenarioParams,
  response: SpecTaskLink,
  errors: ['ARCHIVED', 'SPEC_LOCKED'],
  asks: always('SPECS_LINK_SCENARIOS'),
  writesIn: 'SPECS',
  effect: 'repeatable',
  keywords: ['traceability', 'test card'],
})

const list_spec_knowledge = operation({
  name: 'list_spec_knowledge',
  method: 'GET',
  path: '/api/v1/specs/{spec_id}/knowledge',
  permission: 'KNOWLEDGE_READ',
  title: 'List spec knowledge',
  description: 'List the knowledge of a spec.',
  params,
  query: paging,
  list: SpecKnowledgeSummary,
  errors: [],
  asks: always('KNOWLEDGE_READ', 'SPECS_READ'),
  keywords: ['documents', 'context'],
})

const get_spec_knowledge = operation({
  name: 'get_spec_knowledge',
  method: 'GET',
  path: '/api/v1/specs/{spec_id}/knowledge/{knowledge_id}',
  permission: 'KNOWLEDGE_READ',
  title: 'Get spec knowledge',
  description: 'Get a knowledge item of a spec.',
  params: { spec_id: Id, knowledge_id: Id },
  response: SpecKnowledge,
  errors: [],
  asks: always('KNOWLEDGE_READ', 'SPECS_READ'),
  keywords: ['document', 'context'],
})

const create_spec_knowledge = operation({
  name: 'create_spec_knowledge',
  method: 'POST',
  path: '/api/v1/specs/{spec_id}/knowledge',
  permission: 'KNOWLEDGE_CREATE',
  title: 'Create spec knowledge',
  description: 'Add a knowledge item to a spec.',
  params,
  body: KnowledgeCreate,
  response: SpecKnowledge,
  status: 201,
  errors: ['ARCHIVED'],
  asks: always('KNOWLEDGE_CREATE', 'SPECS_READ'),
  writesIn: 'SPECS',
  keywords: ['document', 'context'],
})

const delete_spec_knowledge = operation({
  name: 'delete_spec_knowledge',
  method: 'DELETE',
  path: '/api/v1/specs/{spec_id}/knowledge/{knowledge_id}',
  permission: 'KNOWLEDGE_DELETE',
  title: 'Delete spec knowledge',
  description: 'Delete a knowledge item of a spec.',
  params: { spec_id: Id, knowledge_id: Id },
  errors: ['ARCHIVED'],
  asks: always('KNOWLEDGE_DELETE', 'SPECS_READ'),
  writesIn: 'SPECS',
  keywords: ['document', 'context'],
})

const list_spec_questions = operation({
  name: 'list_spec_questions',
  method: 'GET',
  path: '/api/v1/specs/{spec_id}/qa',
  permission: 'QA_READ',
  title: 'List spec questions',
  description: 'List the questions of a spec.',
  params,
  query: paging,
  list: SpecQuestion,
  errors: [],
  asks: always('QA_READ', 'SPECS_READ'),
  keywords: ['clarification'],
})

const ask_spec_question = operation({
  name: 'ask_spec_question',
  method: 'POST',
  path: '/api/v1/specs/{spec_id}/qa',
  permission: 'QA_CREATE',
  title: 'Ask spec question',
  description: 'Ask a question about a spec.',
  params,
  body: QuestionAsk,
  response: SpecQuestion,
  status: 201,
  errors: ['VALIDATION_ERROR', 'ARCHIVED'],
  asks: asking('SPECS_READ'),
  keywords: ['clarification'],
})

const answer_spec_question = operation({
  name: 'answer_spec_question',
  method: 'POST',
  path: '/api/v1/specs/{spec_id}/qa/{qa_id}/answer',
  permission: 'QA_ANSWER',
  title: 'Answer spec question',
  description: 'Answer a question of a spec.',
  params: { spec_id: Id, qa_id: Id },
  body: QuestionAnswer,
  response: SpecQuestion,
  errors: ['VALIDATION_ERROR', 'ARCHIVED'],
  asks: always('QA_ANSWER_SPECS', 'SPECS_READ'),
  keywords: ['clarification'],
})

const delete_spec_question = operation({
  name: 'delete_spec_question',
  method: 'DELETE',
  path: '/api/v1/specs/{spec_id}/qa/{qa_id}',
  permission: 'QA_DELETE',
  title: 'Delete spec question',
  description: 'Delete a question of a spec.',
  params: { spec_id: Id, qa_id: Id },
  errors: ['ARCHIVED'],
  asks: always('QA_DELETE', 'SPECS_READ'),
  keywords: ['clarification'],
})

const submit_spec_validation = operation({
  name: 'submit_spec_validation',
  method: 'POST',
  path: '/api/v1/specs/{spec_id}/validation',
  permission: 'SPECS_VALIDATE',
  title: 'Submit spec validation',
  description: 'Judge an approved spec: 80, 80 and ≤ 30 pass by default. Success validates and locks it.',
  params,
  body: SpecValidationSubmit,
  response: SpecValidation,
  status: 201,
  errors: ['ARCHIVED', 'SPEC_NOT_APPROVED', 'REVIEWER_NOT_SEPARATE', 'COVERAGE_REQUIRED'],
  asks: always('SPECS_VALIDATE', 'SPECS_READ'),
  writesIn: 'SPECS',
  openIn: ['approved'],
  keywords: ['review spec', 'quality gate', 'lock'],
})

const list_spec_validations = operation({
  name: 'list_spec_validations',
  method: 'GET',
  path: '/api/v1/specs/{spec_id}/validations',
  permission: 'SPECS_READ',
  title: 'List spec validations',
  description: 'List the validations of a spec.',
  params,
  response: z
    .object({
      spec_id: Id,
      current_validation_id: Id.nullable(),
      validations: z.array(SpecValidationRecord),
    })
    .meta({ id: 'SpecValidations' }),
  errors: [],
  asks: always('SPECS_READ_VALIDATIONS', 'SPECS_READ'),
  keywords: ['quality gate', 'verdicts'],
})

const record_scenario_result = operation({
  name: 'record_scenario_result',
  method: 'POST',
  path: '/api/v1/specs/{spec_id}/scenarios/{scenario_id}/result',
  permission: 'SPECS_RECORD_RESULTS',
  title: 'Record scenario result',
  description: 'Record the result of a test scenario with its evidence.',
  params: { spec_id: Id, scenario_id: z.string() },
  body: ScenarioResult,
  response: ProvenScenario,
  errors: ['VALIDATION_ERROR', 'ARCHIVED', 'INVALID_STATE', 'TEST_EVIDENCE_REQUIRED'],
  writesIn: 'SPECS',
  openIn: ['approved', 'validated', 'in_progress', 'done'],
  effect: 'repeatable',
  keywords: ['test result', 'passed', 'failed', 'automated', 'evidence'],
  extension: true,
})

const submit_spec_evaluation = operation({
  name: 'submit_spec_evaluation',
  method: 'POST',
  path: '/api/v1/specs/{spec_id}/evaluations',
  permission: 'SPECS_VALIDATE',
  title: 'Evaluate spec',
  description: 'Submit your verdict on the breakdown of a validated spec; approvals must average 70 by default.',
  params,
  body: SpecEvaluationInput,
  response: SpecEvaluationSubmitted,
  status: 201,
  errors: ['ARCHIVED', 'SPEC_NOT_VALIDATED'],
  writesIn: 'SPECS',
  openIn: ['validated'],
  keywords: [...keywords, 'evaluate', 'approve', 'quality gate'],
  extension: true,
})

const link_task_to_item = operation({
  name: 'link_task_to_item',
  method: 'POST',
  path: '/api/v1/specs/{spec_id}/items/{item_id}/link-task/{card_id}',
  permission: 'SPECS_LINK_ITEMS',
  title: 'Link task to item',
  description: 'Link a card and a rule, contract, decision or technical requirement of its spec.',
  params: itemParams,
  body: ItemLink,
  bodyOptional: true,
  response: SpecItemLink,
  errors: ['VALIDATION_ERROR', 'ARCHIVED', 'CARD_NOT_IN_SPEC'],
  writesIn: 'SPECS',
  effect: 'repeatable',
  keywords: ['traceability', 'cover rule', 'coverage'],
  extension: true,
})

const unlink_task_from_item = operation({
  name: 'unlink_task_from_item',
  method: 'POST',
  path: '/api/v1/specs/{spec_id}/items/{item_id}/unlink-task/{card_id}',
  permission: 'SPECS_LINK_ITEMS',
  title: 'Unlink task from item',
  description: 'Take a card off a rule, contract, decision or technical requirement.',
  params: itemParams,
  body: ItemLink,
  bodyOptional: true,
  response: SpecItemLink,
  errors: ['VALIDATION_ERROR', 'ARCHIVED', 'SPEC_LOCKED'],
  writesIn: 'SPECS',
  effect: 'repeatable',
  keywords: ['traceability'],
  extension: true,
})

export const specs = {
  create_spec,
  list_specs,
  get_spec,
  update_spec,
  move_spec,
  delete_spec,
  list_spec_history,
  link_card_to_spec,
  unlink_card_from_spec,
  link_task_to_scenario,
  unlink_task_from_scenario,
  list_spec_knowledge,
  get_spec_knowledge,
  create_spec_knowledge,
  delete_spec_knowledge,
  list_spec_questions,
  ask_spec_question,
  answer_spec_question,
  delete_spec_question,
  submit_spec_validation,
  list_spec_validations,
  record_scenario_result,
  submit_spec_evaluation,
  link_task_to_item,
  unlink_task_from_item,
  put_spec_items,
  list_spec_items,
} as const
