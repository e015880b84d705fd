/**
 * Further properties of a row: a group has no operations of its own, a note says what it protects besides operations.
 */
interface More {
  readonly group?: true
  readonly note?: string
  /** An older permission that includes it: holders of either pass (crew 7). */
  readonly orHolding?: string
}

const group = { group: true } as const

/**
 * The permission table (contract: access 2.5), the one source of the names, their parents and the built-in presets.
 * What a permission protects follows from the operations (`guardedBy`).
 *
 * A row: name, parent, presets that hold it (S Spec, E Executor, Q QA, V Validator, R Reporter, M Sprint Manager; Full
 * Control holds all, and what Solo holds follows from them), and further properties if needed.
 */
const table = [
  // Boards, agents, presets, settings
  ['BOARDS_READ', null, 'SEQVRM'],
  ['BOARDS_CREATE', null, '------'],
  ['BOARDS_UPDATE', null, '------'],
  ['BOARDS_DELETE', null, '------', { note: 'only by the owner' }],
  ['BOARDS_ARCHIVE', null, 'S-----'],
  ['BOARDS_RESTORE', null, 'S-----'],
  ['BOARDS_SHARE', null, '------'],
  ['BOARDS_EXPORT', null, '------'],
  ['BOARDS_IMPORT', null, '------'],
  ['AGENTS_READ', null, 'SEQVRM', { note: 'agents inside a board' }],
  ['AGENTS_CREATE', null, '------'],
  ['AGENTS_CREATE_CI', 'AGENTS_CREATE', '------', { note: 'a new key of an agent of kind ci' }],
  ['AGENTS_UPDATE', null, '------'],
  ['AGENTS_UPDATE_SELF', 'AGENTS_UPDATE', 'SEQVRM'],
  ['AGENTS_REGENERATE_KEY', null, '------'],
  ['AGENTS_DELETE', null, '------'],
  ['AGENTS_GRANT', null, '------'],
  ['PRESETS_READ', null, 'SEQVRM'],
  ['PRESETS_CREATE', null, '------'],
  ['PRESETS_UPDATE', null, '------'],
  ['PRESETS_DELETE', null, '------'],
  ['SETTINGS_READ', null, 'SEQVRM'],
  ['SETTINGS_UPDATE', null, '------'],
  ['AUDIT_READ', null, '------'],
  ['PEOPLE_READ', null, '------', { note: 'all persons in list_agents and get_agent' }],
  ['PEOPLE_INVITE', null, '------'],
  ['PEOPLE_MANAGE', null, '------', { note: 'what list_audit says of persons' }],
  ['CONNECTIONS_MANAGE', null, '------', { note: 'the connections of others' }],
  ['WEBHOOKS_READ', null, '------'],
  ['WEBHOOKS_MANAGE', null, '------'],
  ['REPOSITORIES_READ', null, 'SEQVRM'],
  ['REPOSITORIES_MANAGE', null, '------'],
  ['CHANGES_READ', null, 'SEQVRM'],
  ['CHANGES_RECORD', null, '-EQ---'],
  ['CHANGES_LINK', null, 'SEQ--M'],
  ['REPORTS_READ', null, 'SEQVRM'],
  ['REPORTS_SUBMIT', null, '-EQV--'],
  // Ideations
  ['IDEATIONS_READ', null, 'S-QVRM'],
  ['IDEATIONS_READ_HISTORY', 'IDEATIONS_READ', 'S-QVRM'],
  ['IDEATIONS_CREATE', null, 'S-----'],
  ['IDEATIONS_UPDATE', null, 'S-----'],
  ['IDEATIONS_ASSIGN', 'IDEATIONS_UPDATE', 'S-----'],
  ['IDEATIONS_LABEL', 'IDEATIONS_UPDATE', 'S-----'],
  ['IDEATIONS_UPDATE_MOCKUPS', 'IDEATIONS_UPDATE', 'S-----'],
  ['IDEATIONS_EVALUATE', null, 'S-----'],
  ['IDEATIONS_DELETE', null, 'S-----'],
  ['IDEATIONS_MOVE', null, 'S-----', group],
  ['IDEATIONS_MOVE_DRAFT', 'IDEATIONS_MOVE', 'S-----'],
  ['IDEATIONS_MOVE_REVIEW', 'IDEATIONS_MOVE', 'S-----'],
  ['IDEATIONS_MOVE_APPROVED', 'IDEATIONS_MOVE', 'S-----'],
  ['IDEATIONS_MOVE_EVALUATING', 'IDEATIONS_MOVE', 'S-----'],
  ['IDEATIONS_MOVE_DONE', 'IDEATIONS_MOVE', 'S-----'],
  ['IDEATIONS_MOVE_CANCELLED', 'IDEATIONS_MOVE', 'S-----'],
  ['IDEATIONS_WRITE_IN_DRAFT', null, 'SEQVRM'],
  ['IDEATIONS_WRITE_IN_REVIEW', null, 'SEQVRM'],
  ['IDEATIONS_WRITE_IN_APPROVED', null, 'SEQVRM'],
  ['IDEATIONS_WRITE_IN_EVALUATING', null, 'SEQVRM'],
  ['IDEATIONS_WRITE_IN_DONE', null, 'SEQVRM'],
  ['IDEATIONS_WRITE_IN_CANCELLED', null, '-EQVRM'],
  // Refinements
  ['REFINEMENTS_READ', null, 'S-QVRM', { note: 'refinements inside an ideation' }],
  ['REFINEMENTS_READ_HISTORY', 'REFINEMENTS_READ', 'S-QVRM'],
  ['REFINEMENTS_CREATE', null, 'S-----'],
  ['REFINEMENTS_UPDATE', null, 'S-----'],
  ['REFINEMENTS_ASSIGN', 'REFINEMENTS_UPDATE', 'S-----'],
  ['REFINEMENTS_LABEL', 'REFINEMENTS_UPDATE', 'S-----'],
  ['REFINEMENTS_UPDATE_MOCKUPS', 'REFINEMENTS_UPDATE', 'S-----'],
  ['REFINEMENTS_DELETE', null, 'S-----'],
  ['REFINEMENTS_MOVE', null, 'S-----', group],
  ['REFINEMENTS_MOVE_DRAFT', 'REFINEMENTS_MOVE', 'S-----'],
  ['REFINEMENTS_MOVE_REVIEW', 'REFINEMENTS_MOVE', 'S-----'],
  ['REFINEMENTS_MOVE_APPROVED', 'REFINEMENTS_MOVE', 'S-----'],
  ['REFINEMENTS_MOVE_DONE', 'REFINEMENTS_MOVE', 'S-----'],
  ['REFINEMENTS_MOVE_CANCELLED', 'REFINEMENTS_MOVE', 'S-----'],
  ['REFINEMENTS_WRITE_IN_DRAFT', null, 'SEQVRM'],
  ['REFINEMENTS_WRITE_IN_REVIEW', null, 'SEQVRM'],
  ['REFINEMENTS_WRITE_IN_APPROVED', null, 'SEQVRM'],
  ['REFINEMENTS_WRITE_IN_DONE', null, 'SEQVRM'],
  ['REFINEMENTS_WRITE_IN_CANCELLED', null, '-EQVRM'],
  // Specs
  ['SPECS_READ', null, 'SEQVRM', { note: 'specs inside an ideation or a refinement' }],
  ['SPECS_READ_HISTORY', 'SPECS_READ', 'SEQVRM'],
  ['SPECS_READ_VALIDATIONS', 'SPECS_READ', 'SEQVRM', { note: 'evaluations inside a spec' }],
  ['SPECS_CREATE', null, 'S-----'],
  ['SPECS_UPDATE', null, 'S-----'],
  ['SPECS_ASSIGN', 'SPECS_UPDATE', 'S-----'],
  ['SPECS_LABEL', 'SPECS_UPDATE', 'S-----'],
  ['SPECS_UPDATE_MOCKUPS', 'SPECS_UPDATE', 'S-----'],
  ['SPECS_UPDATE_SCENARIOS', 'SPECS_UPDATE', 'S-Q---'],
  ['SPECS_UPDATE_RULES', 'SPECS_UPDATE', 'S-----'],
  ['SPECS_UPDATE_CONTRACTS', 'SPECS_UPDATE', 'S-----'],
  ['SPECS_UPDATE_COVERAGE_FLAGS', 'SPECS_UPDATE', 'S-----'],
  ['SPECS_RECORD_RESULTS', 'SPECS_UPDATE', 'SEQ---'],
  ['SPECS_MAP_TESTS', 'SPECS_UPDATE', 'SEQ---'],
  ['SPECS_DELETE', null, 'S-----'],
  ['SPECS_LINK', null, 'S-Q---', group],
  ['SPECS_LINK_CARDS', 'SPECS_LINK', 'S-----'],
  ['SPECS_LINK_SCENARIOS', 'SPECS_LINK', 'S-Q---'],
  ['SPECS_LINK_ITEMS', 'SPECS_LINK', 'S-----'],
  ['SPECS_VALIDATE', null, '---V--'],
  ['SPECS_MOVE', null, 'S--V--', group],
  ['SPECS_MOVE_DRAFT', 'SPECS_MOVE', 'S--V--'],
  ['SPECS_MOVE_REVIEW', 'SPECS_MOVE', 'S-----'],
  ['SPECS_MOVE_APPROVED', 'SPECS_MOVE', 'S-----'],
  ['SPECS_MOVE_VALIDATED', 'SPECS_MOVE', '---V--'],
  ['SPECS_MOVE_IN_PROGRESS', 'SPECS_MOVE', '---V--'],
  ['SPECS_MOVE_DONE', 'SPECS_MOVE', '---V--'],
  ['SPECS_MOVE_CANCELLED', 'SPECS_MOVE', 'S-----'],
  ['SPECS_UNLOCK', 'SPECS_MOVE', '---V--'],
  ['SPECS_WRITE_IN_DRAFT', null, 'SEQ-RM'],
  ['SPECS_WRITE_IN_REVIEW', null, 'SEQ-RM'],
  ['SPECS_WRITE_IN_APPROVED', null, 'SEQVRM'],
  ['SPECS_WRITE_IN_VALIDATED', null, 'SEQVRM'],
  ['SPECS_WRITE_IN_IN_PROGRESS', null, 'SEQVRM'],
  ['SPECS_WRITE_IN_DONE', null, '-E--RM'],
  ['SPECS_WRITE_IN_CANCELLED', null, '-E--RM'],
  // Sprints
  ['SPRINTS_READ', null, 'SEQVRM'],
  ['SPRINTS_READ_HISTORY', 'SPRINTS_READ', 'SEQVRM'],
  ['SPRINTS_READ_EVALUATIONS', 'SPRINTS_READ', 'SEQVRM', { note: 'evaluations inside a sprint' }],
  ['SPRINTS_CREATE', null, 'S----M'],
  ['SPRINTS_UPDATE', null, 'S----M'],
  ['SPRINTS_LABEL', 'SPRINTS_UPDATE', 'S----M'],
  ['SPRINTS_UPDATE_COVERAGE_FLAGS', 'SPRINTS_UPDATE', 'S----M'],
  ['SPRINTS_DELETE', null, 'S----M'],
  ['SPRINTS_ASSIGN', null, 'S----M'],
  ['SPRINTS_EVALUATE', null, '---V-M'],
  ['SPRINTS_MOVE', null, 'S--V-M', group],
  ['SPRINTS_MOVE_DRAFT', 'SPRINTS_MOVE', 'S----M'],
  ['SPRINTS_MOVE_ACTIVE', 'SPRINTS_MOVE', 'S----M'],
  ['SPRINTS_MOVE_REVIEW', 'SPRINTS_MOVE', 'S--V-M'],
  ['SPRINTS_MOVE_CLOSED', 'SPRINTS_MOVE', '---V-M'],
  ['SPRINTS_MOVE_CANCELLED', 'SPRINTS_MOVE', 'S----M'],
  ['SPRINTS_WRITE_IN_DRAFT', null, 'SEQ-RM'],
  ['SPRINTS_WRITE_IN_ACTIVE', null, 'SEQVRM'],
  ['SPRINTS_WRITE_IN_REVIEW', null, '-EQVRM'],
  ['SPRINTS_WRITE_IN_CLOSED', null, '-EQ-RM'],
  ['SPRINTS_WRITE_IN_CANCELLED', null, '-EQ-R-'],
  // Cards
  ['CARDS_READ', null, 'SEQVRM', { note: 'cards inside boards, columns, specs and sprints' }],
  ['CARDS_READ_ACTIVITY', 'CARDS_READ', 'SEQVRM'],
  ['CARDS_READ_CONCLUSIONS', 'CARDS_READ', 'SEQV-M', { note: 'conclusions inside a card' }],
  ['CARDS_READ_VALIDATIONS', 'CARDS_READ', 'SEQVRM', { note: 'validations inside a card' }],
  ['CARDS_CREATE', null, 'S-----'],
  ['CARDS_CREATE_BUG', 'CARDS_CREATE', 'SEQ-R-'],
  ['CARDS_CREATE_TEST', 'CARDS_CREATE', 'S-Q---'],
  ['CARDS_CREATE_SMALL', 'CARDS_CREATE', 'SEQ---', { orHolding: 'CARDS_CREATE' }],
  ['CARDS_UPDATE', null, 'SEQ---'],
  ['CARDS_ASSIGN', 'CARDS_UPDATE', 'SE---M'],
  ['CARDS_LABEL', 'CARDS_UPDATE', 'SE---M'],
  ['CARDS_UPDATE_BUG_FIELDS', 'CARDS_UPDATE', '-E----'],
  ['CARDS_UPDATE_MOCKUPS', 'CARDS_UPDATE', 'SE----'],
  ['CARDS_PROMOTE', null, 'SE----'],
  ['CARDS_WAIVE', null, '------', { note: 'excusing a card from gates' }],
  ['CARDS_DELETE', null, '------'],
  ['CARDS_LINK', null, 'SEQ---', group],
  ['CARDS_LINK_DEPENDENCIES', 'CARDS_LINK', 'SE----'],
  ['CARDS_LINK_TESTS', 'CARDS_LINK', 'SEQ---'],
  ['CARDS_VALIDATE', null, '---V--'],
  ['CARDS_DELETE_VALIDATION', null, '------'],
  ['CARDS_CLAIM', null, '-EQV--'],
  ['CARDS_MOVE', null, '-EQV--', group],
  ['CARDS_MOVE_NOT_STARTED', 'CARDS_MOVE', '-EQV--'],
  ['CARDS_MOVE_STARTED', 'CARDS_MOVE', '-EQ---'],
  ['CARDS_MOVE_IN_PROGRESS', 'CARDS_MOVE', '-EQV--'],
  ['CARDS_MOVE_VALIDATION', 'CARDS_MOVE', '-E----'],
  ['CARDS_MOVE_ON_HOLD', 'CARDS_MOVE', '-EQ---'],
  ['CARDS_MOVE_DONE', 'CARDS_MOVE', '--QV--'],
  ['CARDS_MOVE_DONE_SMALL', 'CARDS_MOVE', '-EQV--', { orHolding: 'CARDS_MOVE_DONE' }],
  ['CARDS_MOVE_DONE_TEST', 'CARDS_MOVE', '-EQV--', { orHolding: 'CARDS_MOVE_DONE' }],
  ['CARDS_MOVE_CANCELLED', 'CARDS_MOVE', '-EQ---'],
  ['CARDS_WRITE_IN_NOT_STARTED', null, 'SEQ-RM'],
  ['CARDS_WRITE_IN_STARTED', null, '-EQ--M'],
  ['CARDS_WRITE_IN_IN_PROGRESS', null, '-EQ--M'],
  ['CARDS_WRITE_IN_VALIDATION', null, '---V-M'],
  ['CARDS_WRITE_IN_ON_HOLD', null, '-EQ--M'],
  ['CARDS_WRITE_IN_DONE', null, '--Q--M'],
  ['CARDS_WRITE_IN_CANCELLED', null, '------'],
  // Parts of records
  ['COMMENTS_READ', null, 'SEQVRM', { note: 'comments inside a card' }],
  ['COMMENTS_CREATE', null, 'SEQVRM'],
  ['COMMENTS_CREATE_CHOICE', 'COMMENTS_CREATE', '-E----'],
  ['COMMENTS_RESPOND', null, '-E--R-'],
  ['COMMENTS_UPDATE', null, '------'],
  ['COMMENTS_DELETE', null, '------'],
  ['QA_READ', null, 'SEQVRM', { note: 'qa_items inside a record' }],
  ['QA_CREATE', null, 'SEQVRM'],
  ['QA_CREATE_CHOICE', 'QA_CREATE', 'S-Q---'],
  ['QA_ANSWER', null, 'SEQV--', group],
  ['QA_ANSWER_IDEATIONS', 'QA_ANSWER', 'S-QV--'],
  ['QA_ANSWER_REFINEMENTS', 'QA_ANSWER', 'S-QV--'],
  ['QA_ANSWER_SPECS', 'QA_ANSWER', 'S-QV--'],
  ['QA_ANSWER_CARDS', 'QA_ANSWER', 'SEQV--'],
  ['QA_DELETE', null, '------'],
  ['KNOWLEDGE_READ', null, 'SEQVRM', { note: 'knowledge_bases inside a record' }],
  ['KNOWLEDGE_CREATE', null, 'S-----'],
  ['KNOWLEDGE_CREATE_CARDS', 'KNOWLEDGE_CREATE', 'SEQ---'],
  ['KNOWLEDGE_UPDATE', null, 'SEQ---'],
  ['KNOWLEDGE_DELETE', null, 'S-----'],
  ['KNOWLEDGE_DELETE_CARDS', 'KNOWLEDGE_DELETE', 'SEQ---'],
  ['ATTACHMENTS_READ', null, 'SEQVRM', { note: 'attachments inside a card' }],
  ['ATTACHMENTS_CREATE', null, '-EQ-R-'],
  ['ATTACHMENTS_DELETE', null, '-E----'],
  ['ARCHITECTURE_READ', null, 'SEQVRM', { note: 'architecture_designs inside a record' }],
  ['ARCHITECTURE_CREATE', null, 'S-----'],
  ['ARCHITECTURE_UPDATE', null, 'S-----'],
  ['ARCHITECTURE_DELETE', null, 'S-----'],
  // Guidelines, analytics, search, knowledge graph
  ['GUIDELINES_READ', null, 'SEQVRM'],
  ['GUIDELINES_CREATE', null, '------'],
  ['GUIDELINES_UPDATE', null, '------'],
  ['GUIDELINES_DELETE', null, '------'],
  ['GUIDELINES_LINK', null, '------'],
  ['ANALYTICS_READ', null, 'S---RM'],
  ['ANALYTICS_EXPORT', null, 'S---RM'],
  ['DISCOVERY_READ', null, 'SEQVRM'],
  ['DISCOVERY_EXECUTE', null, 'SEQVRM'],
  ['LINEAGE_READ', null, 'SEQVRM'],
  ['KG_READ', null, 'SEQVRM'],
  ['KG_QUERY', null, 'S--V--'],
  ['KG_AUDIT', null, 'S--V--'],
  ['KG_UPDATE', null, 'S--V--'],
  ['KG_ADMIN', null, 'S-----', group],
  ['KG_ADMIN_SETTINGS', 'KG_ADMIN', 'S-----'],
  ['KG_ADMIN_BACKFILL', 'KG_ADMIN', 'S-----'],
  ['KG_ADMIN_DELETE', 'KG_ADMIN', '------'],
] as const

