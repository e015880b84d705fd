import type { OperationName } from '@specboard/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Scene } from './support/scene.ts'
import { type TestAgent, World } from './support/world.ts'

let world: World
let scene: Scene
let board_id: string

beforeAll(async () => {
  world = await World.start()
  scene = await Scene.on(world)
  board_id = scene.boardId
})

afterAll(() => world.stop())

const idsOf = async (name: OperationName, args: object, as: TestAgent = world.owner): Promise<string[]> =>
  (await world.ok(name, { ...args }, { as })).map(({ id }: { id: string }) => id)

/** The same word as it is written and as it is looked for: in another case, and composed or not. */
const words = [
  ['über', 'ÜBER'],
  ['U\u0308nal', '\u00fcnal'],
  ['\u00dcnal', 'u\u0308nal'],
  ['ночной', 'НОЧНОЙ'],
  ['Caf\u00e9', 'cafe\u0301'],
  ['Cafe\u0301', 'CAF\u00c9'],
  ['Σίσυφος', 'σίσυφος'],
] as const

describe('a word is found in any case and normal form', () => {
  test.each(words)('%s by %s', async (text, query) => {
    const spec_id = await scene.spec('in_progress', { title: `Spec ${text}`, labels: [text] })
    const card = await scene.card({ spec_id, title: `Card ${text}`, labels: [text] })
    await scene.card({ spec_id, title: 'Other', labels: ['other'] })
    expect(await idsOf('list_cards', { board_id, spec_id, q: query })).toEqual([card])
    expect(await idsOf('list_cards', { board_id, spec_id, label: query })).toEqual([card])
    expect(await idsOf('list_ready_cards', { board_id, spec_id, label: query })).toEqual([card])
    expect(await idsOf('search_records', { board_id, q: query, parent_id: spec_id })).toEqual([card])
    expect(await idsOf('search_records', { board_id, label: query, kind: 'spec', q: text })).toContain(spec_id)
  })
})

describe('what is said about a record is found (board 4)', () => {
  const kinds = ['comment', 'question', 'conclusion'] as const
  let card_id: string
  const search = (q: string, fields: object = {}, as: TestAgent = world.owner) =>
    world.ok('search_records', { board_id, q, ...fields }, { as })

  beforeAll(async () => {
    card_id = await scene.workableCard({ title: 'Talked about' })
    await world.ok('create_comment', { card_id, content: 'The walrus\nwas seen on the ice. '.repeat(10) })
    const question = await world.ok('ask_card_question', { card_id, question: 'Does the walrus dive?' })
    await world.ok('answer_card_question', { qa_id: question.id, answer: 'The narwhal does too.' })
    await world.ok('move_card', { card_id, target_status: 'started' })
    await world.ok('move_card', { card_id, target_status: 'in_progress' })
    await world.ok('move_card', {
      card_id,
      target_status: 'validation',
      conclusion: 'Walrus fed.',
      completeness: 100,
      completeness_justification: 'All of the walrus is done.',
      drift: 0,
      drift_justification: 'Nothing else was changed.',
    })
  })

  test('under its kind, with the record that it hangs on', async () => {
    const found = await search('walrus')
    expect(found.map(({ entity_type }: { entity_type: string }) => entity_type).toSorted()).toEqual(
      [...kinds].toSorted(),
    )
    const { ref } = found.find(({ entity_type }: { entity_type: string }) => entity_type === 'question')
    expect(ref).toMatch(/^[A-Z0-9]+-\d+\.q1$/)
    for (const hit of found) {
      expect(hit).toMatchObject({ status: null, labels: [], parent: { entity_type: 'card', id: card_id } })
      expect(hit.title).not.toContain('\n')
      expect(hit.title.length).toBeLessThanOrEqual(80)
      expect(hit.excerpt.toLowerCase()).toContain('walrus')
      expect(hit.created_at <= hit.updated_at).toBe(true)
    }
    for (const kind of kinds) expect(await search('walrus', { kind })).toHaveLength(1)
    expect(await search('narwhal')).toMatchObject([{ entity_type: 'question' }])
    expect(await search('walrus', { kind: 'card,spec' })).toEqual([])
  })

  test.each([
    ['COMMENTS_READ', 'comment'],
    ['QA_READ', 'question'],
    ['CARDS_READ_CONCLUSIONS', 'conclusion'],
  ])('not by a reader without %s', async (permission, kind) => {
    const reader = await world.agent({ permission_flags: { [permission]: false } })
    await scene.admit(reader)
    const found = await search('walrus', {}, reader)
    const types = found.map(({ entity_type }: { entity_type: string }) => entity_type).toSorted()
    expect(types).toEqual(kinds.filter(other => other !== kind).toSorted())
  })

  test('no longer once it is deleted, and left out while its record is archived', async () => {
    const spec_id = await scene.spec('in_progress')
    const other = await scene.card({ spec_id, title: 'Other' })
    const tree = { board_id, entity_type: 'spec', entity_id: spec_id }
    const { id: comment_id } = await world.ok('create_comment', { card_id: other, content: 'A lone pangolin.' })
    expect(await search('pangolin')).toHaveLength(1)
    await world.ok('archive_record', tree)
    expect(await search('pangolin')).toEqual([])
    expect(await search('pangolin', { include_archived: true })).toHaveLength(1)
    await world.ok('restore_record', tree)
    await world.ok('delete_comment', { comment_id })
    expect(await search('pangolin')).toEqual([])
  })
})

describe('labels that are sent twice', () => {
  test('are stored once, and count once', async () => {
    const { id } = await world.ok('create_board', { name: 'Labels', description: '' })
    const labels = ['twice', 'once', 'twice']
    const ideation = await world.ok('create_ideation', { board_id: id, title: 'Idea', labels })
    expect(ideation.labels).toEqual(['twice', 'once'])
    const spec = await world.ok('create_spec', { board_id: id, title: 'Spec', status: 'approved', labels })
    const card = await world.ok('create_card', { board_id: id, title: 'Card', spec_id: spec.id, labels })
    expect([spec.labels, card.labels]).toEqual([
      ['twice', 'once'],
      ['twice', 'once'],
    ])
    const overview = await world.ok('get_board_overview', { board_id: id })
    expect(overview.labels).toEqual([
      { label: 'once', count: 3 },
      { label: 'twice', count: 3 },
    ])
  })
})

describe('a parameter that is sent several times', () => {
  const get = async (path: string) => {
    const headers = { authorization: `Bearer ${world.owner.key}` }
    const response = await fetch(`${world.running.url}/api/v1/boards/${path}`, { headers })
    // biome-ignore lint/suspicious/noExplicitAny: answers of all kinds
    const body: any = await response.json()
    return { status: response.status, body }
  }

  test('is a list, where it is one', async () => {
    const spec_id = await scene.spec('in_progress')
    const ids = [await scene.card({ spec_id }), await scene.card({ spec_id })]
    await world.ok('move_card', { card_id: ids[1]!, target_status: 'started' })
    const { body } = await get(`${board_id}/cards?spec_id=${spec_id}&status=not_started&status=started`)
    expect(body.map(({ id }: { id: string }) => id).toSorted()).toEqual(ids.toSorted())
  })

  test.each(['limit=1&limit=2', 'q=a&q=b', 'order=board&order=due', 'blocked=true&blocked=false'])(
    '%s is refused, where it is not',
    async query => {
      const { status, body } = await get(`${board_id}/cards?${query}`)
      expect([status, body.detail[0].loc]).toEqual([422, ['query', query.split('=')[0]]])
    },
  )
})
