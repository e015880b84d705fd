/** Cards (cards). */
import { z } from 'zod'
import { list } from '../limits.ts'
import { operation } from '../operation.ts'
import { PathPattern, PathPatterns } from '../path-patterns.ts'
import { always, byField, byTarget, createdIn } from '../permission-rules.ts'
import type { Permission } from '../permissions.ts'
import { listMembers } from '../sent-items.ts'
import {
  Assignee,
  CommaList,
  commaListOf,
  commaListOfIds,
  ExpectedRev,
  Id,
  includeArchived,
  inOneLine,
  Moment,
  paging,
  paging50,
  Ref,
  ScreenMockup,
  SentMockup,
  Success,
  sent,
  Text,
  Timestamp,
  Title,
  withoutRepeats,
} from '../shared.ts'
import { shownAs, toolHints } from '../tool-hints.ts'
import {
  ActivityEntry,
  Card,
  CardKnowledge,
  CardReference,
  MovedCard,
  SentCheck,
  TaskValidation,
  TaskValidationSubmitted,
  ValidationEvidence,
} from './card.ts'
import { ProofSign } from './record-proof.ts'
import { CardChangeState, ChecksState } from './repositories.ts'
import { Spec } from './specs.ts'
import { BugSeverity, CardPriority, CardStatus, CardType, SessionName } from './summaries.ts'

const LongText = z.string().max(200_000).nullable()

/**
 * The position of a card in its column: far enough below the largest safe integer that later cards can always move up.
 */
const Position = z.int().min(-1).max(1_000_000_000).nullable().exactOptional().describe('-1 = end')

/** The session that claims a card, which the claim is bound to (harness 3.2). */
export const ofSession = { session: SessionName.nullable().exactOptional().register(toolHints, { hidden: true }) }

/** Lets people who may change the board work on paths that others work on, if the board refuses that (harness 5.5). */
export const allowOverlap = { allow_overlap: z.boolean().exactOptional().register(toolHints, { hidden: true }) }

/** Maximum number of labels of a card. */
export const maxLabels = 50

const CardLabels = z.array(z.string().min(1).max(100)).max(maxLabels).overwrite(withoutRepeats)

const writable = {
  description: LongText.exactOptional(),
  details: LongText.exactOptional(),
  assignee_id: Assignee.exactOptional(),
  due_date: Moment.nullable().exactOptional(),
  labels: CardLabels.nullable().exactOptional(),
  paths: PathPatterns.nullable()
    .exactOptional()
    .describe('its scope: patterns of files')
    .register(toolHints, { hidden: true }),
  spec_id: Id.nullable().exactOptional(),
  sprint_id: Id.nullable().exactOptional(),
  test_scenario_ids: list(z.string()).nullable().exactOptional(),
  screen_mockups: list(ScreenMockup).nullable().exactOptional(),
  severity: BugSeverity.nullable().exactOptional(),
  expected_behavior: Text.exactOptional(),
  observed_behavior: Text.exactOptional(),
  steps_to_reproduce: Text.exactOptional(),
  action_plan: Text.exactOptional(),
  regression_test: z.string().max(500).nullable().exactOptional().describe('test or command that shows the bug'),
}

const checked = SentCheck.nullable().exactOptional()

/** An execution report, in parts (cards 4.4). */
const report = {
  conclusion: LongText.exactOptional(),
  completeness: z.int().nullable().exactOptional().describe('0-100'),
  completeness_justification: z.string().nullable().exactOptional(),
  drift: z.int().nullable().exactOptional().describe('0-100, 0 = as planned'),
  drift_justification: z.string().nullable().exactOptional(),
}

/** Fields that tools accept but do not list. */
const unlisted = <Shape extends Readonly<Record<string, z.ZodType>>>(shape: Shape): Shape =>
  Object.fromEntries(
    Object.entries(shape).map(([name, schema]) => [name, schema.clone().register(toolHints, { hidden: true })]),
  ) as Shape

