import {
  type ErrorCode,
  IdeationStatus,
  operationByName,
  type Permission,
  pathNames,
  RefinementStatus,
  SpecStatus,
  SprintStatus,
} from '@specboard/contract'
import { myPermissions, type NextAction, type RefusedCall } from '../kernel/next-action.ts'
import { representationOf, takesRev } from '../kernel/service/etag.ts'

/** Maximum characters of an action's reason (mcp 9.5). */
export const maxReasonLength = 80

type JsonObject = Readonly<Record<string, unknown>>

type ActionsFor = (refused: RefusedCall) => (NextAction | undefined)[]

/** Maximum actions of one refusal. */
export const maxActions = 3

/** An action, unless an argument is unknown. */
function action(name: string, args: JsonObject, reason: string): NextAction | undefined {
  return Object.values(args).some(value => value === undefined || value === null)
    ? undefined
    : { name, arguments: args, reason }
}

/** A member of the refusal, otherwise an argument of the call. */
const lookup = ({ args, detail }: RefusedCall, name: string): unknown => detail[name] ?? args[name]

const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const list = (value: unknown): unknown[] => (Array.isArray(value) ? value : [])

/** The ids in a member that lists records, by their usual names. */
const idsIn = (value: unknown, ...names: readonly string[]): unknown[] => {
  const ids = list(value).map(entry => (isObject(entry) ? names.map(name => entry[name]).find(Boolean) : entry))
  return [...new Set(ids.filter(id => id !== undefined))]
}

/** Reads the change in which something is missing, or else the card. */
const changesToLook: ActionsFor = ({ args, detail }) => {
  const [change] = list(detail.missing) as { readonly change_id?: unknown }[]
  return typeof change?.change_id === 'string'
    ? [action('get_change', { change_id: change.change_id }, 'what it still lacks')]
    : args.card_id === undefined
      ? []
      : [action('get_card', { card_id: args.card_id }, 'what the work is')]
}

/** One action for each id. */
const each = (ids: readonly unknown[], name: string, argument: string, reason: string) =>
  ids.map(id => action(name, { [argument]: id }, reason))

/** The statuses that a record can leave only for its initial status. */
const over: ReadonlySet<string> = new Set(['done', 'closed', 'cancelled'])

/**
 * The next status on the path from one status to another, in lifecycle order. When the refusal lists what is allowed,
 * the target itself if it is allowed, and never a status that is not.
 */
function towards(statuses: readonly string[], from: unknown, to: string, allowed?: unknown): string | undefined {
  const at = statuses.indexOf(String(from))
  const goal = statuses.indexOf(to)
  if (at === -1 || at === goal) return undefined
  const next = over.has(String(from)) ? statuses[0] : statuses[at + Math.sign(goal - at)]
  if (!Array.isArray(allowed)) return next
  return [to, next].find(status => allowed.includes(status))
}

const moveIdeation = (refused: RefusedCall, to: string) => {
  const status = towards(IdeationStatus.options, refused.detail.status, to, refused.detail.allowed)
  return action('move_ideation', { ideation_id: refused.args.ideation_id, status }, `on the way to ${to}`)
}

const moveRefinement = (refused: RefusedCall, to: string) => {
  const status = towards(RefinementStatus.options, refused.detail.status, to, refused.detail.allowed)
  return action('move_refinement', { refinement_id: refused.args.refinement_id, status }, `on the way to ${to}`)
}

const moveSpec = (refused: RefusedCall, from: unknown, to: string) => {
  const status = towards(SpecStatus.options, from, to)
  return action('move_spec', { spec_id: lookup(refused, 'spec_id'), status }, `on the way to ${to}`)
}

/** How a record of a refused call is moved. */
interface Move {
  readonly id: string
  readonly name: string
  readonly target: string
  /** In lifecycle order; undefined if any status can follow any other. */
  readonly statuses?: readonly string[]
}

/** The moves by the operation that was refused. */
const moves: Readonly<Record<string, Move>> = {
  move_ideation: { id: 'ideation_id', name: 'move_ideation', target: 'status', statuses: IdeationStatus.options },
  move_refinement: {
    id: 'refinement_id',
    name: 'move_refinement',
    target: 'status',
    statuses: RefinementStatus.options,
  },
  move_spec: { id: 'spec_id', name: 'move_spec', target: 'status', statuses: SpecStatus.options },
  move_sprint: { id: 'sprint_id', name: 'move_sprint', target: 'status', statuses: SprintStatus.options },
  move_card: { id: 'card_id', name: 'move_card', target: 'target_status' },
  update_card: { id: 'card_id', name: 'move_card', target: 'target_status' },
}