/** The name of a permission, `<RESOURCE>_<ACTION>`. */
export type Permission = (typeof table)[number][0]

/** One row of the permission table. */
export interface PermissionRow {
  readonly name: Permission
  readonly parent: Permission | null
  /** Letters of the built-in presets that hold it. */
  readonly presets: string
  /** It protects nothing itself: it is held exactly when at least one of its children is (access 2.1). */
  readonly group: boolean
  /** What it protects besides operations; null if nothing. */
  readonly note: string | null
  /** A permission whose holders have this one too; null if there is none. */
  readonly orHolding: Permission | null
}

const rows: readonly (readonly [Permission, Permission | null, string, More?])[] = table

/** All permissions in the order of the contract. */
export const permissions: readonly PermissionRow[] = rows.map(([name, parent, presets, more]) => ({
  name,
  parent,
  presets,
  group: more?.group ?? false,
  note: more?.note ?? null,
  orHolding: (more?.orHolding as Permission | undefined) ?? null,
}))

/** All permission names in the order of the contract. */
export const permissionNames: readonly Permission[] = permissions.map(row => row.name)

const knownNames = new Set<string>(permissionNames)
const rowsByName = new Map(permissions.map(row => [row.name, row]))
const childrenByParent = Map.groupBy(
  permissions.filter(row => row.parent !== null),
  row => row.parent,
)

