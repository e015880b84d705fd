import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { McpWire } from './support/mcp.ts'
import { Scene } from './support/scene.ts'
import { World } from './support/world.ts'

let world: World
let scene: Scene

beforeAll(async () => {
  world = await World.start()
  scene = await Scene.on(world)
})

afterAll(() => world.stop())

type Kind = 'ideation' | 'refinement' | 'spec' | 'card'

const kinds: Readonly<Record<Kind, () => Promise<string>>> = {
  ideation: () => scene.ideation('draft'),
  refinement: () => scene.refinement('draft'),
  spec: () => scene.spec('draft'),
  card: () => scene.card(),
}
const names = Object.keys(kinds) as Kind[]

describe.each(names)('a question on a record: %s', kind => {
  const ask = async (fields: object = {}, as = world.owner) =>
    world.call('ask_question', { record: await kinds[kind](), question: 'Why?', ...fields }, { as })

  test('is asked by id or reference, answered, and is the one that its own operation lists', async () => {
    const id = await kinds[kind]()
    const { ref } = await world.ok(`get_${kind}`, { [`${kind}_id`]: id })
    const question = await world.ok('ask_question', { record: ref, question: 'Why?' })
    expect(question).toMatchObject({ [`${kind}_id`]: id, question: 'Why?', asked_by: world.owner.id })
    const answered = await world.ok('answer_question', { question_id: question.id, answer: 'So.' })
    expect(answered).toMatchObject({ id: question.id, answer: 'So.', answered_by: world.owner.id })
    const { qa_items } = await world.ok(`get_${kind}`, { [`${kind}_id`]: id })
    expect(qa_items).toMatchObject([{ id: question.id, answer: 'So.' }])
    const { value } = await new McpWire(world).tool('ask_question', { record: ref, question: 'And how?' })
    expect(value).toMatchObject({ question: 'And how?' })
  })

  test('asks for what the operation of the kind asks for', async () => {
    const { body } = await ask()
    const denied = async (permission: string) => {
      const agent = await world.agent({ permission_flags: { [permission]: false } })
      await scene.admit(agent)
      return agent
    }
    const plural = `${kind.toUpperCase()}S`
    for (const permission of ['QA_CREATE', `${plural}_READ`])
      expect((await ask({}, await denied(permission))).body.detail).toMatchObject({ error: 'FORBIDDEN' })
    const mute = await denied(`QA_ANSWER_${plural}`)
    const refused = await world.call('answer_question', { question_id: body.id, answer: 'So.' }, { as: mute })
    expect([refused.status, refused.body.detail.permission]).toEqual([403, `QA_ANSWER_${plural}`])
  })

  test('takes choices where its kind does', async () => {
    const choices = [{ id: 'a', label: 'A' }]
    const { status, body } = await ask({ question_type: 'choice', choices })
    if (kind === 'card') {
      expect([status, body.detail.field]).toEqual([400, 'question_type'])
      return
    }
    expect(status).toBe(201)
    const answered = await world.ok('answer_question', { question_id: body.id, selected: ['a'] })
    expect(answered.selected).toEqual(['a'])
    const wrong = await world.call('answer_question', { question_id: body.id, selected: ['z'] })
    expect([wrong.status, wrong.body.detail.error]).toEqual([400, 'VALIDATION_ERROR'])
  })

  test('is heard by streams and webhooks like its own', async () => {
    const { body } = await ask()
    const { events } = await world.ok('list_board_events', { board_id: scene.boardId, entity_id: body[`${kind}_id`] })
    const action = kind === 'card' ? 'question_added' : `${kind}_question_added`
    expect(events.at(-1)).toMatchObject({ action, details: { qa_id: body.id } })
  })
})

test('a record that nobody sees, or of a kind without questions, is 404', async () => {
  const { sprint_id } = await scene.sprint('active')
  const stranger = await world.agent()
  for (const record of ['NONE-1', sprint_id, scene.boardId]) {
    const { status, body } = await world.call('ask_question', { record, question: 'Why?' })
    expect([status, body.detail]).toMatchObject([404, { error: 'NOT_FOUND', entity_type: 'record' }])
  }
  const record = await scene.card()
  expect((await world.call('ask_question', { record, question: 'Why?' }, { as: stranger })).status).toBe(404)
  const { id } = await world.ok('ask_question', { record, question: 'Why?' })
  const answering = { question_id: id, answer: 'So.' }
  expect((await world.call('answer_question', answering, { as: stranger })).status).toBe(404)
})
