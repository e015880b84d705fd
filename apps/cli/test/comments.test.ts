import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Scene } from './support/scene.ts'
import { type TestAgent, World } from './support/world.ts'

let world: World
let scene: Scene
let other: TestAgent

beforeAll(async () => {
  world = await World.start()
  scene = await Scene.on(world)
  other = await world.agent({ name: 'Other' })
  await scene.admit(other)
})

afterAll(() => world.stop())

const choices = [
  { id: 'a', label: 'A' },
  { id: 'b', label: 'B' },
]
const comment = async (fields: object = {}, as: TestAgent = world.owner) => {
  const card_id = await scene.card()
  return world.call('create_comment', { card_id, content: 'Well?', ...fields }, { as })
}
const entriesOf = (card_id: string) => world.ok('list_card_activity', { card_id })
const refused = { error: 'VALIDATION_ERROR' }

describe('comments (cards 9)', () => {
  test('a text comment keeps no choices', async () => {
    const { status, body } = await comment({ choices, content: 'x'.repeat(150) })
    expect([status, body]).toEqual([
      201,
      {
        id: body.id,
        ref: expect.stringMatching(/\.c1$/),
        card_id: body.card_id,
        content: 'x'.repeat(150),
        author_id: world.owner.id,
        comment_type: 'text',
        choices: null,
        responses: [],
        allow_free_text: false,
        created_at: body.created_at,
        updated_at: body.created_at,
      },
    ])
    expect((await world.ok('get_card', { card_id: body.card_id })).comments).toEqual([body])
    expect((await entriesOf(body.card_id))[0]).toMatchObject({
      action: 'comment_added',
      details: { comment_id: body.id, comment_type: 'text', content: 'x'.repeat(100) },
    })
  })

  test.each([
    [{ content: '' }, 422],
    [{ content: 'x'.repeat(100_001) }, 422],
    [{ comment_type: 'poll' }, 422],
    [{ comment_type: 'choice', choices: [{ id: '', label: 'A' }] }, 422],
    [{ comment_type: 'choice' }, 400],
    [{ comment_type: 'choice', choices: [] }, 400],
    [{ comment_type: 'multi_choice', choices: [...choices, choices[0]] }, 400],
  ])('%j is %i', async (fields, status) => {
    expect((await comment(fields)).status).toBe(status)
  })

  test('choices need their own permission', async () => {
    const agent = await world.agent({ permission_flags: { COMMENTS_CREATE_CHOICE: false } })
    await scene.admit(agent)
    expect((await comment({}, agent)).status).toBe(201)
    expect((await comment({ comment_type: 'choice', choices }, agent)).body.detail.permission).toBe(
      'COMMENTS_CREATE_CHOICE',
    )
  })

  test('only its author may change one; choices and responses stay', async () => {
    const { id: comment_id, card_id } = (await comment({ comment_type: 'choice', choices }, other)).body
    await world.ok('respond_to_comment', { comment_id, selected: ['a'] })
    const foreign = await world.call('update_comment', { comment_id, content: 'Mine' })
    expect([foreign.status, foreign.body.detail]).toMatchObject([
      403,
      { error: 'FORBIDDEN', permission: 'COMMENTS_UPDATE', missing: ['COMMENTS_UPDATE'], board_id: scene.boardId },
    ])
    const changed = await world.ok('update_comment', { comment_id, content: 'Now?' }, { as: other })
    expect(changed).toMatchObject({ content: 'Now?', choices, responses: [{ selected: ['a'] }] })
    expect((await entriesOf(card_id))[0]).toMatchObject({ action: 'comment_updated', details: { comment_id } })
    expect((await world.call('update_comment', { comment_id: 'x', content: 'y' })).status).toBe(404)
  })

  test('an agent has one response: a later one replaces it and goes to the end', async () => {
    const { id: comment_id, card_id } = (await comment({ comment_type: 'choice', choices, allow_free_text: true })).body
    const respond = (fields: object, as = world.owner) =>
      world.ok('respond_to_comment', { comment_id, ...fields }, { as })
    await respond({ selected: ['a'] })
    await respond({ free_text: 'Neither.' }, other)
    const { responses } = await respond({ selected: ['b', 'b'], free_text: null })
    expect(responses).toEqual([
      { responder_id: other.id, responder_name: 'Other', selected: [], free_text: 'Neither.' },
      { responder_id: world.owner.id, responder_name: 'Local Owner', selected: ['b'], free_text: null },
    ])
    expect((await entriesOf(card_id))[0]).toMatchObject({
      action: 'comment_responded',
      details: { comment_id, selected: ['b'] },
    })
  })

  test.each([
    [{ comment_type: 'text' }, { selected: [] }],
    [{ comment_type: 'choice', choices }, { selected: ['c'] }],
    [{ comment_type: 'choice', choices }, { selected: ['a', 'b'] }],
    [
      { comment_type: 'choice', choices },
      { selected: ['a'], free_text: 'x' },
    ],
    [{ comment_type: 'choice', choices, allow_free_text: true }, {}],
  ])('on %j the response %j is refused', async (fields, response) => {
    const { id: comment_id } = (await comment(fields)).body
    const answer = await world.call('respond_to_comment', { comment_id, ...response })
    expect([answer.status, answer.body.detail]).toMatchObject([400, refused])
  })

  test('its author and the owner of the board may delete one', async () => {
    const { id: comment_id, card_id } = (await comment()).body
    const foreign = await world.call('delete_comment', { comment_id }, { as: other })
    expect(foreign.body.detail).toMatchObject({ error: 'FORBIDDEN', permission: 'COMMENTS_DELETE' })
    expect((await world.call('delete_comment', { comment_id })).status).toBe(204)
    expect((await entriesOf(card_id))[0]).toMatchObject({ action: 'comment_deleted', details: { comment_id } })
    expect((await world.call('delete_comment', { comment_id })).status).toBe(404)
    const own = (await comment({}, other)).body.id
    expect((await world.call('delete_comment', { comment_id: own }, { as: other })).status).toBe(204)
    const again = (await comment({}, other)).body.id
    expect((await world.call('delete_comment', { comment_id: again })).status).toBe(204)
  })

  test('concurrent responses are all kept', async () => {
    const { id: comment_id, card_id } = (await comment({ comment_type: 'multi_choice', choices })).body
    await Promise.all(
      [world.owner, other].map(as => world.ok('respond_to_comment', { comment_id, selected: ['a'] }, { as })),
    )
    expect((await world.ok('get_card', { card_id })).comments[0].responses).toHaveLength(2)
  })
})

