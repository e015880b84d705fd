import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { logged } from './support/event-log.ts'
import { Scene } from './support/scene.ts'
import { type TestAgent, World } from './support/world.ts'

let world: World
let scene: Scene

beforeAll(async () => {
  world = await World.start()
  scene = await Scene.on(world)
})

afterAll(() => world.stop())

const get = (ideation_id: string) => world.ok('get_ideation', { ideation_id })
const historyOf = (ideation_id: string) => world.ok('list_ideation_history', { ideation_id })
const mockup = { id: 'm1', title: 'Home' }
const wholeMockup = {
  ...mockup,
  description: null,
  screen_type: 'page',
  html_content: '',
  annotations: null,
  order: 0,
  origin_id: null,
}

describe('create (ideation 1.2)', () => {
  test('stores what is sent and sets the rest', async () => {
    const fields = {
      title: ' An idea ',
      description: 'd',
      problem_statement: 'p',
      proposed_approach: 'a',
      scope_assessment: { domains: 5, anything: [1, { deep: null }] },
      complexity: 'large',
      assignee_id: 'someone',
      labels: ['x', 'x'],
      screen_mockups: [mockup],
    }
    const ideation = await world.ok('create_ideation', {
      board_id: scene.boardId,
      ...fields,
      status: 'done',
      version: 9,
    })
    expect(ideation).toMatchObject({
      ...fields,
      labels: ['x'],
      screen_mockups: [wholeMockup],
      board_id: scene.boardId,
      status: 'draft',
      version: 1,
      archived: false,
      pre_archive_status: null,
      created_by: world.owner.id,
      updated_at: ideation.created_at,
      architecture_designs: [],
      knowledge_bases: [],
      qa_items: [],
      refinements: [],
      specs: [],
    })
    expect(await get(ideation.id)).toEqual(ideation)
  })

  test('sets to null what is not sent', async () => {
    const ideation = await world.ok('create_ideation', { board_id: scene.boardId, title: 'x'.repeat(500) })
    for (const field of ['description', 'scope_assessment', 'complexity', 'labels', 'screen_mockups', 'assignee_id'])
      expect(ideation[field]).toBeNull()
  })

  test.each([
    [{}, 'missing'],
    [{ title: null }, 'string_type'],
    [{ title: '' }, 'string_too_short'],
    [{ title: ' \n' }, 'value_error'],
    [{ title: 'x'.repeat(501) }, 'string_too_long'],
    [{ title: 'x', labels: 'a' }, 'list_type'],
    [{ title: 'x', assignee_id: 'x'.repeat(256) }, 'string_too_long'],
    [{ title: 'x', scope_assessment: [] }, 'dict_type'],
    [{ title: 'x', screen_mockups: [{ id: 'a' }] }, 'missing'],
  ])('%j is 422 %s', async (body, type) => {
    const answer = await world.call('create_ideation', { board_id: scene.boardId, ...body })
    expect(answer.status).toBe(422)
    expect(answer.body.detail[0]).toMatchObject({ type, loc: expect.arrayContaining(['body']) })
  })

  test.each([
    [{ complexity: 'huge' }, 'complexity'],
    [{ scope_assessment: { ambiguity: 6 } }, 'scope_assessment'],
    [{ scope_assessment: { domains: '2' } }, 'scope_assessment'],
    [{ screen_mockups: [mockup, mockup] }, 'screen_mockups'],
  ])('%j is 400', async (body, field) => {
    const answer = await world.call('create_ideation', { board_id: scene.boardId, title: 'x', ...body })
    expect(answer.status).toBe(400)
    expect(answer.body.detail).toMatchObject({ error: 'VALIDATION_ERROR', field })
  })
})

