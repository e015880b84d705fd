import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Scene } from './support/scene.ts'
import { World } from './support/world.ts'

let world: World
let scene: Scene

beforeAll(async () => {
  world = await World.start()
  scene = await Scene.on(world)
})

afterAll(() => world.stop())

const get = (card_id: string) => world.ok('get_card', { card_id })
const update = (card_id: string, fields: object) => world.call('update_card', { card_id, ...fields })
const activityOf = (card_id: string) => world.ok('list_card_activity', { card_id })
const archive = (spec_id: string) =>
  world.ok('archive_record', { board_id: scene.boardId, entity_type: 'spec', entity_id: spec_id })

describe('dependencies (cards 6)', () => {
  const add = (card_id: string, depends_on_id: string) => world.call('add_card_dependency', { card_id, depends_on_id })

  test('are listed in the order added, from both ends', async () => {
    const [a, b, c] = [await scene.card(), await scene.card({ title: 'B' }), await scene.card({ title: 'C' })]
    const { status, body } = await add(a, c)
    expect([status, body]).toEqual([
      201,
      { id: expect.any(String), card_id: a, depends_on_id: c, created_at: expect.any(String) },
    ])
    await add(a, b)
    const listed = await world.call('list_card_dependencies', { card_id: a, limit: 1 })
    expect(listed.body).toEqual([
      { id: c, ref: expect.any(String), title: 'C', status: 'not_started', card_type: 'normal' },
    ])
    expect(listed.headers.get('x-total-count')).toBe('2')
    expect((await get(a)).dependencies).toEqual([c, b])
    expect((await world.ok('list_card_dependents', { card_id: b })).map((card: { id: string }) => card.id)).toEqual([a])
    expect((await activityOf(a))[0]).toMatchObject({
      action: 'dependency_added',
      details: { depends_on_id: b, title: 'B' },
    })
    await world.ok('remove_card_dependency', { card_id: a, depends_on_id: b })
    expect((await activityOf(a))[0]).toMatchObject({ action: 'dependency_removed', details: { depends_on_id: b } })
    expect((await world.call('remove_card_dependency', { card_id: a, depends_on_id: b })).status).toBe(404)
  })

  test('of a board are listed at once, without those of archived cards', async () => {
    const scene = await Scene.on(world)
    const spec_id = await scene.spec('approved')
    const [a, b, c] = [await scene.card(), await scene.card(), await scene.card({ spec_id })]
    await add(a, b)
    await add(b, c)
    const call = { board_id: scene.boardId }
    const links = await world.ok('list_board_dependencies', call)
    const key = await scene.boardKey()
    expect(links).toEqual([
      {
        card_id: a,
        card_ref: expect.stringContaining(`${key}-`),
        depends_on_id: b,
        depends_on_ref: expect.any(String),
      },
      { card_id: b, card_ref: links[0].depends_on_ref, depends_on_id: c, depends_on_ref: expect.any(String) },
    ])
    const paged = await world.call('list_board_dependencies', { ...call, limit: 1 })
    expect([paged.body, paged.headers.get('x-total-count')]).toEqual([[links[0]], '2'])
    await world.ok('archive_record', { board_id: scene.boardId, entity_type: 'spec', entity_id: spec_id })
    expect(await world.ok('list_board_dependencies', call)).toEqual([links[0]])
  })

  test('refuse cycles, repeats, unknown cards, other boards and archived cards', async () => {
    const [a, b, c] = [await scene.card(), await scene.card(), await scene.card()]
    await add(a, b)
    await add(b, c)
    expect((await add(a, a)).body.detail).toMatchObject({ error: 'DEPENDENCY_CYCLE', path: [a, a] })
    expect((await add(c, a)).body.detail).toMatchObject({ error: 'DEPENDENCY_CYCLE', path: [c, a, b, c] })
    expect((await add(a, b)).body.detail.error).toBe('DEPENDENCY_EXISTS')
    expect((await add(a, 'unknown')).status).toBe(404)
    expect((await add('unknown', a)).status).toBe(404)
    const foreign = await (await Scene.on(world)).card()
    expect((await add(a, foreign)).body.detail).toMatchObject({ error: 'VALIDATION_ERROR', field: 'depends_on_id' })
    const spec_id = await scene.spec('approved')
    const archived = await scene.card({ spec_id })
    await add(archived, c)
    await archive(spec_id)
    for (const refused of [
      await add(a, archived),
      await add(archived, a),
      await world.call('remove_card_dependency', { card_id: archived, depends_on_id: c }),
    ])
      expect(refused.body.detail).toMatchObject({ error: 'ARCHIVED', entity_type: 'card', entity_id: archived })
  })

  test('two agents cannot close a cycle together', async () => {
    const cards = await Promise.all(Array.from({ length: 4 }, () => scene.card()))
    const pairs = cards.flatMap(one => cards.filter(other => other !== one).map(other => [one, other] as const))
    const answers = await Promise.all(pairs.map(([one, other]) => add(one, other)))
    const accepted = pairs.filter((_, index) => answers[index]!.status === 201)
    expect(accepted).toHaveLength(6)
    for (const answer of answers) expect([201, 409]).toContain(answer.status)
    expect(new Set(accepted.map(([one, other]) => [one, other].sort().join())).size).toBe(6)
  })
})

