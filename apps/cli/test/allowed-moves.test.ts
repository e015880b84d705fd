import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { McpWire } from './support/mcp.ts'
import { Scene } from './support/scene.ts'
import { type TestAgent, World } from './support/world.ts'

let world: World
let scene: Scene
let mcp: McpWire

beforeAll(async () => {
  world = await World.start()
  scene = await Scene.on(world)
  mcp = new McpWire(world)
})

afterAll(() => world.stop())

type Kind = 'ideation' | 'refinement' | 'spec' | 'sprint' | 'card'

const allowed = (entity_type: Kind, entity_id: string, to?: string, as?: TestAgent) =>
  world.ok('get_allowed_moves', { entity_type, entity_id, ...(to !== undefined && { to }) }, as && { as })

/** The one move to a status. */
const move = async (kind: Kind, id: string, to: string, as?: TestAgent) => (await allowed(kind, id, to, as)).moves[0]

/** What the answer says about an operation. */
const operation = async (kind: Kind, id: string, name: string) =>
  (await allowed(kind, id)).operations.find((one: { operation: string }) => one.operation === name)

const codes = ({ blockers }: { blockers: readonly { error: string }[] }) => blockers.map(({ error }) => error)

interface Gate {
  readonly gate: string
}

const gate = ({ gates }: { gates: readonly Gate[] }, name: string) => gates.find(one => one.gate === name)

/** An agent with a share of the board, which lacks some permissions. */
async function lacking(...names: readonly string[]): Promise<TestAgent> {
  const agent = await world.agent({ permission_flags: Object.fromEntries(names.map(name => [name, false])) })
  await scene.admit(agent)
  return agent
}

const report = ['conclusion', 'completeness', 'completeness_justification', 'drift', 'drift_justification']
const uncovered = { test_scenarios: [{ id: 's1', title: 'Works', linked_criteria: ['0'] }], acceptance_criteria: ['a'] }