describe('list (ideation 2)', () => {
  test('lists the last changed first, filtered and in pages, archived ones only on request', async () => {
    const own = await Scene.on(world)
    const ids = [await own.ideation(), await own.ideation('review'), await own.ideation()]
    await world.ok('update_ideation', { ideation_id: ids[0], labels: ['touched'] })
    await world.ok('archive_record', { board_id: own.boardId, entity_type: 'ideation', entity_id: ids[2] })
    const list = async (query: object) => {
      const answer = await world.call('list_ideations', { board_id: own.boardId, ...query })
      const positions = (answer.body as { id: string }[]).map(item => ids.indexOf(item.id))
      return [positions, Number(answer.headers.get('x-total-count'))]
    }
    expect(await list({})).toEqual([[0, 1], 2])
    expect(await list({ include_archived: true })).toEqual([[2, 0, 1], 3])
    expect(await list({ status: 'review' })).toEqual([[1], 1])
    expect(await list({ limit: 1, offset: 1 })).toEqual([[1], 2])
    expect(await list({ limit: 1 })).toEqual([[0], 2])
    expect(await list({ offset: 5 })).toEqual([[], 2])
  })

  test('an unknown status is 400, a limit out of range 422', async () => {
    const unknown = await world.call('list_ideations', { board_id: scene.boardId, status: 'open' })
    expect([unknown.status, unknown.body.detail.error]).toEqual([400, 'VALIDATION_ERROR'])
    for (const limit of [0, 201])
      expect((await world.call('list_ideations', { board_id: scene.boardId, limit })).status).toBe(422)
  })
})

describe('update (ideation 2, 5)', () => {
  test.each([
    [{ description: 'd' }, 2],
    [{ problem_statement: 'p', proposed_approach: 'a', scope_assessment: { domains: 1 } }, 2],
    [{ title: 'New', labels: ['a'], assignee_id: 'x', complexity: 'small', screen_mockups: [mockup] }, 1],
  ])('%j makes version %i', async (fields, version) => {
    const ideation_id = await scene.ideation()
    const after = await world.ok('update_ideation', { ideation_id, ...fields })
    expect(after).toMatchObject({ ...fields, ...('screen_mockups' in fields && { screen_mockups: [wholeMockup] }) })
    expect(after.version).toBe(version)
    const [entry] = await historyOf(ideation_id)
    expect(entry).toMatchObject({ action: 'updated', version })
    expect(entry.changes.map((change: { field: string }) => change.field).sort()).toEqual(Object.keys(fields).sort())
    expect(logged(world, ideation_id).at(-1)).toMatchObject({
      activity: 'ideation_updated',
      details: { ideation_id, version, fields: entry.changes.map((change: { field: string }) => change.field) },
    })
  })

  test('null clears, and clearing content raises the version', async () => {
    const ideation_id = await scene.ideation('draft', { description: 'd', labels: ['a'] })
    const after = await world.ok('update_ideation', { ideation_id, description: null, labels: null, title: null })
    expect(after).toMatchObject({ description: null, labels: null, title: 'Idea', version: 2 })
    const [entry] = await historyOf(ideation_id)
    expect(entry.changes).toEqual([
      { field: 'description', old: 'd', new: null },
      { field: 'labels', old: ['a'], new: null },
    ])
  })

  test.each([
    {},
    { title: null },
    { title: 'Idea', scope_assessment: { b: [1], a: { c: 2 } } },
    { status: 'done', version: 7 },
  ])('%j changes nothing and writes nothing', async fields => {
    const ideation_id = await scene.ideation('draft', { scope_assessment: { a: { c: 2 }, b: [1] } })
    const before = await get(ideation_id)
    expect(await world.ok('update_ideation', { ideation_id, ...fields })).toEqual(before)
    expect(logged(world, ideation_id)).toHaveLength(1)
  })

  test.each(['review', 'evaluating', 'done'] as const)('in %s is 409 IDEATION_LOCKED', async status => {
    const ideation_id = await scene.ideation(status)
    const before = await get(ideation_id)
    const answer = await world.call('update_ideation', { ideation_id, complexity: 'huge' })
    expect(answer.status).toBe(409)
    expect(answer.body.detail).toMatchObject({ error: 'IDEATION_LOCKED', status, allowed: expect.any(Array) })
    expect(await get(ideation_id)).toEqual(before)
  })
})

