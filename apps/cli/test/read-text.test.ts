import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { Scene } from './support/scene.ts'
import { World } from './support/world.ts'

let world: World
let scene: Scene

beforeAll(async () => {
  world = await World.start()
})

afterAll(() => world.stop())

beforeEach(async () => {
  scene = await Scene.on(world)
})

const read = (entity_type: string, entity_id: string, query: object = {}, as = world.owner) =>
  world.call('read_text', { entity_type, entity_id, ...query }, { as })

describe('read_text (crew 1.7)', () => {
  const long = `${'word '.repeat(3_000)}needle ${'more '.repeat(1_000)}`

  test('reads a text part by part, which joined are the text', async () => {
    const card = await scene.card({ description: long })
    let text = ''
    for (let offset: number | null = 0; offset !== null; ) {
      const { body } = await read('card', card, { offset })
      expect(body.total).toBe(long.length)
      text += body.text
      offset = body.next_offset
    }
    expect(text).toBe(long)
  })

  test('needs no path for a record whose only text is its title', async () => {
    const { status, body } = await world.call('create_card', { board_id: scene.boardId, title: 'Alone' })
    expect(status).toBe(201)
    expect((await read('card', body.id)).body).toMatchObject({ text: 'Alone', next_offset: null })
  })

  test('begins before the words that are looked for', async () => {
    const card = await scene.card({ description: long })
    const { body } = await read('card', card, { around: 'NEEDLE', length: 600 })
    expect([body.offset, body.text.includes('needle')]).toEqual([14_500, true])
    const none = await read('card', card, { around: 'thimble' })
    expect([none.status, none.body.detail.entity_type]).toEqual([404, 'text'])
  })

  test('asks which text where there are several, and leads into lists', async () => {
    const spec = await scene.spec('draft', {
      description: 'About it',
      test_scenarios: [{ id: 't1', title: 'Works', given: 'a board' }],
      acceptance_criteria: ['One', 'Two'],
    })
    const unsaid = await read('spec', spec)
    expect([unsaid.status, unsaid.body.detail.field]).toEqual([400, 'path'])
    expect(unsaid.body.detail.available).toEqual(['title', 'description', 'acceptance_criteria', 'test_scenarios'])
    expect((await read('spec', spec, { path: 'test_scenarios.t1.given' })).body.text).toBe('a board')
    expect((await read('spec', spec, { path: 'acceptance_criteria.1' })).body.text).toBe('Two')
    expect((await read('spec', spec, { path: 'test_scenarios.t9.given' })).status).toBe(400)
    expect((await read('spec', spec, { path: 'created_by' })).status).toBe(400)
  })

  test('reads every kind of record, by reference too', async () => {
    const card_id = await scene.card({ description: 'A card' })
    const { ref } = await world.ok('get_card', { card_id })
    const comment = await world.ok('create_comment', { card_id, content: 'Said' })
    const question = await world.ok('ask_card_question', { card_id, question: 'Why?' })
    const spec_id = await scene.spec('draft')
    const knowledge = await world.ok('create_spec_knowledge', { spec_id, title: 'Notes', content: 'Known' })
    const guideline = await world.ok('create_guideline', { title: 'Rule', content: 'Be kind' })
    const braces = await scene.card({ description: '{"a": 1}' })
    for (const [type, id, text] of [
      ['card', braces, '{"a": 1}'],
      ['card', ref, 'A card'],
      ['comment', comment.id, 'Said'],
      ['question', question.id, 'Why?'],
      ['knowledge', knowledge.id, 'Known'],
      ['guideline', guideline.id, 'Be kind'],
    ])
      expect([type, (await read(type, id)).body.text]).toEqual([type, text])
    expect((await read('webhook', card_id)).status).toBe(400)
  })

  test('asks for what reading the record asks', async () => {
    const card_id = await scene.card({ description: 'A card' })
    const stranger = await world.agent()
    expect((await read('card', card_id, {}, stranger)).status).toBe(404)
    const spec_id = await scene.spec('draft')
    const { id } = await world.ok('create_spec_knowledge', { spec_id, title: 'Notes', content: 'Known' })
    expect((await read('knowledge', id, {}, stranger)).status).toBe(404)
    const blind = await world.agent({ permission_flags: { CARDS_READ: false, KNOWLEDGE_READ: false } })
    await scene.admit(blind)
    for (const [type, of] of [
      ['card', card_id],
      ['knowledge', id],
    ])
      expect((await read(type!, of!, {}, blind)).status).toBe(403)
  })
})

describe('list_spec_items (crew 1.7)', () => {
  const items = (spec_id: string, query: object = {}) => world.ok('list_spec_items', { spec_id, ...query })
  const names = (rows: readonly { list: string; id: string | null; text?: string }[]) =>
    rows.map(({ list, id, text }) => `${list}.${id ?? text}`)

  test('lists items and texts in the order of the lists, those that match', async () => {
    const spec_id = await scene.spec('approved', {
      acceptance_criteria: ['It opens', 'It closes'],
      test_scenarios: [
        { id: 't1', title: 'Opens', linked_criteria: ['0'] },
        { id: 't2', title: 'Closes', linked_criteria: ['1'] },
      ],
      technical_requirements: ['Fast', { id: 'tr1', text: 'Small' }],
    })
    const card_id = await scene.card({ spec_id, test_scenario_ids: ['t1'] })
    expect(names(await items(spec_id))).toEqual([
      'test_scenarios.t1',
      'test_scenarios.t2',
      'technical_requirements.Fast',
      'technical_requirements.tr1',
      'acceptance_criteria.It opens',
      'acceptance_criteria.It closes',
    ])
    const { ref } = await world.ok('get_card', { card_id })
    for (const linked of [card_id, ref]) expect(names(await items(spec_id, { linked }))).toEqual(['test_scenarios.t1'])
    expect(names(await items(spec_id, { linked: 'none' }))).toEqual(['test_scenarios.t2', 'technical_requirements.tr1'])
    for (const criterion of ['1', 'It closes'])
      expect(names(await items(spec_id, { criterion }))).toEqual(['test_scenarios.t2'])
    await world.ok('put_spec_items', { spec_id, test_scenarios: [{ id: 't2', linked_criteria: ['It closes'] }] })
    for (const criterion of ['1', 'It closes'])
      expect(names(await items(spec_id, { criterion }))).toEqual(['test_scenarios.t2'])
    expect(await items(spec_id, { criterion: 'It hangs' })).toEqual([])
    expect(names(await items(spec_id, { q: 'CLOSES' }))).toEqual(['test_scenarios.t2', 'acceptance_criteria.It closes'])
    expect(names(await items(spec_id, { id: 'tr1,t1' }))).toEqual(['test_scenarios.t1', 'technical_requirements.tr1'])
    expect(names(await items(spec_id, { list: 'acceptance_criteria', offset: 1 }))).toEqual([
      'acceptance_criteria.It closes',
    ])
    const { headers } = await world.call('list_spec_items', { spec_id, limit: 1 })
    expect(headers.get('x-total-count')).toBe('6')
  })
})