/** Body of create_card; a bug needs its expected and observed behavior, and a card without a spec is a small change. */
export const CardCreate = z
  .object({
    title: Title,
    card_type: CardType.default('normal'),
    status: CardStatus.default('not_started'),
    priority: CardPriority.default('none'),
    ...writable,
    origin_task_id: Id.nullable().exactOptional().describe('card in which the defect arose'),
    claim: z
      .union([z.boolean(), z.int().min(60).max(86_400)])
      .nullable()
      .exactOptional()
      .describe('take and start it; or seconds'),
    covers: z.array(z.string().min(1).max(200)).max(100).nullable().exactOptional().describe('item ids of the spec'),
    depends_on: z.array(Id).max(100).nullable().exactOptional().describe('cards'),
    check: checked.describe('how it will be checked'),
    ...unlisted(report),
    imported: z.boolean().exactOptional().describe('past work; runs no gates').register(toolHints, { hidden: true }),
    ...ofSession,
    ...allowOverlap,
  })
  .meta({ id: 'CardCreate' })

const knowledgeText = {
  title: z.string().max(500).overwrite(inOneLine),
  content: z.string().max(1_000_000),
  description: z.string().nullable().exactOptional(),
  mime_type: z.string().max(100).exactOptional(),
}

/** An entry of `knowledge_bases` in an update; without an id it is a new one, which needs a title and a content. */
export const CardKnowledgeInput = z
  .object({
    id: z.string().min(1).max(255).exactOptional(),
    ...sent(knowledgeText),
    source: z.string().max(500).exactOptional(),
  })
  .meta({ id: 'CardKnowledgeInput' })

export const CardUpdate = z
  .object({
    title: Title.nullable().exactOptional(),
    card_type: CardType.exactOptional().describe('fixed at creation, ignored').register(toolHints, { hidden: true }),
    status: CardStatus.exactOptional().describe('moves it'),
    priority: CardPriority.nullable().exactOptional(),
    position: Position,
    ...writable,
    add_labels: CardLabels.exactOptional(),
    remove_labels: CardLabels.exactOptional(),
    add_paths: PathPatterns.exactOptional().register(toolHints, { hidden: true }),
    remove_paths: PathPatterns.exactOptional().register(toolHints, { hidden: true }),
    screen_mockups: shownAs(list(SentMockup).nullable().exactOptional(), 'create_ideation'),
    knowledge_bases: list(CardKnowledgeInput).nullable().exactOptional(),
    linked_test_task_ids: list(Id).nullable().exactOptional(),
    lists: listMembers.lists,
    expected_rev: ExpectedRev,
    ...allowOverlap,
  })
  .superRefine((body, ctx) => {
    for (const whole of ['labels', 'paths'] as const)
      for (const field of [`add_${whole}`, `remove_${whole}`] as const)
        if (body[whole] !== undefined && body[field] !== undefined)
          ctx.addIssue({
            code: 'custom',
            path: [field],
            message: `${whole} replaces them all; send only one`,
            input: body[field],
          })
  })
  .meta({ id: 'CardUpdate' })

export const CardMove = z
  .object({
    target_status: CardStatus,
    position: Position,
    ...report,
    check: checked.describe('how it was checked'),
    expected_rev: ExpectedRev,
  })
  .meta({ id: 'CardMove' })

/**
 * Any value: an invalid one is refused with 400 by the operation, not with 422 by the schema. `metadata` describes
 * valid ones.
 */
const unvalidated = (metadata: Readonly<Record<string, unknown>>) => z.unknown().optional().meta(metadata)

const score = unvalidated({ type: 'integer', description: '0-100' })
const justification = z.string().nullable().exactOptional()

/** Body of submit_task_validation: scored if it has any score, otherwise plain (cards 5.2). */
export const TaskValidationSubmit = z
  .object({
    outcome: unvalidated({ type: 'string', enum: ['success', 'failed'] }),
    recommendation: unvalidated({ type: 'string', enum: ['approve', 'reject'] }),
    summary: LongText.exactOptional(),
    evidence: z.array(ValidationEvidence).max(100).nullable().exactOptional(),
    reviewer_id: z.string().min(1).max(255).nullable().exactOptional(),
    confidence: score,
    confidence_justification: justification,
    estimated_completeness: score,
    completeness_justification: justification,
    estimated_drift: score,
    drift_justification: justification,
    auto_move: z.boolean().nullable().exactOptional().describe('to done on success'),
    seen_changes: z.boolean().exactOptional().register(toolHints, { hidden: true }),
  })
  .meta({ id: 'TaskValidationSubmit' })

export const CardKnowledgeCreate = z
  .object({ ...knowledgeText, source: z.string().max(500).exactOptional() })
  .meta({ id: 'CardKnowledgeCreate' })

