import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Scene } from './support/scene.ts'
import { World } from './support/world.ts'

let world: World

beforeAll(async () => {
  world = await World.start()
})

afterAll(() => world.stop())

const sha = (digit: string) => digit.repeat(40)
const a = sha('a')
const b = sha('b')
const c = sha('c')
const d = sha('d')
const e = sha('e')

/** A board with a repository, and what works on them. */
class Board {
  readonly scene: Scene
  readonly board_id: string
  readonly repository_id: string

  private constructor(scene: Scene, repository_id: string) {
    this.scene = scene
    this.board_id = scene.boardId
    this.repository_id = repository_id
  }

  static async start(fields: Readonly<Record<string, unknown>> = {}): Promise<Board> {
    const scene = await Scene.on(world)
    const url = 'https://github.com/acme/shop'
    const { id } = await world.ok('create_repository', { board_id: scene.boardId, url, ...fields })
    return new Board(scene, id)
  }

  /** A new card, and its reference. */
  async card(): Promise<{ readonly id: string; readonly ref: string }> {
    const id = await this.scene.smallChange()
    return { id, ref: (await world.ok('get_card', { card_id: id })).ref }
  }

  record(changes: Readonly<Record<string, unknown>>) {
    const { board_id, repository_id } = this
    return world.ok('record_changes', { board_id, repository_id, ...changes })
  }

  // biome-ignore lint/suspicious/noExplicitAny: answers as they come
  list(query: Readonly<Record<string, unknown>>): Promise<any[]> {
    return world.ok('list_changes', { board_id: this.board_id, ...query })
  }

  // biome-ignore lint/suspicious/noExplicitAny: answers as they come
  async commit(key: string): Promise<any> {
    return (await this.list({ sha: key }))[0]
  }
}

/** How a change is linked to which records. */
const linksOf = (change: { links: { how: string; id: string }[] }) => change.links.map(({ how, id }) => [how, id])

