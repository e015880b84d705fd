/**
 * The permission table (access 2.5), the one source of the 194 names, their parents, the
 * built-in presets, docs/permissions.md and the checks.
 *
 * A row: name, parent, presets that hold it (S Spec, E Executor, Q QA, V Validator, R Reporter,
 * M Sprint Manager; Full Control holds all), what it guards.
 */
const table = [
  // Boards, agents, presets, settings
  ['BOARDS_READ', null, 'SEQVRM', 'list_boards, get_board, get_board_columns, list_board_shares'],
  ['BOARDS_CREATE', null, '------', 'create_board'],
  ['BOARDS_UPDATE', null, '------', 'update_board'],
  ['BOARDS_DELETE', null, '------', 'delete_board (owner only)'],
  ['BOARDS_ARCHIVE', null, 'S-----', 'archive_record'],
  ['BOARDS_RESTORE', null, 'S-----', 'restore_record'],
  ['BOARDS_SHARE', null, '------', 'create_, update_, delete_board_share'],
  ['AGENTS_READ', null, 'SEQVRM', 'list_agents, get_agent, list_board_agents'],
  ['AGENTS_CREATE', null, '------', 'create_agent'],
  ['AGENTS_UPDATE', null, '------', 'update_agent'],
  ['AGENTS_UPDATE_SELF', 'AGENTS_UPDATE', 'SEQVRM', 'update_agent on oneself: name, description, objective'],
  ['AGENTS_REGENERATE_KEY', null, '------', 'regenerate_agent_key'],
  ['AGENTS_DELETE', null, '------', 'delete_agent'],
  ['AGENTS_GRANT', null, '------', 'grant_, update_, revoke_board_access'],
  ['PRESETS_READ', null, 'SEQVRM', 'list_presets'],
  ['PRESETS_CREATE', null, '------', 'create_preset, clone_preset'],
  ['PRESETS_UPDATE', null, '------', 'update_preset'],
  ['PRESETS_DELETE', null, '------', 'delete_preset'],
  ['SETTINGS_READ', null, 'SEQVRM', 'get_runtime_settings'],
  ['SETTINGS_UPDATE', null, '------', 'put_runtime_settings'],
  // Ideations
  ['IDEATIONS_READ', null, 'S-QVRM', 'list, get'],
  ['IDEATIONS_READ_HISTORY', 'IDEATIONS_READ', 'S-QVRM', 'history and snapshot operations'],
  ['IDEATIONS_CREATE', null, 'S-----', 'create'],
  ['IDEATIONS_UPDATE', null, 'S-----', 'update, every field without a row of its own'],
  ['IDEATIONS_ASSIGN', 'IDEATIONS_UPDATE', 'S-----', 'field assignee_id'],
  ['IDEATIONS_LABEL', 'IDEATIONS_UPDATE', 'S-----', 'field labels'],
  ['IDEATIONS_UPDATE_MOCKUPS', 'IDEATIONS_UPDATE', 'S-----', 'field screen_mockups'],
  ['IDEATIONS_EVALUATE', null, 'S-----', 'evaluate_ideation'],
  ['IDEATIONS_DELETE', null, 'S-----', 'delete'],
  ['IDEATIONS_MOVE', null, 'S-----', 'group of the next rows'],
  ['IDEATIONS_MOVE_DRAFT', 'IDEATIONS_MOVE', 'S-----', 'move to draft'],
  ['IDEATIONS_MOVE_REVIEW', 'IDEATIONS_MOVE', 'S-----', 'move to review'],
  ['IDEATIONS_MOVE_APPROVED', 'IDEATIONS_MOVE', 'S-----', 'move to approved'],
  ['IDEATIONS_MOVE_EVALUATING', 'IDEATIONS_MOVE', 'S-----', 'move to evaluating'],
  ['IDEATIONS_MOVE_DONE', 'IDEATIONS_MOVE', 'S-----', 'move to done'],
  ['IDEATIONS_MOVE_CANCELLED', 'IDEATIONS_MOVE', 'S-----', 'move to cancelled'],
  ['IDEATIONS_WRITE_IN_DRAFT', null, 'SEQVRM', 'state limit: draft'],
  ['IDEATIONS_WRITE_IN_REVIEW', null, 'SEQVRM', 'state limit: review'],
  ['IDEATIONS_WRITE_IN_APPROVED', null, 'SEQVRM', 'state limit: approved'],
  ['IDEATIONS_WRITE_IN_EVALUATING', null, 'SEQVRM', 'state limit: evaluating'],
  ['IDEATIONS_WRITE_IN_DONE', null, 'SEQVRM', 'state limit: done'],
  ['IDEATIONS_WRITE_IN_CANCELLED', null, '-EQVRM', 'state limit: cancelled'],
  // Refinements
  ['REFINEMENTS_READ', null, 'S-QVRM', 'list, get'],
  ['REFINEMENTS_READ_HISTORY', 'REFINEMENTS_READ', 'S-QVRM', 'history and snapshot operations'],
  ['REFINEMENTS_CREATE', null, 'S-----', 'create'],
  ['REFINEMENTS_UPDATE', null, 'S-----', 'update, every field without a row of its own'],
  ['REFINEMENTS_ASSIGN', 'REFINEMENTS_UPDATE', 'S-----', 'field assignee_id'],
  ['REFINEMENTS_LABEL', 'REFINEMENTS_UPDATE', 'S-----', 'field labels'],
  ['REFINEMENTS_UPDATE_MOCKUPS', 'REFINEMENTS_UPDATE', 'S-----', 'field screen_mockups'],
  ['REFINEMENTS_DELETE', null, 'S-----', 'delete'],
  ['REFINEMENTS_MOVE', null, 'S-----', 'group of the next rows'],
  ['REFINEMENTS_MOVE_DRAFT', 'REFINEMENTS_MOVE', 'S-----', 'move to draft'],
  ['REFINEMENTS_MOVE_REVIEW', 'REFINEMENTS_MOVE', 'S-----', 'move to review'],
  ['REFINEMENTS_MOVE_APPROVED', 'REFINEMENTS_MOVE', 'S-----', 'move to approved'],
  ['REFINEMENTS_MOVE_DONE', 'REFINEMENTS_MOVE', 'S-----', 'move to done'],
  ['REFINEMENTS_MOVE_CANCELLED', 'REFINEMENTS_MOVE', 'S-----', 'move to cancelled'],
  ['REFINEMENTS_WRITE_IN_DRAFT', null, 'SEQVRM', 'state limit: draft'],
  ['REFINEMENTS_WRITE_IN_REVIEW', null, 'SEQVRM', 'state limit: review'],
  ['REFINEMENTS_WRITE_IN_APPROVED', null, 'SEQVRM', 'state limit: approved'],
  ['REFINEMENTS_WRITE_IN_DONE', null, 'SEQVRM', 'state limit: done'],
  ['REFINEMENTS_WRITE_IN_CANCELLED', null, '-EQVRM', 'state limit: cancelled'],
  // Specs
  ['SPECS_READ', null, 'SEQVRM', 'list, get'],
  ['SPECS_READ_HISTORY', 'SPECS_READ', 'SEQVRM', 'list_spec_history'],
  ['SPECS_READ_VALIDATIONS', 'SPECS_READ', 'SEQVRM', 'list_spec_validations; field evaluations'],
  ['SPECS_CREATE', null, 'S-----', 'create_spec, derive_spec_from_ideation, derive_spec_from_refinement'],
  ['SPECS_UPDATE', null, 'S-----', 'update_spec, every field without a row of its own'],
  ['SPECS_ASSIGN', 'SPECS_UPDATE', 'S-----', 'field assignee_id'],
  ['SPECS_LABEL', 'SPECS_UPDATE', 'S-----', 'field labels'],
  ['SPECS_UPDATE_MOCKUPS', 'SPECS_UPDATE', 'S-----', 'field screen_mockups'],
  ['SPECS_UPDATE_SCENARIOS', 'SPECS_UPDATE', 'S-Q---', 'field test_scenarios'],
  ['SPECS_UPDATE_RULES', 'SPECS_UPDATE', 'S-----', 'field business_rules'],
  ['SPECS_UPDATE_CONTRACTS', 'SPECS_UPDATE', 'S-----', 'field api_contracts'],
  [
    'SPECS_UPDATE_COVERAGE_FLAGS',
    'SPECS_UPDATE',
    'S-----',
    'the gate fields: skip_*, validation_*, require_task_validation',
  ],
  ['SPECS_DELETE', null, 'S-----', 'delete_spec'],
  ['SPECS_LINK', null, 'S-Q---', 'group of the next rows'],
  [
    'SPECS_LINK_CARDS',
    'SPECS_LINK',
    'S-----',
    'link_card_to_spec, unlink_card_from_spec; field spec_id of update_card',
  ],
  ['SPECS_LINK_SCENARIOS', 'SPECS_LINK', 'S-Q---', 'link_task_to_scenario, unlink_task_from_scenario'],
  ['SPECS_VALIDATE', null, '---V--', 'submit_spec_validation; field evaluation of update_spec'],
  ['SPECS_MOVE', null, 'S--V--', 'group of the next rows'],
  ['SPECS_MOVE_DRAFT', 'SPECS_MOVE', 'S--V--', 'move to draft'],
  ['SPECS_MOVE_REVIEW', 'SPECS_MOVE', 'S-----', 'move to review'],
  ['SPECS_MOVE_APPROVED', 'SPECS_MOVE', 'S-----', 'move to approved'],
  ['SPECS_MOVE_VALIDATED', 'SPECS_MOVE', '---V--', 'move to validated'],
  ['SPECS_MOVE_IN_PROGRESS', 'SPECS_MOVE', '---V--', 'move to in_progress'],
  ['SPECS_MOVE_DONE', 'SPECS_MOVE', '---V--', 'move to done'],
  ['SPECS_MOVE_CANCELLED', 'SPECS_MOVE', 'S-----', 'move to cancelled'],
  [
    'SPECS_UNLOCK',
    'SPECS_MOVE',
    '---V--',
    'in addition, a move from validated, in_progress or done to draft, review or approved (the moves that drop the active validation)',
  ],
  ['SPECS_WRITE_IN_DRAFT', null, 'SE--RM', 'state limit: draft'],
  ['SPECS_WRITE_IN_REVIEW', null, 'SE--RM', 'state limit: review'],
  ['SPECS_WRITE_IN_APPROVED', null, 'SEQVRM', 'state limit: approved'],
  ['SPECS_WRITE_IN_VALIDATED', null, 'SEQVRM', 'state limit: validated'],
  ['SPECS_WRITE_IN_IN_PROGRESS', null, 'SEQVRM', 'state limit: in_progress'],
  ['SPECS_WRITE_IN_DONE', null, '-E--RM', 'state limit: done'],
  ['SPECS_WRITE_IN_CANCELLED', null, '-E--RM', 'state limit: cancelled'],
  // Sprints
  ['SPRINTS_READ', null, 'SEQVRM', 'list, get, suggest_sprints'],
  ['SPRINTS_READ_HISTORY', 'SPRINTS_READ', 'SEQVRM', 'list_sprint_history'],
  ['SPRINTS_READ_EVALUATIONS', 'SPRINTS_READ', 'SEQVRM', 'the evaluations inside a sprint'],
  ['SPRINTS_CREATE', null, 'S----M', 'create_sprint'],
  ['SPRINTS_UPDATE', null, 'S----M', 'update_sprint, every field without a row of its own'],
  ['SPRINTS_LABEL', 'SPRINTS_UPDATE', 'S----M', 'field labels'],
  [
    'SPRINTS_UPDATE_COVERAGE_FLAGS',
    'SPRINTS_UPDATE',
    'S----M',
    'the gate fields: skip_*, validation_*, require_task_validation',
  ],
  ['SPRINTS_DELETE', null, 'S----M', 'delete_sprint'],
  ['SPRINTS_ASSIGN', null, 'S----M', 'assign_sprint_tasks, unassign_sprint_tasks; field sprint_id of update_card'],
  ['SPRINTS_EVALUATE', null, '---V-M', 'submit_sprint_evaluation'],
  ['SPRINTS_MOVE', null, 'S--V-M', 'group of the next rows'],
  ['SPRINTS_MOVE_DRAFT', 'SPRINTS_MOVE', 'S----M', 'move to draft'],
  ['SPRINTS_MOVE_ACTIVE', 'SPRINTS_MOVE', 'S----M', 'move to active'],
  ['SPRINTS_MOVE_REVIEW', 'SPRINTS_MOVE', 'S--V-M', 'move to review'],
  ['SPRINTS_MOVE_CLOSED', 'SPRINTS_MOVE', '---V-M', 'move to closed'],
  ['SPRINTS_MOVE_CANCELLED', 'SPRINTS_MOVE', 'S----M', 'move to cancelled'],
  ['SPRINTS_WRITE_IN_DRAFT', null, 'SEQ-RM', 'state limit: draft'],
  ['SPRINTS_WRITE_IN_ACTIVE', null, 'SEQVRM', 'state limit: active'],
  ['SPRINTS_WRITE_IN_REVIEW', null, '-EQVRM', 'state limit: review'],
  ['SPRINTS_WRITE_IN_CLOSED', null, '-EQ-RM', 'state limit: closed'],
  ['SPRINTS_WRITE_IN_CANCELLED', null, '-EQ-R-', 'state limit: cancelled'],
  // Cards
  [
    'CARDS_READ',
    null,
    'SEQVRM',
    'get_card, dependency lists, get_card_seen; cards nested in boards, columns, specs, sprints',
  ],
  ['CARDS_READ_ACTIVITY', 'CARDS_READ', 'SEQVRM', 'list_card_activity'],
  ['CARDS_READ_CONCLUSIONS', 'CARDS_READ', '-EQV-M', 'field conclusions'],
  ['CARDS_READ_VALIDATIONS', 'CARDS_READ', 'SEQVRM', 'list_task_validations, get_task_validation, field validations'],
  ['CARDS_CREATE', null, 'S-----', 'create_card, card_type normal'],
  ['CARDS_CREATE_BUG', 'CARDS_CREATE', 'SEQ-R-', 'create_card, card_type bug'],
  ['CARDS_CREATE_TEST', 'CARDS_CREATE', 'S-Q---', 'create_card, card_type test'],
  ['CARDS_UPDATE', null, 'SEQ---', 'update_card, every field without a row of its own'],
  ['CARDS_ASSIGN', 'CARDS_UPDATE', 'SE---M', 'field assignee_id'],
  ['CARDS_LABEL', 'CARDS_UPDATE', 'SE---M', 'field labels'],
  [
    'CARDS_UPDATE_BUG_FIELDS',
    'CARDS_UPDATE',
    '-E----',
    'fields severity, expected_behavior, observed_behavior, steps_to_reproduce, action_plan',
  ],
  ['CARDS_UPDATE_MOCKUPS', 'CARDS_UPDATE', 'SE----', 'field screen_mockups'],
  ['CARDS_DELETE', null, '------', 'delete_card'],
  ['CARDS_LINK', null, 'S-Q---', 'group of the next rows'],
  ['CARDS_LINK_DEPENDENCIES', 'CARDS_LINK', 'S-----', 'add_card_dependency, remove_card_dependency'],
  [
    'CARDS_LINK_TESTS',
    'CARDS_LINK',
    'S-Q---',
    'link_test_task, unlink_test_task; fields test_scenario_ids, linked_test_task_ids of update_card',
  ],
  ['CARDS_VALIDATE', null, '---V--', 'submit_task_validation'],
  ['CARDS_DELETE_VALIDATION', null, '------', 'delete_task_validation'],
  ['CARDS_MOVE', null, '-EQV--', 'group of the next rows'],
  ['CARDS_MOVE_NOT_STARTED', 'CARDS_MOVE', '-EQV--', 'move to not_started'],
  ['CARDS_MOVE_STARTED', 'CARDS_MOVE', '-EQ---', 'move to started'],
  ['CARDS_MOVE_IN_PROGRESS', 'CARDS_MOVE', '-EQ---', 'move to in_progress'],
  ['CARDS_MOVE_VALIDATION', 'CARDS_MOVE', '-E----', 'move to validation'],
  ['CARDS_MOVE_ON_HOLD', 'CARDS_MOVE', '-EQ---', 'move to on_hold'],
  ['CARDS_MOVE_DONE', 'CARDS_MOVE', '--QV--', 'move to done'],
  ['CARDS_MOVE_CANCELLED', 'CARDS_MOVE', '-EQ---', 'move to cancelled'],
  ['CARDS_WRITE_IN_NOT_STARTED', null, 'SEQ-RM', 'state limit: not_started'],
  ['CARDS_WRITE_IN_STARTED', null, '-EQ--M', 'state limit: started'],
  ['CARDS_WRITE_IN_IN_PROGRESS', null, '-EQ--M', 'state limit: in_progress'],
  ['CARDS_WRITE_IN_VALIDATION', null, '---V-M', 'state limit: validation'],
  ['CARDS_WRITE_IN_ON_HOLD', null, '-EQ--M', 'state limit: on_hold'],
  ['CARDS_WRITE_IN_DONE', null, '--Q--M', 'state limit: done'],
  ['CARDS_WRITE_IN_CANCELLED', null, '------', 'state limit: cancelled'],
  // Parts of records
  ['COMMENTS_READ', null, 'SEQVRM', 'comments inside a card'],
  ['COMMENTS_CREATE', null, 'SEQVRM', 'create_comment'],
  ['COMMENTS_CREATE_CHOICE', 'COMMENTS_CREATE', '-E----', 'create_comment with choices'],
  ['COMMENTS_RESPOND', null, '-E--R-', 'respond_to_comment'],
  ['COMMENTS_UPDATE', null, '------', 'update_comment'],
  ['COMMENTS_DELETE', null, '------', 'delete_comment'],
  ['QA_READ', null, 'SEQVRM', 'question lists; qa_items inside a record'],
  ['QA_CREATE', null, 'SEQVRM', 'the four ask_ operations'],
  ['QA_CREATE_CHOICE', 'QA_CREATE', 'S-Q---', 'ask with a question_type other than text'],
  ['QA_ANSWER', null, 'SEQV--', 'group of the next rows'],
  ['QA_ANSWER_IDEATIONS', 'QA_ANSWER', 'S-QV--', 'answer_ideation_question'],
  ['QA_ANSWER_REFINEMENTS', 'QA_ANSWER', 'S-QV--', 'answer_refinement_question'],
  ['QA_ANSWER_SPECS', 'QA_ANSWER', 'S-QV--', 'answer_spec_question'],
  ['QA_ANSWER_CARDS', 'QA_ANSWER', '-EQV--', 'answer_card_question'],
  ['QA_DELETE', null, '------', 'the four delete_…_question operations'],
  ['KNOWLEDGE_READ', null, 'SEQVRM', 'knowledge list, get, download; knowledge_bases inside a record'],
  ['KNOWLEDGE_CREATE', null, 'S-----', 'create on refinements and specs'],
  [
    'KNOWLEDGE_CREATE_CARDS',
    'KNOWLEDGE_CREATE',
    'SEQ---',
    'create_card_knowledge; field knowledge_bases of update_card',
  ],
  ['KNOWLEDGE_UPDATE', null, 'SEQ---', 'update_card_knowledge'],
  ['KNOWLEDGE_DELETE', null, 'S-----', 'delete on refinements and specs'],
  ['KNOWLEDGE_DELETE_CARDS', 'KNOWLEDGE_DELETE', 'SEQ---', 'delete_card_knowledge'],
  ['ATTACHMENTS_READ', null, 'SEQVRM', 'download_attachment; attachments inside a card'],
  ['ATTACHMENTS_CREATE', null, '-EQ-R-', 'upload_attachment'],
  ['ATTACHMENTS_DELETE', null, '-E----', 'delete_attachment'],
  [
    'ARCHITECTURE_READ',
    null,
    'SEQVRM',
    'architecture list, get, diff, payload, validate_architecture; architecture_designs inside a record',
  ],
  ['ARCHITECTURE_CREATE', null, 'S-----', 'create, import_excalidraw_diagram, copy_architecture_to_card'],
  ['ARCHITECTURE_UPDATE', null, 'S-----', 'update_architecture, put_diagram_payload'],
  ['ARCHITECTURE_DELETE', null, 'S-----', 'delete_architecture'],
  // Guidelines, analytics, search, knowledge graph
  ['GUIDELINES_READ', null, 'SEQVRM', 'list_guidelines, get_guideline, list_board_guidelines'],
  ['GUIDELINES_CREATE', null, '------', 'create_guideline'],
  ['GUIDELINES_UPDATE', null, '------', 'update_guideline'],
  ['GUIDELINES_DELETE', null, '------', 'delete_guideline'],
  ['GUIDELINES_LINK', null, '------', 'add_, update_, remove_board_guideline'],
  ['ANALYTICS_READ', null, 'S---RM', 'analytics reads'],
  ['ANALYTICS_EXPORT', null, 'S---RM', 'analytics exports'],
  ['DISCOVERY_READ', null, 'SEQVRM', 'intents, saved searches, history'],
  ['DISCOVERY_EXECUTE', null, 'SEQVRM', 'execute_discovery_intent'],
  ['LINEAGE_READ', null, 'SEQVRM', 'get_lineage_graph'],
  ['KG_READ', null, 'SEQVRM', 'graph reads'],
  ['KG_QUERY', null, 'S--V--', 'query_kg_cypher'],
  ['KG_AUDIT', null, 'S--V--', 'list_kg_audit, export_kg_audit'],
  ['KG_UPDATE', null, 'S--V--', 'boost_kg_node'],
  ['KG_ADMIN', null, 'S-----', 'group of the next rows'],
  ['KG_ADMIN_SETTINGS', 'KG_ADMIN', 'S-----', 'put_board_kg_settings'],
  [
    'KG_ADMIN_BACKFILL',
    'KG_ADMIN',
    'S-----',
    'start_, cancel_kg_backfill, retry_kg_pending, migrate_kg_schema, run_kg_tick',
  ],
  ['KG_ADMIN_DELETE', 'KG_ADMIN', '------', 'delete_board_kg, undo_kg_session'],
] as const