/**
 * Takes the step towards the requested status; if none leads there, moves to an allowed status. A creation is retried
 * with one.
 */
const toAllowed: ActionsFor = ({ operation, args, detail }) => {
  const move = moves[operation]
  if (move === undefined)
    return list(detail.allowed).map(status =>
      action(operation, { ...args, status }, 'with a status that is allowed at creation'),
    )
  const to = (status: unknown, reason: string) =>
    action(move.name, { [move.id]: args[move.id], [move.target]: status }, reason)
  const step = towards(move.statuses ?? [], detail.from, String(detail.to), detail.allowed)
  return step === undefined
    ? list(detail.allowed).map(status => to(status, 'an allowed move'))
    : [to(step, `on the way to ${detail.to}`)]
}

/** Evaluates the record that lacks an evaluation: the sprint if the call names one, otherwise the spec. */
const evaluate: ActionsFor = refused =>
  refused.args.sprint_id !== undefined
    ? [
        action(
          'submit_sprint_evaluation',
          { sprint_id: refused.args.sprint_id },
          'add overall_score and recommendation',
        ),
        action('get_sprint', { sprint_id: refused.args.sprint_id }, 'read the evaluations so far'),
      ]
    : [
        action(
          'submit_spec_evaluation',
          { spec_id: refused.args.spec_id },
          'add scores, justifications, recommendation',
        ),
        action('get_spec', { spec_id: refused.args.spec_id }, 'read the evaluations so far'),
      ]

/** Records the result of each scenario that was not run, then reads the spec. */
const results = (refused: RefusedCall, scenarios: unknown) => [
  ...idsIn(scenarios, 'scenario_id').map(scenario_id =>
    action('record_scenario_result', { spec_id: lookup(refused, 'spec_id'), scenario_id }, 'add status and evidence'),
  ),
  getSpec(refused, 'read its scenarios'),
]

const getSpec = (refused: RefusedCall, reason: string) =>
  action('get_spec', { spec_id: lookup(refused, 'spec_id') }, reason)
const getCard = (refused: RefusedCall, reason: string) =>
  action('get_card', { card_id: lookup(refused, 'card_id') }, reason)

/** Covers an item that a coverage gate finds uncovered, by its gate (specs 6.1). */
function cover(refused: RefusedCall, item: unknown): NextAction | undefined {
  if (!isObject(item)) return undefined
  const spec_id = lookup(refused, 'spec_id')
  if (item.gate === 'rules') return action('update_spec', { spec_id }, 'add business_rules with linked_requirements')
  return item.gate === 'test'
    ? action(
        'create_card',
        { board_id: refused.board, spec_id, card_type: 'test', test_scenario_ids: [item.id] },
        'add title',
      )
    : action('link_task_to_item', { spec_id, item_id: item.id }, 'add card_id: the card that delivers it')
}

/** Finishes an open card of a spec: one under validation, if the caller may; otherwise reads it. */
function finish(card: unknown): NextAction | undefined {
  if (!isObject(card)) return undefined
  const card_id = card.id
  if (card.status !== 'validation') return action('get_card', { card_id }, 'finish or cancel it')
  return card.card_type === 'test'
    ? action('move_card', { card_id, target_status: 'done' }, 'a test card is done without validation')
    : action('submit_task_validation', { card_id }, 'add outcome and summary')
}

/** The way out of a locked spec, by its status (specs 5.2, crew 4.7). */
const wayOut: Readonly<Record<string, object>> = {
  validated: { status: 'draft' },
  in_progress: { status: 'draft', through: true },
  done: { status: 'draft' },
  cancelled: { status: 'draft' },
}

/** When the first of some changes was made. */
const earliest = (changes: unknown): unknown =>
  (changes as readonly { readonly at: string }[]).map(({ at }) => at).toSorted()[0]