describe('move (ideation 4.1)', () => {
  test('follows the state table, with a snapshot at done and a new version on the way back', async () => {
    const ideation_id = await scene.ideation('done', { description: 'd', scope_assessment: { domains: 1 } })
    expect((await get(ideation_id)).version).toBe(1)
    const draft = await world.ok('move_ideation', { ideation_id, target_status: 'draft' })
    expect(draft).toMatchObject({ status: 'draft', version: 2, scope_assessment: { domains: 1 } })
    await world.ok('update_ideation', { ideation_id, description: 'e' })
    for (const status of ['review', 'approved', 'evaluating', 'done'])
      await world.ok('move_ideation', { ideation_id, status })
    const { body, headers } = await world.call('list_ideation_snapshots', { ideation_id, limit: 1 })
    expect(headers.get('x-total-count')).toBe('2')
    expect(body).toEqual([
      expect.objectContaining({ version: 3, title: 'Idea', complexity: null, created_by: world.owner.id }),
    ])
    expect(await world.ok('get_ideation_snapshot', { ideation_id, version: 1 })).toMatchObject({
      ideation_id,
      version: 1,
      description: 'd',
      scope_assessment: { domains: 1 },
      qa_snapshot: null,
    })
    expect((await world.ok('get_ideation_snapshot', { ideation_id, version: 3 })).description).toBe('e')
    const [moved] = await historyOf(ideation_id)
    expect(moved).toMatchObject({
      action: 'status_changed',
      changes: [{ field: 'status', old: 'evaluating', new: 'done' }],
      version: 3,
    })
    expect(logged(world, ideation_id).at(-1)).toMatchObject({
      activity: 'ideation_moved',
      details: { ideation_id, from_status: 'evaluating', to_status: 'done', version: 3 },
    })
  })

  test.each([
    ['draft', 'draft', ['review', 'cancelled']],
    ['draft', 'done', ['review', 'cancelled']],
    ['done', 'cancelled', ['draft']],
    ['done', 'review', ['draft']],
  ] as const)('from %s to %s is 409 INVALID_TRANSITION', async (from, to, allowed) => {
    const answer = await world.call('move_ideation', { ideation_id: await scene.ideation(from), status: to })
    expect(answer.status).toBe(409)
    expect(answer.body.detail).toMatchObject({ error: 'INVALID_TRANSITION', from, to, allowed })
  })

  test('nothing leaves cancelled', async () => {
    const ideation_id = await scene.ideation()
    await world.ok('move_ideation', { ideation_id, status: 'cancelled' })
    const { body } = await world.call('move_ideation', { ideation_id, status: 'draft' })
    expect(body.detail).toMatchObject({ error: 'INVALID_TRANSITION', allowed: [] })
  })

  test.each([
    [{}, 422],
    [{ status: 'open' }, 422],
    [{ status: 'review', target_status: 'cancelled' }, 400],
    [{ status: 'review', target_status: 'open' }, 422],
    [{ status: 'open', target_status: 'review' }, 422],
    [{ status: null, target_status: 'review' }, 200],
    [{ status: 'review', target_status: 'review' }, 200],
  ])('with %j answers %i', async (body, status) => {
    expect((await world.call('move_ideation', { ideation_id: await scene.ideation(), ...body })).status).toBe(status)
  })

  test('needs only the permission of its target', async () => {
    const reviewer = await world.agent({ permission_flags: { IDEATIONS_MOVE: false, IDEATIONS_MOVE_REVIEW: true } })
    await scene.admit(reviewer)
    const ideation_id = await scene.ideation()
    expect((await world.call('move_ideation', { ideation_id, status: 'review' }, { as: reviewer })).status).toBe(200)
    const back = await world.call('move_ideation', { ideation_id, status: 'draft' }, { as: reviewer })
    expect(back.body.detail).toMatchObject({ error: 'FORBIDDEN', permission: 'IDEATIONS_MOVE_DRAFT' })
  })
})