const wideningByName = Map.groupBy(
  permissions.filter(row => row.orHolding !== null),
  row => row.orHolding,
)

/** Whether a text is the name of a permission. */
export const isPermission = (name: string): name is Permission => knownNames.has(name)

/** The children of a permission; `[]` if it has none. */
export const childrenOf = (name: Permission): readonly Permission[] =>
  (childrenByParent.get(name) ?? []).map(row => row.name)

/** The parent of a permission, or null. */
export const parentOf = (name: Permission): Permission | null => rowsByName.get(name)?.parent ?? null

/** The permission whose holders have this one too, which only widens access; null for most (crew 7). */
export const widerThan = (name: Permission): Permission | null => rowsByName.get(name)?.orHolding ?? null

/** The permissions that widen another one. */
export const narrowerThan = (name: Permission): readonly Permission[] =>
  (wideningByName.get(name) ?? []).map(row => row.name)

/** Parents that protect nothing themselves: true exactly when at least one of their children is (access 2.1). */
export const permissionGroups: ReadonlySet<Permission> = new Set(
  permissions.filter(row => row.group).map(row => row.name),
)

/** The resources whose records have state limits (access 2.4). */
export type LimitedResource = 'IDEATIONS' | 'REFINEMENTS' | 'SPECS' | 'SPRINTS' | 'CARDS'

