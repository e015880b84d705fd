import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { logged } from './support/event-log.ts'
import { Scene } from './support/scene.ts'
import { World } from './support/world.ts'

let world: World
let scene: Scene

beforeAll(async () => {
  world = await World.start()
  scene = await Scene.on(world)
})

afterAll(() => world.stop())

const get = (refinement_id: string) => world.ok('get_refinement', { refinement_id })
const historyOf = (refinement_id: string) => world.ok('list_refinement_history', { refinement_id })

describe('create (ideation 1.3, 3)', () => {
  test('stores what is sent and inherits the labels of its ideation', async () => {
    const ideation_id = await scene.ideation('done', { labels: ['inherited'] })
    const fields = {
      title: 'Story',
      in_scope: ['', ' a '],
      out_of_scope: [],
      analysis: ' as sent ',
      decisions: ['d'],
      assignee_id: 'someone',
    }
    const refinement = await world.ok('create_refinement', {
      ideation_id,
      ...fields,
      labels: [],
      description: '  mine\n',
    })
    expect(refinement).toMatchObject({
      ...fields,
      ideation_id,
      board_id: scene.boardId,
      description: 'mine',
      labels: ['inherited'],
      status: 'draft',
      version: 1,
      archived: false,
      pre_archive_status: null,
      created_by: world.owner.id,
      screen_mockups: null,
      architecture_designs: [],
      knowledge_bases: [],
      qa_items: [],
      specs: [],
    })
    expect(await get(refinement.id)).toEqual(refinement)
    const [entry] = await historyOf(refinement.id)
    expect(entry).toMatchObject({ refinement_id: refinement.id, action: 'created', version: 1 })
    expect(entry.changes.map((change: { field: string }) => change.field)).toEqual([
      'title',
      'status',
      'in_scope',
      'out_of_scope',
      'analysis',
      'decisions',
    ])
    expect(logged(world, refinement.id)).toEqual([
      {
        activity: 'refinement_created',
        details: { title: 'Story', refinement_id: refinement.id, ideation_id },
        history: 'created',
        domain: null,
      },
    ])
  })

  test('given labels replace the inherited ones', async () => {
    const ideation_id = await scene.ideation('done', { labels: ['inherited'] })
    expect((await world.ok('create_refinement', { ideation_id, title: 'x', labels: ['own'] })).labels).toEqual(['own'])
    expect((await world.ok('create_refinement', { ideation_id, title: 'x', labels: null })).labels).toEqual([
      'inherited',
    ])
  })

  test.each([
    [{}, 'missing'],
    [{ title: ' ' }, 'value_error'],
    [{ title: 'x', in_scope: [] }, 'too_short'],
    [{ title: 'x', in_scope: ['', '  '] }, 'value_error'],
    [{ title: 'x', in_scope: 'a' }, 'list_type'],
    [{ title: 'x', decisions: [1] }, 'string_type'],
    [{ title: 'x', architecture_propagation_mode: 3 }, 'string_type'],
  ])('%j is 422 %s', async (body, type) => {
    const answer = await world.call('create_refinement', { ideation_id: await scene.ideation('done'), ...body })
    expect(answer.status).toBe(422)
    expect(answer.body.detail.map((item: { type: string }) => item.type)).toEqual([type])
  })

  test.each([
    [{ architecture_propagation_mode: 'all' }, 'architecture_propagation_mode'],
    [{ mockup_ids: ['m1', 'nope'] }, 'mockup_ids'],
    [{ kb_ids: ['nope'] }, 'kb_ids'],
    [{ architecture_design_ids: ['nope'] }, 'architecture_design_ids'],
    [{ screen_mockups: [1, 2].map(() => ({ id: 'a', title: 'A' })) }, 'screen_mockups'],
  ])('%j is 400 and makes nothing', async (body, field) => {
    const ideation_id = await scene.ideation('done', { screen_mockups: [{ id: 'm1', title: 'M' }] })
    const answer = await world.call('create_refinement', { ideation_id, title: 'x', ...body })
    expect(answer.status).toBe(400)
    expect(answer.body.detail).toMatchObject({ error: 'VALIDATION_ERROR', field })
    if (JSON.stringify(body).includes('nope')) expect(answer.body.detail.details).toEqual(['nope'])
    expect(await world.ok('list_refinements', { ideation_id })).toEqual([])
  })

  test('ideation_id in the body must equal the one in the path', async () => {
    const ideation_id = await scene.ideation('done')
    const url = `${world.running.url}/api/v1/ideations/${ideation_id}/refinements`
    const headers = { 'x-api-key': world.owner.key, 'content-type': 'application/json' }
    const send = async (body: object) =>
      (await fetch(url, { method: 'POST', headers, body: JSON.stringify({ title: 'x', ...body }) })).status
    expect(await send({ ideation_id })).toBe(201)
    expect(await send({ ideation_id: null })).toBe(201)
    expect(await send({ ideation_id: 'another' })).toBe(400)
  })

  test('of an ideation that is not done is 409 IDEATION_NOT_DONE', async () => {
    const answer = await world.call('create_refinement', { ideation_id: await scene.ideation('review'), title: 'x' })
    expect(answer.status).toBe(409)
    expect(answer.body.detail).toMatchObject({ error: 'IDEATION_NOT_DONE', status: 'review' })
  })
})