export const CardKnowledgeUpdate = z
  .object({
    title: knowledgeText.title.exactOptional(),
    content: knowledgeText.content.exactOptional(),
    description: knowledgeText.description,
    mime_type: knowledgeText.mime_type,
  })
  .meta({ id: 'CardKnowledgeUpdate' })

export const TestTaskLink = z.object({ test_task_id: Id }).meta({ id: 'TestTaskLink' })

const CardDependency = z
  .object({ id: Id, card_id: Id, depends_on_id: Id, created_at: Timestamp })
  .meta({ id: 'CardDependency' })

/** One card of a board that waits for another (cards 6). */
export const BoardDependency = z
  .object({ card_id: Id, card_ref: Ref, depends_on_id: Id, depends_on_ref: Ref })
  .meta({ id: 'BoardDependency' })

const TestTaskLinked = z
  .object({
    success: Success,
    bug_card_id: Id,
    test_task_id: Id,
    linked_test_task_ids: z.array(Id),
    is_unblocked: z.boolean(),
  })
  .meta({ id: 'TestTaskLinked' })

const TaskValidations = z
  .object({
    card_id: Id,
    total: z.int(),
    current_validation_id: Id.nullable(),
    validations: z.array(TaskValidation),
  })
  .meta({ id: 'TaskValidations' })

const CardKnowledgeList = z.object({ card_id: Id, knowledge: z.array(CardKnowledge) }).meta({ id: 'CardKnowledgeList' })

const CardSeen = z
  .object({
    items: z.record(z.string(), z.array(z.object({ agent_id: Id, agent_name: z.string(), seen_at: Timestamp }))),
  })
  .meta({ id: 'CardSeen' })

const params = { card_id: Id }
const keywords = ['task', 'ticket', 'issue', 'story']
const dependencyWords = [...keywords, 'blocked', 'blocker']
const knowledgeWords = [...keywords, 'notes', 'documents']
const bugWords = [...keywords, 'bug', 'defect']
const reviewWords = [...keywords, 'review', 'approve', 'sign off', 'quality gate']

/** A card in a list (cards 16). */
export const CardSummary = Card.pick({
  id: true,
  ref: true,
  title: true,
  status: true,
  priority: true,
  card_type: true,
  due_date: true,
  position: true,
  assignee_id: true,
  spec_id: true,
  sprint_id: true,
  claim: true,
  paths: true,
  severity: true,
  created_at: true,
  updated_at: true,
  moved_at: true,
})
  .extend({
    labels: z.array(z.string()),
    assignee_name: z.string().nullable(),
    spec_ref: Ref.nullable(),
    ready: z.boolean().describe('to start, for you'),
    blocked_by: z.int().min(0).describe('open dependencies'),
    open_questions: z.int().min(0),
    comments_count: z.int().min(0),
    scenarios: z.object({ total: z.int().min(0), passed: z.int().min(0), failed: z.int().min(0) }),
    change_state: CardChangeState.nullable(),
    checks_state: ChecksState.nullable(),
    proof: ProofSign.nullable().describe('null where nothing but claims exists'),
  })
  .meta({ id: 'CardSummary' })

/** Filters of card lists, by the most requested fields (cards 16, work 2). */
export const cardFilters = {
  card_type: CardType.optional(),
  spec_id: Id.optional(),
  sprint_id: Id.optional(),
  assignee_id: z.string().max(255).optional().describe('or me, none'),
  label: CommaList.optional().describe('comma list'),
}

/** Its path belongs to boards; it is here because it lists cards. */
const list_cards = operation({
  name: 'list_cards',
  method: 'GET',
  path: '/api/v1/boards/{board_id}/cards',
  permission: 'CARDS_READ',
  reads: 'board',
  extension: true,
  title: 'List cards',
  description: 'List the cards of a board.',
  params: { board_id: Id },
  query: {
    ids: commaListOfIds('card').optional().describe('comma list'),
    status: commaListOf(CardStatus.options).optional().describe('comma list'),
    ...cardFilters,
    priority: commaListOf(CardPriority.options).optional().describe('comma list'),
    q: z.string().max(200).optional().describe('words'),
    updated_since: Moment.optional(),
    blocked: z.boolean().optional(),
    overdue: z.boolean().optional().register(toolHints, { hidden: true }),
    path: PathPattern.optional()
      .describe('a file, or a pattern overlapping their scope')
      .register(toolHints, { hidden: true }),
    ...includeArchived,
    order: z.enum(['board', 'updated', 'created', 'due', 'priority']).default('board'),
    ...paging,
  },
  list: CardSummary,
  errors: [],
  keywords: [...keywords, 'search', 'filter', 'backlog'],
})