describe('evaluate (ideation 6)', () => {
  test('merges scores, sets complexity, and may be repeated', async () => {
    const ideation_id = await scene.ideation('evaluating', { scope_assessment: { note: 'kept', domains: 1 } })
    const first = await world.ok('evaluate_ideation', { ideation_id, ambiguity: '2', ambiguity_justification: 'so' })
    expect(first).toMatchObject({
      status: 'evaluating',
      version: 1,
      complexity: 'medium',
      scope_assessment: { note: 'kept', domains: 1, ambiguity: 2, ambiguity_justification: 'so' },
    })
    const second = await world.ok('evaluate_ideation', { ideation_id, ambiguity: null, dependencies: 3 })
    expect(second).toMatchObject({ complexity: 'large', scope_assessment: { ambiguity: 2, dependencies: 3 } })
    const { body: third } = await world.call('evaluate_ideation', { ideation_id })
    expect(third.complexity).toBe('large')
    const [again, entry] = await historyOf(ideation_id)
    expect(again).toMatchObject({
      action: 'complexity_evaluated',
      changes: [{ field: 'complexity', old: 'large', new: 'large' }],
    })
    expect(entry.changes.map((change: { field: string }) => change.field)).toEqual(['complexity', 'scope_assessment'])
    expect(logged(world, ideation_id).at(-1)).toMatchObject({
      activity: 'ideation_complexity_evaluated',
      details: { ideation_id, complexity: 'large' },
    })
  })

  test('without scores is small, and stores none', async () => {
    const ideation_id = await scene.ideation('evaluating')
    const url = `${world.running.url}/api/v1/ideations/${ideation_id}/evaluate`
    const response = await fetch(url, { method: 'POST', headers: { 'x-api-key': world.owner.key } })
    expect(await response.json()).toMatchObject({ complexity: 'small', scope_assessment: {} })
  })

  test.each([
    [{ domains: 1.5 }, 422],
    [{ domains: 'two' }, 422],
    [{ domains: '-1' }, 422],
    [{ domains_justification: 3 }, 422],
    [{ domains: 0 }, 400],
    [{ dependencies: '6' }, 400],
  ])('%j answers %i and changes nothing', async (body, status) => {
    const ideation_id = await scene.ideation('evaluating')
    const before = await get(ideation_id)
    const answer = await world.call('evaluate_ideation', { ideation_id, ...body })
    expect(answer.status).toBe(status)
    if (status === 400)
      expect(answer.body.detail.details).toEqual([expect.objectContaining({ field: Object.keys(body)[0] })])
    expect(await get(ideation_id)).toEqual(before)
  })

  test('outside evaluating is 409 EVALUATION_NOT_OPEN', async () => {
    const answer = await world.call('evaluate_ideation', { ideation_id: await scene.ideation('approved'), domains: 9 })
    expect(answer.status).toBe(409)
    expect(answer.body.detail).toMatchObject({ error: 'EVALUATION_NOT_OPEN', status: 'approved' })
  })
})