test('list answers summaries of one ideation, last changed first (ideation 3)', async () => {
  const ideation_id = await scene.ideation('done')
  const make = async () => (await world.ok('create_refinement', { ideation_id, title: 'x', in_scope: ['a'] })).id
  const ids = [await make(), await make(), await make()]
  await world.ok('move_refinement', { refinement_id: ids[0], status: 'review' })
  await world.ok('archive_record', { board_id: scene.boardId, entity_type: 'refinement', entity_id: ids[1] })
  const list = async (query: object) => {
    const answer = await world.call('list_refinements', { ideation_id, ...query })
    return [
      (answer.body as { id: string }[]).map(item => ids.indexOf(item.id)),
      Number(answer.headers.get('x-total-count')),
    ]
  }
  expect(await list({})).toEqual([[0, 2], 2])
  expect(await list({ include_archived: true })).toEqual([[1, 0, 2], 3])
  expect(await list({ status: 'review' })).toEqual([[0], 1])
  expect(await list({ limit: 1, offset: 1 })).toEqual([[2], 2])
  expect((await world.call('list_refinements', { ideation_id, status: 'evaluating' })).status).toBe(400)
  const { refinements } = await world.ok('get_ideation', { ideation_id })
  expect(refinements.map((item: { id: string }) => item.id)).toEqual(ids)
})

describe('update (ideation 3, 5)', () => {
  test.each([
    [{ description: ' as sent ' }, 2],
    [{ in_scope: ['b'], out_of_scope: ['c'] }, 2],
    [{ analysis: 'a', decisions: [] }, 2],
    [{ title: 'New', labels: ['a'], assignee_id: 'x', screen_mockups: [] }, 1],
  ])('%j makes version %i and notifies the knowledge graph', async (fields, version) => {
    const refinement_id = await scene.refinement()
    const after = await world.ok('update_refinement', { refinement_id, ...fields })
    expect(after).toMatchObject({ ...fields, version })
    const changed_fields = Object.keys(fields).sort()
    expect(logged(world, refinement_id).at(-1)).toMatchObject({
      activity: 'refinement_updated',
      details: { refinement_id, version },
      history: 'updated',
      domain: [{ name: 'refinement.semantic_changed', refinement_id, changed_fields }],
    })
  })

  test.each([{}, { title: null }, { in_scope: ['Everything'], labels: null }])(
    '%j changes nothing and writes nothing',
    async fields => {
      const refinement_id = await scene.refinement()
      const before = await get(refinement_id)
      expect(await world.ok('update_refinement', { refinement_id, ...fields })).toEqual(before)
      expect(logged(world, refinement_id)).toHaveLength(1)
    },
  )

  test('outside draft is 409 REFINEMENT_LOCKED, before its values are checked', async () => {
    const refinement_id = await scene.refinement('approved')
    const screen_mockups = [1, 2].map(() => ({ id: 'a', title: 'A' }))
    const answer = await world.call('update_refinement', { refinement_id, screen_mockups })
    expect(answer.status).toBe(409)
    expect(answer.body.detail).toMatchObject({
      error: 'REFINEMENT_LOCKED',
      status: 'approved',
      allowed: ['review', 'done', 'cancelled'],
    })
  })
})