/** The permission to create a card, by kind. */
const creating: Readonly<Record<string, Permission>> = {
  normal: 'CARDS_CREATE',
  bug: 'CARDS_CREATE_BUG',
  test: 'CARDS_CREATE_TEST',
}

const inStatus = createdIn('CARDS', 'not_started')

const isNamed = (value: unknown): boolean => Array.isArray(value) && value.length > 0

/** The permissions for parts of create_card's body besides the card itself, in the order checked. */
const creatingWith: readonly (readonly [
  part: string,
  isSent: (body: Readonly<Record<string, unknown>>) => boolean,
  permissions: readonly Permission[],
])[] = [
  ['test_scenario_ids', body => isNamed(body.test_scenario_ids), ['CARDS_LINK_TESTS']],
  ['covers', body => isNamed(body.covers), ['SPECS_LINK_ITEMS']],
  ['depends_on', body => isNamed(body.depends_on), ['CARDS_LINK_DEPENDENCIES']],
  ['claim', ({ claim }) => claim != null && claim !== false, ['CARDS_CLAIM', 'CARDS_MOVE_STARTED']],
  ['imported', body => body.imported === true, ['BOARDS_IMPORT']],
]

/** The permission for the card itself: a small change needs less (crew 7). */
const creatingKind = ({ card_type, spec_id }: Readonly<Record<string, unknown>>): Permission =>
  card_type === 'normal' && spec_id == null ? 'CARDS_CREATE_SMALL' : creating[String(card_type)]!

/** Its path belongs to boards. */
export const create_card = operation({
  name: 'create_card',
  method: 'POST',
  path: '/api/v1/boards/{board_id}/cards',
  permission: 'CARDS_CREATE',
  title: 'Create card',
  description: 'Create a card: of a spec, or a small change that needs none.',
  aside: ['details', 'severity', 'screen_mockups', 'status', 'action_plan', 'again'],
  params: { board_id: Id },
  body: CardCreate,
  aliases: { type: 'card_type' },
  response: Card,
  status: 201,
  errors: [
    'PATHS_OVERLAP',
    'VALIDATION_ERROR',
    'ARCHIVED',
    'SPEC_NOT_READY',
    'SCENARIO_LIMIT',
    'INVALID_TRANSITION',
    'INVALID_STATE',
    'SPRINT_REQUIRED',
    'SPRINT_NOT_ACTIVE',
    'VALIDATION_REQUIRED',
    'SCENARIOS_NOT_RUN',
    'TEST_TASK_REQUIRED',
    'CONCLUSION_REQUIRED',
    'CHECK_FAILED',
    'DEPENDENCIES_NOT_MET',
    'PROOF_REQUIRED',
    'CHANGE_NOT_MERGED',
    'CHECKS_NOT_GREEN',
    'COLUMN_FULL',
  ],
  asks: {
    permissions: (input, status) => [
      creatingKind(input.body),
      ...creatingWith.flatMap(([, isSent, permissions]) => (isSent(input.body) ? permissions : [])),
      ...inStatus.permissions(input, status),
    ],
    guards: [
      ...Object.entries(creating).map(([type, permission]) => ({ permission, part: `card_type ${type}` })),
      { permission: 'CARDS_CREATE_SMALL', part: 'card_type normal, in the standing spec' },
      ...creatingWith.flatMap(([part, , permissions]) => permissions.map(permission => ({ permission, part }))),
      ...inStatus.guards.filter(({ permission }) => permission !== 'CARDS_MOVE_STARTED'),
    ],
  },
  keywords: [...bugWords, 'add task', 'small change', 'fix typo', 'chore', 'quick task', 'todo'],
})

const get_card = operation({
  name: 'get_card',
  method: 'GET',
  path: '/api/v1/cards/{card_id}',
  permission: 'CARDS_READ',
  title: 'Get card',
  description: 'Get a card with everything on it.',
  params,
  response: Card,
  parts: {
    architecture_designs: 'ARCHITECTURE_READ',
    attachments: 'ATTACHMENTS_READ',
    comments: 'COMMENTS_READ',
    conclusions: 'CARDS_READ_CONCLUSIONS',
    knowledge_bases: 'KNOWLEDGE_READ',
    qa_items: 'QA_READ',
    validations: 'CARDS_READ_VALIDATIONS',
  },
  errors: [],
  keywords,
})