describe('get_allowed_moves (board 3)', () => {
  test('names the rows of the state table from the present status, for cards the other columns', async () => {
    const rows: readonly (readonly [Kind, string, readonly string[]])[] = [
      ['ideation', await scene.ideation('review'), ['draft', 'approved', 'cancelled']],
      ['refinement', await scene.refinement('approved'), ['review', 'done', 'cancelled']],
      ['spec', await scene.spec('approved'), ['draft', 'review', 'cancelled', 'validated']],
      ['sprint', (await scene.sprint('active')).sprint_id, ['draft', 'review', 'cancelled']],
      ['card', await scene.card(), ['started', 'in_progress', 'validation', 'on_hold', 'done', 'cancelled']],
    ]
    for (const [kind, id, targets] of rows) {
      const answer = await allowed(kind, id)
      expect(answer).toMatchObject({ entity_type: kind, entity_id: id, ref: expect.stringMatching(/^SCE\d*-\d+$/) })
      expect(answer.moves.map(({ to }: { to: string }) => to)).toEqual(targets)
      expect(await allowed(kind, answer.ref.toLowerCase())).toEqual(answer)
      const tool = await mcp.tool('get_allowed_moves', { entity_type: kind, entity_id: answer.ref, full: true })
      expect(tool.value.moves.map(({ to, state }: { to: string; state: string }) => [to, state])).toEqual(
        answer.moves.map(({ to, state }: { to: string; state: string }) => [to, state]),
      )
    }
  })

  test('one status alone, blocked where the table has no such row', async () => {
    const spec_id = await scene.spec('draft')
    const { moves } = await allowed('spec', spec_id, 'done')
    expect(moves).toMatchObject([{ to: 'done', state: 'blocked', asks: [], effects: [] }])
    expect(moves[0].blockers).toEqual([
      {
        error: 'INVALID_TRANSITION',
        message: expect.any(String),
        from: 'draft',
        to: 'done',
        allowed: ['review', 'cancelled'],
        next_actions: [{ name: 'move_spec', arguments: { spec_id, status: 'review' }, reason: expect.any(String) }],
      },
    ])
    expect(await move('card', await scene.card(), 'not_started')).toMatchObject({ state: 'open' })
  })

  test('every closed gate of a card, in the order of its 409s', async () => {
    const spec_id = await scene.spec('approved')
    const [card_id, depends_on_id] = [await scene.card({ spec_id }), await scene.card({ spec_id })]
    await world.ok('add_card_dependency', { card_id, depends_on_id })
    const done = await move('card', card_id, 'done')
    expect(done).toMatchObject({ state: 'blocked', asks: report })
    expect(codes(done)).toEqual(['SPEC_NOT_READY', 'DEPENDENCIES_NOT_MET'])
    expect(done.blockers[1].next_actions[0]).toMatchObject({ name: 'get_card', arguments: { card_id: depends_on_id } })
    expect(gate(done, 'validation')).toEqual({
      gate: 'validation',
      state: 'skipped',
      skipped_by: 'require_task_validation',
    })
    expect(gate(done, 'report')).toMatchObject({ state: 'passed' })
    expect(await move('card', card_id, 'on_hold')).toMatchObject({ state: 'open', blockers: [] })
  })

  test('a card in validation is to be validated, not moved to where it stands', async () => {
    const card_id = await scene.card({ spec_id: await scene.spec('in_progress') })
    const all = { conclusion: 'Done.', completeness: 100, drift: 0 }
    const why = { completeness_justification: 'All of it.', drift_justification: 'As planned.' }
    await world.ok('move_card', { card_id, target_status: 'validation', ...all, ...why })
    const done = await move('card', card_id, 'done')
    expect(codes(done)).toEqual(['VALIDATION_REQUIRED'])
    expect(done.blockers[0].next_actions).toMatchObject([{ name: 'submit_task_validation' }])
  })

  test('a move that needs a report asks for it, and is open to those who send it', async () => {
    const card_id = await scene.card({ spec_id: await scene.spec('in_progress') })
    expect(await move('card', card_id, 'validation')).toMatchObject({ state: 'asks', asks: report, blockers: [] })
    const started = await allowed('card', card_id)
    expect(started.moves[0]).toMatchObject({ to: 'started', state: 'open', asks: [] })
  })

  test('a permission that lacks wins, with what the 403 says', async () => {
    const agent = await lacking('SPECS_MOVE_VALIDATED')
    const spec_id = await scene.spec('approved', uncovered)
    const validated = await move('spec', spec_id, 'validated', agent)
    expect(validated).toMatchObject({
      state: 'forbidden',
      permission: 'SPECS_MOVE_VALIDATED',
      missing: ['SPECS_MOVE_VALIDATED'],
    })
    expect(codes(validated)).toEqual(['COVERAGE_REQUIRED'])
    const { body } = await world.call('move_spec', { spec_id, status: 'validated' }, { as: agent })
    expect(body.detail).toMatchObject({ permission: validated.permission, missing: validated.missing })
  })

  test('who may make a forbidden move is said when it is asked for, as the 403 says it', async () => {
    const agent = await lacking('CARDS_MOVE')
    const card_id = await scene.card()
    const record = { entity_type: 'card', entity_id: card_id } as const
    expect((await allowed('card', card_id, 'started', agent)).moves[0]).not.toHaveProperty('held_by')
    const { moves } = await world.ok('get_allowed_moves', { ...record, holders: true }, { as: agent })
    const { body } = await world.call('move_card', { card_id, target_status: 'started' }, { as: agent })
    expect(body.detail.held_by).toContainEqual({ id: world.owner.id, name: 'Local Owner' })
    for (const { state, held_by } of moves)
      expect({ state, held_by }).toEqual({ state: 'forbidden', held_by: body.detail.held_by })
    const open = await world.ok('get_allowed_moves', { ...record, holders: true })
    expect(open.moves[0]).not.toHaveProperty('held_by')
    const blind = await lacking('CARDS_MOVE', 'AGENTS_READ')
    const hidden = await world.ok('get_allowed_moves', { ...record, to: 'started', holders: true }, { as: blind })
    expect(hidden.moves[0]).toMatchObject({ state: 'forbidden', held_by: [] })
  })

  test('a forbidden move tells nothing of records that the caller may not read', async () => {
    const spec_id = await scene.spec('in_progress')
    await scene.card({ spec_id, title: 'Secret' })
    const blind = await lacking('SPECS_MOVE_DONE', 'CARDS_READ')
    const done = await move('spec', spec_id, 'done', blind)
    expect(done).toMatchObject({ state: 'forbidden', blockers: [] })
    expect(gate(done, 'tasks')).toMatchObject({ state: 'blocked' })
    expect(JSON.stringify(await allowed('spec', spec_id, undefined, blind))).not.toContain('Secret')
  })

  test.each([
    ['skip_test_coverage', { skip_test_coverage: true }],
    ['skip_test_coverage_global', {}],
  ])('a gate that %s keeps open is skipped', async (skipped_by, fields) => {
    const own = await Scene.on(world)
    if (skipped_by.endsWith('_global'))
      await world.ok('update_board', { board_id: own.boardId, settings: { [skipped_by]: true } })
    const spec_id = await own.spec('approved', uncovered)
    await world.ok('update_spec', { spec_id, ...fields })
    expect(gate(await move('spec', spec_id, 'validated'), 'coverage')).toEqual({
      gate: 'coverage',
      state: 'skipped',
      skipped_by,
    })
  })

  test('what a move brings with it', async () => {
    const spec_id = await scene.spec('approved')
    const because = 'It is as it should be, all of it.'
    await world.ok('submit_spec_validation', {
      spec_id,
      completeness: 90,
      completeness_justification: because,
      assertiveness: 90,
      assertiveness_justification: because,
      ambiguity: 10,
      ambiguity_justification: because,
      general_justification: because,
      recommendation: 'approve',
    })
    expect(await move('spec', spec_id, 'draft')).toMatchObject({ state: 'open', effects: ['spec_unlocked'] })
    const locked = await operation('spec', spec_id, 'update_spec')
    expect(locked).toMatchObject({ state: 'open', locked_fields: expect.arrayContaining(['description', 'title']) })
    expect(locked.locked_fields).not.toContain('labels')

    const other = await scene.spec('approved')
    const card_id = await scene.card({ spec_id: other })
    await world.ok('claim_card', { card_id })
    expect(await move('card', card_id, 'cancelled')).toMatchObject({ effects: ['claim_ends'] })
    const test_card = await scene.testCard({ spec_id: await scene.specWithScenarios(1, 'validated') })
    expect(await move('card', test_card, 'cancelled')).toMatchObject({ effects: ['spec_rolled_back'] })
  })

  test.each<[Kind, readonly string[]]>([
    ['ideation', ['update_ideation', 'evaluate_ideation', 'derive_spec_from_ideation']],
    ['refinement', ['update_refinement', 'derive_spec_from_refinement']],
    ['spec', ['update_spec', 'submit_spec_validation', 'submit_spec_evaluation', 'record_scenario_result']],
    ['card', ['update_card', 'submit_task_validation', 'claim_card']],
  ])('the operations of a %s', async (kind, names) => {
    const { operations } = await allowed(kind, await scene[kind as 'ideation']())
    expect(operations.map((one: { operation: string }) => one.operation)).toEqual(names)
  })

  test('an operation is judged like a move, and asks for its required fields', async () => {
    const done = await scene.ideation('done')
    expect(await operation('ideation', done, 'update_ideation')).toMatchObject({
      state: 'blocked',
      blockers: [{ error: 'IDEATION_LOCKED', status: 'done', allowed: ['draft'] }],
    })
    expect(await operation('ideation', done, 'derive_spec_from_ideation')).toMatchObject({ state: 'open' })
    // Every field of an evaluation is optional.
    const evaluating = await scene.ideation('evaluating')
    expect(await operation('ideation', evaluating, 'evaluate_ideation')).toMatchObject({ state: 'open', asks: [] })
    const { sprint_id } = await scene.sprint('review')
    expect(await operation('sprint', sprint_id, 'submit_sprint_evaluation')).toMatchObject({
      state: 'asks',
      asks: ['overall_score', 'recommendation'],
    })
    const card_id = await scene.card({ spec_id: await scene.spec('in_progress') })
    expect(await operation('card', card_id, 'submit_task_validation')).toMatchObject({
      state: 'blocked',
      asks: ['outcome', 'summary'],
      blockers: [{ error: 'CARD_NOT_IN_VALIDATION' }],
    })
    expect(await operation('card', card_id, 'claim_card')).toMatchObject({ state: 'open', asks: [] })
  })

  test("another agent's claim, and the archive, close what they close", async () => {
    const spec_id = await scene.spec('in_progress')
    const card_id = await scene.card({ spec_id })
    const [holder, other] = [await lacking(), await lacking('BOARDS_UPDATE')]
    await world.ok('claim_card', { card_id }, { as: holder })
    const started = await move('card', card_id, 'started', other)
    expect(started).toMatchObject({ state: 'blocked', blockers: [{ error: 'CLAIMED' }] })
    expect(started.blockers[0].next_actions).toMatchObject([{ name: 'claim_next_card' }])
    await world.ok('archive_record', { board_id: scene.boardId, entity_type: 'spec', entity_id: spec_id })
    for (const one of (await allowed('card', card_id)).moves)
      expect(one.blockers[0]).toMatchObject({ error: 'ARCHIVED' })
    expect((await move('spec', spec_id, 'cancelled')).blockers[0]).toMatchObject({
      error: 'ARCHIVED',
      next_actions: [{ name: 'restore_record' }],
    })
  })

  test('refuses unknown kinds, statuses and records, and those who may not read the record', async () => {
    const entity_id = await scene.spec('draft')
    const call = (args: object, as?: TestAgent) =>
      world.call('get_allowed_moves', { entity_type: 'spec', entity_id, ...args }, as && { as })
    expect(await call({ entity_type: 'board' })).toMatchObject({
      status: 400,
      body: { detail: { allowed: ['ideation', 'refinement', 'spec', 'sprint', 'card'] } },
    })
    for (const to of ['nonsense', 'closed']) expect((await call({ to })).status).toBe(422)
    expect((await call({ entity_type: 'card' })).status).toBe(404)
    expect((await call({}, await world.agent())).status).toBe(404)
    expect(await call({}, await lacking('SPECS_READ'))).toMatchObject({
      status: 403,
      body: { detail: { permission: 'SPECS_READ' } },
    })
  })
})

