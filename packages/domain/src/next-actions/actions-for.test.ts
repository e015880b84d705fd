import { type AnyOperation, bare, type ErrorCode, errorStatus, operationByName } from '@specboard/contract'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { actionsFor, advisedCodes } from './actions-for.ts'

type JsonObject = Readonly<Record<string, unknown>>

/** The names of an operation's arguments, and `fields`, with which a tool returns less. */
function fieldsOf({ params, query, body }: AnyOperation): ReadonlySet<string> {
  const inner = body === undefined ? undefined : bare(body)
  const shape = inner instanceof z.ZodObject ? inner.shape : {}
  return new Set([...Object.keys(params), ...Object.keys(query), ...Object.keys(shape), 'fields'])
}

/** A refusal as the contract describes it, and the first action that resolves it. */
interface Case {
  readonly operation: string
  readonly args: JsonObject
  readonly detail: JsonObject
  /** Name and arguments of the first action; undefined when no operation resolves the refusal. */
  readonly first?: readonly [name: string, args: JsonObject]
}

const ideation = { ideation_id: 'i' }
const refinement = { refinement_id: 'r' }
const spec = { spec_id: 's' }
const card = { card_id: 'c' }
const sprint = { sprint_id: 'p' }
const board = { board_id: 'b' }

const cases: Readonly<Partial<Record<ErrorCode, Case>>> = {
  IDEMPOTENCY_KEY_REUSED: { operation: 'create_card', args: board, detail: {} },
  ARCHIVED: {
    operation: 'update_card',
    args: card,
    detail: { entity_type: 'card', entity_id: 'c', restore: '/api/v1/boards/b/restore/spec/s' },
    first: ['restore_record', { board_id: 'b', entity_type: 'spec', entity_id: 's' }],
  },
  ALREADY_SHARED: {
    operation: 'create_board_share',
    args: { ...board, user_id: 'a', permission: 'editor' },
    detail: { share_id: 'h' },
    first: ['update_board_share', { board_id: 'b', share_id: 'h', permission: 'editor' }],
  },
  ALREADY_GRANTED: {
    operation: 'grant_board_access',
    args: { agent_id: 'a', board_id: 'b' },
    detail: { agent_id: 'a', board_id: 'b' },
    first: ['update_board_access', { agent_id: 'a', board_id: 'b', permission_overrides: {} }],
  },
  SELF_CHANGE: {
    operation: 'update_agent',
    args: { agent_id: 'a' },
    detail: { fields: ['preset_id'] },
    first: ['get_my_permissions', {}],
  },
  AGENT_OWNS_BOARDS: {
    operation: 'delete_agent',
    args: { agent_id: 'a' },
    detail: { boards: ['b'] },
    first: ['update_agent', { agent_id: 'a', is_active: false }],
  },
  PRESET_IN_USE: {
    operation: 'delete_preset',
    args: { preset_id: 'x' },
    detail: { agents: ['a'] },
    first: ['get_agent', { agent_id: 'a' }],
  },
  SETTING_PINNED: {
    operation: 'put_runtime_settings',
    args: {},
    detail: { keys: ['page_cache_mb'] },
    first: ['get_runtime_settings', {}],
  },
  INVALID_TRANSITION: {
    operation: 'move_ideation',
    args: { ...ideation, status: 'done' },
    detail: { from: 'draft', to: 'done', allowed: ['review', 'cancelled'] },
    first: ['move_ideation', { ideation_id: 'i', status: 'review' }],
  },
  IDEATION_LOCKED: {
    operation: 'update_ideation',
    args: ideation,
    detail: { status: 'done', allowed: ['draft'] },
    first: ['move_ideation', { ideation_id: 'i', status: 'draft' }],
  },
  REFINEMENT_LOCKED: {
    operation: 'update_refinement',
    args: refinement,
    detail: { status: 'review', allowed: ['draft', 'approved', 'cancelled'] },
    first: ['move_refinement', { refinement_id: 'r', status: 'draft' }],
  },
  EVALUATION_NOT_OPEN: {
    operation: 'evaluate_ideation',
    args: ideation,
    detail: { status: 'draft' },
    first: ['move_ideation', { ideation_id: 'i', status: 'review' }],
  },
  IDEATION_NOT_DONE: {
    operation: 'create_refinement',
    args: ideation,
    detail: { status: 'evaluating' },
    first: ['move_ideation', { ideation_id: 'i', status: 'done' }],
  },
  REFINEMENT_NOT_DONE: {
    operation: 'derive_spec_from_refinement',
    args: refinement,
    detail: { status: 'draft' },
    first: ['move_refinement', { refinement_id: 'r', status: 'review' }],
  },
  REFINEMENT_REQUIRED: {
    operation: 'derive_spec_from_ideation',
    args: ideation,
    detail: { complexity: 'large', missing: ['refinement'] },
    first: ['create_refinement', ideation],
  },
  SCOPE_REQUIRED: {
    operation: 'move_refinement',
    args: refinement,
    detail: { missing: ['in_scope'] },
    first: ['update_refinement', refinement],
  },
  ATTEMPTS_USED_UP: {
    operation: 'claim_card',
    args: card,
    detail: { attempts: { used: 3, limit: 3, failed: 3, lost: 0 } },
    first: ['allow_attempts', card],
  },
  NOT_CLAIMED: {
    operation: 'save_checkpoint',
    args: { ...card, text: 'So far.' },
    detail: {},
    first: ['claim_card', card],
  },
  CLAIMED: {
    operation: 'move_card',
    args: { ...card, target_status: 'started' },
    detail: { claim: { card_id: 'c', agent_id: 'a' }, board_id: 'b' },
    first: ['claim_next_card', board],
  },
  ITEMS_IN_USE: {
    operation: 'update_spec',
    args: { ...spec, test_scenarios: [] },
    detail: { items: [{ list: 'test_scenarios', id: 't1', title: 'T', uses: ['cards'] }] },
    first: ['update_spec', { spec_id: 's', test_scenarios: [], allow_removal: true }],
  },
  SPEC_LOCKED: {
    operation: 'update_spec',
    args: spec,
    detail: { spec_id: 's', spec_status: 'in_progress', current_validation_id: 'v', details: '', fields: ['context'] },
    first: ['move_spec', { spec_id: 's', status: 'draft', through: true }],
  },
  SPEC_VALIDATION_REQUIRED: {
    operation: 'move_spec',
    args: { ...spec, status: 'validated' },
    detail: { missing: ['spec_validation'] },
    first: ['submit_spec_validation', spec],
  },
  SPEC_NOT_APPROVED: {
    operation: 'submit_spec_validation',
    args: spec,
    detail: { status: 'draft' },
    first: ['move_spec', { spec_id: 's', status: 'review' }],
  },
  SPEC_NOT_VALIDATED: {
    operation: 'update_spec',
    args: spec,
    detail: { status: 'approved' },
    first: ['move_spec', { spec_id: 's', status: 'validated' }],
  },
  SPEC_NOT_READY: {
    operation: 'move_card',
    args: card,
    detail: { spec_id: 's', spec_status: 'approved', required_status: 'in_progress' },
    first: ['move_spec', { spec_id: 's', status: 'validated' }],
  },
  COVERAGE_REQUIRED: {
    operation: 'move_spec',
    args: spec,
    detail: { gate: 'test', missing: [{ gate: 'test', id: 't', label: 'T', action: 'link a test card' }] },
    first: ['get_spec', spec],
  },
  EVALUATION_REQUIRED: { operation: 'move_spec', args: spec, detail: {}, first: ['submit_spec_evaluation', spec] },
  EVALUATION_REJECTED: {
    operation: 'move_sprint',
    args: sprint,
    detail: { evaluators: [] },
    first: ['submit_sprint_evaluation', sprint],
  },
  EVALUATION_BELOW_THRESHOLD: {
    operation: 'move_sprint',
    args: sprint,
    detail: { average: 60, threshold: 70 },
    first: ['submit_sprint_evaluation', sprint],
  },
  CRITERIA_UNCOVERED: {
    operation: 'move_spec',
    args: spec,
    detail: { missing: [{ index: 0, text: 'x' }] },
    first: ['update_spec', spec],
  },
  SPRINTS_OPEN: {
    operation: 'move_spec',
    args: spec,
    detail: { missing: [{ id: 'p', title: 'P', status: 'draft' }] },
    first: ['get_sprint', sprint],
  },
  TASKS_OPEN: {
    operation: 'move_spec',
    args: spec,
    detail: { missing: [{ id: 'c', title: 'C', status: 'started' }] },
    first: ['get_card', card],
  },
  SCENARIOS_OPEN: {
    operation: 'move_spec',
    args: spec,
    detail: { missing: [{ scenario_id: 't', title: 'T', status: 'draft', linked_task_ids: [] }] },
    first: ['record_scenario_result', { spec_id: 's', scenario_id: 't' }],
  },
  PERSON_REQUIRED: { operation: 'move_spec', args: spec, detail: {} },
  NOT_CONFIRMED: { operation: 'delete_spec', args: spec, detail: {} },
  REVIEWER_NOT_SEPARATE: {
    operation: 'submit_task_validation',
    args: card,
    detail: { agents: ['a'], roles: { a: ['moved'] }, board_id: 'b' },
    first: ['list_board_agents', board],
  },
  NO_CLOSED_SPRINT: { operation: 'move_spec', args: spec, detail: {}, first: ['get_spec', spec] },
  TEST_EVIDENCE_REQUIRED: {
    operation: 'update_spec',
    args: spec,
    detail: { missing: [{ scenario_id: 't', status: 'passed', required: ['last_run_at'] }] },
    first: ['update_spec', spec],
  },
  SCENARIO_LIMIT: {
    operation: 'link_task_to_scenario',
    args: { ...spec, ...card, scenario_id: 't' },
    detail: { card_id: 'c', limit: 3, count: 4 },
    first: ['get_card', card],
  },
  CARD_NOT_IN_SPEC: {
    operation: 'link_task_to_scenario',
    args: { ...spec, ...card, scenario_id: 't' },
    detail: { card_id: 'c', spec_id: null },
    first: ['link_card_to_spec', { spec_id: 's', card_id: 'c' }],
  },
  VALIDATION_REQUIRED: {
    operation: 'move_card',
    args: { ...card, target_status: 'done' },
    detail: { missing: ['task_validation'], required_thresholds: {} },
    first: ['submit_task_validation', card],
  },
  CARD_NOT_IN_VALIDATION: {
    operation: 'submit_task_validation',
    args: card,
    detail: { status: 'started' },
    first: ['move_card', { card_id: 'c', target_status: 'validation' }],
  },
  VALIDATION_NOT_APPLICABLE: {
    operation: 'submit_task_validation',
    args: card,
    detail: {},
    first: ['move_card', { card_id: 'c', target_status: 'done' }],
  },
  SPRINT_REQUIRED: {
    operation: 'move_card',
    args: card,
    detail: { spec_id: 's', details: [{ id: 'p', title: 'P', status: 'active' }] },
    first: ['assign_sprint_tasks', { sprint_id: 'p', card_ids: ['c'] }],
  },
  SPRINT_NOT_ACTIVE: {
    operation: 'move_card',
    args: card,
    detail: { sprint_id: 'p', sprint_status: 'draft' },
    first: ['move_sprint', { sprint_id: 'p', status: 'active' }],
  },
  SCENARIOS_NOT_RUN: {
    operation: 'move_card',
    args: card,
    detail: { spec_id: 's', details: [{ scenario_id: 't', title: 'T', status: 'draft' }] },
    first: ['record_scenario_result', { spec_id: 's', scenario_id: 't' }],
  },
  TEST_TASK_REQUIRED: {
    operation: 'move_card',
    args: card,
    detail: { missing: ['linked_test_task_ids'] },
    first: ['link_test_task', card],
  },
  TEST_TASK_INVALID: {
    operation: 'move_card',
    args: card,
    detail: { details: [{ test_task_id: 'x', problem: 'not_a_test' }] },
    first: ['unlink_test_task', { card_id: 'c', test_task_id: 'x' }],
  },
  CONCLUSION_REQUIRED: {
    operation: 'move_card',
    args: { ...card, target_status: 'validation' },
    detail: { missing: ['conclusion', 'drift'] },
    first: ['move_card', { card_id: 'c', target_status: 'validation' }],
  },
  CHANGED_MEANWHILE: {
    operation: 'submit_task_validation',
    args: card,
    detail: { spec_id: 's', changes: [{ field: 'title', item: null, by: 'a', at: '2026-03-02T09:14:27.318Z' }] },
    first: ['diff_record', { entity_type: 'spec', entity_id: 's', from: '2026-03-02T09:14:27.318Z' }],
  },
  CHECK_FAILED: {
    operation: 'move_card',
    args: { ...card, target_status: 'done' },
    detail: {},
    first: ['move_card', { card_id: 'c', target_status: 'done' }],
  },
  PROOF_REQUIRED: {
    operation: 'move_card',
    args: { card_id: 'k' },
    detail: { missing: [{ kind: 'card', id: 'k', problem: 'tier' }], ways: [] },
    first: ['get_proof', { entity_type: 'card', entity_id: 'k' }],
  },
  COLUMN_FULL: {
    operation: 'move_card',
    args: card,
    detail: { board_id: 'b', status: 'in_progress', limit: 3, count: 3 },
    first: ['list_cards', { board_id: 'b', status: 'in_progress' }],
  },
  PATHS_OVERLAP: {
    operation: 'claim_card',
    args: { card_id: 'k' },
    detail: { overlaps: [{ kind: 'card', ref: 'SHO-14' }] },
    first: ['ask_question', { record: 'SHO-14' }],
  },
  CHANGE_NOT_MERGED: {
    operation: 'move_card',
    args: { card_id: 'k' },
    detail: { missing: [{ change_id: 'h', reason: 'open' }] },
    first: ['get_change', { change_id: 'h' }],
  },
  CHECKS_NOT_GREEN: {
    operation: 'move_card',
    args: { card_id: 'k' },
    detail: { missing: [{ sha: 'a', reason: 'failing' }] },
    first: ['get_card', { card_id: 'k' }],
  },
  DEPENDENCIES_NOT_MET: {
    operation: 'move_card',
    args: card,
    detail: { details: [{ id: 'blocker', title: 'B', status: 'started' }] },
    first: ['get_card', { card_id: 'blocker' }],
  },
  DEPENDENCY_CYCLE: {
    operation: 'add_card_dependency',
    args: { card_id: 'c', depends_on_id: 'd' },
    detail: { path: ['c', 'd', 'e', 'c'] },
    first: ['remove_card_dependency', { card_id: 'e', depends_on_id: 'c' }],
  },
  DEPENDENCY_EXISTS: {
    operation: 'add_card_dependency',
    args: { card_id: 'c', depends_on_id: 'd' },
    detail: {},
    first: ['list_card_dependencies', card],
  },
  SPRINT_EMPTY: { operation: 'move_sprint', args: sprint, detail: {}, first: ['assign_sprint_tasks', sprint] },
  INVALID_STATE: {
    operation: 'submit_sprint_evaluation',
    args: sprint,
    detail: { status: 'active' },
    first: ['move_sprint', { sprint_id: 'p', status: 'review' }],
  },
  ALREADY_LINKED: {
    operation: 'add_board_guideline',
    args: { ...board, guideline_id: 'g', priority: 2 },
    detail: {},
    first: ['update_board_guideline', { board_id: 'b', guideline_id: 'g', priority: 2 }],
  },
  INLINE_GUIDELINE: {
    operation: 'remove_board_guideline',
    args: { ...board, guideline_id: 'g' },
    detail: {},
    first: ['delete_guideline', { guideline_id: 'g' }],
  },
  LINEAGE_ROOT_UNRESOLVED: {
    operation: 'get_lineage_graph',
    args: { ...board, entity_type: 'card', entity_id: 'c' },
    detail: {},
    first: ['get_card', card],
  },
  HANDLE_TAKEN: {
    operation: 'create_agent',
    args: { name: 'Ada', handle: 'ada' },
    detail: { handle: 'ada' },
    first: ['list_agents', { fields: 'handle,name' }],
  },
  LAST_SIGN_IN: { operation: 'unlink_my_identity', args: { identity_id: 'i' }, detail: {} },
  REPOSITORY_EXISTS: {
    operation: 'create_repository',
    args: board,
    detail: { repository_id: 'r' },
    first: ['get_repository', { repository_id: 'r' }],
  },
  REPORT_EXISTS: {
    operation: 'submit_test_report',
    args: board,
    detail: { report_id: 'r' },
    first: ['get_test_report', { report_id: 'r' }],
  },
  KEY_TAKEN: {
    operation: 'create_board',
    args: { name: 'Shop', key: 'WS' },
    detail: { key: 'WS' },
    first: ['list_boards', { fields: 'key,name' }],
  },
  ID_TAKEN: {
    operation: 'import_board',
    args: {},
    detail: { ids: ['c'] },
    first: ['import_board', { keep_ids: false }],
  },
  NAME_TAKEN: { operation: 'execute_discovery_intent', args: board, detail: {}, first: ['list_saved_searches', board] },
  LIMIT_REACHED: {
    operation: 'execute_discovery_intent',
    args: board,
    detail: { what: 'saved_searches' },
    first: ['list_saved_searches', board],
  },
  ENTRY_IN_PROGRESS: { operation: 'retry_kg_pending', args: board, detail: {}, first: ['list_kg_pending', board] },
  ALREADY_UNDONE: { operation: 'undo_kg_session', args: board, detail: {}, first: ['list_kg_audit', board] },
  UNDO_BLOCKED: {
    operation: 'undo_kg_session',
    args: { ...board, session_id: 'x' },
    detail: { blocking_sessions: ['y', 'z'] },
    first: ['undo_kg_session', { board_id: 'b', session_id: 'z' }],
  },
  TICK_ALREADY_RUNNING: { operation: 'run_kg_tick', args: board, detail: {}, first: ['get_kg_health', board] },
  MIGRATION_RUNNING: { operation: 'migrate_kg_schema', args: board, detail: {}, first: ['get_kg_stats', board] },
}