/** Restores the archived record that the refusal's path names. */
const restore: ActionsFor = ({ detail }) => {
  const [, board_id, entity_type, entity_id] =
    /boards\/([^/]+)\/restore\/([^/]+)\/([^/]+)$/.exec(String(detail.restore)) ?? []
  return [action('restore_record', { board_id, entity_type, entity_id }, 'an archived record accepts no writes')]
}

/** Moves a sprint to a status in which it takes cards or evaluations. */
const toOpenSprint: ActionsFor = ({ args, detail }) => [
  action(
    'move_sprint',
    {
      sprint_id: args.sprint_id,
      status: towards(SprintStatus.options, detail.status, detail.status === 'active' ? 'review' : 'draft'),
    },
    'to a status that allows this',
  ),
  action('get_sprint', { sprint_id: args.sprint_id }, 'read its status'),
]

/** The operations that list what a caller can give up to make room for something new, by what is limited. */
const limited = [
  { what: 'saved_searches', name: 'list_saved_searches', reason: 'overwrite one of your own by using its name' },
  { what: 'webhooks', name: 'list_webhooks', reason: 'delete one that is no longer used' },
  { what: 'templates', name: 'list_templates', reason: 'delete one that is no longer used' },
  { what: 'views', name: 'list_views', reason: 'delete one that is no longer used' },
  { what: 'repositories', name: 'list_repositories', reason: 'delete one that is no longer used' },
  { what: 'reservations', name: 'list_reservations', reason: 'release one of yours that is no longer needed' },
]

/** Reads the record again whose tag the call contained. */
const readAgain: ActionsFor = ({ operation, args }) => {
  const get = representationOf(operationByName.get(operation)!)
  const params = get === null ? [] : pathNames(get.path).map(name => [name, args[name]] as const)
  return get === null ? [] : [action(get.name, Object.fromEntries(params), 'read it again and repeat the change on it')]
}

/** The kinds of record that can be compared, by the argument that names one. */
const diffed = ['ideation', 'refinement', 'spec', 'sprint', 'card'] as const

/** Shows what changed since the `rev` that the call expected (crew 2.4). */
function whatChanged({ args, detail }: RefusedCall): NextAction | undefined {
  const entity_type = diffed.find(type => args[`${type}_id`] !== undefined)
  const { expected_rev } = detail
  if (entity_type === undefined || typeof expected_rev !== 'number' || expected_rev < 1) return undefined
  const entity_id = args[`${entity_type}_id`]
  return action('diff_record', { entity_type, entity_id, from: `r${expected_rev}` }, 'see what changed since')
}

/** The same call, starting from the present state of its record (crew 2.4); null arguments are kept. */
const onPresent = ({ operation, args, detail }: RefusedCall): NextAction | undefined =>
  typeof detail.rev === 'number' && takesRev(operationByName.get(operation)!)
    ? { name: operation, arguments: { ...args, expected_rev: detail.rev }, reason: 'the same on its current state' }
    : undefined

/** Repeats a call that started from an earlier state of its record, or shows what changed. */
function repeat(refused: RefusedCall): (NextAction | undefined)[] {
  // With a tag that contains no rev, the caller's starting state is unknown. The refusal because of a recently written
  // text has no tag: it reports that text itself.
  if (refused.detail.expected_rev === undefined)
    return refused.detail.etag === undefined ? [onPresent(refused), ...readAgain(refused)] : readAgain(refused)
  const changes = whatChanged(refused)
  return [onPresent(refused), ...(changes === undefined ? readAgain(refused) : [changes])]
}

/** Removes items in use deliberately (crew 1.4). */
const removeAll: ActionsFor = ({ operation, args }) => [
  { name: operation, arguments: { ...args, allow_removal: true }, reason: 'remove them with their links, on purpose' },
]

/** Whether a call moves a card to `done`. */
const isFinish = (operation: string, args: JsonObject): boolean =>
  (operation === 'move_card' && args.target_status === 'done') ||
  (operation === 'update_card' && args.status === 'done')

/**
 * A call that gives a bug the test that its board requires, keyed by what the refusal reports as missing (crew 6.4).
 */
interface TestRemedy {
  readonly name: 'link_test_task' | 'update_card'
  readonly reason: string
  readonly asks?: Permission
}