describe('test tasks (cards 7.2)', () => {
  const link = (card_id: string, test_task_id?: string) => world.call('link_test_task', { card_id, test_task_id })

  test('a valid test task unblocks the bug; linking it twice is the same', async () => {
    const spec_id = await scene.specWithScenarios()
    const bug = await scene.bug({ origin_task_id: await scene.card({ spec_id }) })
    const task = await scene.testCard({ spec_id })
    const { status, body } = await link(bug, task)
    const linked = {
      success: true,
      bug_card_id: bug,
      test_task_id: task,
      linked_test_task_ids: [task],
      is_unblocked: true,
    }
    expect([status, body]).toEqual([201, linked])
    expect((await link(bug, task)).body).toEqual(linked)
    const actions = async () => (await activityOf(bug)).map((entry: { action: string }) => entry.action)
    expect(await actions()).toEqual(['test_task_linked', 'card_created'])
    for (const _ of [1, 2])
      expect((await world.call('unlink_test_task', { card_id: bug, test_task_id: task })).status).toBe(204)
    expect(await actions()).toEqual(['test_task_unlinked', 'test_task_linked', 'card_created'])
  })

  test('a refusal names what is wrong', async () => {
    const spec_id = await scene.specWithScenarios()
    const older = await scene.testCard({ spec_id })
    const bug = await scene.bug({ origin_task_id: await scene.card({ spec_id }) })
    const problemOf = async (task: string) => (await link(bug, task)).body.detail.details[0].problem
    expect((await link(bug)).status).toBe(422)
    expect((await link(bug, 'unknown')).status).toBe(404)
    expect((await link('unknown', older)).status).toBe(404)
    expect((await link(older, older)).body.detail).toMatchObject({ error: 'VALIDATION_ERROR', field: 'card_id' })
    expect(await problemOf(bug)).toBe('not_a_test')
    expect(await problemOf(await scene.testCard())).toBe('other_spec')
    expect(await problemOf(older)).toBe('older_than_bug')
    const orphan = await scene.testCard({ spec_id })
    await world.ok('update_spec', { spec_id, test_scenarios: [{ id: 's2', title: 'Other' }], allow_removal: true })
    expect(await problemOf(orphan)).toBe('no_scenario')
  })
})