describe('record_changes (git 5)', () => {
  test('links commits to what their messages name, and says the same again of nothing new', async () => {
    const board = await Board.start()
    const [one, two] = [await board.card(), await board.card()]
    const changes = {
      commits: [
        { sha: a, parents: [], subject: ` Fix ${one.ref}\n`, author_email: 'Ada@Example.com', additions: 3 },
        { sha: b, parents: [a], subject: 'More', body: `Words\n\nSpecboard: ${two.ref}`, author_name: 'Ada' },
      ],
      branches: [{ name: 'main', head: b, is_default: true }],
    }
    expect(await board.record(changes)).toEqual({
      created: 3,
      updated: 0,
      unchanged: 0,
      linked: 2,
      vanished: 0,
      problems: [],
    })
    expect(await board.commit(a)).toMatchObject({
      kind: 'commit',
      sha: a,
      title: `Fix ${one.ref}`,
      url: `https://github.com/acme/shop/commit/${a}`,
      state: 'merged',
      confirmed_by: 'sync',
      repository: 'shop',
      branches: ['main'],
      author: { email: 'ada@example.com', agent_id: null },
      additions: 3,
      deletions: null,
      links: [{ entity_type: 'card', id: one.id, ref: one.ref, how: 'message', by: world.owner.id }],
    })
    expect(linksOf(await board.commit(b))).toEqual([['trailer', two.id]])
    expect(await board.record(changes)).toMatchObject({ created: 0, updated: 0, unchanged: 3, linked: 0 })
    const events = await world.ok('list_board_events', { board_id: board.board_id })
    const actions = events.events.map(({ action }: { action: string }) => action)
    expect(actions.filter((action: string) => action === 'change_linked')).toHaveLength(2)
    expect(actions.filter((action: string) => action === 'changes_recorded')).toHaveLength(1)
    expect(JSON.stringify(events)).not.toContain('example.com')
  })

  test('a later source adds what is missing, and replaces nothing', async () => {
    const board = await Board.start()
    await board.record({ commits: [{ sha: a, subject: 'First' }] })
    expect(await board.record({ commits: [{ sha: a, subject: 'Second', additions: 5 }] })).toMatchObject({ updated: 1 })
    expect(await board.commit(a)).toMatchObject({ title: 'First', additions: 5, links: [] })
  })

  test('a branch and the commits that came with it have the record of its name', async () => {
    const board = await Board.start()
    const { id, ref } = await board.card()
    await board.record({
      commits: [{ sha: a, parents: [], subject: 'Ground' }],
      branches: [{ name: 'main', head: a, is_default: true }],
    })
    await board.record({
      commits: [{ sha: b, parents: [a], subject: 'Work' }],
      branches: [{ name: `feature/${ref.toLowerCase()}-basket`, head: b }],
    })
    expect(linksOf(await board.commit(a))).toEqual([])
    expect(linksOf(await board.commit(b))).toEqual([['inherited', id]])
    expect((await board.list({ record: ref })).map(({ kind, state }) => [kind, state]).toSorted()).toEqual([
      ['branch', 'open'],
      ['commit', 'open'],
    ])
    await board.record({ branches: [{ name: 'main', head: b }] })
    expect((await board.list({ record: id })).map(({ state }) => state)).toEqual(['merged', 'merged'])
  })

  test('a forced push rewrites what has author and subject in common, and lets the rest vanish', async () => {
    const board = await Board.start()
    const { id, ref } = await board.card()
    const author_email = 'ada@example.com'
    await board.record({
      commits: [
        { sha: a, parents: [], subject: 'Ground' },
        { sha: b, parents: [a], subject: `Work on ${ref}`, author_email },
        { sha: c, parents: [b], subject: `Gone ${ref}` },
      ],
      branches: [{ name: 'work', head: c }],
    })
    const report = await board.record({
      commits: [{ sha: d, parents: [a], subject: `Work on ${ref}`, author_email }],
      branches: [{ name: 'work', head: d, forced: true }],
    })
    expect(report).toMatchObject({ vanished: 1 })
    expect(await board.commit(b)).toMatchObject({ state: 'open', rewritten_as: d, branches: [] })
    expect(await board.commit(c)).toMatchObject({ state: 'vanished', links: [{ id }] })
    expect(await board.commit(d)).toMatchObject({ state: 'open', branches: ['work'], links: [{ id }] })
  })

  test('a branch that was merged stays so when it is gone, and is gone once', async () => {
    const board = await Board.start()
    const { ref } = await board.card()
    const commits = [
      { sha: a, parents: [], branch: 'main' },
      { sha: b, subject: ref, parents: [a], branch: 'work' },
    ]
    await board.record({ commits, branches: [{ name: 'main', head: a, is_default: true }] })
    const all = { branches: [{ name: 'main', head: b, is_default: true }], complete: true }
    expect(await board.record(all)).toMatchObject({ updated: 2 })
    expect((await board.list({ kind: 'branch', unlinked: true, branch: 'work' }))[0]).toMatchObject({ state: 'merged' })
    const log = () => world.ok('list_board_events', { board_id: board.board_id, limit: 200 })
    const { events } = await log()
    const unchanged = { created: 0, updated: 0, unchanged: 1, linked: 0, vanished: 0, problems: [] }
    expect(await board.record(all)).toEqual(unchanged)
    expect(await board.record({ branches: [{ name: 'work', deleted: true }] })).toEqual(unchanged)
    expect((await log()).events).toHaveLength(events.length)
  })

  test('a rewritten commit hands its links over', async () => {
    const board = await Board.start()
    const { id, ref } = await board.card()
    await board.record({ commits: [{ sha: a, subject: `Fix ${ref}` }] })
    await board.record({ commits: [{ sha: b, subject: 'Fix' }], rewritten: [{ old: a, new: b }] })
    expect(linksOf(await board.commit(b))).toEqual([['inherited', id]])
    expect((await board.commit(a)).rewritten_as).toBe(b)
  })

  test('other boards, code and a number of nothing link nothing', async () => {
    const [board, other] = [await Board.start(), await Board.start()]
    const { ref } = await board.card()
    const foreign = await other.card()
    await board.record({ commits: [{ sha: a, subject: `\`${ref}\` ${foreign.ref} ${ref}9999` }] })
    expect((await board.commit(a)).links).toEqual([])
  })

  test('only commits below path_prefix are linked', async () => {
    const board = await Board.start({ path_prefix: 'apps/web' })
    const { id, ref } = await board.card()
    await board.record({
      commits: [
        { sha: a, subject: ref, paths: ['apps/webx/a.ts'] },
        { sha: b, subject: ref, paths: ['apps/web/a.ts'] },
        { sha: c, subject: ref, paths: Array.from({ length: 101 }, (_, number) => `apps/api/${number}.ts`) },
      ],
    })
    expect(linksOf(await board.commit(a))).toEqual([])
    expect(linksOf(await board.commit(b))).toEqual([['message', id]])
    expect(linksOf(await board.commit(c))).toEqual([])
    const name = ref.toLowerCase()
    await board.record({
      commits: [
        { sha: d, subject: 'Elsewhere', paths: ['apps/api/a.ts'], branch: name },
        { sha: e, subject: 'Here', paths: ['apps/web/a.ts'], branch: name },
      ],
      branches: [{ name, head: e }],
    })
    expect(linksOf(await board.commit(d))).toEqual([])
    expect(linksOf(await board.commit(e))).toEqual([['inherited', id]])
  })

  test('a sha in capitals is 422, and a repository of another board 400', async () => {
    const [board, other] = [await Board.start(), await Board.start()]
    const { board_id, repository_id } = board
    const wrong = await world.call('record_changes', { board_id, repository_id, commits: [{ sha: sha('A') }] })
    expect(wrong.status).toBe(422)
    const foreign = await world.call('record_changes', { board_id, repository_id: other.repository_id })
    expect([foreign.status, foreign.body.detail.field]).toEqual([400, 'repository_id'])
    expect((await world.call('record_changes', { board_id, repository_id: 'SHOP' })).status).toBe(200)
  })

  test('changes without a repository are of the only one, and refused on a board with none or several', async () => {
    const { board_id } = await Board.start()
    const changes = { board_id, commits: [{ sha: a }] }
    expect(await world.ok('record_changes', changes)).toMatchObject({ created: 1 })
    expect(await world.ok('list_changes', { board_id, sha: a })).toMatchObject([{ repository: 'shop' }])
    await world.ok('create_repository', { board_id, url: 'https://github.com/acme/till' })
    const empty = await Scene.on(world)
    for (const board of [board_id, empty.boardId]) {
      const { status, body } = await world.call('record_changes', { ...changes, board_id: board })
      expect([status, body.detail.field]).toEqual([400, 'repository_id'])
    }
  })
})

