import { type OperationName, permissionNames, registry } from '@specboard/contract'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { evaluation, validation } from './operations/specs.rows.ts'
import { McpWire } from './support/mcp.ts'
import { Scene } from './support/scene.ts'
import { type TestAgent, World } from './support/world.ts'

let world: World
let scene: Scene
let mcp: McpWire

beforeAll(async () => {
  world = await World.start()
  mcp = new McpWire(world)
})

beforeEach(async () => {
  scene = await Scene.on(world)
})

afterAll(() => world.stop())

describe('a 403 says who may (access 2.3)', () => {
  const without = (name: string) => world.agent({ permission_flags: { [name]: false } })

  test('names up to five agents of the board, the owner first, and the presets', async () => {
    const refused = await without('CARDS_DELETE')
    await scene.admit(refused)
    for (let count = 0; count < 5; count++) await scene.admit(await world.agent())
    await scene.admit(await without('CARDS_DELETE'))
    const card_id = await scene.card()
    const { body } = await world.call('delete_card', { card_id }, { as: refused })
    expect(body.detail).toMatchObject({ permission: 'CARDS_DELETE', presets: ['Full Control', 'Solo'] })
    const { held_by } = body.detail
    expect(held_by).toHaveLength(5)
    expect(held_by[0]).toEqual({ id: world.owner.id, name: 'Local Owner' })
    expect(held_by.map(({ id }: { id: string }) => id)).not.toContain(refused.id)
  })

  test('names nobody without a board, and to nobody that may not read agents', async () => {
    const maker = await without('AGENTS_CREATE')
    const refusal = await world.call('create_agent', { name: 'x' }, { as: maker })
    expect(refusal.body.detail).toMatchObject({ held_by: [], presets: ['Full Control'] })
    const blind = await world.agent({ permission_flags: { AGENTS_READ: false, CARDS_DELETE: false } })
    await scene.admit(blind)
    const { body } = await world.call('delete_card', { card_id: await scene.card() }, { as: blind })
    expect(body.detail.held_by).toEqual([])
  })

  test('counts state limits, grants, overrides and inactive agents', async () => {
    const card_id = await scene.card()
    const refused = await without('CARDS_UPDATE')
    await scene.admit(refused)
    const limited = await without('CARDS_WRITE_IN_NOT_STARTED')
    await scene.admit(limited)
    const narrowed = await world.agent()
    await world.ok('grant_board_access', {
      agent_id: narrowed.id,
      board_id: scene.boardId,
      permission_overrides: { CARDS_UPDATE: false },
    })
    const inactive = await world.agent()
    await scene.admit(inactive)
    await world.ok('update_agent', { agent_id: inactive.id, is_active: false })
    const granted = await world.agent()
    await world.ok('grant_board_access', { agent_id: granted.id, board_id: scene.boardId })
    const { body } = await world.call('update_card', { card_id, title: 'Other' }, { as: refused })
    expect(body.detail.held_by.map(({ id }: { id: string }) => id)).toEqual([world.owner.id, granted.id])
    expect(body.detail.presets).toEqual(['Executor', 'Full Control', 'QA', 'Solo', 'Spec'])
  })
})

