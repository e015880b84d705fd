import { randomUUID } from 'node:crypto'
import { writeWithoutLock } from '@specboard/domain'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Scene } from './support/scene.ts'
import { type TestAgent, World } from './support/world.ts'

interface Found {
  readonly id: string
  readonly entity_type: string
  readonly parent: { readonly entity_type: string; readonly id: string } | null
}

let world: World
let scene: Scene

beforeAll(async () => {
  world = await World.start()
})

afterAll(() => world.stop())

const search = (fields: object = {}, as?: TestAgent) =>
  world.call('search_records', { ...fields }, as === undefined ? {} : { as })
const idsOf = async (fields: object = {}, as?: TestAgent): Promise<string[]> =>
  (await search(fields, as)).body.map(({ id }: { id: string }) => id)
const here = (fields: object = {}) => ({ board_id: scene.boardId, ...fields })
/** A filter that every record passes. */
const any = { updated_since: '2000-01-01T00:00:00.000Z' }
const onNewBoard = async () => {
  scene = await Scene.on(world)
}

describe('search_records (board 4)', () => {
  beforeAll(onNewBoard)

  test('answers what was found with its parent and an excerpt around the first word', async () => {
    const spec_id = await scene.spec('approved', { title: 'Signing in' })
    const id = await scene.card({
      spec_id,
      title: 'Keep the basket',
      details: `${'Other words first. '.repeat(20)}Then the zeppelin leaves, and ${'more follows. '.repeat(20)}`,
      labels: ['shop'],
      assignee_id: world.owner.id,
    })
    await scene.cardQuestion(id)
    const { body, headers } = await search(here({ q: 'zeppelins', kind: 'card' }))
    const card = await world.ok('get_card', { card_id: id })
    expect(headers.get('x-total-count')).toBe('1')
    expect(body).toEqual([
      {
        entity_type: 'card',
        id,
        ref: card.ref,
        board_id: scene.boardId,
        title: 'Keep the basket',
        status: 'not_started',
        parent: { entity_type: 'spec', id: spec_id, ref: expect.stringMatching(/^SCE\d*-\d+$/), title: 'Signing in' },
        labels: ['shop'],
        assignee_id: world.owner.id,
        assignee_name: expect.any(String),
        open_questions: 1,
        created_at: card.created_at,
        updated_at: card.updated_at,
        excerpt: expect.stringMatching(/^….*Then the zeppelin leaves.*…$/),
      },
    ])
  })

  test('finds every kind of record, with the parent that it belongs to', async () => {
    const word = 'quicksilver'
    const ideation_id = await scene.ideation('done', { title: word })
    const { id: refinement } = await world.ok('create_refinement', { ideation_id, title: word, in_scope: ['x'] })
    const { id: spec } = await world.ok(
      'create_spec',
      here({ title: 'S', context: word, ideation_id, status: 'approved' }),
    )
    const { sprint_id } = await scene.sprint('draft', { spec_id: spec, objective: word })
    const card = await scene.card({ spec_id: spec, description: word })
    const { id: design } = await world.ok('create_spec_architecture', {
      spec_id: spec,
      title: 'Design',
      global_description: word,
    })
    const { id: knowledge } = await world.ok('create_spec_knowledge', { spec_id: spec, title: 'Notes', content: word })
    const { id: entry } = await world.ok('create_card_knowledge', { card_id: card, title: 'Notes', content: word })
    const { id: inline } = await world.ok('create_guideline', here({ title: 'Rule', content: word, scope: 'inline' }))
    const { id: global } = await world.ok('create_guideline', { title: 'Rule', content: word })
    const found = (await search(here({ q: word, limit: 50 }))).body
    const parents = Object.fromEntries(
      found.map((each: Found) => [
        each.id,
        [each.entity_type, each.parent?.entity_type ?? null, each.parent?.id ?? null],
      ]),
    )
    expect(parents).toEqual({
      [ideation_id]: ['ideation', null, null],
      [refinement]: ['refinement', 'ideation', ideation_id],
      [spec]: ['spec', 'ideation', ideation_id],
      [sprint_id]: ['sprint', 'spec', spec],
      [card]: ['card', 'spec', spec],
      [design]: ['architecture', 'spec', spec],
      [knowledge]: ['knowledge', 'spec', spec],
      [entry]: ['knowledge', 'card', card],
      [inline]: ['guideline', null, null],
    })
    const everywhere = (await search({ q: word, limit: 50 })).body
    expect(everywhere).toHaveLength(10)
    expect(everywhere.find(({ id }: { id: string }) => id === global)).toMatchObject({
      board_id: null,
      ref: null,
      status: null,
    })
  })

  test('finds what was written in the first answer after it, also when it is changed, archived or deleted', async () => {
    const ideation_id = await scene.ideation('draft', { title: 'Ephemeral' })
    const find = (q: string, more: object = {}) => idsOf(here({ q, ...more }))
    expect(await find('ephemeral')).toEqual([ideation_id])
    await world.ok('update_ideation', { ideation_id, title: 'Perpetual' })
    expect([await find('ephemeral'), await find('perpetual')]).toEqual([[], [ideation_id]])
    await world.ok('archive_record', here({ entity_type: 'ideation', entity_id: ideation_id }))
    expect([await find('perpetual'), await find('perpetual', { include_archived: true })]).toEqual([[], [ideation_id]])
    await world.ok('restore_record', here({ entity_type: 'ideation', entity_id: ideation_id }))
    expect(await find('perpetual')).toEqual([ideation_id])
    await world.ok('delete_ideation', { ideation_id })
    expect(await find('perpetual', { include_archived: true })).toEqual([])
  })

  test('knowledge and designs are archived with their record', async () => {
    const { spec_id, knowledge_id } = await scene.knowledge('spec')
    expect(await idsOf(here({ parent_id: spec_id }))).toEqual([knowledge_id])
    await world.ok('archive_record', here({ entity_type: 'spec', entity_id: spec_id }))
    expect(await idsOf(here({ parent_id: spec_id }))).toEqual([])
  })
})