/** The name of a permission, `<RESOURCE>_<ACTION>`. */
export type Permission = (typeof table)[number][0]

/** One row of the permission table. */
export interface PermissionRow {
  readonly name: Permission
  readonly parent: Permission | null
  /** Letters of the built-in presets that hold it. */
  readonly presets: string
  readonly guards: string
}

/** All 194 permissions in the order of the contract. */
export const permissions: readonly PermissionRow[] = table.map(([name, parent, presets, guards]) => ({
  name,
  parent,
  presets,
  guards,
}))

/** All permission names in the order of the contract. */
export const permissionNames: readonly Permission[] = permissions.map(row => row.name)

const known = new Set<string>(permissionNames)
const rowsByName = new Map(permissions.map(row => [row.name, row]))
const childrenByParent = Map.groupBy(
  permissions.filter(row => row.parent !== null),
  row => row.parent,
)

/** Whether a text is the name of a permission. */
export const isPermission = (name: string): name is Permission => known.has(name)

/** The children of a permission, `[]` for one without. */
export const childrenOf = (name: Permission): readonly Permission[] =>
  (childrenByParent.get(name) ?? []).map(row => row.name)

/** The parent of a permission, or null. */
export const parentOf = (name: Permission): Permission | null => rowsByName.get(name)?.parent ?? null