/** State limits `<RESOURCE>_WRITE_IN_<STATUS>` (access 2.4). */
export const isStateLimit = (name: Permission): boolean => name.includes('_WRITE_IN_')

/** A built-in preset, with the same id in every installation. */
export interface BuiltinPreset {
  readonly id: string
  readonly name: string
  readonly description: string
  readonly letter: string | null
}

/** The built-in presets, by name. */
export const builtinPresets: readonly BuiltinPreset[] = [
  preset(1, 'Executor', 'E', 'Takes cards from not_started to validation and opens bugs; passes no gate.'),
  preset(2, 'Full Control', null, 'Every permission.'),
  preset(3, 'QA', 'Q', 'Writes scenarios, test cards and bugs; passes no gate.'),
  preset(4, 'Reporter', 'R', 'Reads all, asks questions, opens bugs.'),
  preset(8, 'Solo', 'solo', 'One person with one agent: all roles, without the rights of a manager.'),
  preset(5, 'Spec', 'S', 'Writes ideations, refinements and specs, plans sprints, cuts cards; passes no gate.'),
  preset(6, 'Sprint Manager', 'M', 'Runs the life cycle of sprints and assigns cards.'),
  preset(7, 'Validator', 'V', 'Passes the gates: spec validation, task validation, sprint evaluation.'),
]