/** The fields with a permission of their own (access 2.5). */
const updating = byField('CARDS_UPDATE', {
  assignee_id: 'CARDS_ASSIGN',
  labels: 'CARDS_LABEL',
  add_labels: 'CARDS_LABEL',
  remove_labels: 'CARDS_LABEL',
  severity: 'CARDS_UPDATE_BUG_FIELDS',
  expected_behavior: 'CARDS_UPDATE_BUG_FIELDS',
  observed_behavior: 'CARDS_UPDATE_BUG_FIELDS',
  steps_to_reproduce: 'CARDS_UPDATE_BUG_FIELDS',
  regression_test: 'CARDS_UPDATE_BUG_FIELDS',
  action_plan: 'CARDS_UPDATE_BUG_FIELDS',
  screen_mockups: 'CARDS_UPDATE_MOCKUPS',
  test_scenario_ids: 'CARDS_LINK_TESTS',
  linked_test_task_ids: 'CARDS_LINK_TESTS',
  spec_id: 'SPECS_LINK_CARDS',
  sprint_id: 'SPRINTS_ASSIGN',
  knowledge_bases: 'KNOWLEDGE_CREATE_CARDS',
})

/** A changed status is a move. */
const moving = byTarget('CARDS_MOVE')

const update_card = operation({
  name: 'update_card',
  method: 'PATCH',
  path: '/api/v1/cards/{card_id}',
  permission: 'CARDS_UPDATE',
  title: 'Update card',
  description: 'Change fields of a card.',
  aside: ['screen_mockups', 'knowledge_bases', 'linked_test_task_ids', 'lists', 'status', 'position', 'action_plan'],
  params,
  body: CardUpdate,
  aliases: { type: 'card_type' },
  response: Card,
  errors: [
    'PATHS_OVERLAP',
    'VALIDATION_ERROR',
    'ARCHIVED',
    'CLAIMED',
    'SPEC_NOT_READY',
    'SPEC_LOCKED',
    'SCENARIO_LIMIT',
    'INVALID_STATE',
    'SPRINT_REQUIRED',
    'SPRINT_NOT_ACTIVE',
    'VALIDATION_REQUIRED',
    'SCENARIOS_NOT_RUN',
    'TEST_TASK_REQUIRED',
    'TEST_TASK_INVALID',
    'CONCLUSION_REQUIRED',
    'DEPENDENCIES_NOT_MET',
    'PROOF_REQUIRED',
    'CHANGE_NOT_MERGED',
    'CHECKS_NOT_GREEN',
    'COLUMN_FULL',
  ],
  asks: {
    permissions: (input, status) => {
      const moves = input.body.status !== undefined && input.body.status !== status
      return [...updating.permissions(input, status), ...(moves ? moving.permissions(input, status) : [])]
    },
    guards: [...updating.guards, ...moving.guards],
  },
  writesIn: 'CARDS',
  keywords: [...keywords, 'assign', 'label', 'priority'],
})

const movingTo = byTarget('CARDS_MOVE', 'target_status')

const move_card = operation({
  name: 'move_card',
  method: 'POST',
  path: '/api/v1/cards/{card_id}/move',
  permission: 'CARDS_MOVE',
  title: 'Move card',
  description: 'Move a card. A blocked move lists what is missing.',
  aside: ['expected_rev', 'position'],
  params,
  body: CardMove,
  aliases: { status: 'target_status' },
  response: MovedCard,
  errors: [
    'VALIDATION_ERROR',
    'ARCHIVED',
    'CLAIMED',
    'SPEC_NOT_READY',
    'SPRINT_REQUIRED',
    'SPRINT_NOT_ACTIVE',
    'VALIDATION_REQUIRED',
    'SCENARIOS_NOT_RUN',
    'TEST_TASK_REQUIRED',
    'TEST_TASK_INVALID',
    'CONCLUSION_REQUIRED',
    'CHECK_FAILED',
    'DEPENDENCIES_NOT_MET',
    'PROOF_REQUIRED',
    'CHANGE_NOT_MERGED',
    'CHECKS_NOT_GREEN',
    'COLUMN_FULL',
  ],
  asks: {
    ...movingTo,
    guards: [
      ...movingTo.guards,
      { permission: 'CARDS_MOVE_DONE_SMALL', part: 'to done: a small card that you hold' },
      { permission: 'CARDS_MOVE_DONE_TEST', part: 'to done: a test card' },
    ],
  },
  writesIn: 'CARDS',
  keywords: [...keywords, 'start', 'finish', 'done', 'cancel', 'status', 'report'],
})

