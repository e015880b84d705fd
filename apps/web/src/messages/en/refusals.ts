import { listed, number } from '../format.ts'
import type { GateFacts } from '../gate-facts.ts'
import { inLanguage } from '../language.ts'

/** Says why a gate is closed; undefined if the facts are not enough. */
type Says = (facts: GateFacts) => string | undefined

const some = (count: number, one: string, many: string): string => (count === 1 ? one : `${number(count)} ${many}`)

const now = (status: string | undefined): string =>
  status === undefined ? '' : ` Its status: ${status.toLowerCase()}.`

export const refusals = inLanguage('refusals', {
  /** Why each kind of gate is closed, by the code of its refusal. */
  gates: {
    ARCHIVED: () => 'It is archived. Restore it first.',
    INVALID_TRANSITION: ({ status, target }) =>
      status === undefined || target === undefined
        ? undefined
        : `It cannot go from ${status.toLowerCase()} to ${target.toLowerCase()}.`,
    IDEATION_LOCKED: ({ status }) => `This ideation cannot be edited.${now(status)}`,
    REFINEMENT_LOCKED: ({ status }) => `This refinement cannot be edited.${now(status)}`,
    SPEC_LOCKED: () => 'This spec passed its validation and is locked. Move it back to draft first.',
    EVALUATION_NOT_OPEN: ({ status }) =>
      `An ideation can be evaluated only while its status is “Evaluating”.${now(status)}`,
    IDEATION_NOT_DONE: ({ status }) => `The ideation has to be done first.${now(status)}`,
    REFINEMENT_NOT_DONE: ({ status }) => `The refinement has to be done first.${now(status)}`,
    REFINEMENT_REQUIRED: () => 'An ideation of this size needs a refinement first. Specs are derived from that.',
    SCOPE_REQUIRED: () => 'Say what is in scope first.',
    SPEC_NOT_APPROVED: ({ status }) => `A spec is validated once it is approved.${now(status)}`,
    SPEC_NOT_VALIDATED: ({ status }) => `A spec is evaluated once it is validated.${now(status)}`,
    SPEC_VALIDATION_REQUIRED: () => 'This board validates its specs. Validate this one: a passed validation moves it.',
    SPEC_NOT_READY: ({ status, target }) =>
      target === undefined
        ? `The spec is not in the right status.${now(status)}`
        : `Cards like this move once the spec is ${target.toLowerCase()}.${now(status)}`,
    COVERAGE_REQUIRED: ({ gate, count }) =>
      gate === 'scenarios'
        ? `${some(count, 'A test scenario of the sprint has', 'test scenarios of the sprint have')} not passed.`
        : `${some(count, 'One part of the spec is', 'parts of the spec are')} not covered.`,
    EVALUATION_REQUIRED: () => 'No evaluation approves it yet.',
    EVALUATION_REJECTED: ({ names }) =>
      `${listed(names)} rejected it. Whoever rejected it can evaluate it again, which replaces the rejection.`,
    EVALUATION_BELOW_THRESHOLD: ({ average, threshold }) =>
      `The approving evaluations score ${number(average)} on average; ${number(threshold)} is needed.`,
    CRITERIA_UNCOVERED: ({ count }) =>
      `No test scenario covers ${some(count, 'one acceptance criterion', 'acceptance criteria')}.`,
    SPRINTS_OPEN: ({ count }) =>
      `${some(count, 'One sprint is', 'sprints are')} open. Close or cancel ${count === 1 ? 'it' : 'them'} first.`,
    NO_CLOSED_SPRINT: () => 'Every sprint of the spec was cancelled. Close at least one.',
    TASKS_OPEN: ({ count }) =>
      `${some(count, 'One card is', 'cards are')} open. Finish or cancel ${count === 1 ? 'it' : 'them'} first.`,
    SCENARIOS_OPEN: ({ count }) =>
      `${some(count, 'One test scenario has', 'test scenarios have')} not been run, or failed.`,
    SCENARIOS_NOT_RUN: ({ count }) =>
      `${some(count, 'One test scenario of this card has', 'test scenarios of this card have')} not been run yet.`,
    TEST_EVIDENCE_REQUIRED: ({ count }) =>
      `${some(count, 'One test scenario lacks', 'test scenarios lack')} the evidence of its result: where the test is, or when it ran and what it said.`,
    REVIEWER_NOT_SEPARATE: () => 'Whoever took part in this work cannot judge it. Somebody else has to.',
    PERSON_REQUIRED: () => 'This is up to a person who has signed in without a key.',
    CLAIMED: ({ names }) =>
      names.length === 0 ? 'Somebody else holds this card.' : `${listed(names)} holds this card.`,
    NOT_CLAIMED: () => 'You do not hold this card. Claim it first.',
    ATTEMPTS_USED_UP: ({ used }) =>
      `Work on this card has failed ${some(used, 'once', 'times')}, and no attempt is left. Allow more, cancel the card or turn it into a spec.`,
    VALIDATION_REQUIRED: () => 'This card needs a passed validation by somebody who may judge it.',
    CARD_NOT_IN_VALIDATION: ({ status }) => `A card is validated while it is in validation.${now(status)}`,
    VALIDATION_NOT_APPLICABLE: () => 'A test card needs no validation. Record the results of its scenarios instead.',
    SPRINT_REQUIRED: () => 'The spec has sprints. Put this card into one of them first.',
    SPRINT_NOT_ACTIVE: ({ status }) => `The cards of a sprint move while the sprint is active.${now(status)}`,
    SPRINT_EMPTY: () => 'The sprint has no cards. Add some first.',
    TEST_TASK_REQUIRED: () => 'A bug needs a regression test that shows it is fixed.',
    TEST_TASK_INVALID: ({ count }) =>
      `${some(count, 'One linked test card does', 'linked test cards do')} not count as the test of this bug.`,
    CONCLUSION_REQUIRED: () => 'The move needs a complete report.',
    CHECK_FAILED: () => 'The check failed, so the card is not done. Fix it and check again.',
    DEPENDENCIES_NOT_MET: ({ count }) => `It waits for ${some(count, 'one other card', 'other cards')}.`,
    PROOF_REQUIRED: ({ count, tier }) =>
      `${some(count, 'One part lacks', 'parts lack')} the proof that this board requires${tier === undefined ? '' : `: ${tier}`}.`,
    CHANGE_NOT_MERGED: () => 'The work on this card is not merged.',
    CHECKS_NOT_GREEN: () => 'Checks of the work on this card are not green.',
    COLUMN_FULL: ({ limit }) =>
      `The column is full: this board lets in ${limit === undefined ? 'no more' : `at most ${some(limit, 'one card', 'cards')}`}. Finish a card there or move it on.`,
    INVALID_STATE: ({ status }) =>
      status === undefined ? undefined : `Its status is ${status.toLowerCase()}: too early or too late for this.`,
  } satisfies Readonly<Record<string, Says>>,
  /** Why a single call is refused, by the code of its refusal: no gate of a record closes with it. */
  calls: {
    IDEMPOTENCY_KEY_REUSED: () => 'This was sent before in another form. Reload the page and try again.',
    ALREADY_SHARED: () => 'The board is shared with this agent already. Change what it may do there.',
    ALREADY_GRANTED: () => 'This agent has access to the board already. Change what it may do there.',
    SELF_CHANGE: () => 'You cannot change this about yourself. Ask somebody who manages you.',
    AGENT_OWNS_BOARDS: () => 'This agent owns boards. Delete them first.',
    PRESET_IN_USE: () => 'Agents have this preset. Give them another one first.',
    SETTING_PINNED: () =>
      'The operator has set this for the whole service. It changes with the settings of the service.',
    ITEMS_IN_USE: () => 'Parts that this would remove are in use.',
    NOT_CONFIRMED: () => 'Nobody confirmed it.',
    SCENARIO_LIMIT: ({ limit }) =>
      limit === undefined
        ? 'The card would have more test scenarios than the board allows.'
        : `A card of this board may have ${some(limit, 'one test scenario', 'test scenarios')}.`,
    CARD_NOT_IN_SPEC: () => 'The card is not on this spec. Put it there first.',
    CHANGED_MEANWHILE: () => 'What this card is to do was changed after its report. Read what changed first.',
    PATHS_OVERLAP: ({ names }) =>
      names.length === 0 ? 'Somebody else works on the same files.' : `${listed(names)} also works on these files.`,
    DEPENDENCY_CYCLE: () => 'The cards would wait for each other.',
    DEPENDENCY_EXISTS: () => 'The card waits for that one already.',
    ALREADY_LINKED: () => 'This guideline is linked already.',
    INLINE_GUIDELINE: () => 'This guideline belongs to this board alone and cannot be unlinked. Delete it instead.',
    LINEAGE_ROOT_UNRESOLVED: () => 'The card has no spec, so it has no lineage. Put it on a spec first.',
    NAME_TAKEN: () => 'The name is taken. Choose another one.',
    KEY_TAKEN: () => 'Another board has this prefix. Choose another one.',
    HANDLE_TAKEN: () => 'Somebody else has this handle. Choose another one.',
    LAST_SIGN_IN: () => 'You could no longer sign in. Link another account or create a key first.',
    REPOSITORY_EXISTS: () => 'The board has this repository already.',
    REPORT_EXISTS: () => 'Another report of this run has the same name and attempt.',
    ID_TAKEN: () => 'Records of this archive exist here in another place. Import it as a copy.',
    LIMIT_REACHED: ({ limit }) =>
      limit === undefined
        ? 'There are as many as there may be. Delete what is no longer needed.'
        : `The limit of ${number(limit)} is reached. Delete what is no longer needed.`,
    ENTRY_IN_PROGRESS: () => 'This entry is being worked on. Wait until that is done.',
    ALREADY_UNDONE: () => 'This is undone already.',
    UNDO_BLOCKED: () => 'Later sessions build on this one. Undo them first.',
    TICK_ALREADY_RUNNING: () => 'A run is under way already. Wait until it is done.',
    MIGRATION_RUNNING: () => 'A migration is running already. Wait until it is done.',
  } satisfies Readonly<Record<string, Says>>,
  /** What is wrong with a field, by the kind of the fault, for kinds with a limit. */
  faults: {
    string_too_short: limit => (limit === 1 ? 'is empty' : `has fewer than ${number(limit)} characters`),
    string_too_long: limit => `has more than ${number(limit)} characters`,
    too_short: limit => `has fewer than ${number(limit)} entries`,
    too_long: limit => `has more than ${number(limit)} entries`,
    greater_than: limit => `is not greater than ${number(limit)}`,
    greater_than_equal: limit => `is less than ${number(limit)}`,
    less_than: limit => `is not less than ${number(limit)}`,
    less_than_equal: limit => `is greater than ${number(limit)}`,
  } satisfies Readonly<Record<string, (limit: number) => string>>,
  /** What is wrong with a field, by the kind of the fault, for kinds without a limit. */
  kinds: {
    missing: 'is required',
    string_type: 'is not text',
    int_type: 'is not a whole number',
    int_parsing: 'is not a whole number',
    float_type: 'is not a number',
    float_parsing: 'is not a number',
    bool_type: 'is neither yes nor no',
    bool_parsing: 'is neither yes nor no',
    list_type: 'is not a list',
    dict_type: 'has the wrong form',
    enum: 'is not one of the choices',
    pattern: 'is not a path in the repository or a pattern of paths, without / at its start and without ..',
  },
  /** The formats that a text may have to match. */
  formats: {
    email: 'is not an e-mail address',
    date: 'is not a date',
    datetime: 'is not a point in time',
    url: 'is not a web address',
    web_address: 'is not a web address',
    not_blank: 'is empty',
    board_key: 'is not a capital letter followed by capital letters and digits',
    handle: 'has characters other than lower-case letters, digits and, between them, dots, underscores and hyphens',
    time_of_day: 'is not a time of the day',
    variable_name: 'is not the name of an environment variable',
    event_action: 'is neither an event action nor the beginning of one followed by *',
    repository_path: 'is not a path in the repository, without / at its start and without ..',
    commit_hash: 'is not the hash of a commit',
  },
  /** A fault that only the service can describe. */
  invalid: (message: string) => message,
  /** The labels of the service's fields in forms. */
  fields: {
    branch: 'Branch',
    choices: 'Choices',
    default_branch: 'Default branch',
    description: 'Description',
    details: 'Details',
    digest_at: 'Daily summary at',
    due_date: 'Due',
    email: 'E-mail',
    end_date: 'Ends',
    expected_behavior: 'Expected behaviour',
    from: 'From',
    handle: 'Handle',
    labels: 'Labels',
    name: 'Name',
    objective: 'Objective',
    observed_behavior: 'Observed behaviour',
    paths: 'Files',
    quiet_hours: 'Quiet hours',
    reason: 'Reason',
    start_date: 'Starts',
    summary: 'Summary',
    time_zone: 'Time zone',
    title: 'Title',
    to: 'To',
    url: 'Address',
  },
  tiers: {
    claimed: 'at least said by an agent',
    observed: 'at least a watched run',
    ci: 'at least CI',
    person: 'confirmed by a person',
  } as Readonly<Partial<Record<string, string>>>,
  /** Missing parts of the record that the service names. */
  parts: {
    conclusion: 'What was done',
    completeness: 'How complete it is',
    completeness_justification: 'Why it is not complete',
    drift: 'How far it departs from the plan',
    drift_justification: 'Why it departs from the plan',
    check: 'The result of a check',
    linked_test_task_ids: 'A linked test card',
    regression_test: 'The regression test, by file and name',
  } as Readonly<Partial<Record<string, string>>>,
  /** Why one missing item does not count. */
  reasons: {
    test: 'no test card',
    rules: 'no business rule',
    rule_tasks: 'no card',
    technical_requirements: 'no card',
    contracts: 'no card',
    decisions: 'no card',
    tier: 'not proof enough',
    failed: 'failed',
    stale: 'older than the code',
    outdated: 'older than the code',
    needs_person: 'a person has to confirm it',
    no_change: 'No change is linked to the card',
    open: 'not merged',
    draft: 'still a draft',
    not_on_default: 'not on the default branch',
    not_confirmed: 'nobody confirmed that it is merged',
    failing: 'failing',
    pending: 'still running',
    cancelled: 'cancelled',
    not_run: 'not run',
    none: 'No check has run',
    not_found: 'The test card no longer exists',
    not_a_test: 'The card is not a test card',
    no_scenario: 'The test card has no scenario',
    other_spec: 'The test card is of another spec',
    older_than_bug: 'The test card is older than the bug',
    unknown_scenario: 'The spec no longer has the scenario of the test card',
  } as Readonly<Partial<Record<string, string>>>,
})
