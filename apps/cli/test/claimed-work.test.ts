import { afterAll, beforeAll, expect, test } from 'vitest'
import { McpWire } from './support/mcp.ts'
import { Scene } from './support/scene.ts'
import { World } from './support/world.ts'

/** The answer of a claim over MCP contains what the work needs, so that no second call is necessary (crew 5.5). */
let world: World
let mcp: McpWire

beforeAll(async () => {
  world = await World.start()
  mcp = new McpWire(world)
})

afterAll(() => world.stop())

async function prepared() {
  const scene = await Scene.on(world)
  const spec_id = await scene.spec('in_progress', {
    acceptance_criteria: ['It opens', 'It shuts'],
    functional_requirements: ['Doors open', 'Doors shut'],
    test_scenarios: [
      { id: 't1', title: 'Opens', given: 'a door', when: 'pushed', then: 'it opens', linked_criteria: ['0'] },
    ],
  })
  const card_id = await scene.card({ spec_id, details: 'd'.repeat(600) })
  await world.ok('link_task_to_scenario', { spec_id, scenario_id: 't1', card_id })
  await world.ok('ask_card_question', { card_id, question: 'Which way?' })
  await world.ok('add_board_guideline', { board_id: scene.boardId, title: 'Small commits', content: 'Always.' })
  return { scene, spec_id, card_id }
}

test('claim_card and claim_next_card: texts, what binds the card, questions, guidelines', async () => {
  const { scene, spec_id, card_id } = await prepared()
  const { ref, title } = await world.ok('get_spec', { spec_id })
  const expected = {
    texts: { details: 'd'.repeat(600) },
    criteria: ['It opens'],
    requirements: ['Doors open', 'Doors shut'],
    scenarios: [{ id: 't1', given: 'a door', when: 'pushed', then: 'it opens' }],
    questions: [{ question: 'Which way?' }],
    guidelines: ['Small commits'],
    spec: { ref, title },
  }
  expect((await mcp.tool('claim_card', { card_id })).value).toMatchObject({ card_id, work: expected })
  await world.ok('save_checkpoint', { card_id, text: 'Half of it' })
  const { value } = await mcp.tool('claim_next_card', { board_id: scene.boardId })
  expect(value).toMatchObject({ claim: { card_id }, work: { ...expected, checkpoint: 'Half of it' } })
  expect(Object.keys(value.card)).not.toContain('details')
})

test('what the card waits for is told while it is open', async () => {
  const { scene, card_id, spec_id } = await prepared()
  const other = await scene.card({ spec_id })
  await world.ok('move_card', { card_id, target_status: 'started' })
  await world.ok('add_card_dependency', { card_id, depends_on_id: other })
  const { ref } = await world.ok('get_card', { card_id: other })
  const claimed = await mcp.tool('claim_card', { card_id })
  expect(claimed.value.work.waits_for).toEqual([{ ref, status: 'not_started' }])
  await world.ok('move_card', { card_id: other, target_status: 'cancelled' })
  expect((await mcp.tool('claim_card', { card_id })).value.work).not.toHaveProperty('waits_for')
})

test('a text that is too long is read on by the call that the answer names', async () => {
  const small = await World.start({ mcpAnswerCharacters: 4_000 })
  const scene = await Scene.on(small)
  const card_id = await scene.card({ details: 'e'.repeat(9_000) })
  const wire = new McpWire(small)
  const { value } = await wire.tool('claim_card', { card_id })
  expect(value.more).toMatchObject([{ path: 'work.texts.details', call: { name: 'read_text' } }])
  const [{ shown, call }] = value.more
  const rest = await wire.tool(call.name, { ...call.arguments, length: 3_000 })
  expect([rest.value.offset, rest.value.text]).toEqual([shown, 'e'.repeat(3_000)])
  await small.stop()
})