const CardPromote = z
  .object({
    title: Title.exactOptional(),
    requirements: z.array(z.string().min(1)).max(100).exactOptional(),
    acceptance_criteria: z.array(z.string().min(1)).max(100).exactOptional(),
  })
  .meta({ id: 'CardPromote' })

const promote_card = operation({
  name: 'promote_card',
  method: 'POST',
  path: '/api/v1/cards/{card_id}/promote',
  permission: 'CARDS_PROMOTE',
  extension: true,
  title: 'Promote card',
  description: 'Turn a grown small change into a draft spec, with this card as its first.',
  params,
  body: CardPromote,
  bodyOptional: true,
  response: z.object({ spec: Spec, card: Card }).meta({ id: 'PromotedCard' }),
  status: 201,
  errors: ['ARCHIVED', 'INVALID_STATE', 'CLAIMED'],
  keywords: [...keywords, 'grow', 'split', 'bigger', 'convert', 'small change'],
})

const list_card_dependencies = operation({
  name: 'list_card_dependencies',
  method: 'GET',
  path: '/api/v1/cards/{card_id}/dependencies',
  permission: 'CARDS_READ',
  title: 'List card dependencies',
  description: 'List the cards that a card waits for.',
  params,
  query: paging,
  list: CardReference,
  errors: [],
  keywords: dependencyWords,
})

const list_card_dependents = operation({
  name: 'list_card_dependents',
  method: 'GET',
  path: '/api/v1/cards/{card_id}/dependents',
  permission: 'CARDS_READ',
  title: 'List card dependents',
  description: 'List the cards that wait for a card.',
  params,
  query: paging,
  list: CardReference,
  errors: [],
  keywords: dependencyWords,
})

/** Its path is under boards, but it belongs with cards, which it lists. */
const list_board_dependencies = operation({
  name: 'list_board_dependencies',
  method: 'GET',
  path: '/api/v1/boards/{board_id}/dependencies',
  permission: 'CARDS_READ',
  reads: 'board',
  extension: true,
  title: 'List board dependencies',
  description: 'List which cards of a board wait for which.',
  params: { board_id: Id },
  query: paging,
  list: BoardDependency,
  errors: [],
  keywords: [...dependencyWords, 'graph', 'critical path'],
})

const dependencyParams = { card_id: Id, depends_on_id: Id }

const add_card_dependency = operation({
  name: 'add_card_dependency',
  method: 'POST',
  path: '/api/v1/cards/{card_id}/dependencies/{depends_on_id}',
  permission: 'CARDS_LINK',
  title: 'Add card dependency',
  description: 'Make a card wait for another. A cycle is refused.',
  params: dependencyParams,
  response: CardDependency,
  status: 201,
  errors: ['VALIDATION_ERROR', 'ARCHIVED', 'DEPENDENCY_CYCLE', 'DEPENDENCY_EXISTS'],
  asks: always('CARDS_LINK_DEPENDENCIES'),
  writesIn: 'CARDS',
  effect: 'repeatable',
  keywords: dependencyWords,
})

const remove_card_dependency = operation({
  name: 'remove_card_dependency',
  method: 'DELETE',
  path: '/api/v1/cards/{card_id}/dependencies/{depends_on_id}',
  permission: 'CARDS_LINK',
  title: 'Remove card dependency',
  description: 'Make a card no longer wait for another.',
  params: dependencyParams,
  errors: ['ARCHIVED'],
  asks: always('CARDS_LINK_DEPENDENCIES'),
  writesIn: 'CARDS',
  keywords: dependencyWords,
})

const list_card_activity = operation({
  name: 'list_card_activity',
  method: 'GET',
  path: '/api/v1/cards/{card_id}/activity',
  permission: 'CARDS_READ',
  title: 'List card activity',
  description: 'List what happened to a card.',
  params,
  query: paging50,
  list: ActivityEntry,
  errors: [],
  asks: always('CARDS_READ_ACTIVITY', 'CARDS_READ'),
  keywords: [...keywords, 'history', 'log'],
})