describe('links by hand (git 4)', () => {
  test('an undone link stays undone until it is brought back', async () => {
    const board = await Board.start()
    const { id: entity_id, ref } = await board.card()
    await board.record({ commits: [{ sha: a, subject: `Fix ${ref}` }] })
    const { id: change_id } = await board.commit(a)
    const pair = { change_id, entity_type: 'card', entity_id }
    expect((await world.ok('unlink_change', pair)).links).toEqual([])
    expect((await world.ok('unlink_change', pair)).links).toEqual([])
    await board.record({ commits: [{ sha: a, subject: `Fix ${ref}`, additions: 1 }] })
    expect((await board.commit(a)).links).toEqual([])
    expect(linksOf(await world.ok('link_change', pair))).toEqual([['message', entity_id]])
    const spec_id = await board.scene.spec()
    const linked = await world.ok('link_change', { change_id, entity_type: 'spec', entity_id: spec_id })
    expect(linksOf(linked)).toContainEqual(['manual', spec_id])
  })

  test('what is missing, of another board, of no kind or archived is refused', async () => {
    const [board, other] = [await Board.start(), await Board.start()]
    await board.record({ commits: [{ sha: a, subject: 'x' }] })
    const { id: change_id } = await board.commit(a)
    const link = async (entity_type: string, entity_id: string, change = change_id) =>
      (await world.call('link_change', { change_id: change, entity_type, entity_id })).status
    expect(await link('card', (await other.card()).id)).toBe(404)
    expect(await link('card', 'none')).toBe(404)
    expect(await link('card', (await board.card()).id, 'none')).toBe(404)
    expect(await link('comment', 'none')).toBe(400)
    const spec_id = await board.scene.spec()
    await world.ok('archive_record', { board_id: board.board_id, entity_type: 'spec', entity_id: spec_id })
    expect(await link('spec', spec_id)).toBe(409)
  })

  test('a deleted record takes its links along', async () => {
    const board = await Board.start()
    const { id: card_id, ref } = await board.card()
    await board.record({ commits: [{ sha: a, subject: `Fix ${ref}` }] })
    await world.ok('delete_card', { card_id })
    expect(await board.list({})).toEqual([])
    expect(await board.list({ unlinked: true })).toMatchObject([{ sha: a, links: [] }])
  })
})