const codes = (Object.entries(errorStatus) as [ErrorCode, number][])
  .filter(([, status]) => status === 409)
  .map(([code]) => code)

const firstOf = (operation: string, args: JsonObject, detail: JsonObject, board?: string) => {
  const [first] = actionsFor({ operation, args, detail, board })
  return [first?.name, first?.arguments]
}

describe('the first action', () => {
  test.each([
    ['test', ['create_card', { ...board, ...spec, card_type: 'test', test_scenario_ids: ['x'] }]],
    ['rules', ['update_spec', spec]],
    ['rule_tasks', ['link_task_to_item', { ...spec, item_id: 'x' }]],
    ['contracts', ['link_task_to_item', { ...spec, item_id: 'x' }]],
  ] as const)('covers what the gate %s misses', (gate, first) => {
    const detail = { error: 'COVERAGE_REQUIRED', gate, missing: [{ gate, id: 'x', label: 'X' }] }
    expect(firstOf('move_spec', spec, detail, 'b')).toEqual(first)
  })

  test.each([
    ['started', 'normal', ['get_card', card]],
    ['validation', 'normal', ['submit_task_validation', card]],
    ['validation', 'test', ['move_card', { ...card, target_status: 'done' }]],
  ] as const)('finishes an open card in %s of type %s', (status, card_type, first) => {
    const detail = { error: 'TASKS_OPEN', missing: [{ id: 'c', title: 'C', status, card_type }] }
    expect(firstOf('move_spec', spec, detail)).toEqual(first)
  })

  test.each([
    ['approved', 'in_progress', ['draft', 'review', 'cancelled', 'validated'], 'validated'],
    ['approved', 'done', ['draft', 'review', 'cancelled', 'validated'], 'validated'],
    ['in_progress', 'draft', ['validated', 'done', 'cancelled'], 'validated'],
    ['done', 'in_progress', ['draft'], 'draft'],
  ] as const)('moves a spec from %s towards %s', (from, to, allowed, status) => {
    const detail = { error: 'INVALID_TRANSITION', from, to, allowed }
    expect(firstOf('move_spec', { ...spec, status: to }, detail)).toEqual(['move_spec', { ...spec, status }])
  })
})