const get_card_seen = operation({
  name: 'get_card_seen',
  method: 'GET',
  path: '/api/v1/cards/{card_id}/seen',
  permission: 'CARDS_READ',
  title: 'Get card seen marks',
  description: 'Get who has seen which comments and questions of a card.',
  params,
  response: CardSeen,
  errors: [],
  keywords: [...keywords, 'read receipts'],
})

const link_test_task = operation({
  name: 'link_test_task',
  method: 'POST',
  path: '/api/v1/cards/{card_id}/test-tasks',
  permission: 'CARDS_LINK',
  title: 'Link test task',
  description: 'Link a test card to a bug, so that it may be worked on.',
  params,
  body: TestTaskLink,
  response: TestTaskLinked,
  status: 201,
  errors: ['VALIDATION_ERROR', 'ARCHIVED'],
  asks: always('CARDS_LINK_TESTS'),
  writesIn: 'CARDS',
  effect: 'repeatable',
  keywords: bugWords,
})

const unlink_test_task = operation({
  name: 'unlink_test_task',
  method: 'DELETE',
  path: '/api/v1/cards/{card_id}/test-tasks/{test_task_id}',
  permission: 'CARDS_LINK',
  title: 'Unlink test task',
  description: 'Remove the link from a bug to a test card.',
  params: { card_id: Id, test_task_id: Id },
  errors: ['ARCHIVED'],
  asks: always('CARDS_LINK_TESTS'),
  writesIn: 'CARDS',
  keywords: bugWords,
})

const delete_card = operation({
  name: 'delete_card',
  method: 'DELETE',
  path: '/api/v1/cards/{card_id}',
  permission: 'CARDS_DELETE',
  title: 'Delete card',
  description: 'Delete a card with everything on it.',
  params,
  confirm: true,
  errors: ['CLAIMED'],
  writesIn: 'CARDS',
  keywords,
})

const submit_task_validation = operation({
  name: 'submit_task_validation',
  method: 'POST',
  path: '/api/v1/cards/{card_id}/validate',
  permission: 'CARDS_VALIDATE',
  title: 'Submit task validation',
  description: 'Submit the verdict on a card in validation.',
  aside: ['reviewer_id', 'auto_move', 'again'],
  params,
  body: TaskValidationSubmit,
  bodyOptional: true,
  aliases: {
    general_justification: 'summary',
    completeness: 'estimated_completeness',
    drift: 'estimated_drift',
  },
  response: TaskValidationSubmitted,
  status: 201,
  errors: [
    'VALIDATION_ERROR',
    'ARCHIVED',
    'CLAIMED',
    'CARD_NOT_IN_VALIDATION',
    'VALIDATION_NOT_APPLICABLE',
    'REVIEWER_NOT_SEPARATE',
  ],
  asks: always('CARDS_VALIDATE', 'CARDS_READ'),
  writesIn: 'CARDS',
  openIn: ['validation'],
  keywords: reviewWords,
})

const list_task_validations = operation({
  name: 'list_task_validations',
  method: 'GET',
  path: '/api/v1/cards/{card_id}/validations',
  permission: 'CARDS_READ',
  title: 'List task validations',
  description: 'List the validations of a card.',
  params,
  query: paging,
  response: TaskValidations,
  errors: [],
  asks: always('CARDS_READ_VALIDATIONS', 'CARDS_READ'),
  keywords: reviewWords,
})

const validationParams = { card_id: Id, validation_id: Id }

const get_task_validation = operation({
  name: 'get_task_validation',
  method: 'GET',
  path: '/api/v1/cards/{card_id}/validations/{validation_id}',
  permission: 'CARDS_READ',
  title: 'Get task validation',
  description: 'Get one validation of a card.',
  params: validationParams,
  response: TaskValidation,
  errors: [],
  asks: always('CARDS_READ_VALIDATIONS', 'CARDS_READ'),
  keywords: reviewWords,
})

const delete_task_validation = operation({
  name: 'delete_task_validation',
  method: 'DELETE',
  path: '/api/v1/cards/{card_id}/validations/{validation_id}',
  permission: 'CARDS_DELETE_VALIDATION',
  title: 'Delete task validation',
  description: 'Delete a validation of a card.',
  params: validationParams,
  errors: ['ARCHIVED'],
  asks: always('CARDS_DELETE_VALIDATION', 'CARDS_READ'),
  writesIn: 'CARDS',
  keywords: reviewWords,
})