function preset(number: number, name: string, letter: string | null, description: string): BuiltinPreset {
  return { id: `00000000-0000-7000-8000-00000000000${number}`, name, description, letter }
}

/** What Solo holds besides the state limits and what any role holds (crew 7). */
const soloToo: ReadonlySet<Permission> = new Set([
  ...(['AGENTS_READ', 'AGENTS_UPDATE_SELF', 'PRESETS_READ', 'SETTINGS_READ', 'BOARDS_READ', 'BOARDS_ARCHIVE'] as const),
  ...(['BOARDS_RESTORE', 'CARDS_DELETE', 'QA_DELETE', 'GUIDELINES_CREATE', 'GUIDELINES_LINK'] as const),
])

/** What Solo does not hold, even if a role does: the rights to manage boards, agents and the service. */
const managing = /^(?:BOARDS|AGENTS|PRESETS|SETTINGS|WEBHOOKS|AUDIT|KG_ADMIN)(?:_|$)|^(?:SPECS|IDEATIONS)_DELETE$/

const soloAllows = ({ name, presets }: PermissionRow): boolean =>
  soloToo.has(name) || isStateLimit(name) || (!managing.test(name) && /[A-Z]/.test(presets))

/** Whether a built-in preset holds a permission. */
export function builtinAllows({ letter }: BuiltinPreset, name: Permission): boolean {
  const row = rowsByName.get(name)
  if (letter === null || row === undefined) return letter === null
  return letter === 'solo' ? soloAllows(row) : row.presets.includes(letter)
}