describe('questions (ideation 7)', () => {
  test('are asked, answered in parts, listed oldest first, and deleted', async () => {
    const ideation_id = await scene.ideation()
    const before = await get(ideation_id)
    const choices = [
      { id: 'a', label: 'A' },
      { id: 'b', label: 'B' },
    ]
    const fields = { question: 'Which?', question_type: 'single_choice', choices, allow_free_text: true }
    const question = await world.ok('ask_ideation_question', { ideation_id, ...fields })
    expect(question).toEqual({
      ...fields,
      id: question.id,
      ref: expect.stringMatching(/^SCE-\d+\.q1$/),
      ideation_id,
      answer: null,
      selected: null,
      asked_by: world.owner.id,
      answered_by: null,
      created_at: expect.any(String),
      answered_at: null,
    })
    const other = await world.ok('ask_ideation_question', { ideation_id, question: 'ü'.repeat(150), choices: [] })
    expect(other).toMatchObject({ question_type: 'text', choices: null, allow_free_text: false })
    const path = { ideation_id, qa_id: question.id }
    await world.ok('answer_ideation_question', { ...path, selected: ['a'] })
    const answered = await world.ok('answer_ideation_question', { ...path, answer: 'since', selected: [] })
    expect(answered).toMatchObject({ answer: 'since', selected: ['a'], answered_by: world.owner.id })
    expect(answered.answered_at).not.toBeNull()
    expect(await world.ok('list_ideation_questions', { ideation_id })).toEqual([answered, other])
    const page = await world.call('list_ideation_questions', { ideation_id, offset: 1, limit: 5 })
    expect([page.body, page.headers.get('x-total-count')]).toEqual([[other], '2'])
    expect((await get(ideation_id)).qa_items).toEqual([answered, other])
    await world.ok('delete_ideation_question', { ideation_id, qa_id: other.id })
    expect(await world.call('delete_ideation_question', { ideation_id, qa_id: other.id })).toMatchObject({
      status: 404,
    })
    const after = await get(ideation_id)
    expect([after.version, after.updated_at]).toEqual([before.version, before.updated_at])
    const entries = await historyOf(ideation_id)
    expect(entries.map((entry: { action: string }) => entry.action)).toEqual([
      'question_deleted',
      'question_answered',
      'question_answered',
      'question_added',
      'question_added',
      'created',
    ])
    expect(entries[0].changes).toEqual([{ field: 'question', old: 'ü'.repeat(150), new: null }])
    expect(entries[1].changes).toEqual([{ field: 'answer', old: null, new: 'since' }])
    expect(entries[2].changes).toEqual([{ field: 'selected', old: null, new: ['a'] }])
    expect(logged(world, ideation_id).at(-1)).toMatchObject({
      activity: 'ideation_question_deleted',
      details: { ideation_id, qa_id: other.id, question: 'ü'.repeat(100) },
    })
  })

  test.each([
    [{ question: '' }, 422],
    [{ question: 'x', question_type: 'open' }, 422],
    [{ question: 'x', choices: [{ id: 'a' }] }, 422],
    [{ question: 'x', question_type: 'choice' }, 400],
    [{ question: 'x', question_type: 'multi_choice', choices: [{ id: 'a', label: ' ' }] }, 400],
    [{ question: 'x', choices: [{ id: 'a', label: 'A' }] }, 400],
  ])('asking %j answers %i', async (body, status) => {
    const answer = await world.call('ask_ideation_question', { ideation_id: await scene.ideation(), ...body })
    expect(answer.status).toBe(status)
  })

  test('an answer that does not fit its question is 400 and stores nothing', async () => {
    const path = await scene.question('ideation')
    for (const body of [{}, { answer: ' ' }, { answer: 'x', selected: ['a'] }]) {
      const answer = await world.call('answer_ideation_question', { ...path, ...body })
      expect([answer.status, answer.body.detail.error]).toEqual([400, 'VALIDATION_ERROR'])
      const { field, details } = answer.body.detail
      expect(details).toEqual([{ field, message: expect.any(String) }])
    }
    const [item] = await world.ok('list_ideation_questions', { ideation_id: path.ideation_id })
    expect(item).toMatchObject({ answer: null, answered_at: null })
  })

  test('a question of another ideation is 404', async () => {
    const { qa_id } = await scene.question('ideation')
    const foreign = { ideation_id: await scene.ideation(), qa_id }
    expect((await world.call('answer_ideation_question', { ...foreign, answer: 'x' })).status).toBe(404)
    expect((await world.call('delete_ideation_question', foreign)).status).toBe(404)
  })

  test('a choice question needs its own permission', async () => {
    const asker = await world.agent({ permission_flags: { QA_CREATE_CHOICE: false } })
    await scene.admit(asker)
    const ideation_id = await scene.ideation()
    await world.ok('ask_ideation_question', { ideation_id, question: 'x' }, { as: asker })
    const choice = { ideation_id, question: 'x', question_type: 'choice', choices: [{ id: 'a', label: 'A' }] }
    const refused = await world.call('ask_ideation_question', choice, { as: asker })
    expect(refused.body.detail).toMatchObject({ error: 'FORBIDDEN', permission: 'QA_CREATE_CHOICE' })
  })

  test('a snapshot holds answered and open ones', async () => {
    const ideation_id = await scene.ideation('evaluating')
    await world.ok('ask_ideation_question', { ideation_id, question: 'One?' })
    await world.ok('ask_ideation_question', { ideation_id, question: 'Two?' })
    const [one] = await world.ok('list_ideation_questions', { ideation_id })
    await world.ok('answer_ideation_question', { ideation_id, qa_id: one.id, answer: 'Yes' })
    await world.ok('move_ideation', { ideation_id, status: 'done' })
    const snapshot = await world.ok('get_ideation_snapshot', { ideation_id, version: 1 })
    const common = { question_type: 'text', choices: null, selected: null, asked_by: world.owner.id }
    expect(snapshot.qa_snapshot).toEqual([
      { ...common, question: 'One?', answer: 'Yes', answered_by: world.owner.id },
      { ...common, question: 'Two?', answer: null, answered_by: null },
    ])
    const reader = await world.agent({ permission_flags: { QA_READ: false } })
    await scene.admit(reader)
    const visible = await world.ok('get_ideation_snapshot', { ideation_id, version: 1 }, { as: reader })
    expect(visible).toEqual({ ...snapshot, qa_snapshot: null })
  })
})