describe('knowledge (cards 8)', () => {
  const add = async (card_id: string, fields: object = {}) =>
    world.call('create_card_knowledge', { card_id, title: ' Notes ', content: ' Text\n', ...fields })

  test('is stored inline, trimmed except for the content, oldest first', async () => {
    const card_id = await scene.card()
    const { status, body } = await add(card_id, { description: ' ' })
    expect([status, body]).toEqual([
      201,
      {
        id: body.id,
        ref: expect.stringMatching(/\.k1$/),
        title: 'Notes',
        description: null,
        content: ' Text\n',
        mime_type: 'text/markdown',
        source: 'manual',
        author_id: world.owner.id,
        created_at: body.created_at,
        updated_at: body.created_at,
      },
    ])
    const second = (await add(card_id, { source: 'spec', mime_type: 'text/plain' })).body
    const page = await world.call('list_card_knowledge', { card_id, offset: 1, limit: 5 })
    expect([page.headers.get('x-total-count'), page.body]).toEqual(['2', { card_id, knowledge: [second] }])
    const changed = await world.ok('update_card_knowledge', { card_id, kb_id: body.id, description: 'D' })
    expect(changed).toMatchObject({ description: 'D', title: 'Notes' })
    await world.ok('update_card_knowledge', { card_id, kb_id: body.id, description: 'D' })
    await world.ok('delete_card_knowledge', { card_id, kb_id: body.id })
    expect((await world.call('get_card_knowledge', { card_id, kb_id: body.id })).status).toBe(404)
    expect((await activityOf(card_id)).map((entry: { action: string }) => entry.action)).toEqual([
      'knowledge_deleted',
      'knowledge_updated',
      'knowledge_added',
      'knowledge_added',
      'card_created',
    ])
  })

  test('more than a card holds is 422, where it is added and where it is changed (walls 3, rule 2)', async () => {
    const card_id = await scene.card()
    const { id: kb_id } = (await add(card_id)).body
    const content = 'x'.repeat(1_000_000)
    for (let count = 0; count < 8; count++) expect((await add(card_id, { content })).status).toBe(201)
    for (const beyond of [
      await add(card_id, { content }),
      await world.call('update_card_knowledge', { card_id, kb_id, content }),
    ]) {
      expect(beyond.status).toBe(422)
      expect(beyond.body.detail).toMatchObject([{ type: 'too_long', msg: expect.stringContaining('8388608') }])
    }
    expect((await world.call('update_card_knowledge', { card_id, kb_id, title: 'Short' })).status).toBe(200)
  })

  test('missing is 422, blank is 400, on create and on update', async () => {
    const card_id = await scene.card()
    const { id: kb_id } = (await add(card_id)).body
    expect((await world.call('create_card_knowledge', { card_id, title: 'x' })).status).toBe(422)
    expect((await world.call('create_card_knowledge', { card_id, content: 'x' })).status).toBe(422)
    for (const blank of [{ title: '' }, { title: ' ' }, { content: '' }, { content: '\n' }]) {
      expect((await add(card_id, blank)).status).toBe(400)
      expect((await world.call('update_card_knowledge', { card_id, kb_id, ...blank })).status).toBe(400)
    }
  })

  test('an unknown entry is 404, also without the permission', async () => {
    const card_id = await scene.card()
    const agent = await world.agent({ permission_flags: { KNOWLEDGE_UPDATE: false } })
    await scene.admit(agent)
    const refused = await world.call('update_card_knowledge', { card_id, kb_id: 'x', title: 'y' }, { as: agent })
    expect(refused.body.detail).toMatchObject({ error: 'NOT_FOUND', entity_type: 'knowledge', entity_id: 'x' })
  })

  test('two writes at once both survive', async () => {
    const card_id = await scene.card()
    const [a, b] = [(await add(card_id)).body.id, (await add(card_id)).body.id]
    await Promise.all([
      world.ok('update_card_knowledge', { card_id, kb_id: a, title: 'A' }),
      world.ok('update_card_knowledge', { card_id, kb_id: b, title: 'B' }),
      add(card_id, { title: 'C' }),
    ])
    const { knowledge } = await world.ok('list_card_knowledge', { card_id })
    expect(knowledge.map((entry: { title: string }) => entry.title)).toEqual(['A', 'B', 'C'])
  })

  test('downloads as Markdown under its title', async () => {
    const card_id = await scene.card()
    const { id: kb_id } = (
      await add(card_id, { title: 'Über 1', description: 'one\ntwo', content: 'Text', mime_type: 'text/plain' })
    ).body
    const { status, headers, body } = await world.call('download_card_knowledge', { card_id, kb_id })
    expect([status, body]).toEqual([200, '# Über 1\n\n> one\n> two\n\nText\n'])
    expect(headers.get('content-type')).toBe('text/markdown; charset=utf-8')
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('content-disposition')).toBe(
      `attachment; filename="_ber_1.md"; filename*=UTF-8''%C3%9Cber%201.md`,
    )
  })
})

describe('activity (cards 13)', () => {
  test('is paged by 50, newest first', async () => {
    const card_id = await scene.card()
    for (let count = 0; count < 51; count++) await update(card_id, { title: `Title ${count}` })
    const { body, headers } = await world.call('list_card_activity', { card_id })
    expect([body.length, headers.get('x-total-count')]).toEqual([50, '52'])
    expect(body[0].details.changes[0].new).toBe('Title 50')
    expect((await world.ok('list_card_activity', { card_id, limit: 1, offset: 51 }))[0].action).toBe('card_created')
    for (const query of [{ limit: 0 }, { limit: 201 }, { offset: -1 }])
      expect((await world.call('list_card_activity', { card_id, ...query })).status).toBe(422)
  })
})

describe('seen (cards 12)', () => {
  const listSeen = async (card_id: string) => (await world.ok('get_card_seen', { card_id })).items

  test('marks what an agent read or answered, when it did so first', async () => {
    const reader = await world.agent({ name: 'Reader' })
    await scene.admit(reader)
    const card_id = await scene.card()
    const qa_id = await scene.cardQuestion(card_id)
    const choice = { comment_type: 'choice', choices: [{ id: 'a', label: 'A' }] }
    const { id: comment_id } = await world.ok('create_comment', { card_id, content: 'x', ...choice })
    expect(await listSeen(card_id)).toEqual({})
    await world.ok('respond_to_comment', { comment_id, selected: ['a'] }, { as: reader })
    const first = await listSeen(card_id)
    expect(first).toEqual({
      [comment_id]: [{ agent_id: reader.id, agent_name: 'Reader', seen_at: expect.any(String) }],
    })
    const before = await get(card_id)
    await world.ok('get_card', { card_id }, { as: reader })
    const after = await listSeen(card_id)
    expect(after[comment_id]).toHaveLength(2)
    expect(after[comment_id].find((mark: { agent_id: string }) => mark.agent_id === reader.id)).toEqual(
      first[comment_id][0],
    )
    expect(after[qa_id].map((mark: { agent_id: string }) => mark.agent_id)).toEqual([world.owner.id, reader.id])
    expect((await get(card_id)).updated_at).toBe(before.updated_at)
    expect((await activityOf(card_id)).filter((entry: { action: string }) => entry.action.includes('seen'))).toEqual([])
    await world.ok('delete_comment', { comment_id })
    await world.ok('delete_card_question', { qa_id })
    expect(await listSeen(card_id)).toEqual({})
  })
})