test('list_changes filters, newest first (git 3)', async () => {
  const board = await Board.start()
  const { ref } = await board.card()
  await board.record({
    commits: [
      { sha: a, subject: `One ${ref}`, committed_at: '2026-03-01T10:00:00Z', author_email: 'ada@example.com' },
      { sha: b, subject: `Two ${ref}`, committed_at: '2026-03-02T10:00:00+02:00', branch: 'main' },
      { sha: c, subject: 'Three' },
    ],
  })
  const shas = async (query: Readonly<Record<string, unknown>>) => (await board.list(query)).map(each => each.sha)
  expect(await shas({})).toEqual([b, a])
  expect(await shas({ since: '2026-03-02' })).toEqual([b])
  expect(await shas({ state: 'merged' })).toEqual([b])
  expect(await shas({ branch: 'main' })).toEqual([b])
  expect(await shas({ kind: 'branch,pull_request' })).toEqual([])
  expect(await shas({ sha: 'ccccccc' })).toEqual([c])
  expect(await shas({ author: 'ADA@example.com' })).toEqual([a])
  expect(await shas({ author: 'unknown' })).toEqual([b, a])
  expect(await shas({ unlinked: true, kind: 'commit' })).toEqual([c])
  const page = await world.call('list_changes', { board_id: board.board_id, limit: 1 })
  expect(page.headers.get('x-total-count')).toBe('2')
  expect((await world.call('list_changes', { board_id: board.board_id, sha: 'abc' })).status).toBe(422)
})

test('authors are agents where it is set, or where name or address says so (git 8)', async () => {
  const board = await Board.start()
  const { board_id } = board
  const stranger = await world.agent()
  await board.record({
    commits: [
      { sha: a, subject: 'x', author_email: 'Ada@example.com', author_name: 'Ada' },
      { sha: b, subject: 'x', author_email: `${world.owner.id}@specboard` },
    ],
  })
  const authors = await world.ok('list_authors', { board_id })
  expect(authors).toContainEqual(expect.objectContaining({ email: 'ada@example.com', source: 'none', commits: 1 }))
  expect(authors).toContainEqual(expect.objectContaining({ agent_id: world.owner.id, source: 'agent' }))
  const set = (agent_id: string) => ({ board_id, authors: [{ email: 'ADA@example.com', agent_id }] })
  expect((await world.call('put_authors', set(stranger.id))).status).toBe(400)
  expect(await world.ok('put_authors', set(world.owner.id))).toContainEqual(
    expect.objectContaining({ email: 'ada@example.com', agent_id: world.owner.id, source: 'set' }),
  )
  expect((await board.list({ unlinked: true, author: world.owner.id })).map(each => each.sha).toSorted()).toEqual([
    a,
    b,
  ])
})

test('an author who is another agent in one repository is listed and found there by itself (git 8)', async () => {
  const board = await Board.start()
  const { board_id } = board
  const ada = await world.agent()
  await world.ok('grant_board_access', { agent_id: ada.id, board_id })
  const { id: other } = await world.ok('create_repository', { board_id, url: 'https://github.com/acme/other' })
  const signed = { subject: 'x', author_email: 'ada@example.com', author_name: 'Ada' }
  await board.record({ commits: [{ sha: a, committed_at: '2026-03-02T10:00:00Z', ...signed }] })
  await world.ok('record_changes', {
    board_id,
    repository_id: other,
    commits: [{ sha: b, committed_at: '2026-03-01T10:00:00Z', ...signed }],
  })
  const authors = [
    { email: 'ada@example.com', repository_id: other, agent_id: ada.id },
    { login: 'nobody-yet', repository_id: other, agent_id: null },
  ]
  const listed = await world.ok('put_authors', { board_id, authors })
  expect(listed).toEqual([
    expect.objectContaining({ repository_id: null, email: 'ada@example.com', source: 'none', commits: 1 }),
    expect.objectContaining({
      repository_id: other,
      email: 'ada@example.com',
      agent_id: ada.id,
      source: 'set',
      commits: 1,
    }),
    expect.objectContaining({ repository_id: other, login: 'nobody-yet', source: 'set', commits: 0 }),
  ])
  const theirs = await board.list({ unlinked: true, author: ada.id })
  expect(theirs.map(each => each.sha)).toEqual([b])
  // What was read is put back as it is.
  const again = listed.filter(({ source }: { source: string }) => source === 'set')
  expect(await world.ok('put_authors', { board_id, authors: again })).toEqual(listed)
  expect(await world.ok('list_authors', { board_id, limit: 1, offset: 1 })).toEqual([listed[1]])
})