describe('move (ideation 4.2)', () => {
  test('into review needs a scope; the transition is checked first', async () => {
    const refinement_id = await scene.refinement('draft', { in_scope: null })
    const refused = await world.call('move_refinement', { refinement_id, status: 'review' })
    expect(refused.status).toBe(409)
    expect(refused.body.detail).toMatchObject({ error: 'SCOPE_REQUIRED', missing: ['in_scope'] })
    const impossible = await world.call('move_refinement', { refinement_id, status: 'done' })
    expect(impossible.body.detail).toMatchObject({
      error: 'INVALID_TRANSITION',
      from: 'draft',
      to: 'done',
      allowed: ['review', 'cancelled'],
    })
  })

  test('to done writes a snapshot of its version, back to draft raises it', async () => {
    const refinement_id = await scene.refinement('done', { analysis: 'first' })
    await world.ok('move_refinement', { refinement_id, status: 'draft' })
    await world.ok('update_refinement', { refinement_id, analysis: 'second' })
    for (const status of ['review', 'approved', 'done']) await world.ok('move_refinement', { refinement_id, status })
    const listed = await world.ok('list_refinement_snapshots', { refinement_id })
    expect(listed.map((item: { version: number }) => item.version)).toEqual([3, 1])
    expect(await world.ok('get_refinement_snapshot', { refinement_id, version: 1 })).toMatchObject({
      ...listed[1],
      refinement_id,
      in_scope: ['Everything'],
      analysis: 'first',
      qa_snapshot: null,
    })
    expect((await world.call('get_refinement_snapshot', { refinement_id, version: 2 })).status).toBe(404)
  })

  test('still works when its ideation is back in draft', async () => {
    const refinement_id = await scene.refinement('review')
    const { ideation_id } = await get(refinement_id)
    await world.ok('move_ideation', { ideation_id, status: 'draft' })
    expect((await world.ok('move_refinement', { refinement_id, status: 'approved' })).status).toBe('approved')
  })

  test('of two equal moves one is refused', async () => {
    const refinement_id = await scene.refinement('approved')
    const moves = await Promise.all([1, 2].map(() => world.call('move_refinement', { refinement_id, status: 'done' })))
    expect(moves.map(move => move.status).sort()).toEqual([200, 409])
    expect(await world.ok('list_refinement_snapshots', { refinement_id })).toHaveLength(1)
  })
})

describe('knowledge (ideation 1.6)', () => {
  test('is added in every status, read whole and as a summary, and deleted', async () => {
    const refinement_id = await scene.refinement('done')
    const before = await get(refinement_id)
    const item = await world.ok('create_refinement_knowledge', { refinement_id, title: 'Notes', content: '# N' })
    const { content, created_by, updated_at, ...summary } = item
    expect([content, created_by, updated_at]).toEqual(['# N', world.owner.id, item.created_at])
    expect(summary).toEqual({
      id: item.id,
      ref: expect.stringMatching(/\.k1$/),
      refinement_id,
      title: 'Notes',
      description: null,
      mime_type: 'text/markdown',
      source_type: null,
      source_id: null,
      source_title: null,
      source_version: null,
      source_kb_id: null,
      created_at: expect.any(String),
    })
    const path = { refinement_id, knowledge_id: item.id }
    expect(await world.ok('get_refinement_knowledge', path)).toEqual(item)
    expect(await world.ok('list_refinement_knowledge', { refinement_id })).toEqual([summary])
    const after = await get(refinement_id)
    expect(after).toEqual({ ...before, knowledge_bases: [summary] })
    const foreign = { ...path, refinement_id: await scene.refinement() }
    expect((await world.call('get_refinement_knowledge', foreign)).status).toBe(404)
    expect((await world.call('delete_refinement_knowledge', foreign)).status).toBe(404)
    expect((await world.call('delete_refinement_knowledge', path)).status).toBe(204)
    expect((await world.call('get_refinement_knowledge', path)).status).toBe(404)
    const [deleted, added] = await historyOf(refinement_id)
    expect(added).toMatchObject({
      action: 'knowledge_added',
      changes: [{ field: 'knowledge', old: null, new: item.id }],
      version: 1,
    })
    expect(deleted).toMatchObject({
      action: 'knowledge_deleted',
      changes: [{ field: 'knowledge', old: item.id, new: null }],
    })
    expect(logged(world, refinement_id).at(-1)).toMatchObject({
      activity: 'refinement_knowledge_deleted',
      details: { refinement_id, knowledge_id: item.id, title: 'Notes' },
    })
  })

  test.each([
    { title: 'x' },
    { content: 'x' },
    { title: 'x', content: '' },
    { title: 'x', content: 'x', mime_type: 'x'.repeat(101) },
  ])('%j is 422', async body => {
    const args = { refinement_id: await scene.refinement(), ...body }
    expect((await world.call('create_refinement_knowledge', args)).status).toBe(422)
  })
})