describe('history and snapshots (ideation 1.7, 1.8, 9)', () => {
  test('history starts with the creation; it is newest first, with 50 entries by default', async () => {
    const ideation_id = await scene.ideation('draft', { problem_statement: 'p', labels: ['a'] })
    for (let step = 0; step < 51; step++) await world.ok('update_ideation', { ideation_id, title: `Title ${step}` })
    const { body, headers } = await world.call('list_ideation_history', { ideation_id })
    expect([body.length, headers.get('x-total-count')]).toEqual([50, '52'])
    expect(body[0].changes).toEqual([{ field: 'title', old: 'Title 49', new: 'Title 50' }])
    expect(await world.ok('list_ideation_history', { ideation_id, offset: 51 })).toEqual([
      {
        id: expect.any(String),
        ideation_id,
        action: 'created',
        actor_type: 'person',
        actor_via: 'key',
        actor_id: world.owner.id,
        actor_name: 'Local Owner',
        changes: [
          { field: 'title', old: null, new: 'Idea' },
          { field: 'status', old: null, new: 'draft' },
          { field: 'problem_statement', old: null, new: 'p' },
        ],
        summary: expect.any(String),
        version: 1,
        created_at: expect.any(String),
      },
    ])
    for (const query of [{ limit: 0 }, { limit: 201 }, { offset: -1 }])
      expect((await world.call('list_ideation_history', { ideation_id, ...query })).status).toBe(422)
  })

  test('a snapshot that was never taken is 404, a version that is not a number 422', async () => {
    const ideation_id = await scene.ideation()
    expect((await world.call('get_ideation_snapshot', { ideation_id, version: 1 })).status).toBe(404)
    expect((await world.call('get_ideation_snapshot', { ideation_id, version: 'one' })).status).toBe(422)
  })
})

