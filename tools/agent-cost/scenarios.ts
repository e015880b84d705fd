import type { Client } from '@specboard/client'
import { Caller, Cost } from './caller.ts'

/** A service with one board for the scenarios, and a way to create keys. */
export interface ScenarioHost {
  /** The MCP address, including the view. */
  readonly endpoint: string
  readonly owner: Client
  readonly isShown: boolean
}

/** The budget of a scenario (crew 11). */
export interface Scenario {
  readonly title: string
  readonly calls: number
  readonly tokens: number
  /** Whether arguments are counted in addition to answers. */
  readonly both?: true
  readonly play: (stage: ScenarioHost, cost: Cost) => Promise<void>
}

/** A board of its own for a scenario, with callers of these presets. */
async function crewOf<Role extends string>(
  { endpoint, owner, isShown }: ScenarioHost,
  cost: Cost,
  roles: Readonly<Record<Role, string>>,
): Promise<{ readonly key: string; readonly crew: Readonly<Record<Role, Caller>> }> {
  const board = await owner.createBoard({ name: 'Shop', description: 'A shop.' })
  const { items } = await owner.listPresets()
  const crew: Partial<Record<Role, Caller>> = {}
  for (const [role, presetName] of Object.entries<string>(roles)) {
    const preset = items.find(({ name }) => name === presetName)!
    const { api_key } = await owner.createAgent({
      name: `${board.key} ${role}`,
      preset_id: preset.id,
      board_ids: [board.id],
    })
    crew[role as Role] = new Caller(role, endpoint, api_key!, cost, isShown)
  }
  return { key: board.key, crew: crew as Readonly<Record<Role, Caller>> }
}

const pieces = ['Cart keeps its lines', 'Sum with tax', 'Remove a line'] as const

/** From an idea to a done spec, by a planner, an executor and a validator, each with its own key. */
async function ideaToDone(stage: ScenarioHost, cost: Cost): Promise<void> {
  const { key, crew } = await crewOf(stage, cost, {
    planner: 'Spec',
    executor: 'Executor',
    tester: 'QA',
    validator: 'Validator',
  })
  const { planner, executor, tester, validator } = crew
  const ideation = await planner.call('create_ideation', {
    board_id: key,
    title: 'A cart',
    problem_statement: 'Buyers cannot collect what they want.',
    proposed_approach: 'A cart in the session.',
  })
  await planner.call('move_ideation', { ideation_id: ideation.id, status: 'evaluating', through: true })
  await planner.call('evaluate_ideation', { ideation_id: ideation.id, domains: 1, ambiguity: 1, dependencies: 1 })
  await planner.call('move_ideation', { ideation_id: ideation.id, status: 'done' })
  const spec = await planner.call('derive_spec_from_ideation', { ideation_id: ideation.id })
  await planner.call('put_spec_items', {
    spec_id: spec.id,
    functional_requirements: pieces,
    acceptance_criteria: pieces.map(piece => `Seen at work: ${piece}`),
    test_scenarios: pieces.map((title, index) => ({ title, linked_criteria: [String(index)] })),
    business_rules: [
      {
        title: 'A cart is of one buyer',
        rule: 'Nobody else sees it',
        when: 'a cart is read',
        then: 'its session is compared',
        linked_requirements: pieces.map((_, index) => String(index)),
      },
    ],
  })
  await planner.call('move_spec', { spec_id: spec.id, status: 'approved', through: true })
  for (const title of pieces)
    await planner.call('create_card', { board_id: key, spec_id: spec.id, title, covers: ['r1'] })
  await planner.call('create_card', {
    board_id: key,
    spec_id: spec.id,
    title: 'Test the cart',
    card_type: 'test',
    test_scenario_ids: pieces.map((_, index) => `t${index + 1}`),
  })
  await validator.call('list_my_inbox')
  await validator.call('get_spec', { spec_id: spec.id, fields: 'functional_requirements,acceptance_criteria' })
  await validator.call('submit_spec_validation', {
    spec_id: spec.id,
    completeness: 92,
    completeness_justification: 'Each wish is in it.',
    assertiveness: 88,
    assertiveness_justification: 'The criteria can be tested.',
    ambiguity: 12,
    ambiguity_justification: 'Two words could be clearer.',
    general_justification: 'Complete, testable and clear enough to be built.',
    recommendation: 'approve',
  })
  await validator.call('submit_spec_evaluation', {
    spec_id: spec.id,
    breakdown_completeness: 90,
    breakdown_justification: 'Every wish has a card.',
    granularity: 85,
    granularity_justification: 'Each card is a day or less.',
    dependency_coherence: 95,
    dependency_justification: 'No cycles and no gaps.',
    test_coverage_quality: 80,
    test_coverage_justification: 'One scenario for each criterion.',
    overall_score: 88,
    overall_justification: 'Ready to be built.',
    recommendation: 'approve',
  })
  await validator.call('move_spec', { spec_id: spec.id, status: 'in_progress' })
  const report = {
    target_status: 'validation',
    conclusion: 'Built as planned.',
    completeness: 100,
    completeness_justification: 'All of it.',
    drift: 0,
    drift_justification: 'As planned.',
  }
  const verdict = {
    outcome: 'success',
    summary: 'Read the change and ran it.',
    evidence: [{ type: 'test', url: 'https://example.org/run/1' }],
  }
  for (const _ of pieces) {
    const { card } = await executor.call('claim_next_card', { board_id: key, start: true })
    await executor.call('move_card', { card_id: card.id, ...report })
    const judged = await validator.call('claim_next_card', { board_id: key, for: 'validation' })
    await validator.call('submit_task_validation', { card_id: judged.card.id, ...verdict })
  }
  const { card } = await tester.call('claim_next_card', { board_id: key, start: true })
  for (const [index] of pieces.entries())
    await tester.call('record_scenario_result', {
      spec_id: spec.id,
      scenario_id: `t${index + 1}`,
      status: 'passed',
      evidence: { test_run_id: 'run-1' },
    })
  await tester.call('move_card', { card_id: card.id, ...report, target_status: 'done' })
  await validator.call('move_spec', { spec_id: spec.id, status: 'done' })
}