describe('delete and archive (ideation 10)', () => {
  test('delete removes what belongs to it; its specs stay on their ideation', async () => {
    const { refinement_id, qa_id } = await scene.question('refinement')
    const { ideation_id } = await get(refinement_id)
    for (const status of ['review', 'approved', 'done']) await world.ok('move_refinement', { refinement_id, status })
    const { id: spec_id } = await world.ok('derive_spec_from_refinement', { refinement_id })
    expect((await world.call('delete_refinement', { refinement_id })).status).toBe(204)
    for (const [name, args] of [
      ['get_refinement', { refinement_id }],
      ['delete_refinement', { refinement_id }],
      ['list_refinement_questions', { refinement_id }],
      ['answer_refinement_question', { refinement_id, qa_id, answer: 'x' }],
      ['get_refinement_snapshot', { refinement_id, version: 1 }],
    ] as const)
      expect((await world.call(name, args)).status).toBe(404)
    expect(await world.ok('get_spec', { spec_id })).toMatchObject({ ideation_id, refinement_id: null })
    expect(logged(world, refinement_id).at(-1)).toMatchObject({
      activity: 'refinement_deleted',
      details: { refinement_id, title: 'Story' },
      history: null,
    })
  })

  test('an archived refinement accepts no write but delete', async () => {
    const path = await scene.question('refinement')
    const { refinement_id } = path
    const knowledge = await world.ok('create_refinement_knowledge', { refinement_id, title: 'N', content: 'c' })
    const { ideation_id } = await get(refinement_id)
    await world.ok('archive_record', { board_id: scene.boardId, entity_type: 'ideation', entity_id: ideation_id })
    for (const [name, args] of [
      ['update_refinement', { refinement_id, title: 'x' }],
      ['move_refinement', { refinement_id, status: 'done' }],
      ['derive_spec_from_refinement', { refinement_id }],
      ['ask_refinement_question', { refinement_id, question: 'x' }],
      ['answer_refinement_question', { ...path, answer: 'x' }],
      ['delete_refinement_question', path],
      ['create_refinement_knowledge', { refinement_id, title: 'x', content: 'x' }],
      ['delete_refinement_knowledge', { refinement_id, knowledge_id: knowledge.id }],
    ] as const) {
      const answer = await world.call(name, args)
      expect([name, answer.status]).toEqual([name, 409])
      expect(answer.body.detail).toMatchObject({
        error: 'ARCHIVED',
        entity_type: 'refinement',
        entity_id: refinement_id,
        restore: `/api/v1/boards/${scene.boardId}/restore/refinement/${refinement_id}`,
      })
    }
    expect((await world.call('delete_refinement', { refinement_id })).status).toBe(204)
  })

  test('no spec can be derived from a refinement restored under an archived ideation', async () => {
    const refinement_id = await scene.refinement('done')
    const { ideation_id } = await get(refinement_id)
    const board = { board_id: scene.boardId }
    await world.ok('archive_record', { ...board, entity_type: 'ideation', entity_id: ideation_id })
    await world.ok('restore_record', { ...board, entity_type: 'refinement', entity_id: refinement_id })
    const { body } = await world.call('derive_spec_from_refinement', { refinement_id })
    expect(body.detail).toMatchObject({ error: 'ARCHIVED', entity_type: 'ideation', entity_id: ideation_id })
  })
})