const byMissingTest: Readonly<Record<string, TestRemedy>> = {
  linked_test_task_ids: { name: 'link_test_task', reason: 'add test_task_id: a test card of the same spec' },
  regression_test: {
    name: 'update_card',
    reason: 'add regression_test: the test by file and name, or the command',
    asks: 'CARDS_UPDATE_BUG_FIELDS',
  },
}

/** The calls that give a bug its test. */
export const waysToTest = (missing: unknown): readonly TestRemedy[] =>
  list(missing).flatMap(name => (Object.hasOwn(byMissingTest, String(name)) ? [byMissingTest[String(name)]!] : []))

/** Hands a card over to those who may finish it, based on the refused call (people 1.4, crew 6.3). */
export const handOver = ({ operation, args }: RefusedCall): NextAction | undefined =>
  isFinish(operation, args)
    ? action('move_card', { card_id: args.card_id, target_status: 'validation' }, 'says who may finish it')
    : undefined

/** Lets a worker continue with other work. */
export const otherWork = (board: string): NextAction[] => [
  { name: 'list_ready_cards', arguments: { board_id: board }, reason: 'other work' },
]

/** What resolves each 409, and 412, best first; `[]` if no operation does. */
const adviceByCode: Readonly<Partial<Record<ErrorCode, ActionsFor>>> = {
  PRECONDITION_FAILED: repeat,
  ITEMS_IN_USE: removeAll,
  IDEMPOTENCY_KEY_REUSED: () => [],
  ARCHIVED: restore,
  ALREADY_SHARED: ({ args, detail }) => [
    action(
      'update_board_share',
      { board_id: args.board_id, share_id: detail.share_id, permission: args.permission },
      'change the existing share',
    ),
    action('list_board_shares', { board_id: args.board_id }, 'read the shares'),
  ],
  ALREADY_GRANTED: ({ args, detail }) => [
    action(
      'update_board_access',
      { agent_id: detail.agent_id, board_id: detail.board_id, permission_overrides: args.permission_overrides ?? {} },
      'change the existing grant',
    ),
  ],
  SELF_CHANGE: () => [action('get_my_permissions', {}, 'another agent must change these')],
  AGENT_OWNS_BOARDS: ({ args, detail }) => [
    action('update_agent', { agent_id: args.agent_id, is_active: false }, 'deactivate the agent and keep its boards'),
    ...each(list(detail.boards), 'get_board', 'board_id', 'a board it owns; delete it first'),
  ],
  PRESET_IN_USE: ({ detail }) => each(list(detail.agents), 'get_agent', 'agent_id', 'has the preset; give it another'),
  SETTING_PINNED: () => [action('get_runtime_settings', {}, 'the environment fixes these; the rest can be set')],
  INVALID_TRANSITION: toAllowed,
  IDEATION_LOCKED: refused => [moveIdeation(refused, 'draft')],
  REFINEMENT_LOCKED: refused => [moveRefinement(refused, 'draft')],
  EVALUATION_NOT_OPEN: refused => [moveIdeation(refused, 'evaluating')],
  IDEATION_NOT_DONE: refused => [
    moveIdeation(refused, 'done'),
    action('get_ideation', { ideation_id: refused.args.ideation_id }, 'read its status'),
  ],
  REFINEMENT_NOT_DONE: refused => [moveRefinement(refused, 'done')],
  REFINEMENT_REQUIRED: ({ args }) => [
    action('create_refinement', { ideation_id: args.ideation_id }, 'add a title; derive the spec from it once done'),
    action('list_refinements', { ideation_id: args.ideation_id }, 'derive the spec from one that is done'),
  ],
  SCOPE_REQUIRED: ({ args }) => [action('update_refinement', { refinement_id: args.refinement_id }, 'add in_scope')],
  SPEC_LOCKED: refused => [
    action(
      'move_spec',
      { spec_id: lookup(refused, 'spec_id'), ...wayOut[String(refused.detail.spec_status)] },
      'unlocks the spec and drops its validation',
    ),
  ],
  SPEC_VALIDATION_REQUIRED: ({ args }) => [
    action('submit_spec_validation', { spec_id: args.spec_id }, 'add scores, justifications and recommendation'),
  ],
  SPEC_NOT_APPROVED: refused => [
    moveSpec(refused, refused.detail.status, 'approved'),
    getSpec(refused, 'read its status and validations'),
  ],
  SPEC_NOT_VALIDATED: refused => [
    moveSpec(refused, refused.detail.status, 'validated'),
    action('submit_spec_validation', { spec_id: refused.args.spec_id }, 'add scores, justifications, recommendation'),
    getSpec(refused, 'see what it lacks'),
  ],
  SPEC_NOT_READY: refused => {
    const { spec_status, required_status, allowed } = refused.detail
    const to = required_status ?? list(allowed)[0]
    return [
      typeof to === 'string' ? moveSpec(refused, spec_status, to) : undefined,
      action('submit_spec_validation', { spec_id: lookup(refused, 'spec_id') }, 'a success validates the spec'),
      action('submit_spec_evaluation', { spec_id: lookup(refused, 'spec_id') }, 'an approval lets the spec start'),
      getSpec(refused, 'read its status'),
    ]
  },
  COVERAGE_REQUIRED: refused => [
    ...list(refused.detail.missing).map(item => cover(refused, item)),
    getSpec(refused, 'see what lacks links'),
    action('get_sprint', { sprint_id: refused.args.sprint_id }, 'read the scenarios in its scope'),
    action('update_spec', { spec_id: refused.args.spec_id }, 'add the links, or the flag that skips the gate'),
  ],
  EVALUATION_REQUIRED: evaluate,
  EVALUATION_REJECTED: evaluate,
  EVALUATION_BELOW_THRESHOLD: evaluate,
  CRITERIA_UNCOVERED: ({ args }) => [
    action('update_spec', { spec_id: args.spec_id }, 'add scenarios that name the criteria'),
    action('get_spec', { spec_id: args.spec_id, fields: 'acceptance_criteria,test_scenarios' }, 'read both lists'),
  ],
  SPRINTS_OPEN: ({ detail }) => each(idsIn(detail.missing, 'id'), 'get_sprint', 'sprint_id', 'close or cancel it'),
  SCENARIOS_OPEN: refused => results(refused, refused.detail.missing),
  PERSON_REQUIRED: () => [],
  // The answer of the person at the client is final.
  NOT_CONFIRMED: () => [],
  REVIEWER_NOT_SEPARATE: ({ args, detail }) => [
    action('list_board_agents', { board_id: detail.board_id ?? args.board_id }, 'who else may review'),
  ],
  TASKS_OPEN: ({ detail }) => list(detail.missing).map(finish),
  NO_CLOSED_SPRINT: refused => [getSpec(refused, 'one of its sprints must be closed')],
  TEST_EVIDENCE_REQUIRED: ({ operation, args }) => [
    operation === 'record_scenario_result' ? action(operation, args, 'add the missing evidence') : undefined,
    action('update_spec', { spec_id: args.spec_id }, 'add the missing evidence to its scenarios'),
    action('get_sprint', { sprint_id: args.sprint_id }, 'read its spec; the evidence belongs there'),
  ],
  SCENARIO_LIMIT: refused => [
    getCard(refused, 'unlink a scenario from it, or link another card'),
    action('get_board', { board_id: refused.args.board_id, fields: 'settings' }, 'max_scenarios_per_card'),
    getSpec(refused, 'link a card with fewer scenarios'),
  ],
  CARD_NOT_IN_SPEC: ({ args, detail }) => [
    action(
      'link_card_to_spec',
      { spec_id: args.spec_id, card_id: detail.card_id ?? args.card_id },
      'then link the item',
    ),
  ],
  ATTEMPTS_USED_UP: ({ args }) => [
    action('allow_attempts', { card_id: args.card_id }, 'add how many more'),
    action('get_card', { card_id: args.card_id }, 'read what failed'),
  ],
  NOT_CLAIMED: ({ args }) => [action('claim_card', { card_id: args.card_id }, 'then save it again')],
  CLAIMED: ({ detail }) => [
    action('claim_next_card', { board_id: detail.board_id }, 'takes a card that nobody works on'),
  ],
  VALIDATION_REQUIRED: ({ args }) => [
    action(
      'submit_task_validation',
      { card_id: args.card_id },
      'add outcome and summary; the card must be in validation',
    ),
    action('move_card', { card_id: args.card_id, target_status: 'validation' }, 'where validations are submitted'),
  ],
  CARD_NOT_IN_VALIDATION: ({ args }) => [
    action('move_card', { card_id: args.card_id, target_status: 'validation' }, 'validations are submitted there'),
  ],
  VALIDATION_NOT_APPLICABLE: ({ args }) => [
    action('move_card', { card_id: args.card_id, target_status: 'done' }, 'a test card is done without validation'),
    action('get_card', { card_id: args.card_id }, 'read its scenarios; record them first'),
  ],
  SPRINT_REQUIRED: ({ args, detail }) =>
    idsIn(detail.details, 'id').map(sprint_id =>
      action(
        'assign_sprint_tasks',
        { sprint_id, card_ids: args.card_id === undefined ? undefined : [args.card_id] },
        'puts the card into the sprint',
      ),
    ),
  SPRINT_NOT_ACTIVE: ({ detail }) => [
    action(
      'move_sprint',
      { sprint_id: detail.sprint_id, status: towards(SprintStatus.options, detail.sprint_status, 'active') },
      'on the way to active',
    ),
  ],
  SCENARIOS_NOT_RUN: refused => results(refused, refused.detail.details),
  TEST_TASK_REQUIRED: ({ args }) => [
    action('link_test_task', { card_id: args.card_id }, 'add test_task_id: a test card of the same spec'),
    action('get_card', { card_id: args.card_id }, 'read its spec and scenarios'),
  ],
  TEST_TASK_INVALID: ({ args, detail }) =>
    idsIn(detail.details, 'test_task_id').map(test_task_id =>
      action('unlink_test_task', { card_id: args.card_id, test_task_id }, 'does not count; link another test card'),
    ),
  CONCLUSION_REQUIRED: ({ operation, args, detail }) => [
    action(
      'move_card',
      operation === 'move_card' ? args : { card_id: args.card_id, target_status: args.status },
      `add ${list(detail.missing).join(', ')}`.slice(0, maxReasonLength),
    ),
  ],
  CHANGED_MEANWHILE: ({ args, detail }) => [
    action(
      'diff_record',
      { entity_type: 'spec', entity_id: detail.spec_id, from: earliest(detail.changes) },
      'read what was changed since its report',
    ),
    action('submit_task_validation', { ...args, seen_changes: true }, 'once you have read the changes'),
  ],
  CHECK_FAILED: ({ operation, args }) => [
    action(operation === 'move_card' ? 'move_card' : 'create_card', args, 'once the check has passed'),
    action('save_checkpoint', { card_id: args.card_id }, 'note what failed'),
  ],
  DEPENDENCIES_NOT_MET: ({ detail }) =>
    each(idsIn(detail.details, 'id'), 'get_card', 'card_id', 'must be done or cancelled first'),
  PROOF_REQUIRED: ({ args, detail }) => {
    const entity = (['card', 'spec', 'sprint'] as const).find(type => typeof args[`${type}_id`] === 'string')
    const looks =
      entity === undefined
        ? []
        : [
            action(
              'get_proof',
              { entity_type: entity, entity_id: args[`${entity}_id`] },
              'what is missing, and how to add it',
            ),
          ]
    const [way] = (list(detail.ways) as { readonly operation?: unknown; readonly arguments?: unknown }[]).filter(
      ({ operation }) => operation === 'record_scenario_result',
    )
    return way === undefined
      ? looks
      : [
          action('record_scenario_result', way.arguments as Record<string, unknown>, 'add commit and evidence'),
          ...looks,
        ]
  },
  PATHS_OVERLAP: ({ detail }) => [
    action('claim_next_card', { board_id: detail.board_id }, 'takes a card whose files nobody works on'),
    action('list_overlaps', { board_id: detail.board_id }, 'who works on which files'),
    ...each(idsIn(detail.overlaps, 'ref'), 'ask_question', 'record', 'agree on who changes what; add question'),
  ],
  COLUMN_FULL: ({ detail: { board_id, status } }) => [
    action('list_cards', { board_id, status }, 'what fills the column: finish or move one of them first'),
    action('list_ready_cards', { board_id, for: 'continue' }, 'those of them that are yours'),
  ],
  CHANGE_NOT_MERGED: refused => changesToLook(refused),
  CHECKS_NOT_GREEN: refused => changesToLook(refused),
  DEPENDENCY_CYCLE: ({ args, detail }) => {
    const path = list(detail.path)
    return path.length < 3
      ? [action('list_card_dependencies', { card_id: args.card_id }, 'what it already waits for')]
      : [
          action(
            'remove_card_dependency',
            { card_id: path.at(-2), depends_on_id: path.at(-1) },
            'breaks the cycle that the new link would close',
          ),
        ]
  },
  DEPENDENCY_EXISTS: ({ args }) => [
    action('list_card_dependencies', { card_id: args.card_id }, 'the link already exists'),
  ],
  SPRINT_EMPTY: ({ args }) => [action('assign_sprint_tasks', { sprint_id: args.sprint_id }, 'add card_ids')],
  INVALID_STATE: refused => [
    action('update_webhook', { webhook_id: refused.args.webhook_id, active: true }, 'switch it on'),
    ...toOpenSprint(refused),
    moveSpec(refused, refused.detail.status, 'approved'),
    getSpec(refused, 'read its status'),
  ],
  ALREADY_LINKED: ({ args }) => [
    action(
      'update_board_guideline',
      { board_id: args.board_id, guideline_id: args.guideline_id, priority: args.priority },
      'change the existing link',
    ),
    action('list_board_guidelines', { board_id: args.board_id }, 'what is linked'),
  ],
  INLINE_GUIDELINE: ({ args }) => [
    action('delete_guideline', { guideline_id: args.guideline_id }, 'an inline guideline is deleted, not unlinked'),
  ],
  LINEAGE_ROOT_UNRESOLVED: ({ args }) => [
    action('get_card', { card_id: args.root_id ?? args.card_id ?? args.entity_id }, 'link it to a spec first'),
  ],
  HANDLE_TAKEN: () => [action('list_agents', { fields: 'handle,name' }, 'the handles of those whom you see')],
  LAST_SIGN_IN: () => [],
  KEY_TAKEN: () => [action('list_boards', { fields: 'key,name' }, 'the keys of the boards that you see')],
  ID_TAKEN: ({ args: { board_id } }) => [
    action(
      'import_board',
      { ...(board_id !== undefined && { board_id }), keep_ids: false },
      'the same file again, as copies with ids of their own',
    ),
  ],
  NAME_TAKEN: ({ args }) => [action('list_saved_searches', { board_id: args.board_id }, 'names that are taken')],
  REPOSITORY_EXISTS: ({ detail }) => [
    action('get_repository', { repository_id: detail.repository_id }, 'the repository that has the name'),
  ],
  REPORT_EXISTS: ({ detail }) => [
    action('get_test_report', { report_id: detail.report_id }, 'the report that is stored'),
  ],
  LIMIT_REACHED: ({ args, detail }) =>
    limited
      .filter(({ what }) => what === detail.what)
      .map(({ name, reason }) => action(name, { board_id: args.board_id }, reason)),
  ENTRY_IN_PROGRESS: ({ args }) => [
    action('list_kg_pending', { board_id: args.board_id }, 'wait until it is processed'),
  ],
  ALREADY_UNDONE: ({ args }) => [action('list_kg_audit', { board_id: args.board_id }, 'sessions that can be undone')],
  UNDO_BLOCKED: ({ args, detail }) =>
    list(detail.blocking_sessions)
      .toReversed()
      .map(session_id =>
        action('undo_kg_session', { board_id: args.board_id, session_id }, 'builds on it; undo it first'),
      ),
  TICK_ALREADY_RUNNING: ({ args }) => [
    action('get_kg_health', { board_id: args.board_id }, 'shows when the tick has ended') ??
      action('get_kg_queue_health', {}, "what the boards' queues still hold"),
  ],
  MIGRATION_RUNNING: ({ args }) => [action('get_kg_stats', { board_id: args.board_id }, 'try again once it has ended')],
}