describe('card questions (cards 10)', () => {
  test('are asked, answered again and deleted', async () => {
    const card_id = await scene.card()
    const { status, body } = await world.call('ask_card_question', { card_id, question: 'Why?' })
    expect([status, body]).toEqual([
      201,
      {
        id: body.id,
        ref: expect.stringMatching(/\.q1$/),
        card_id,
        question: 'Why?',
        answer: null,
        asked_by: world.owner.id,
        answered_by: null,
        created_at: body.created_at,
        answered_at: null,
      },
    ])
    await world.ok('answer_card_question', { qa_id: body.id, answer: 'So.' })
    const answered = await world.ok('answer_card_question', { qa_id: body.id, answer: 'Because.' }, { as: other })
    expect(answered).toMatchObject({ answer: 'Because.', answered_by: other.id, answered_at: expect.any(String) })
    expect((await world.ok('get_card', { card_id })).qa_items).toEqual([answered])
    expect((await world.call('delete_card_question', { qa_id: body.id })).status).toBe(204)
    expect((await world.call('delete_card_question', { qa_id: body.id })).status).toBe(404)
    expect((await entriesOf(card_id)).map((entry: { action: string }) => entry.action)).toEqual([
      'question_deleted',
      'question_answered',
      'question_answered',
      'question_added',
      'card_created',
    ])
  })

  test('empty or missing texts are 422', async () => {
    const card_id = await scene.card()
    const qa_id = await scene.cardQuestion(card_id)
    for (const fields of [{}, { question: '' }])
      expect((await world.call('ask_card_question', { card_id, ...fields })).status).toBe(422)
    for (const fields of [{}, { answer: '' }])
      expect((await world.call('answer_card_question', { qa_id, ...fields })).status).toBe(422)
  })

  test('the question of another kind of record is not found as a card’s', async () => {
    const { qa_id } = await scene.question('ideation')
    const answer = await world.call('answer_card_question', { qa_id, answer: 'x' })
    expect([answer.status, answer.body.detail]).toMatchObject([404, { entity_type: 'question', entity_id: qa_id }])
  })
})