describe('state limits come last (access 2.4)', () => {
  interface Limited {
    readonly wrong: () => Promise<Readonly<Record<string, string>>>
    readonly open: () => Promise<Readonly<Record<string, string>>>
    readonly body: object
    readonly code: string
  }
  const ofSpec = async (status: Parameters<Scene['spec']>[0]) => ({
    spec_id: await scene.spec(status, { test_scenarios: [{ id: 's1', title: 'T' }] }),
    scenario_id: 's1',
  })
  const ofSprint = async (status: 'draft' | 'review') => {
    const { sprint_id, spec_id } = await scene.sprint(status)
    return { sprint_id, spec_id }
  }
  const cardIn = async (status: string) => {
    const spec_id = await scene.spec('in_progress')
    return { card_id: await scene.card({ spec_id, status }), spec_id }
  }
  const ideationIn = async (status: Parameters<Scene['ideation']>[0]) => ({ ideation_id: await scene.ideation(status) })
  const rows: Readonly<Record<string, Limited>> = {
    submit_task_validation: {
      wrong: () => cardIn('started'),
      open: () => cardIn('validation'),
      body: { outcome: 'success', summary: 'Seen.' },
      code: 'CARD_NOT_IN_VALIDATION',
    },
    submit_spec_validation: {
      wrong: () => ofSpec('draft'),
      open: () => ofSpec('approved'),
      body: validation,
      code: 'SPEC_NOT_APPROVED',
    },
    submit_spec_evaluation: {
      wrong: () => ofSpec('approved'),
      open: () => ofSpec('validated'),
      body: evaluation(),
      code: 'SPEC_NOT_VALIDATED',
    },
    record_scenario_result: {
      wrong: () => ofSpec('review'),
      open: () => ofSpec('done'),
      body: { status: 'ready' },
      code: 'INVALID_STATE',
    },
    evaluate_ideation: {
      wrong: () => ideationIn('draft'),
      open: () => ideationIn('evaluating'),
      body: {},
      code: 'EVALUATION_NOT_OPEN',
    },
    submit_sprint_evaluation: {
      wrong: () => ofSprint('draft'),
      open: () => ofSprint('review'),
      body: { overall_score: 80, recommendation: 'approve' },
      code: 'INVALID_STATE',
    },
  }
  const operations = registry.filter(({ openIn }) => openIn !== undefined)

  test('of every operation that is open in certain statuses only', () => {
    expect(operations.map(({ name }) => name).toSorted()).toEqual(Object.keys(rows).toSorted())
  })

  test.each(operations)('$name: 403 of its permission, ARCHIVED, its own 409, 403 of the limit', async operation => {
    const { wrong, open, body, code } = rows[operation.name]!
    const limits = Object.fromEntries(
      permissionNames.filter(name => name.includes('_WRITE_IN_')).map(name => [name, false]),
    )
    const limited = await world.agent({ permission_flags: limits })
    const denied = await world.agent({ permission_flags: { ...limits, [operation.permission]: false } })
    for (const agent of [limited, denied]) await scene.admit(agent)
    const call = async (record: Readonly<Record<string, string>>, as: TestAgent) =>
      (await world.call(operation.name as OperationName, { ...record, ...body }, { as })).body.detail
    const shut = await wrong()
    expect(await call(shut, denied)).toMatchObject({ error: 'FORBIDDEN', permission: operation.permission })
    expect(await call(shut, limited)).toMatchObject({ error: code })
    expect(await call(await open(), limited)).toMatchObject({
      error: 'FORBIDDEN',
      permission: expect.stringContaining('_WRITE_IN_'),
    })
    const [entity_type, entity_id] =
      shut.spec_id === undefined ? ['ideation', shut.ideation_id] : ['spec', shut.spec_id]
    await world.ok('archive_record', { board_id: scene.boardId, entity_type, entity_id })
    expect(await call(shut, limited)).toMatchObject({ error: 'ARCHIVED' })
  })
})

describe('create_agent with boards (access 8)', () => {
  test('grants each once, in the same answer that begins with id, name and key', async () => {
    const other = await Scene.on(world)
    const board_ids = [scene.boardId, other.boardId, scene.boardId]
    const agent = await world.ok('create_agent', { name: 'Crew', board_ids })
    expect(Object.keys(agent).slice(0, 3)).toEqual(['id', 'name', 'api_key'])
    for (const board_id of new Set(board_ids)) {
      const agents = await world.ok('list_board_agents', { board_id })
      expect(agents.map(({ id }: { id: string }) => id)).toEqual([agent.id])
    }
  })

  test('makes nobody when a board is not visible, or may not be granted', async () => {
    const maker = await world.agent()
    const created = (name: string) => world.call('create_agent', { name, board_ids: [scene.boardId] }, { as: maker })
    expect((await created('A')).body.detail).toMatchObject({ error: 'NOT_FOUND', entity_type: 'board' })
    await world.ok('create_board_share', { board_id: scene.boardId, user_id: maker.id, permission: 'editor' })
    expect((await created('B')).body.detail).toMatchObject({
      error: 'FORBIDDEN',
      permission: 'AGENTS_GRANT',
      board_id: scene.boardId,
    })
    expect(await world.ok('list_agents', { kind: 'agent' }, { as: maker })).toHaveLength(1)
    const many = { name: 'C', board_ids: Array.from({ length: 51 }, () => scene.boardId) }
    expect((await world.call('create_agent', many)).status).toBe(422)
  })
})