describe('refusals over HTTP say what to do about them (board 6)', () => {
  test('on 403, 404 of a record and 409 as the tools do', async () => {
    const spec_id = await scene.spec('draft')
    const blind = await lacking('SPECS_MOVE_REVIEW')
    const calls = [
      [403, 'move_spec', { spec_id, status: 'review' }, blind],
      [404, 'get_card', { card_id: spec_id }, world.owner],
      [404, 'get_card', { card_id: 'names-nothing' }, world.owner],
      [409, 'move_spec', { spec_id, status: 'done' }, world.owner],
      [409, 'submit_spec_evaluation', { spec_id: await scene.spec('approved', uncovered), ...evaluation }, world.owner],
    ] as const
    for (const [status, name, args, as] of calls) {
      const answer = await world.call(name, args, { as })
      const tool = await mcp.tool(name, args, { as })
      expect([name, answer.status]).toEqual([name, status])
      expect(answer.body.next_actions).toEqual(tool.value.next_actions ?? [])
    }
    const [first] = (await world.call('get_card', { card_id: spec_id })).body.next_actions
    expect(first).toMatchObject({ name: 'get_spec', arguments: { spec_id } })
  })

  test('a reference that was sent stands as an id in them', async () => {
    const spec_id = await scene.spec('draft')
    const { ref } = await world.ok('get_spec', { spec_id })
    const { body } = await world.call('move_spec', { spec_id: ref, status: 'done' })
    expect(body.next_actions).toMatchObject([{ name: 'move_spec', arguments: { spec_id, status: 'review' } }])
  })

  test('412 leads to a read of the record', async () => {
    const spec_id = await scene.spec('draft')
    const answer = await world.call('update_spec', { spec_id, title: 'New' }, { headers: { 'if-match': '"old"' } })
    expect(answer.status).toBe(412)
    expect(answer.body.next_actions).toMatchObject([{ name: 'get_spec', arguments: { spec_id } }])
  })

  test('[] where nothing helps, and no member where nobody is advised', async () => {
    const { headers, board } = { headers: { 'idempotency-key': `key ${scene.boardId}` }, board: scene.boardId }
    await world.call('create_ideation', { board_id: board, title: 'One' }, { headers })
    const reused = await world.call('create_ideation', { board_id: board, title: 'Two' }, { headers })
    expect([reused.status, reused.body.next_actions]).toEqual([409, []])
    const unauthorized = await world.call('list_boards', {}, { as: null })
    const invalid = await world.call('create_spec', { board_id: board })
    const media = await world.call(
      'create_spec',
      { board_id: board, title: 'T' },
      { headers: { 'content-type': 'text/plain' } },
    )
    expect([unauthorized, invalid, media].map(({ status }) => status)).toEqual([401, 422, 415])
    for (const { body } of [unauthorized, invalid, media]) expect(body).not.toHaveProperty('next_actions')
  })
})

const evaluation = {
  breakdown_completeness: 90,
  breakdown_justification: 'Seen.',
  granularity: 90,
  granularity_justification: 'Seen.',
  dependency_coherence: 90,
  dependency_justification: 'Seen.',
  test_coverage_quality: 90,
  test_coverage_justification: 'Seen.',
  overall_score: 90,
  overall_justification: 'Seen.',
  recommendation: 'approve',
}