describe('parts that may not be read are left empty (access 2.3)', () => {
  test.each([
    ['CARDS_READ_CONCLUSIONS', 'conclusions'],
    ['CARDS_READ_VALIDATIONS', 'validations'],
    ['KNOWLEDGE_READ', 'knowledge_bases'],
    ['QA_READ', 'qa_items'],
    ['COMMENTS_READ', 'comments'],
    ['ATTACHMENTS_READ', 'attachments'],
    ['ARCHITECTURE_READ', 'architecture_designs'],
  ])('%s: %s', async (permission, field) => {
    const agent = await world.agent({ permission_flags: { [permission]: false } })
    await scene.admit(agent)
    const card_id = await scene.card({ status: 'validation' })
    await world.ok('submit_task_validation', { card_id, outcome: 'success', summary: 'Good.' })
    await world.ok('create_card_knowledge', { card_id, title: 'x', content: 'y' })
    await scene.cardQuestion(card_id)
    await world.ok('create_comment', { card_id, content: 'x' })
    await scene.attachment(card_id)
    await world.ok('create_card_architecture', { card_id, title: 'D', global_description: 'x' })
    expect((await get(card_id))[field]).toHaveLength(1)
    expect((await world.ok('get_card', { card_id }, { as: agent }))[field]).toEqual([])
    const board = await world.ok('get_board', { board_id: scene.boardId }, { as: agent })
    expect(board.cards.find((card: { id: string }) => card.id === card_id)[field]).toEqual([])
  })
})

describe('an archived card (cards 14)', () => {
  test('refuses every write but delete, and stays readable', async () => {
    const spec_id = await scene.specWithScenarios()
    const card_id = await scene.bug({ origin_task_id: await scene.card({ spec_id }) })
    const test_task_id = await scene.testCard({ spec_id })
    const other = await scene.card()
    const kb = await world.ok('create_card_knowledge', { card_id, title: 'x', content: 'y' })
    const comment = await world.ok('create_comment', {
      card_id,
      content: 'x',
      comment_type: 'choice',
      choices: [{ id: 'a', label: 'A' }],
    })
    const qa_id = await scene.cardQuestion(card_id)
    const file = await scene.attachment(card_id)
    await archive(spec_id)
    const on = { card_id }
    const entry = { card_id, kb_id: kb.id }
    const refusals = [
      await update(card_id, { title: 'x' }),
      await world.call('move_card', { ...on, target_status: 'started' }),
      await world.call('submit_task_validation', { ...on, outcome: 'success', summary: 'x' }),
      await world.call('add_card_dependency', { ...on, depends_on_id: other }),
      await world.call('link_test_task', { ...on, test_task_id }),
      await world.call('unlink_test_task', { ...on, test_task_id }),
      await world.call('create_card_knowledge', { ...on, title: 'x', content: 'y' }),
      await world.call('update_card_knowledge', { ...entry, title: 'z' }),
      await world.call('delete_card_knowledge', entry),
      await world.call('create_comment', { ...on, content: 'x' }),
      await world.call('update_comment', { comment_id: comment.id, content: 'y' }),
      await world.call('respond_to_comment', { comment_id: comment.id, selected: ['a'] }),
      await world.call('delete_comment', { comment_id: comment.id }),
      await world.call('ask_card_question', { ...on, question: 'x' }),
      await world.call('answer_card_question', { qa_id, answer: 'x' }),
      await world.call('delete_card_question', { qa_id }),
      await world.call('upload_attachment', { board_id: scene.boardId, card_id, file: new File(['x'], 'x') }),
      await world.call('delete_attachment', file),
    ]
    for (const { status, body } of refusals) {
      expect(status).toBe(409)
      expect(body.detail).toMatchObject({
        error: 'ARCHIVED',
        entity_type: 'card',
        entity_id: card_id,
        restore: `/api/v1/boards/${scene.boardId}/restore/spec/${spec_id}`,
      })
    }
    expect(await get(card_id)).toMatchObject({ archived: true, pre_archive_status: 'not_started' })
    expect((await world.call('download_attachment', file)).body).toBe('bytes')
    expect((await update(card_id, { spec_id: 'unknown' })).status).toBe(400)
  })
})
