import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
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

afterAll(() => world.stop())

beforeEach(async () => {
  scene = await Scene.on(world)
})

const report = {
  conclusion: 'Done.',
  completeness: 100,
  completeness_justification: 'All.',
  drift: 0,
  drift_justification: 'None.',
}

/** An agent of a built-in preset on the board. */
async function of(preset: string): Promise<TestAgent> {
  const presets: { id: string; name: string }[] = await world.ok('list_presets')
  const agent = await world.agent({ preset_id: presets.find(({ name }) => name === preset)!.id })
  await scene.admit(agent)
  return agent
}

const callTool = async (as: TestAgent, name: string, args: object) => {
  const { isError, value } = await mcp.tool(name, args, { as })
  expect(isError, JSON.stringify(value)).toBe(false)
  return value
}

/** Takes a card and goes to work on it. */
async function begin(as: TestAgent, card_id: string): Promise<void> {
  await world.ok('claim_card', { card_id }, { as })
  for (const target_status of ['started', 'in_progress'])
    await world.ok('move_card', { card_id, target_status }, { as })
}

describe('who has the next part (crew 4.1)', () => {
  test('a report names those who judge, and a verdict whoever goes on', async () => {
    const [exec] = [await of('Executor'), await of('Validator'), await of('Validator')]
    const card_id = await scene.card({ spec_id: await scene.spec('in_progress') })
    await begin(exec, card_id)
    const moved = await callTool(exec, 'move_card', { card_id, target_status: 'validation', ...report })
    expect(moved.next).toBe('Validator: 2 agents, by list_my_inbox')
    const failed = await world.ok('submit_task_validation', {
      card_id,
      outcome: 'failed',
      summary: 'It does not open.',
    })
    expect(failed.next).toMatch(/^"Agent \d+": by claim_next_card$/)
  })

  test('the caller is told its own next call, with the arguments that work', async () => {
    const spec_id = await scene.spec('draft')
    const { next, next_actions } = await callTool(world.owner, 'move_spec', { spec_id, status: 'review' })
    expect(next).toBe('you: move_spec to approved')
    const [{ name, arguments: args }] = next_actions
    expect(await callTool(world.owner, name, args)).toMatchObject({ status: 'approved' })
  })

  test('nobody but the owner, where no other agent may', async () => {
    const exec = await of('Executor')
    const card_id = await scene.card({ spec_id: await scene.spec('in_progress') })
    await begin(exec, card_id)
    const moved = await callTool(exec, 'move_card', { card_id, target_status: 'validation', ...report })
    expect(moved.next).toBe('nobody but the owner')
  })

  test.each([
    ['person', 'nobody but the owner'],
    ['separate', 'Spec: 1 agent, by list_my_inbox'],
  ])('who may approve, where the board says %s (people 1.3)', async (approval_spec, next) => {
    await world.ok('update_board', { board_id: scene.boardId, settings: { approval_spec } })
    const [author] = [await of('Spec'), await of('Spec')]
    const created = await callTool(author, 'create_spec', { board_id: scene.boardId, title: 'Spec' })
    expect((await callTool(author, 'move_spec', { spec_id: created.id, status: 'review' })).next).toBe(next)
  })

  test('a question names who answers it, its answer who asked', async () => {
    const [exec, spec] = [await of('Executor'), await of('Spec')]
    const card_id = await scene.card({ spec_id: await scene.spec('in_progress') })
    const question = await callTool(exec, 'ask_card_question', { card_id, question: 'Which one?' })
    expect(question.next).toMatch(/: \d agents?, by list_my_inbox$/)
    const answer = await callTool(spec, 'answer_card_question', { qa_id: question.id, answer: 'The first.' })
    expect(answer.next).toMatch(/^"Agent \d+": by list_my_inbox$/)
  })

  test('a card without an attempt left names who may allow one, not who worked on it (crew 4.6)', async () => {
    await world.ok('update_board', { board_id: scene.boardId, settings: { max_attempts: 1 } })
    const [exec, judge] = [await of('Executor'), await of('Validator')]
    const card_id = await scene.card({ spec_id: await scene.spec('in_progress') })
    await begin(exec, card_id)
    await callTool(exec, 'move_card', { card_id, target_status: 'validation', ...report })
    const failed = await callTool(judge, 'submit_task_validation', { card_id, outcome: 'failed', summary: 'It fails.' })
    expect(failed.next).toBe('nobody but the owner')
    const moved = await callTool(world.owner, 'move_card', { card_id, target_status: 'started' })
    expect([moved.next, moved.next_actions]).toMatchObject([
      'you: allow_attempts',
      [{ name: 'allow_attempts', arguments: { card_id, more: 1 } }],
    ])
  })

  test('a card that is given back names who may take it', async () => {
    const [exec] = [await of('Executor'), await of('Executor')]
    const card_id = await scene.card({ spec_id: await scene.spec('in_progress') })
    await begin(exec, card_id)
    const { next } = await callTool(exec, 'release_claim', { card_id })
    expect(next).toBe('Executor: 1 agent, by claim_next_card')
  })
})

test('writes on what has outgrown a small change say so (crew 6.6)', async () => {
  await world.ok('update_board', { board_id: scene.boardId, settings: { small_change_max_attempts: 0 } })
  const { id: card_id } = await world.ok('create_card', { board_id: scene.boardId, title: 'Small', claim: true })
  await world.ok('move_card', { card_id, target_status: 'validation', conclusion: 'Done.', check: 'Read it.' })
  await world.ok('submit_task_validation', {
    card_id,
    outcome: 'failed',
    summary: 'It does not open.',
  })
  const { next, next_actions } = await callTool(world.owner, 'create_comment', { card_id, content: 'It grows.' })
  expect(next).toBe('you: promote_card')
  expect(next_actions).toMatchObject([{ name: 'promote_card' }])
})