describe('next actions are calls that are not refused (mcp 9.5)', () => {
  /** What the reasons of the actions ask to add. */
  const added: Readonly<Record<string, object>> = {
    move_card: {
      conclusion: 'Done.',
      completeness: 100,
      completeness_justification: 'All.',
      drift: 0,
      drift_justification: 'None.',
    },
    submit_task_validation: { outcome: 'success', summary: 'Seen.' },
    submit_spec_validation: validation,
    submit_spec_evaluation: evaluation(),
    submit_sprint_evaluation: { overall_score: 90, recommendation: 'approve' },
    record_scenario_result: {
      status: 'passed',
      evidence: { last_run_at: '2026-01-02T03:04:05Z', test_run_id: 'run' },
    },
    create_refinement: { title: 'Story' },
    update_refinement: { in_scope: ['All'] },
  }
  const scenarios = { test_scenarios: [{ id: 's1', title: 'T', linked_criteria: ['0'] }], acceptance_criteria: ['a'] }
  const sprintOf = async (status: 'draft' | 'review') => (await scene.sprint(status)).sprint_id
  const inStatus =
    (status: string, spec: Parameters<Scene['spec']>[0] = 'in_progress') =>
    async () => ({
      card_id: await scene.card({ spec_id: await scene.spec(spec), status }),
    })
  /** A call that is refused with the code, and its arguments on a record in that state. */
  const states: readonly (readonly [code: string, tool: string, args: () => Promise<object>])[] = [
    ['INVALID_TRANSITION', 'move_spec', async () => ({ spec_id: await scene.spec('draft'), status: 'done' })],
    ['IDEATION_LOCKED', 'update_ideation', async () => ({ ideation_id: await scene.ideation('done'), title: 'X' })],
    [
      'REFINEMENT_LOCKED',
      'update_refinement',
      async () => ({ refinement_id: await scene.refinement('done'), title: 'X' }),
    ],
    ['EVALUATION_NOT_OPEN', 'evaluate_ideation', async () => ({ ideation_id: await scene.ideation('done') })],
    ['EVALUATION_NOT_OPEN', 'evaluate_ideation', async () => ({ ideation_id: await scene.ideation('review') })],
    ['IDEATION_NOT_DONE', 'derive_spec_from_ideation', async () => ({ ideation_id: await scene.ideation('draft') })],
    [
      'REFINEMENT_NOT_DONE',
      'derive_spec_from_refinement',
      async () => ({ refinement_id: await scene.refinement('approved') }),
    ],
    ['SPEC_NOT_APPROVED', 'submit_spec_validation', async () => ({ spec_id: await scene.spec('done'), ...validation })],
    [
      'SPEC_NOT_APPROVED',
      'submit_spec_validation',
      async () => ({ spec_id: await scene.spec('draft'), ...validation }),
    ],
    [
      'SPEC_NOT_VALIDATED',
      'submit_spec_evaluation',
      async () => ({ spec_id: await scene.spec('approved', scenarios), ...evaluation() }),
    ],
    [
      'SPEC_NOT_READY',
      'move_card',
      async () => ({ ...(await inStatus('not_started', 'approved')()), target_status: 'started' }),
    ],
    [
      'COVERAGE_REQUIRED',
      'move_spec',
      async () => ({ spec_id: await scene.spec('approved', scenarios), status: 'validated' }),
    ],
    [
      'EVALUATION_REQUIRED',
      'move_spec',
      async () => ({ spec_id: await scene.spec('validated'), status: 'in_progress' }),
    ],
    ['EVALUATION_REQUIRED', 'move_sprint', async () => ({ sprint_id: await sprintOf('review'), status: 'closed' })],
    [
      'CRITERIA_UNCOVERED',
      'move_spec',
      async () => ({ spec_id: await scene.spec('in_progress', { acceptance_criteria: ['a'] }), status: 'done' }),
    ],
    [
      'TASKS_OPEN',
      'move_spec',
      async () => {
        const spec_id = await scene.spec('in_progress')
        await scene.card({ spec_id })
        return { spec_id, status: 'done' }
      },
    ],
    [
      'SCENARIOS_OPEN',
      'move_spec',
      async () => {
        const spec_id = await scene.specWithScenarios()
        await scene.testCard({ spec_id, status: 'done' })
        return { spec_id, status: 'done' }
      },
    ],
    ['SCENARIOS_NOT_RUN', 'move_card', async () => ({ card_id: await scene.testCard(), target_status: 'done' })],
    ['VALIDATION_REQUIRED', 'move_card', async () => ({ ...(await inStatus('validation')()), target_status: 'done' })],
    ['CARD_NOT_IN_VALIDATION', 'submit_task_validation', inStatus('started')],
    [
      'VALIDATION_NOT_APPLICABLE',
      'submit_task_validation',
      async () => ({ card_id: await scene.testCard({ status: 'validation' }) }),
    ],
    [
      'CONCLUSION_REQUIRED',
      'move_card',
      async () => ({ ...(await inStatus('in_progress')()), target_status: 'validation' }),
    ],
    ['TEST_TASK_REQUIRED', 'move_card', async () => ({ card_id: await scene.bug(), target_status: 'in_progress' })],
    [
      'SPRINT_REQUIRED',
      'move_card',
      async () => {
        const { spec_id } = await scene.sprint('active', { spec_id: await scene.spec('in_progress') })
        return { card_id: await scene.card({ spec_id }), target_status: 'started' }
      },
    ],
    [
      'SPRINT_NOT_ACTIVE',
      'move_card',
      async () => {
        const { card_id } = await scene.sprint('draft', { spec_id: await scene.spec('in_progress') })
        return { card_id, target_status: 'started' }
      },
    ],
    [
      'INVALID_STATE',
      'submit_sprint_evaluation',
      async () => ({ sprint_id: await sprintOf('draft'), overall_score: 1, recommendation: 'approve' }),
    ],
    ['INVALID_STATE', 'record_scenario_result', async () => ({ ...(await ofDraft()), status: 'ready' })],
    ['SPRINT_EMPTY', 'move_sprint', async () => ({ sprint_id: await emptySprint(), status: 'active' })],
  ]
  const ofDraft = async () => ({ spec_id: await scene.spec('draft', scenarios), scenario_id: 's1' })
  const emptySprint = async () => {
    const spec_id = await scene.spec('approved')
    return (await world.ok('create_sprint', { board_id: scene.boardId, spec_id, title: 'Empty' })).id
  }
  const crew = ['Executor', 'QA', 'Spec', 'Sprint Manager', 'Validator'] as const

  test.each(states)('%s of %s, by the owner and by each preset', async (code, tool, args) => {
    // A call that is to be refused for its missing report is sent without one.
    const fields = code === 'CONCLUSION_REQUIRED' ? {} : added[tool]
    const presets = await world.ok('list_presets')
    const agents = [world.owner]
    for (const name of crew) {
      const { id: preset_id } = presets.find((preset: { name: string }) => preset.name === name)
      const agent = await world.ok('create_agent', { name, preset_id, board_ids: [scene.boardId] })
      agents.push({ ...world.owner, id: agent.id, key: agent.api_key })
    }
    for (const as of agents) {
      const refusal = await mcp.tool(tool, { ...fields, ...(await args()) }, { as })
      const { detail, next_actions = [] } = refusal.value
      if (detail?.error === 'FORBIDDEN') continue
      expect(detail.error).toBe(code)
      expect(next_actions.length).toBeGreaterThan(0)
      const [first] = next_actions
      const answer = await mcp.tool(first.name, { ...added[first.name], ...first.arguments }, { as })
      const refused = answer.isError && [403, 404, 409].includes(answer.value.status)
      expect([first.name, refused ? answer.value : 'taken']).toEqual([first.name, 'taken'])
    }
  })
})