describe('delete and archive (ideation 10)', () => {
  test('delete removes questions, snapshots, designs and refinements; specs and events stay', async () => {
    const ideation_id = await scene.ideation('done')
    const refinement = await world.ok('create_refinement', { ideation_id, title: 'Story', in_scope: ['x'] })
    const refinement_id = refinement.id
    const { id: spec_id } = await world.ok('derive_spec_from_ideation', { ideation_id })
    const { id: qa_id } = await world.ok('ask_ideation_question', { ideation_id, question: 'Why?' })
    const knowledge = { refinement_id, title: 'N', content: 'c' }
    const { id: knowledge_id } = await world.ok('create_refinement_knowledge', knowledge)
    for (const status of ['review', 'approved', 'done']) await world.ok('move_refinement', { refinement_id, status })
    const { id: second } = await world.ok('derive_spec_from_refinement', { refinement_id })
    expect(await world.call('delete_ideation', { ideation_id })).toMatchObject({ status: 204, body: undefined })
    for (const [name, args] of [
      ['get_ideation', { ideation_id }],
      ['delete_ideation', { ideation_id }],
      ['list_ideation_history', { ideation_id }],
      ['list_ideation_snapshots', { ideation_id }],
      ['list_refinements', { ideation_id }],
      ['delete_ideation_question', { ideation_id, qa_id }],
      ['get_refinement', { refinement_id }],
      ['get_refinement_knowledge', { refinement_id, knowledge_id }],
    ] as const)
      expect((await world.call(name, args)).status).toBe(404)
    for (const id of [spec_id, second])
      expect(await world.ok('get_spec', { spec_id: id })).toMatchObject({ ideation_id: null, refinement_id: null })
    const entries = logged(world, ideation_id)
    expect(entries.at(-1)).toMatchObject({ activity: 'ideation_deleted', details: { ideation_id, title: 'Idea' } })
  })

  test('an archived ideation can be read, restored and deleted, and accepts no other write', async () => {
    const path = await scene.question('ideation')
    const { ideation_id } = path
    const entity = { board_id: scene.boardId, entity_type: 'ideation', entity_id: ideation_id }
    await world.ok('archive_record', entity)
    for (const [name, args] of [
      ['update_ideation', { ideation_id, title: 'x' }],
      ['move_ideation', { ideation_id, status: 'done' }],
      ['move_ideation', { ideation_id, status: 'review', target_status: 'cancelled' }],
      ['evaluate_ideation', { ideation_id }],
      ['derive_spec_from_ideation', { ideation_id }],
      ['create_refinement', { ideation_id, title: 'x' }],
      ['ask_ideation_question', { ideation_id, question: 'x', question_type: 'choice' }],
      ['answer_ideation_question', { ...path, answer: 'x' }],
      ['delete_ideation_question', path],
    ] as const) {
      const answer = await world.call(name, args)
      expect([name, answer.status]).toEqual([name, 409])
      expect(answer.body.detail).toMatchObject({
        error: 'ARCHIVED',
        entity_type: 'ideation',
        entity_id: ideation_id,
        restore: `/api/v1/boards/${scene.boardId}/restore/ideation/${ideation_id}`,
      })
    }
    expect(await get(ideation_id)).toMatchObject({ archived: true, pre_archive_status: 'draft', status: 'draft' })
    await world.ok('restore_record', entity)
    const [restored, archived] = await historyOf(ideation_id)
    expect([archived.action, restored.action]).toEqual(['archived', 'restored'])
    await world.ok('archive_record', entity)
    expect((await world.call('delete_ideation', { ideation_id })).status).toBe(204)
  })
})