/** Parents that guard nothing themselves: true exactly when at least one of their children is (access 2.1). */
export const permissionGroups: ReadonlySet<Permission> = new Set(
  permissions.filter(row => row.guards === 'group of the next rows').map(row => row.name),
)

/** State limits `<RESOURCE>_WRITE_IN_<STATUS>` (access 2.4). */
export const isStateLimit = (name: Permission): boolean => name.includes('_WRITE_IN_')

/** A built-in preset, with the same id in every installation. */
export interface BuiltinPreset {
  readonly id: string
  readonly name: string
  readonly description: string
  readonly letter: string | null
}

/** The seven built-in presets, by name. */
export const builtinPresets: readonly BuiltinPreset[] = [
  preset(1, 'Executor', 'E', 'Takes cards from not_started to validation and opens bugs; passes no gate.'),
  preset(2, 'Full Control', null, 'Every permission.'),
  preset(3, 'QA', 'Q', 'Writes scenarios, test cards and bugs; passes no gate.'),
  preset(4, 'Reporter', 'R', 'Reads everything, asks, opens bugs.'),
  preset(5, 'Spec', 'S', 'Writes ideations, refinements and specs, plans sprints, cuts cards; passes no gate.'),
  preset(6, 'Sprint Manager', 'M', 'Runs the life of sprints and the assignment of cards.'),
  preset(7, 'Validator', 'V', 'Passes the gates: spec validation, task validation, sprint evaluation.'),
]

function preset(number: number, name: string, letter: string | null, description: string): BuiltinPreset {
  return { id: `00000000-0000-7000-8000-00000000000${number}`, name, description, letter }
}

/** Whether a built-in preset holds a permission. */
export const builtinAllows = (builtin: BuiltinPreset, name: Permission): boolean =>
  builtin.letter === null || (rowsByName.get(name)?.presets.includes(builtin.letter) ?? false)