const list_card_knowledge = operation({
  name: 'list_card_knowledge',
  method: 'GET',
  path: '/api/v1/cards/{card_id}/knowledge',
  permission: 'KNOWLEDGE_READ',
  title: 'List card knowledge',
  description: 'List the knowledge on a card.',
  params,
  query: paging,
  response: CardKnowledgeList,
  errors: [],
  asks: always('KNOWLEDGE_READ', 'CARDS_READ'),
  keywords: knowledgeWords,
})

const create_card_knowledge = operation({
  name: 'create_card_knowledge',
  method: 'POST',
  path: '/api/v1/cards/{card_id}/knowledge',
  permission: 'KNOWLEDGE_CREATE',
  title: 'Create card knowledge',
  description: 'Put a piece of knowledge on a card.',
  params,
  body: CardKnowledgeCreate,
  response: CardKnowledge,
  status: 201,
  errors: ['VALIDATION_ERROR', 'ARCHIVED'],
  asks: always('KNOWLEDGE_CREATE_CARDS', 'CARDS_READ'),
  writesIn: 'CARDS',
  keywords: knowledgeWords,
})

const knowledgeParams = { card_id: Id, kb_id: Id }

const get_card_knowledge = operation({
  name: 'get_card_knowledge',
  method: 'GET',
  path: '/api/v1/cards/{card_id}/knowledge/{kb_id}',
  permission: 'KNOWLEDGE_READ',
  title: 'Get card knowledge',
  description: 'Get one piece of knowledge of a card.',
  params: knowledgeParams,
  response: CardKnowledge,
  errors: [],
  asks: always('KNOWLEDGE_READ', 'CARDS_READ'),
  keywords: knowledgeWords,
})

const update_card_knowledge = operation({
  name: 'update_card_knowledge',
  method: 'PATCH',
  path: '/api/v1/cards/{card_id}/knowledge/{kb_id}',
  permission: 'KNOWLEDGE_UPDATE',
  title: 'Update card knowledge',
  description: 'Change a piece of knowledge of a card.',
  params: knowledgeParams,
  body: CardKnowledgeUpdate,
  response: CardKnowledge,
  errors: ['VALIDATION_ERROR', 'ARCHIVED'],
  asks: always('KNOWLEDGE_UPDATE', 'CARDS_READ'),
  writesIn: 'CARDS',
  keywords: knowledgeWords,
})

const delete_card_knowledge = operation({
  name: 'delete_card_knowledge',
  method: 'DELETE',
  path: '/api/v1/cards/{card_id}/knowledge/{kb_id}',
  permission: 'KNOWLEDGE_DELETE',
  title: 'Delete card knowledge',
  description: 'Delete a piece of knowledge of a card.',
  params: knowledgeParams,
  errors: ['ARCHIVED'],
  asks: always('KNOWLEDGE_DELETE_CARDS', 'CARDS_READ'),
  writesIn: 'CARDS',
  keywords: knowledgeWords,
})

const download_card_knowledge = operation({
  name: 'download_card_knowledge',
  method: 'GET',
  path: '/api/v1/cards/{card_id}/knowledge/{kb_id}/download',
  permission: 'KNOWLEDGE_READ',
  title: 'Download card knowledge',
  description: 'Download knowledge of a card as a Markdown file.',
  params: knowledgeParams,
  kind: 'file',
  fileTypes: ['text/markdown'],
  errors: [],
  asks: always('KNOWLEDGE_READ', 'CARDS_READ'),
  keywords: [...knowledgeWords, 'markdown'],
})

export const cards = {
  list_cards,
  get_card,
  update_card,
  move_card,
  promote_card,
  list_card_dependencies,
  list_card_dependents,
  list_board_dependencies,
  add_card_dependency,
  remove_card_dependency,
  list_card_activity,
  get_card_seen,
  link_test_task,
  unlink_test_task,
  delete_card,
  submit_task_validation,
  list_task_validations,
  get_task_validation,
  delete_task_validation,
  list_card_knowledge,
  create_card_knowledge,
  get_card_knowledge,
  update_card_knowledge,
  delete_card_knowledge,
  download_card_knowledge,
} as const