test('a change is found by its words, by its sha and by its number, with the record that it is linked to (git 9)', async () => {
  const scene = await Scene.on(world)
  const { boardId: board_id } = scene
  const repository = await world.ok('create_repository', { board_id, url: 'https://github.com/acme/zoo' })
  const card_id = await scene.smallChange({ title: 'Feed the lions' })
  const { ref } = await world.ok('get_card', { card_id })
  const commits = [
    { sha: `0123abc${'d'.repeat(33)}`, parents: [], subject: `Add the aardvark (${ref})`, branch: 'work' },
    { sha: `fedcba9${'d'.repeat(33)}`, parents: [], subject: 'Add the other aardvark', branch: 'work' },
  ]
  await world.ok('record_changes', { board_id, repository_id: repository.id, commits })
  const search = (fields: object, as = world.owner) => world.ok('search_records', { board_id, ...fields }, { as })
  const change = {
    entity_type: 'change',
    ref: null,
    board_id,
    title: `Add the aardvark (${ref})`,
    status: 'open',
    parent: { entity_type: 'card', id: card_id, ref, title: 'Feed the lions' },
  }
  expect(await search({ q: 'aardvark' })).toMatchObject([change])
  expect(await search({ kind: 'change', status: 'open' })).toMatchObject([change])
  expect(await search({ q: '0123abc' })).toMatchObject([change, { entity_type: 'card', id: card_id }])
  expect(await search({ q: '0123ab' })).toMatchObject([change])
  const reader = await world.agent({ permission_flags: { CHANGES_READ: false } })
  await world.ok('grant_board_access', { board_id, agent_id: reader.id })
  expect(await search({ q: 'aardvark' }, reader)).toEqual([])
  const activity = async (as = world.owner) =>
    (await world.ok('list_card_activity', { card_id }, { as })).map(({ action }: { action: string }) => action)
  expect(await activity()).toContain('change_linked')
  expect(await activity(reader)).toEqual((await activity()).filter((action: string) => action !== 'change_linked'))
  const [{ id: change_id }] = await world.ok('list_changes', { board_id })
  await world.ok('unlink_change', { change_id, entity_type: 'card', entity_id: card_id })
  expect(await search({ q: 'aardvark' })).toEqual([])
})

test('the lineage has changes below the first record that they are linked to (git 9)', async () => {
  const scene = await Scene.on(world)
  const { boardId: board_id } = scene
  const repository = await world.ok('create_repository', { board_id, url: 'https://github.com/acme/tree' })
  const spec_id = await scene.spec('in_progress')
  const [one, other] = [await scene.card({ spec_id }), await scene.card({ spec_id })]
  const refs = await Promise.all([one, other].map(async card_id => (await world.ok('get_card', { card_id })).ref))
  const commits = [{ sha: 'a'.repeat(40), parents: [], subject: refs.join(' '), branch: 'work' }]
  await world.ok('record_changes', { board_id, repository_id: repository.id, commits })
  const [{ id, title }] = await world.ok('list_changes', { board_id, kind: 'commit' })
  const args = { board_id, entity_type: 'spec', entity_id: spec_id }
  const { nodes, edges } = await world.ok('get_lineage_graph', args)
  const node = {
    id: `change:${id}`,
    entity_type: 'change',
    entity_id: id,
    title,
    status: 'open',
    parent_id: `task:${one}`,
  }
  expect(nodes.filter(({ entity_type }: { entity_type: string }) => entity_type === 'change')).toMatchObject([node])
  expect(edges.filter(({ relationship }: { relationship: string }) => relationship === 'changes')).toMatchObject(
    [one, other].map(card => ({ source: `task:${card}`, target: `change:${id}` })),
  )
  const workflow = await world.ok('get_lineage_graph', { ...args, detail: 'workflow' })
  expect(workflow.summary.by_kind.change).toBeUndefined()
})

test('a pipeline that ends late keeps the newer head of a branch, unless it says that the branch was forced', async () => {
  const board = await Board.start()
  const { board_id, repository_id } = board
  const { api_key } = await world.ok('create_agent', { board_ids: [board_id], name: 'Pipeline', kind: 'ci' })
  const as = { id: 'ci', key: api_key, client: world.owner.client }
  const tell = (changes: object) => world.ok('record_changes', { board_id, repository_id, ...changes }, { as })
  const head = async () => {
    const branches = await board.list({ kind: 'branch', unlinked: true })
    return branches.find(({ name }) => name === 'main')?.head
  }
  const commits = [
    { sha: a, subject: 'First', parents: [] },
    { sha: b, subject: 'Second', parents: [a] },
  ]
  await tell({ commits, branches: [{ name: 'main', head: b }] })
  await tell({ commits: commits.slice(0, 1), branches: [{ name: 'main', head: a }] })
  expect(await head()).toBe(b)
  await tell({ branches: [{ name: 'main', head: a, forced: true }] })
  expect(await head()).toBe(a)
})