describe('409', () => {
  test('every code has advice and a test case', () => {
    expect(codes.filter(code => !advisedCodes.has(code))).toEqual([])
    expect(codes.filter(code => cases[code] === undefined)).toEqual([])
  })

  test.each(codes)('%s', code => {
    const { operation, args, detail, first } = cases[code]!
    const actions = actionsFor({ operation, args, detail: { error: code, ...detail } })
    expect(actions[0] === undefined ? undefined : [actions[0].name, actions[0].arguments]).toEqual(first)
    for (const action of actions) {
      const fields = fieldsOf(operationByName.get(action.name)!)
      expect(Object.keys(action.arguments).filter(name => !fields.has(name))).toEqual([])
      expect(action.reason.length).toBeLessThanOrEqual(80)
      expect(Object.values(action.arguments)).not.toContain(undefined)
    }
  })

  test('a refused creation is retried with an allowed status', () => {
    const actions = actionsFor({
      operation: 'create_card',
      args: { board_id: 'b', title: 'T', status: 'done' },
      detail: { error: 'INVALID_TRANSITION', from: null, to: 'done', allowed: ['not_started', 'started'] },
    })
    expect(actions[0]).toMatchObject({
      name: 'create_card',
      arguments: { board_id: 'b', title: 'T', status: 'not_started' },
    })
  })
})

