import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { evaluation, validation } from './operations/specs.rows.ts'
import { McpWire } from './support/mcp.ts'
import { Newcomer, Stuck } from './support/newcomer.ts'
import { Scene } from './support/scene.ts'
import { World } from './support/world.ts'

let world: World
let wire: McpWire
let scene: Scene

beforeAll(async () => {
  world = await World.start()
  wire = new McpWire(world)
})

beforeEach(async () => {
  scene = await Scene.on(world)
})

afterAll(() => world.stop())

/** What a newcomer wants to be built. */
const content = {
  functional_requirements: ['It adds two numbers'],
  acceptance_criteria: ['1 + 1 = 2'],
  test_scenarios: [{ id: 's1', title: 'Adds', linked_criteria: ['0'] }],
}

const rule = { id: 'r1', title: 'Sum', rule: 'adds', when: 'asked', then: 'adds', linked_requirements: ['0'] }

/** What it can say about its feature and its work when asked; it knows nothing about the service. */
const words = {
  ...validation,
  ...evaluation(),
  title: 'Sum of two numbers',
  business_rules: [rule],
  conclusion: 'Built it.',
  completeness_justification: 'All of it.',
  drift: 0,
  drift_justification: 'As planned.',
  outcome: 'success',
  summary: 'It adds.',
}

/** A test run, which it can only report after the tests were run. */
const run = { status: 'passed', evidence: { last_run_at: '2026-01-01T00:00:00Z', test_run_id: 'run-1' } }

const statusOf = async (spec_id: string) => (await world.ok('get_spec', { spec_id })).status

describe('an agent that knows instructions, tools and next actions only (mcp 9.5, 13)', () => {
  test('carries a feature from idea to done', async () => {
    const board = await world.ok('create_board', {
      name: 'Adding',
      description: '',
      settings: { require_spec_validation: true, require_task_validation: true },
    })
    const board_id = board.key
    const agent = await Newcomer.arriving(wire, world.owner, { ...words, ...run })
    const ideation = await agent.reach('create_ideation', { board_id })
    const { ref: spec_id } = await agent.reach('derive_spec_from_ideation', { ideation_id: ideation.ref })
    await agent.reach('update_spec', { spec_id, ...content })
    const card = await agent.reach('create_card', { board_id, spec_id })
    agent.learn({ card_id: card.ref })
    await agent.reach('move_spec', { spec_id, status: 'in_progress' })
    for (;;) {
      const { card: next } = await agent.reach('claim_next_card', { board_id, start: true })
      if (next === undefined) break
      await agent.reach('move_card', { card_id: next.ref, target_status: 'done' })
    }
    await agent.reach('move_spec', { spec_id, status: 'done' })

    expect(await world.ok('get_spec', { spec_id })).toMatchObject({
      status: 'done',
      locked: true,
      test_scenarios: [{ status: 'passed' }],
      cards: [
        { card_type: 'normal', status: 'done' },
        { card_type: 'test', status: 'done' },
      ],
    })
    expect(agent.calls).toEqual(
      expect.arrayContaining(['submit_spec_validation', 'submit_task_validation', 'record_scenario_result']),
    )
  })

  test('is stuck before done when it did not run the tests', async () => {
    const spec_id = await scene.specWithScenarios(1, 'in_progress', { business_rules: [] })
    const card_id = await scene.testCard({ spec_id })
    const agent = await Newcomer.arriving(wire, world.owner, words)
    await expect(agent.reach('move_card', { card_id, target_status: 'done' })).rejects.toThrow(Stuck)
    const stuck = await agent.reach('move_spec', { spec_id, status: 'done' }).catch(error => error)
    expect(stuck).toBeInstanceOf(Stuck)
    expect(await statusOf(spec_id)).toBe('in_progress')
  })
})