describe('access (access 2.3, 2.4)', () => {
  test('parts that the caller may not read are empty', async () => {
    const ideation_id = await scene.ideation('done')
    await world.ok('ask_ideation_question', { ideation_id, question: 'Why?' })
    await world.ok('create_refinement', { ideation_id, title: 'Story' })
    await world.ok('derive_spec_from_ideation', { ideation_id })
    const flags = { QA_READ: false, REFINEMENTS_READ: false, SPECS_READ: false, ARCHITECTURE_READ: false }
    const reader = await world.agent({ permission_flags: flags })
    await scene.admit(reader)
    expect(await world.ok('get_ideation', { ideation_id }, { as: reader })).toMatchObject({
      qa_items: [],
      refinements: [],
      specs: [],
      architecture_designs: [],
    })
    const whole = await get(ideation_id)
    expect([whole.qa_items.length, whole.refinements.length, whole.specs.length]).toEqual([1, 1, 1])
  })

  test('a state limit refuses update, move and delete in that status, not questions', async () => {
    const limited = await world.agent({ permission_flags: { IDEATIONS_WRITE_IN_DRAFT: false } })
    await scene.admit(limited)
    const ideation_id = await scene.ideation()
    for (const [name, args] of [
      ['create_ideation', { board_id: scene.boardId, title: 'x' }],
      ['update_ideation', { ideation_id, title: 'x' }],
      ['move_ideation', { ideation_id, status: 'review' }],
      ['delete_ideation', { ideation_id }],
    ] as const) {
      const { body } = await world.call(name, args, { as: limited })
      expect(body.detail).toMatchObject({ error: 'FORBIDDEN', permission: 'IDEATIONS_WRITE_IN_DRAFT' })
    }
    await world.ok('ask_ideation_question', { ideation_id, question: 'Why?' }, { as: limited })
  })

  test('a repeated move is replayed, though its own state limit would refuse it now', async () => {
    const mover = await world.agent({ permission_flags: { IDEATIONS_WRITE_IN_CANCELLED: false } })
    await scene.admit(mover)
    const ideation_id = await scene.ideation()
    const move = (key: string, status = 'cancelled') =>
      world.call('move_ideation', { ideation_id, status }, { as: mover, headers: { 'idempotency-key': key } })
    const first = await move('once')
    const second = await move('once')
    expect([first.status, second.status]).toEqual([200, 200])
    expect(second.body).toEqual(first.body)
    expect((await move('once', 'draft')).body.detail.error).toBe('IDEMPOTENCY_KEY_REUSED')
    expect((await move('another')).body.detail.permission).toBe('IDEATIONS_WRITE_IN_CANCELLED')
  })

  test('a PATCH needs the permission of each field, and names all missing ones together', async () => {
    const flags = { IDEATIONS_UPDATE: false, IDEATIONS_LABEL: true }
    const labeller: TestAgent = await world.agent({ permission_flags: flags })
    await scene.admit(labeller)
    const ideation_id = await scene.ideation()
    await world.ok('update_ideation', { ideation_id, labels: ['a'] }, { as: labeller })
    const fields = { labels: ['b'], assignee_id: 'x', description: 'd' }
    const { body } = await world.call('update_ideation', { ideation_id, ...fields }, { as: labeller })
    expect(body.detail).toMatchObject({ error: 'FORBIDDEN', missing: ['IDEATIONS_ASSIGN', 'IDEATIONS_UPDATE'] })
  })
})

describe('at the same time (ideation 10)', () => {
  test('of two equal moves one is refused, and one snapshot is written', async () => {
    const ideation_id = await scene.ideation('evaluating')
    const moves = await Promise.all([1, 2, 3].map(() => world.call('move_ideation', { ideation_id, status: 'done' })))
    expect(moves.map(move => move.status).sort()).toEqual([200, 409, 409])
    expect(await world.ok('list_ideation_snapshots', { ideation_id })).toHaveLength(1)
  })

  test('no version is lost', async () => {
    const ideation_id = await scene.ideation()
    const updates = Array.from({ length: 20 }, (_, index) => ({ ideation_id, description: `text ${index}` }))
    const answers = await Promise.all(updates.map(update => world.ok('update_ideation', update)))
    expect(answers.map(answer => answer.version).sort((a, b) => a - b)).toEqual(updates.map((_, index) => index + 2))
    const versions = (await historyOf(ideation_id)).map((entry: { version: number }) => entry.version)
    expect(versions).toEqual(versions.toSorted((a: number, b: number) => b - a))
  })

  test('If-Match lets one of two writers through', async () => {
    const ideation_id = await scene.ideation()
    const { headers } = await world.call('get_ideation', { ideation_id })
    const match = { headers: { 'if-match': headers.get('etag')! } }
    const answers = await Promise.all(
      ['a', 'b'].map(description => world.call('update_ideation', { ideation_id, description }, match)),
    )
    expect(answers.map(answer => answer.status).sort()).toEqual([200, 412])
    expect((await get(ideation_id)).version).toBe(2)
  })
})