/** The codes that the table covers. */
export const advisedCodes: ReadonlySet<string> = new Set(Object.keys(adviceByCode))

/** The operations that list the records of a board, by type. */
const listOperations: Readonly<Record<string, string>> = {
  ideation: 'list_ideations',
  refinement: 'list_ideations',
  spec: 'list_specs',
  sprint: 'list_board_sprints',
  card: 'list_cards',
  guideline: 'list_board_guidelines',
  share: 'list_board_shares',
  webhook: 'list_webhooks',
  repository: 'list_repositories',
  change: 'list_changes',
  test_report: 'list_test_reports',
  reservation: 'list_reservations',
  view: 'list_views',
  template: 'list_templates',
  kg_node: 'list_kg_nodes',
  kg_session: 'list_kg_audit',
}

/** The operations that list records outside boards, by type. */
const unboundListOperations: Readonly<Record<string, string>> = {
  board: 'list_boards',
  agent: 'list_agents',
  preset: 'list_presets',
}

/** What is known about a record that was not found. */
export interface MissingRecord {
  /** The type of the record that the id names instead. */
  readonly actualType?: string | undefined
  /** Its id, if the call named it differently. */
  readonly actualId?: string | undefined
  /** Whether the call named a part of it. */
  readonly isOfPart?: boolean
  /** The board that the call names, or the only one of the caller. */
  readonly board?: string | undefined
}