describe('order and words', () => {
  let first: string
  let second: string
  let inText: string

  beforeAll(async () => {
    await onNewBoard()
    inText = await scene.ideation('draft', { title: 'Plain', description: 'about caching sessions' })
    first = await scene.ideation('draft', { title: 'A session cache' })
    second = await scene.ideation('draft', { title: 'Session caches are planned' })
    await world.ok('update_ideation', { ideation_id: inText, labels: ['late'] })
  })

  test.each([
    ['words in any order, titles that begin so first', 'session cache', () => [second, first, inText]],
    ['the same the other way round', 'cache session', () => [second, first, inText]],
    ['beginnings of words', 'sess cac', () => [second, first, inText]],
    ['other forms of a word', 'cached', () => [second, first, inText]],
    ['stop words do not count beside others', 'the sessions of a cache', () => [second, first, inText]],
    ['words that only some have', 'planning', () => [second]],
    [
      'signs that mean something in a query language are blanks, and most words count (crew 9.2)',
      '"session" AND (cache* OR title:x) NOT -',
      () => [second, first, inText],
    ],
    ['words of which none is there', 'zeppelin (hangar* OR title:x)', () => []],
    ['nothing but signs', '"*', () => []],
    ['no words at all', '', () => [inText, second, first]],
  ])('%s', async (_, q, expected) => {
    expect(await idsOf(here({ q }))).toEqual(expected())
  })

  test('a reference comes first, in any case, and counts once', async () => {
    const { ref } = await world.ok('get_ideation', { ideation_id: first })
    const mention = await scene.ideation('draft', { title: `After ${ref}` })
    const { headers, body } = await search(here({ q: ref.toLowerCase() }))
    expect(body.map(({ id }: { id: string }) => id)).toEqual([first, mention])
    expect(headers.get('x-total-count')).toBe('2')
    expect(await idsOf(here({ q: ref, limit: 1, offset: 1 }))).toEqual([mention])
    await world.ok('delete_ideation', { ideation_id: mention })
  })

  test('pages follow one order, and the total is exact', async () => {
    const pages = await Promise.all([0, 1, 2, 3].map(offset => search(here({ q: 'cache', limit: 1, offset }))))
    expect(pages.map(({ body }) => body[0]?.id)).toEqual([second, first, inText, undefined])
    expect(pages.map(({ headers }) => headers.get('x-total-count'))).toEqual(['3', '3', '3', '3'])
  })
})