async function smallChange(stage: ScenarioHost, cost: Cost): Promise<void> {
  const { key, crew } = await crewOf(stage, cost, { solo: 'Solo' })
  const card = await crew.solo.call('create_card', { board_id: key, title: 'Fix the typo in the footer', claim: true })
  await crew.solo.call('move_card', {
    card_id: card.id,
    target_status: 'done',
    conclusion: 'Corrected the word.',
    check: 'Read the page again.',
  })
}

async function bug(stage: ScenarioHost, cost: Cost): Promise<void> {
  const { key, crew } = await crewOf(stage, cost, { solo: 'Solo' })
  const card = await crew.solo.call('create_card', {
    board_id: key,
    title: 'Sum is wrong for an empty cart',
    card_type: 'bug',
    expected_behavior: '0.00',
    observed_behavior: 'NaN',
    check: 'cart.test.ts: an empty cart costs nothing',
    claim: true,
  })
  await crew.solo.call('move_card', {
    card_id: card.id,
    target_status: 'done',
    conclusion: 'The sum begins with 0.',
    check: 'cart.test.ts: an empty cart costs nothing',
  })
}

/** An agent without memory that holds a card with a checkpoint. */
async function resume(stage: ScenarioHost, cost: Cost): Promise<void> {
  const before = new Cost()
  const { key, crew } = await crewOf(stage, before, { solo: 'Solo' })
  const again = crew.solo.as(cost)
  const card = await crew.solo.call('create_card', {
    board_id: key,
    title: 'Show the sum with tax',
    description: 'Below the lines, with the rate of the country.',
    claim: true,
  })
  await crew.solo.call('save_checkpoint', { card_id: card.id, text: 'Rates are read; the sum is not shown yet.' })
  await again.call('list_my_inbox')
  await again.call('get_card', { card_id: card.id })
}

/** An hour without events: waits of 600 s, played with waits that end at once. */
async function waiting(stage: ScenarioHost, cost: Cost): Promise<void> {
  const { key, crew } = await crewOf(stage, cost, { executor: 'Executor' })
  for (let wait = 0; wait < 6; wait++) await crew.executor.call('claim_next_card', { board_id: key, wait_ms: 10 })
}

/** The columns of a board with many cards, as a planner looks at them. */
async function columns(stage: ScenarioHost, cost: Cost): Promise<void> {
  const { key, crew } = await crewOf(stage, cost, { planner: 'Spec' })
  const { id: board_id } = await stage.owner.getBoard({ board_id: key })
  const { id: spec_id } = await stage.owner.createSpec({ board_id, status: 'in_progress', title: 'A cart' })
  const statuses = ['not_started', 'started', 'in_progress', 'validation', 'on_hold', 'cancelled'] as const
  const cards = Array.from({ length: 500 }, (_, index) => index)
  for (const index of cards) {
    const status = statuses[index % statuses.length]!
    const title = `Keep line ${index} of the cart when a buyer comes back`
    await stage.owner.createCard({
      board_id,
      spec_id,
      title,
      status,
      priority: 'high',
      labels: ['cart', 'web'],
      imported: true,
    })
  }
  await crew.planner.call('get_board_columns', { board_id: key })
}

/** The scenarios of crew 11, in their order. */
export const scenarios: readonly Scenario[] = [
  { title: 'idea to done, 4 cards, four role keys', calls: 40, tokens: 7_000, play: ideaToDone },
  { title: 'small change, one key', calls: 3, tokens: 500, both: true, play: smallChange },
  { title: 'bug with its check, one key', calls: 3, tokens: 600, both: true, play: bug },
  { title: 'resume from a bare key, one card held', calls: 2, tokens: 600, play: resume },
  { title: 'an hour of waiting', calls: 6, tokens: 300, both: true, play: waiting },
  { title: 'columns of a board with 500 cards', calls: 1, tokens: 3_500, play: columns },
]