function adviceForMissing(
  { operation, args, detail }: RefusedCall,
  { actualType, actualId, isOfPart, board }: MissingRecord,
) {
  const { entity_type, entity_id } = detail
  const get = actualType === undefined ? undefined : getOperations[actualType]
  if (get !== undefined) {
    const reason =
      isOfPart === true
        ? `the ${actualType} of that reference, with the parts that it has`
        : `the id names a record of type ${actualType}`
    const named = { [get.argument]: actualId ?? entity_id }
    const { [`${entity_type}_id`]: _, ...others } = args
    const same = operation.replace(String(entity_type), actualType!)
    // If only a part is missing, the record is read, but nothing is done to the record in place of the part.
    const isOther = same !== operation && same !== get.name && Object.hasOwn(getOperations, String(entity_type))
    return [isOther ? action(same, { ...named, ...others }, reason) : undefined, action(get.name, named, reason)]
  }
  const type = String(entity_type)
  const unbound = unboundListOperations[type]
  if (unbound !== undefined) return [action(unbound, {}, `lists each ${type} with its id`)]
  const list = listOperations[type]
  const reason =
    type === 'refinement' ? 'list_refinements lists those of one of these' : `lists each ${type} with its id`
  return list === undefined ? [] : [action(list, { board_id: board }, reason)]
}