describe('a word that thousands of records have', () => {
  const titles = ['Everywhere', 'Not everywhere', 'Found elsewhere'] as const
  const many = 2_500
  /**
   * The expected results, best first: titles that begin with the word, titles that contain it, the others; each newest
   * first.
   */
  let expected: { readonly id: string; readonly title: string; readonly status: string; readonly archived: boolean }[]

  beforeAll(async () => {
    await onNewBoard()
    const first = await scene.card({ spec_id: await scene.spec('approved', { title: 'Spec' }), title: 'First' })
    await writeWithoutLock(world, async db => {
      const card = await db.selectFrom('cards').selectAll().where('id', '=', first).executeTakeFirstOrThrow()
      const rows = Array.from({ length: many }, (_, at) => ({
        ...card,
        id: randomUUID(),
        number: 1_000 + at,
        title: `${titles[at % 40 === 0 ? 0 : at % 3 === 0 ? 1 : 2]} ${at}`,
        description: 'It is everywhere.',
        archived: at % 11 === 0 ? (1 as const) : (0 as const),
        status: at % 5 < 3 ? ('started' as const) : ('not_started' as const),
        updated_at: new Date(Date.parse(card.updated_at) + ((at * 7_919) % many) * 1_000).toISOString(),
      }))
      for (let at = 0; at < rows.length; at += 100)
        await db
          .insertInto('cards')
          .values(rows.slice(at, at + 100))
          .execute()
      const newestFirst = rows.toSorted((a, b) => (a.updated_at < b.updated_at ? 1 : -1))
      expected = titles.flatMap(title =>
        newestFirst
          .filter(row => row.title.startsWith(title))
          .map(({ id, title, status, archived }) => ({ id, title, status, archived: archived === 1 })),
      )
    })
    // The first search waits until all of them are in the index.
    await search(here({ q: 'everywhere' }))
  }, 240_000)

  const expectPage = async (
    query: { offset: number; limit: number; [name: string]: unknown },
    found: readonly string[],
  ) => {
    const { body, headers } = await search(here(query))
    expect(body.map(({ id }: Found) => id)).toEqual(found.slice(query.offset, query.offset + query.limit))
    expect(headers.get('x-total-count')).toBe(String(found.length))
  }

  test.each([
    [0, 20],
    [0, 60],
    [700, 40],
    [many - 250, 150],
  ])(
    'from %d, %d of them in their order, and all are counted',
    async (offset, limit) => {
      for (const include_archived of [false, true]) {
        const found = expected.filter(({ archived }) => include_archived || !archived).map(({ id }) => id)
        await expectPage({ q: 'everywhere', include_archived, offset, limit }, found)
      }
    },
    60_000,
  )

  test.each<[string, { q: string; status?: string }, { title?: string; status?: string }]>([
    ['by a status that most have', { q: 'everywhere', status: 'started' }, { status: 'started' }],
    ['by one that fewer have', { q: 'everywhere', status: 'not_started' }, { status: 'not_started' }],
    ['where more titles begin so than are looked at', { q: 'found' }, { title: 'Found elsewhere' }],
    ['where many titles have it, and none begins so', { q: 'elsewhere' }, { title: 'Found elsewhere' }],
  ])(
    '%s',
    async (_, query, { status, title = '' }) => {
      const isFound = (card: (typeof expected)[number]) =>
        !card.archived && card.title.startsWith(title) && (status ?? card.status) === card.status
      const found = expected.filter(isFound).map(({ id }) => id)
      for (const offset of [0, 500]) await expectPage({ ...query, offset, limit: 40 }, found)
    },
    60_000,
  )

  test('without words, by status', async () => {
    const { headers } = await search(here({ status: 'started' }))
    const { length } = expected.filter(({ archived, status }) => !archived && status === 'started')
    expect(headers.get('x-total-count')).toBe(String(length))
  })
})

