import type { Permission } from '@specboard/contract'

/** The permissions that an action needs; all of them are required. */
export type Needs = readonly Permission[]

const resources = {
  ideation: 'IDEATIONS',
  refinement: 'REFINEMENTS',
  spec: 'SPECS',
  sprint: 'SPRINTS',
  card: 'CARDS',
} as const

/** A kind of record that has statuses. */
export type MovedKind = keyof typeof resources

/** Fields that need a different permission to change than the other fields of the record (access 2.3). */
const ofFields: { readonly [K in MovedKind]: Readonly<Record<string, Permission>> } = {
  ideation: {
    assignee_id: 'IDEATIONS_ASSIGN',
    labels: 'IDEATIONS_LABEL',
    screen_mockups: 'IDEATIONS_UPDATE_MOCKUPS',
  },
  refinement: {
    assignee_id: 'REFINEMENTS_ASSIGN',
    labels: 'REFINEMENTS_LABEL',
    screen_mockups: 'REFINEMENTS_UPDATE_MOCKUPS',
  },
  spec: {
    assignee_id: 'SPECS_ASSIGN',
    labels: 'SPECS_LABEL',
    screen_mockups: 'SPECS_UPDATE_MOCKUPS',
    test_scenarios: 'SPECS_UPDATE_SCENARIOS',
    business_rules: 'SPECS_UPDATE_RULES',
    api_contracts: 'SPECS_UPDATE_CONTRACTS',
    gate_rules: 'SPECS_UPDATE_COVERAGE_FLAGS',
  },
  sprint: { labels: 'SPRINTS_LABEL', gate_rules: 'SPRINTS_UPDATE_COVERAGE_FLAGS' },
  card: {
    assignee_id: 'CARDS_ASSIGN',
    labels: 'CARDS_LABEL',
    screen_mockups: 'CARDS_UPDATE_MOCKUPS',
    expected_behavior: 'CARDS_UPDATE_BUG_FIELDS',
    observed_behavior: 'CARDS_UPDATE_BUG_FIELDS',
    steps_to_reproduce: 'CARDS_UPDATE_BUG_FIELDS',
    action_plan: 'CARDS_UPDATE_BUG_FIELDS',
    sprint_id: 'SPRINTS_ASSIGN',
  },
}

/** The permission to write records of a kind in a status (access 2.4). */
export const writingIn = (kind: MovedKind, status: string): Permission =>
  `${resources[kind]}_WRITE_IN_${status.toUpperCase()}` as Permission

/**
 * The permissions needed to change a field of a record; `gate_rules` stands for all flags and thresholds of its gates.
 */
export const changing = (kind: MovedKind, status: string, field: string): Needs => [
  ofFields[kind][field] ?? `${resources[kind]}_UPDATE`,
  writingIn(kind, status),
]

/** The permissions needed to create a planned record of a kind, in a status. */
export const creating = (kind: Exclude<MovedKind, 'card'>, status = 'draft'): Needs => [
  `${resources[kind]}_CREATE`,
  ...(status === 'draft' ? [] : [`${resources[kind]}_MOVE_${status.toUpperCase()}` as Permission]),
  writingIn(kind, status),
]

/** The permissions needed to file a small change (crew 7). */
export const creatingSmall: Needs = ['CARDS_CREATE_SMALL']

/** The permissions needed to let agents try a card again (crew 4.6). */
export const allowingAttempts: Needs = ['BOARDS_UPDATE']

/** The permissions needed to promote a small change to a spec. */
export const promoting: Needs = ['CARDS_PROMOTE']

/** The permissions needed to delete a record. */
export const deleting = (kind: MovedKind, status: string): Needs => [
  `${resources[kind]}_DELETE`,
  writingIn(kind, status),
]

/** The types of card that need few fields; a bug needs more. */
export type QuickType = 'normal' | 'test'

/** The permissions needed to create a card of a type, apart from its status. */
const creatingOf: Readonly<Record<QuickType | 'bug', Needs>> = {
  normal: ['CARDS_CREATE'],
  // A test card is linked to the scenarios that it tests (cards 3.1).
  test: ['CARDS_CREATE_TEST', 'CARDS_LINK_TESTS'],
  bug: ['CARDS_CREATE_BUG'],
}

/** The permissions needed to create a card of a type in a status. */
export const creatingCard = (type: QuickType | 'bug', status = 'not_started'): Needs => [
  ...creatingOf[type],
  ...(status === 'not_started' ? [] : [`CARDS_MOVE_${status.toUpperCase()}` as Permission]),
  writingIn('card', status),
]

/** The permissions needed to read the history of a planned record. */
export const readingHistory = (kind: Exclude<MovedKind, 'card'>): Needs => [`${resources[kind]}_READ_HISTORY`]