describe('a spec never gets to done (done 1)', () => {
  const refusalOf = async (spec_id: string) => {
    const { value } = await wire.tool('move_spec', { spec_id, status: 'done' })
    expect(await statusOf(spec_id)).toBe('in_progress')
    return value
  }

  test('with a scenario that was not run', async () => {
    const spec_id = await scene.specWithScenarios()
    const card_id = await scene.testCard({ spec_id, status: 'done' })
    const { detail, next_actions } = await refusalOf(spec_id)
    expect(detail).toMatchObject({
      error: 'SCENARIOS_OPEN',
      missing: [{ scenario_id: 's1', title: 'Works', status: 'draft', linked_task_ids: [card_id] }],
    })
    expect(next_actions[0]).toMatchObject({
      name: 'record_scenario_result',
      arguments: { spec_id, scenario_id: 's1' },
    })
  })

  test.each([
    ['not_started', 'get_card'],
    ['validation', 'move_card'],
  ] as const)('with a test card in %s', async (status, next) => {
    const spec_id = await scene.specWithScenarios()
    await wire.tool('call_operation', {
      name: 'record_scenario_result',
      arguments: { spec_id, scenario_id: 's1', ...run },
    })
    const id = await scene.testCard({ spec_id, status })
    const { detail, next_actions } = await refusalOf(spec_id)
    expect(detail).toMatchObject({ error: 'TASKS_OPEN', missing: [{ id, status, card_type: 'test' }] })
    expect(next_actions[0]).toMatchObject({ name: next, arguments: { card_id: id } })
  })

  test('with a late requirement that has neither rule nor card', async () => {
    const spec_id = await scene.spec('in_progress', { functional_requirements: ['It adds'], business_rules: [rule] })
    const card_id = await scene.card({ spec_id, status: 'done' })
    await world.ok('link_task_to_item', { spec_id, item_id: 'r1', card_id })
    await world.ok('update_spec', { spec_id, functional_requirements: ['It adds', 'It subtracts'] })
    const { detail, next_actions } = await refusalOf(spec_id)
    expect(detail).toMatchObject({
      error: 'COVERAGE_REQUIRED',
      gate: 'rules',
      missing: [{ gate: 'rules', id: '1', label: 'It subtracts' }],
    })
    expect(next_actions[0]).toMatchObject({ name: 'update_spec', arguments: { spec_id } })

    const late = { ...rule, id: 'r2', linked_requirements: ['1'] }
    await world.ok('update_spec', { spec_id, business_rules: [{ ...rule, linked_task_ids: [card_id] }, late] })
    const again = await refusalOf(spec_id)
    expect(again.detail).toMatchObject({ gate: 'rule_tasks', missing: [{ gate: 'rule_tasks', id: 'r2' }] })
    expect(again.next_actions[0]).toMatchObject({ name: 'link_task_to_item', arguments: { spec_id, item_id: 'r2' } })
  })

  test('when the agent that did the work reviews it', async () => {
    const settings = { require_task_validation: true, require_separate_reviewer: true }
    await world.ok('update_board', { board_id: scene.boardId, settings })
    const spec_id = await scene.spec('in_progress')
    const card_id = await scene.card({ spec_id })
    const { owner } = world
    await world.ok('move_card', { card_id, target_status: 'started' })
    const { conclusion, completeness, completeness_justification, drift, drift_justification } = words
    const report = { conclusion, completeness, completeness_justification, drift, drift_justification }
    await world.ok('move_card', { card_id, target_status: 'validation', ...report })

    const review = await wire.tool('submit_task_validation', { card_id, outcome: 'success', summary: 'Mine.' })
    expect(review.value.detail).toMatchObject({
      error: 'REVIEWER_NOT_SEPARATE',
      agents: [owner.id],
      roles: { [owner.id]: expect.arrayContaining(['moved', 'concluded']) },
    })
    expect(review.value.next_actions).toMatchObject([{ name: 'list_board_agents' }])
    const move = await wire.tool('move_card', { card_id, target_status: 'done' })
    expect(move.value.detail).toMatchObject({ error: 'VALIDATION_REQUIRED', missing: ['task_validation'] })
    expect((await refusalOf(spec_id)).detail).toMatchObject({
      error: 'TASKS_OPEN',
      missing: [{ id: card_id, status: 'validation' }],
    })
  })
})