describe('filters', () => {
  let spec_id: string
  let card: string
  let other: string

  beforeAll(async () => {
    await onNewBoard()
    spec_id = await scene.spec('approved')
    card = await scene.card({ spec_id, labels: ['a', 'b'], assignee_id: world.owner.id })
    other = await scene.card({ spec_id, labels: ['a'], assignee_id: 'somebody' })
  })

  test.each<[string, () => object, () => string[]]>([
    ['kind', () => ({ kind: 'card' }), () => [other, card]],
    ['kinds and status', () => ({ kind: 'card,spec', status: 'approved' }), () => [spec_id]],
    ['status', () => ({ status: 'not_started,started' }), () => [other, card]],
    ['all labels', () => ({ label: 'a,b' }), () => [card]],
    ['parent', () => ({ parent_id: spec_id }), () => [other, card]],
    ['the caller', () => ({ assignee_id: 'me' }), () => [card]],
    ['a name', () => ({ assignee_id: 'somebody' }), () => [other]],
    ['nobody', () => ({ assignee_id: 'none' }), () => [spec_id]],
    ['time', () => ({ updated_since: '2999-01-01' }), () => []],
  ])('by %s', async (_, fields, expected) => {
    expect(await idsOf(here(fields()))).toEqual(expected())
  })

  test('me is also who holds a card (crew 9.4)', async () => {
    await world.ok('claim_card', { card_id: other })
    expect((await idsOf(here({ assignee_id: 'me' }))).toSorted()).toEqual([card, other].toSorted())
    await world.ok('release_claim', { card_id: other })
  })

  test('boards and the parent may be named by key and reference', async () => {
    const { key } = await world.ok('get_board', { board_id: scene.boardId })
    const elsewhere = await Scene.on(world)
    const ideation = await elsewhere.ideation()
    const { key: otherKey } = await world.ok('get_board', { board_id: elsewhere.boardId })
    const { ref } = await world.ok('get_spec', { spec_id })
    expect(await idsOf({ board_id: key.toLowerCase(), parent_id: ref })).toEqual([other, card])
    expect(await idsOf({ board_id: `${key}, ${otherKey}` })).toEqual([ideation, other, card, spec_id])
  })

  test('an unknown word of a list is 422, a board that is not visible 404', async () => {
    for (const fields of [{ kind: 'board' }, { status: 'gone' }, { limit: 0 }, { q: 'x'.repeat(201) }])
      expect((await search(fields)).status).toBe(422)
    const stranger = await world.agent()
    expect(await search(here(), stranger)).toMatchObject({ status: 404, body: { detail: { error: 'NOT_FOUND' } } })
  })
})

describe('rights', () => {
  beforeAll(onNewBoard)

  test('of each board only the kinds that the caller may read; a parent that it may not read is left out', async () => {
    const spec_id = await scene.spec('approved')
    const card = await scene.card({ spec_id })
    const { id: design } = await world.ok('create_card_architecture', {
      card_id: card,
      title: 'D',
      global_description: 'd',
    })
    const agent = await world.agent()
    expect(await idsOf(any, agent)).toEqual([])
    await world.ok('grant_board_access', here({ agent_id: agent.id }))
    expect(await idsOf(any, agent)).toEqual([design, card, spec_id])
    await world.ok('update_board_access', here({ agent_id: agent.id, permission_overrides: { SPECS_READ: false } }))
    const { body } = await search(any, agent)
    expect(body.map((each: Found) => [each.id, each.parent?.id ?? null])).toEqual([
      [design, card],
      [card, null],
    ])
  })

  test('a global guideline is found by its owner and where it is linked', async () => {
    const { id } = await world.ok('create_guideline', { title: 'Vermilion', content: 'x' })
    const agent = await world.agent()
    await world.ok('grant_board_access', here({ agent_id: agent.id }))
    const both = async () => [await idsOf({ q: 'vermilion' }), await idsOf({ q: 'vermilion' }, agent)]
    expect(await both()).toEqual([[id], []])
    await world.ok('add_board_guideline', here({ guideline_id: id }))
    expect(await both()).toEqual([[id], [id]])
    expect(await idsOf(here({ q: 'vermilion' }))).toEqual([])
  })
})