/** The operations that read a record, by its type. */
export const getOperations: Readonly<Record<string, { readonly name: string; readonly argument: string }>> = {
  board: { name: 'get_board', argument: 'board_id' },
  ideation: { name: 'get_ideation', argument: 'ideation_id' },
  refinement: { name: 'get_refinement', argument: 'refinement_id' },
  spec: { name: 'get_spec', argument: 'spec_id' },
  sprint: { name: 'get_sprint', argument: 'sprint_id' },
  card: { name: 'get_card', argument: 'card_id' },
  architecture_design: { name: 'get_architecture', argument: 'design_id' },
}

/** Reads of the records that a call named, for when no call resolves its refusal. */
const reads = ({ args, detail }: RefusedCall): (NextAction | undefined)[] => [
  ...Object.values(getOperations).map(({ name, argument }) =>
    action(name, { [argument]: detail[argument] ?? args[argument] }, 'see its state, and who works on it'),
  ),
  myPermissions,
]

/**
 * Actions that may resolve a refusal, best first (mcp 9.5).
 * @param missing what is known about the record that a 404 did not find
 */
export function actionsFor(refused: RefusedCall, missing?: MissingRecord): NextAction[] {
  const code = String(refused.detail.error) as ErrorCode
  return advice(code, refused, missing).filter(one => one !== undefined)
}

/** The reads that replace the candidates if the caller can make none of them; `[]` if no operation would help. */
export const readsInstead = (refused: RefusedCall): NextAction[] =>
  adviceByCode[String(refused.detail.error) as ErrorCode] === undefined ||
  refused.detail.error === 'IDEMPOTENCY_KEY_REUSED' ||
  refused.detail.error === 'PERSON_REQUIRED' ||
  refused.detail.error === 'NOT_CONFIRMED'
    ? []
    : reads(refused).filter(one => one !== undefined)

function advice(code: ErrorCode, refused: RefusedCall, missing: MissingRecord = {}): (NextAction | undefined)[] {
  if (code === 'FORBIDDEN' || code === 'READ_ONLY' || code === 'EXCLUDED') return [myPermissions]
  if (code === 'NOT_FOUND') return adviceForMissing(refused, missing)
  return adviceByCode[code]?.(refused) ?? []
}