test('a refused permission leads to get_my_permissions', () => {
  for (const error of ['FORBIDDEN', 'READ_ONLY', 'EXCLUDED'])
    expect(actionsFor({ operation: 'delete_card', args: card, detail: { error } })).toMatchObject([
      { name: 'get_my_permissions', arguments: {}, reason: expect.any(String) },
    ])
})

test('the id of another type of record leads to the right get operation', () => {
  const detail = { error: 'NOT_FOUND', entity_type: 'card', entity_id: 'x' }
  expect(actionsFor({ operation: 'get_card', args: card, detail }, { actualType: 'spec' })).toMatchObject([
    { name: 'get_spec', arguments: { spec_id: 'x' } },
  ])
  const move = { operation: 'move_card', args: { card_id: 'x', status: 'done' }, detail }
  expect(actionsFor(move, { actualType: 'spec' })).toMatchObject([
    { name: 'move_spec', arguments: { spec_id: 'x', status: 'done' } },
    { name: 'get_spec', arguments: { spec_id: 'x' } },
  ])
  expect(actionsFor({ operation: 'get_card', args: card, detail })).toEqual([])
})

test.each([
  ['ideation', 'list_ideations'],
  ['spec', 'list_specs'],
  ['sprint', 'list_board_sprints'],
  ['card', 'list_cards'],
  ['guideline', 'list_board_guidelines'],
  ['share', 'list_board_shares'],
  ['webhook', 'list_webhooks'],
  ['repository', 'list_repositories'],
  ['change', 'list_changes'],
  ['test_report', 'list_test_reports'],
  ['reservation', 'list_reservations'],
  ['view', 'list_views'],
  ['template', 'list_templates'],
])('an unknown id of a %s leads to %s when the board is known', (entity_type, name) => {
  const refused = { operation: 'x', args: {}, detail: { error: 'NOT_FOUND', entity_type, entity_id: 'x' } }
  expect(actionsFor(refused, { board: 'b' })).toMatchObject([{ name, arguments: { board_id: 'b' } }])
  expect(actionsFor(refused)).toEqual([])
})

test('an unknown id of a refinement leads to the ideations, with the way from one to its refinements', () => {
  const detail = { error: 'NOT_FOUND', entity_type: 'refinement', entity_id: 'x' }
  const [first] = actionsFor({ operation: 'get_refinement', args: {}, detail }, { board: 'b' })
  expect(first).toMatchObject({ name: 'list_ideations', reason: expect.stringContaining('list_refinements') })
})

test.each([
  ['board', 'list_boards'],
  ['agent', 'list_agents'],
  ['preset', 'list_presets'],
])('an unknown id of a %s leads to %s', (entity_type, name) => {
  const refused = { operation: 'x', args: {}, detail: { error: 'NOT_FOUND', entity_type, entity_id: 'x' } }
  expect(actionsFor(refused)).toMatchObject([{ name, arguments: {} }])
})

test('a tick of every board leads to the health of every queue', () => {
  const [first] = actionsFor({
    operation: 'run_kg_tick',
    args: { board_id: null },
    detail: { error: 'TICK_ALREADY_RUNNING' },
  })
  expect(first).toMatchObject({ name: 'get_kg_queue_health', arguments: {} })
})
