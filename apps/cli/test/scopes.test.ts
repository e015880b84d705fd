import { writeWithoutLock } from '@specboard/domain'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Scene } from './support/scene.ts'
import { type TestAgent, World } from './support/world.ts'

let world: World
let scene: Scene
/** Agents that may do everything on the board but change it. */
let ada: TestAgent
let ben: TestAgent

const joining = async (on = scene) => {
  const agent = await world.agent({ permission_flags: { BOARDS_UPDATE: false } })
  await on.admit(agent)
  return agent
}

beforeAll(async () => {
  world = await World.start()
  scene = await Scene.on(world)
  ada = await joining()
  ben = await joining()
})

afterAll(() => world.stop())

const scoped = async (paths: readonly string[], on = scene) => on.card({ spec_id: await on.specWithScenarios(), paths })
const update = (card_id: string, fields: object) => world.call('update_card', { card_id, ...fields })
const pathsOf = async (card_id: string) => (await world.ok('get_card', { card_id })).paths

describe('the scope of a card (harness 4.1)', () => {
  test('is stored as sent, without repeats and ./, and is in lists', async () => {
    const card_id = await scoped(['./src/a/**', 'docs', 'docs'])
    expect(await pathsOf(card_id)).toEqual(['src/a/**', 'docs'])
    const [listed] = await world.ok('list_cards', { board_id: scene.boardId, ids: card_id })
    const ready = await world.ok('list_ready_cards', { board_id: scene.boardId })
    expect([listed.paths, ready.find(({ id }: { id: string }) => id === card_id).paths]).toEqual([
      ['src/a/**', 'docs'],
      ['src/a/**', 'docs'],
    ])
    expect((await update(card_id, { paths: null })).body.paths).toEqual([])
    expect(await pathsOf(await scene.card({ spec_id: await scene.specWithScenarios() }))).toEqual([])
  })

  test('add_paths and remove_paths change it, and raise the rev', async () => {
    const card_id = await scoped(['a', 'b'])
    const { rev } = await world.ok('get_card', { card_id })
    const { body } = await update(card_id, { add_paths: ['c', 'a'], remove_paths: ['b', 'unknown'] })
    expect([body.paths, body.rev]).toEqual([['a', 'c'], rev + 1])
    const [entry] = await world.ok('list_card_activity', { card_id })
    expect([entry.action, entry.details.fields]).toEqual(['card_updated', ['paths']])
    const many = Array.from({ length: 50 }, (_, index) => `p${index}`)
    const { status, body: refused } = await update(card_id, { add_paths: many })
    expect([status, refused.detail.error, refused.detail.field]).toEqual([400, 'VALIDATION_ERROR', 'add_paths'])
    expect((await update(card_id, { paths: ['a'], add_paths: ['b'] })).status).toBe(422)
    expect((await update(card_id, { paths: [...many, 'more'] })).status).toBe(422)
  })

  test.each(['', '/src', 'C:/src', 'a/../b', 'src\\app', 'a**', 'src/[ab', 'src/{a,b', 'a\u0001', '!src', '{a,{b}}'])(
    '%j is no pattern',
    async pattern => {
      const card_id = await scoped(['a'])
      const { status, body } = await update(card_id, { paths: ['ok', pattern] })
      expect([status, body.detail[0].loc, body.detail[0].type]).toEqual([422, ['body', 'paths', 1], 'pattern'])
    },
  )

  test('cards are found by a file and by a pattern', async () => {
    const own = await Scene.on(world)
    const a = await scoped(['src/a/**'], own)
    const b = await scoped(['src/b/*.ts', 'docs'], own)
    const board_id = own.boardId
    const found = async (path: string, more: object = {}) =>
      (await world.ok('list_cards', { board_id, path, ...more })).map(({ id }: { id: string }) => id).toSorted()
    expect(await found('src/a/x.ts')).toEqual([a])
    expect(await found('SRC/a/x.ts')).toEqual([])
    expect(await found('src/*/x.ts')).toEqual([a, b].toSorted())
    expect(await found('docs/')).toEqual([b])
    expect(await found('src/a/x.ts', { ids: b })).toEqual([])
    const searched = await world.ok('search_records', { board_id, path: 'docs/guide.md' })
    expect(searched.map(({ id, entity_type }: { id: string; entity_type: string }) => [entity_type, id])).toEqual([
      ['card', b],
    ])
    const { status, body } = await world.call('list_cards', { board_id, path: '/src' })
    expect([status, body.detail[0].type, body.detail[0].loc]).toEqual([422, 'pattern', ['query', 'path']])
  })
})

describe('paths without a card (harness 5.7)', () => {
  const reserve = (as: TestAgent, fields: object, on = scene) =>
    world.call('reserve_paths', { board_id: on.boardId, ...fields }, { as })

  test('are reserved, renewed by the same agent and session, and listed until they end', async () => {
    const own = await Scene.on(world)
    await own.admit(ada)
    const first = await reserve(ada, { paths: ['src/x/**', 'b'], note: 'Renaming' }, own)
    expect(first).toMatchObject({
      status: 201,
      body: { board_id: own.boardId, paths: ['src/x/**', 'b'], note: 'Renaming', agent_id: ada.id, session: null },
    })
    const again = await reserve(ada, { paths: ['b', 'src/x/**'], lease_seconds: 3_600 }, own)
    expect([again.status, again.body.id, again.body.note]).toEqual([200, first.body.id, 'Renaming'])
    expect(again.body.expires_at > first.body.expires_at).toBe(true)
    const other = await reserve(ada, { paths: ['b', 'src/x/**'], session: 's1' }, own)
    expect([other.status, other.body.session]).toEqual([201, { id: 's1', client: null, name: null }])
    const listed = async () =>
      (await world.ok('list_reservations', { board_id: own.boardId })).map(({ id }: { id: string }) => id)
    expect(await listed()).toEqual([other.body.id, first.body.id])
    await writeWithoutLock(world, db =>
      db
        .updateTable('path_reservations')
        .set({ expires_at: '2020-01-01T00:00:00.000Z' })
        .where('id', '=', other.body.id)
        .execute(),
    )
    expect(await listed()).toEqual([first.body.id])
    const release = (reservation_id: string, as = ada) => world.call('release_paths', { reservation_id }, { as })
    expect((await release(other.body.id)).status).toBe(404)
    expect((await release(first.body.id)).status).toBe(204)
    expect((await release(first.body.id)).status).toBe(404)
    const events = (await world.ok('list_board_events', { board_id: own.boardId, limit: 100 })).events
    expect(
      events.map(({ action }: { action: string }) => action).filter((action: string) => action.startsWith('paths_')),
    ).toEqual(['paths_reserved', 'paths_reserved', 'paths_released'])
  })

  test('release_paths asks for CARDS_CLAIM, and for BOARDS_UPDATE on that of another', async () => {
    const { body } = await reserve(ada, { paths: ['src/mine'] })
    const release = (as?: TestAgent) => world.call('release_paths', { reservation_id: body.id }, as && { as })
    expect(await release(ben)).toMatchObject({ status: 403, body: { detail: { missing: ['BOARDS_UPDATE'] } } })
    expect((await release()).status).toBe(204)
  })

  test('an agent has at most 20 live ones', async () => {
    const agent = await joining()
    for (let index = 0; index < 20; index++) expect((await reserve(agent, { paths: [`p${index}`] })).status).toBe(201)
    const { status, body } = await reserve(agent, { paths: ['more'] })
    expect([status, body.detail]).toMatchObject([409, { error: 'LIMIT_REACHED', limit: 20, what: 'reservations' }])
    expect((await reserve(agent, { paths: ['p3'] })).status).toBe(200)
  })

  test('end when their agent no longer sees the board', async () => {
    const own = await Scene.on(world)
    const agent = await joining(own)
    await reserve(agent, { paths: ['a'] }, own)
    const [share] = await world.ok('list_board_shares', { board_id: own.boardId })
    await world.ok('delete_board_share', { board_id: own.boardId, share_id: share.id })
    expect(await world.ok('list_reservations', { board_id: own.boardId })).toEqual([])
  })
})

test('check_paths says who works on files, and what is outside of ones own scopes (harness 5.6)', async () => {
  const own = await Scene.on(world)
  for (const agent of [ada, ben]) await own.admit(agent)
  const board_id = own.boardId
  const check = (as: TestAgent, fields: object = {}) =>
    world.ok('check_paths', { board_id, paths: ['src/a/x.ts', 'src/b.ts', 'README.md'], ...fields }, { as })
  expect(await check(ada)).toEqual({ paths: [], outside: [] })
  const card_id = await scoped(['src/a/**'], own)
  const { ref } = await world.ok('get_card', { card_id })
  const claim = await world.ok('claim_card', { card_id }, { as: ada })
  const { body: lease } = await world.call('reserve_paths', { board_id, paths: ['src'], session: 's1' }, { as: ben })
  const card = { kind: 'card', ref, agent_name: expect.any(String), until: claim.expires_at }
  const reservation = { kind: 'reservation', ref: null, agent_name: expect.any(String), until: lease.expires_at }
  const expected = (mine: boolean) => [
    {
      path: 'src/a/x.ts',
      claims: [
        { ...card, mine },
        { ...reservation, mine: !mine },
      ],
    },
    { path: 'src/b.ts', claims: [{ ...reservation, mine: !mine }] },
  ]
  expect(await check(ada)).toEqual({ paths: expected(true), outside: ['src/b.ts', 'README.md'] })
  expect(await check(ben)).toEqual({ paths: expected(false), outside: [] })
  expect((await check(ben, { session: 's2' })).paths[1].claims[0].mine).toBe(false)
  await world.ok('release_claim', { card_id }, { as: ada })
  expect((await check(ada)).paths.map(({ path }: { path: string }) => path)).toEqual(['src/a/x.ts', 'src/b.ts'])
})

test('list_overlaps tells of a card that nobody holds what a claim would meet (harness 5.3)', async () => {
  const own = await Scene.on(world)
  for (const agent of [ada, ben]) await own.admit(agent)
  const [claimed, free] = [await scoped(['src/**'], own), await scoped(['src/x.ts'], own)]
  const { card_ref } = await world.ok('claim_card', { card_id: claimed }, { as: ada })
  const list = (card_id: string) => world.ok('list_overlaps', { board_id: own.boardId, card_id }, { as: ben })
  expect(await list(free)).toMatchObject([{ b: { ref: card_ref, mine: ['src/x.ts'], theirs: ['src/**'] } }])
  expect((await world.ok('get_card', { card_id: free }, { as: ben })).overlaps).toMatchObject([{ ref: card_ref }])
  expect(await list(claimed)).toEqual([])
})

describe('repositories of a board (harness 4.2)', () => {
  const onShop = async () => {
    const own = await Scene.on(world)
    for (const agent of [ada, ben]) await own.admit(agent)
    const create = (name: string) =>
      world.ok('create_repository', { board_id: own.boardId, url: `https://github.com/acme/${name}` })
    return { own, board_id: own.boardId, shop: await create('shop'), app: await create('App') }
  }

  test('bind patterns by name, and check_paths asks for one', async () => {
    const { own, board_id, shop, app } = await onShop()
    const card_id = await scoped(['shop:src', 'docs'], own)
    await world.ok('claim_card', { card_id }, { as: ada })
    const paths = ['src/a.ts', 'docs/a.md']
    const found = async (fields: object) =>
      (await world.ok('check_paths', { board_id, paths, ...fields }, { as: ben })).paths.map(
        ({ path }: { path: string }) => path,
      )
    expect(await found({})).toEqual(paths)
    expect(await found({ repository_id: shop.id })).toEqual(paths)
    expect(await found({ repository_id: 'SHOP' })).toEqual(paths)
    expect(await found({ repository_id: app.id })).toEqual(['docs/a.md'])
    const { status, body } = await world.call('check_paths', { board_id, paths, repository_id: 'none' }, { as: ben })
    expect([status, body.detail.field]).toEqual([400, 'repository_id'])
    const listed = async (path: string) =>
      (await world.ok('list_cards', { board_id, path })).map(({ id }: { id: string }) => id)
    expect(await listed('Shop:src/a.ts')).toEqual([card_id])
    expect(await listed('app:src/a.ts')).toEqual([])
  })

  test('bind a reservation, which then meets no paths of another', async () => {
    const { own, board_id, shop, app } = await onShop()
    const reserve = (repository_id: string | null) =>
      world.call('reserve_paths', { board_id, paths: ['src'], repository_id }, { as: ben })
    const answer = await reserve('shop')
    expect([answer.status, answer.body.repository_id]).toEqual([201, shop.id])
    expect((await reserve(shop.id)).status).toBe(200)
    const other = await reserve(app.id)
    expect(other.status).toBe(201)
    await world.ok('release_paths', { reservation_id: other.body.id }, { as: ben })
    const card_id = await scoped(['app:src/**'], own)
    const apart = await world.ok('claim_card', { card_id }, { as: ada })
    expect(apart.overlaps).toEqual([])
    const claim = await world.ok('claim_card', { card_id: await scoped(['shop:src/x.ts'], own) }, { as: ada })
    expect(claim.overlaps).toMatchObject([{ kind: 'reservation', mine: ['shop:src/x.ts'], theirs: ['src'] }])
  })

  test('of an edit tell whether somebody works on it there', async () => {
    const { own, board_id, shop } = await onShop()
    await world.ok('claim_card', { card_id: await scoped(['shop:src'], own) }, { as: ada })
    const edit = async (session: string, repository: string) =>
      (
        await world.ok(
          'report_hook',
          { event: 'before_edit', session, board_id, paths: ['src/a.ts'], repository },
          { as: ben },
        )
      ).context
    expect(await edit('e1', shop.url)).toContain('src/a.ts is in the scope of')
    expect(await edit('e2', 'git@github.com:acme/app.git')).not.toContain('src/a.ts')
  })
})

test('commits outside of a scope stand on the card, and are told once (harness 4.4)', async () => {
  const own = await Scene.on(world)
  const board_id = own.boardId
  const { id: repository_id } = await world.ok('create_repository', { board_id, url: 'https://github.com/acme/drift' })
  const card_id = await scoped(['src/a/**'], own)
  const { ref, scope_drift } = await world.ok('get_card', { card_id })
  expect(scope_drift).toBeNull()
  const record = (digit: string, paths: readonly string[] | undefined) =>
    world.ok('record_changes', {
      board_id,
      repository_id,
      commits: [{ sha: digit.repeat(40), parents: [], subject: `Work on ${ref}`, ...(paths && { paths }) }],
    })
  const drift = async () => (await world.ok('get_card', { card_id })).scope_drift
  const driftEvents = async (as = world.owner) =>
    (await world.ok('list_board_events', { board_id, limit: 500 }, { as })).events.filter(
      ({ action }: { action: string }) => action === 'scope_left',
    )
  await record('a', undefined)
  expect(await drift()).toBeNull()
  await record('b', ['src/a/x.ts'])
  expect([await drift(), await driftEvents()]).toEqual([{ outside: [], outside_total: 0, commits: [] }, []])
  await record('c', ['src/a/y.ts', 'docs/z.md'])
  const expected = { outside: ['docs/z.md'], outside_total: 1, commits: ['c'.repeat(40)] }
  expect([await drift(), (await driftEvents()).map(({ details }: { details: object }) => details)]).toEqual([
    expected,
    [expected],
  ])
  await record('d', ['lib/q.ts'])
  expect([(await drift()).outside_total, (await driftEvents()).length]).toEqual([2, 1])
  await update(card_id, { paths: ['docs', 'src', 'lib'] })
  expect(await drift()).toEqual({ outside: [], outside_total: 0, commits: [] })
  await update(card_id, { paths: [] })
  expect(await drift()).toBeNull()
  const blind = await world.agent({ permission_flags: { CHANGES_READ: false } })
  await own.admit(blind)
  await update(card_id, { paths: ['nowhere'] })
  expect([(await drift()).outside_total, await driftEvents(blind)]).toEqual([4, []])
  expect((await world.ok('get_card', { card_id }, { as: blind })).scope_drift).toBeNull()
})

test('a scope goes with its card through an archive (harness 4.1)', async () => {
  const own = await Scene.on(world)
  await scoped(['src/{a,b}/**'], own)
  const { board_id } = await world.ok('import_board', { file: await world.archive(own.boardId), keep_ids: false })
  const cards = await world.ok('list_cards', { board_id })
  expect(cards.map(({ paths }: { paths: string[] }) => paths)).toEqual([['src/{a,b}/**']])
})

describe('overlaps (harness 5)', () => {
  const on = async () => {
    const own = await Scene.on(world)
    for (const agent of [ada, ben]) await own.admit(agent)
    return own
  }
  const inboxOf = async (as: TestAgent, own: Scene) =>
    (await world.ok('list_my_inbox', { board_id: own.boardId, kind: 'overlap' }, { as })).items
  const eventsOf = async (own: Scene) =>
    (await world.ok('list_board_events', { board_id: own.boardId, limit: 500 })).events
      .filter(({ action }: { action: string | null }) => action?.startsWith('overlap_'))
      .map(({ action, details }: { action: string; details: { example: string } }) => [action, details.example])

  test('are told to both sides from the second claim to the end of one', async () => {
    const own = await on()
    const board_id = own.boardId
    const first = await scoped(['src/a/**', 'docs'], own)
    const second = await scoped(['SRC/a/x.ts', 'lib'], own)
    const { ref } = await world.ok('get_card', { card_id: first })
    const { ref: otherRef } = await world.ok('get_card', { card_id: second })
    expect((await world.ok('claim_card', { card_id: first }, { as: ada })).overlaps).toEqual([])
    const before = await world.ok('get_card', { card_id: second }, { as: ben })
    const overlap = { kind: 'card', ref, agent_id: ada.id, mine: ['SRC/a/x.ts'], theirs: ['src/a/**'], stage: 'work' }
    expect(before.overlaps).toMatchObject([{ ...overlap, example: 'SRC/a/x.ts' }])
    const ready = await world.ok('list_ready_cards', { board_id }, { as: ben })
    expect(ready.find(({ id }: { id: string }) => id === second).overlaps).toMatchObject({ count: 1, first: overlap })
    expect(await world.ok('list_overlaps', { board_id })).toEqual([])
    const plan = await world.ok('list_overlaps', { board_id, paths: ['src/a/{x,y}.ts', 'none'] }, { as: ben })
    expect(plan).toMatchObject([{ b: { ref, mine: ['src/a/{x,y}.ts'] } }])
    const { body: claim } = await world.call('claim_card', { card_id: second }, { as: ben })
    expect(claim.overlaps).toMatchObject([overlap])
    const claims = await world.ok('list_claims', { board_id })
    expect(claims.map(({ overlaps }: { overlaps: object[] }) => overlaps.length)).toEqual([1, 1])
    const [pair, ...others] = await world.ok('list_overlaps', { board_id, card_id: second })
    expect([pair.a.ref, pair.b.ref, others]).toEqual([ref, otherRef, []])
    const [heldCard] = (await world.ok('list_my_inbox', { board_id }, { as: ada })).holding
    expect(heldCard.overlaps).toMatchObject([{ ref: otherRef, agent_id: ben.id }])
    const [item] = await inboxOf(ada, own)
    expect(item).toMatchObject({
      kind: 'overlap',
      record: { entity_type: 'card', id: second },
      data: { ref: otherRef, agent_id: ben.id, mine: ['src/a/**'] },
      operation: 'ask_question',
      arguments: { record: otherRef },
    })
    expect((await inboxOf(ben, own))[0].data).toMatchObject(overlap)
    await world.ok('get_card', { card_id: second }, { as: ada })
    expect(await inboxOf(ada, own)).toHaveLength(1)
    expect((await world.ok('dismiss_inbox_items', { ids: [item.id] }, { as: ada })).dismissed).toEqual([item.id])
    expect([(await inboxOf(ada, own)).length, (await inboxOf(ben, own)).length]).toEqual([0, 1])
    await world.ok('update_card', { card_id: second, paths: ['lib'] })
    expect(await inboxOf(ben, own)).toEqual([])
    await world.ok('update_card', { card_id: second, add_paths: ['docs/a.md'] })
    await world.ok('release_claim', { card_id: first }, { as: ada })
    expect(await eventsOf(own)).toEqual([
      ['overlap_began', 'SRC/a/x.ts'],
      ['overlap_ended', 'SRC/a/x.ts'],
      ['overlap_began', 'docs/a.md'],
      ['overlap_ended', 'docs/a.md'],
    ])
  })

  test.each<[string, (agent: TestAgent, own: Scene) => Promise<unknown>]>([
    ['is switched off', ({ id }) => world.ok('update_agent', { agent_id: id, is_active: false })],
    ['is deleted', ({ id }) => world.ok('delete_agent', { agent_id: id })],
    [
      'loses the board',
      async ({ id }, { boardId: board_id }) => {
        const shares: { id: string; user_id: string }[] = await world.ok('list_board_shares', { board_id })
        const share_id = shares.find(({ user_id }) => user_id === id)!.id
        return world.ok('delete_board_share', { board_id, share_id })
      },
    ],
  ])('end with the work of an agent that %s', async (_, leave) => {
    const own = await on()
    const agent = await joining(own)
    const card_id = await scoped(['src/**'], own)
    await world.ok('claim_card', { card_id }, { as: agent })
    const reserve = (path: string, as: TestAgent) =>
      world.ok('reserve_paths', { board_id: own.boardId, paths: [path] }, { as })
    await reserve('docs/**', agent)
    await reserve('src/a.ts', ada)
    await reserve('docs/a.md', ada)
    await leave(agent, own)
    expect(await eventsOf(own)).toEqual([
      ['overlap_began', 'src/a.ts'],
      ['overlap_began', 'docs/a.md'],
      ['overlap_ended', 'src/a.ts'],
      ['overlap_ended', 'docs/a.md'],
    ])
  })

  test('reservations overlap too, shared paths do not, and off compares nothing', async () => {
    const own = await on()
    const board_id = own.boardId
    const card_id = await scoped(['CHANGELOG.md', 'pnpm-lock.yaml', 'src/*'], own)
    await world.ok('claim_card', { card_id }, { as: ada })
    const reserve = (paths: string[]) => world.ok('reserve_paths', { board_id, paths }, { as: ben })
    expect((await reserve(['CHANGELOG.md', 'pnpm-lock.yaml'])).overlaps).toEqual([])
    const { overlaps } = await reserve(['src/b.ts'])
    expect(overlaps).toMatchObject([{ kind: 'card', mine: ['src/b.ts'], theirs: ['src/*'] }])
    const settings = (fields: object) => world.ok('update_board', { board_id, settings: fields })
    await settings({ shared_paths: ['src'] })
    const readOverlaps = async () => (await world.ok('get_card', { card_id })).overlaps
    expect(await readOverlaps()).toMatchObject([{ kind: 'reservation', mine: ['CHANGELOG.md', 'pnpm-lock.yaml'] }])
    await settings({ overlap: 'off' })
    expect(await readOverlaps()).toBe(null)
    expect(await eventsOf(own)).toHaveLength(4)
    const [claim] = await world.ok('list_claims', { board_id })
    expect([claim.overlaps, await inboxOf(ada, own)]).toEqual([null, []])
  })

  test('of two reservations are told to both holders, with the board as their record', async () => {
    const own = await on()
    const board_id = own.boardId
    const first = await world.ok('reserve_paths', { board_id, paths: ['src/**'] }, { as: ada })
    const second = await world.ok('reserve_paths', { board_id, paths: ['src/a.ts'] }, { as: ben })
    for (const [as, other] of [
      [ada, second],
      [ben, first],
    ] as const) {
      const [item, ...others] = await inboxOf(as, own)
      expect(others).toEqual([])
      expect(item).toMatchObject({
        record: { entity_type: 'board', id: board_id },
        data: { kind: 'reservation', reservation_id: other.id, agent_id: other.agent_id, example: 'src/a.ts' },
        operation: 'list_overlaps',
        arguments: { board_id, agent_id: as.id },
      })
      expect(await world.ok(item.operation, item.arguments, { as })).toHaveLength(1)
      expect((await world.ok('dismiss_inbox_items', { ids: [item.id] }, { as })).dismissed).toEqual([item.id])
      expect(await inboxOf(as, own)).toEqual([])
    }
    await world.ok('release_paths', { reservation_id: first.id }, { as: ada })
    await world.ok('reserve_paths', { board_id, paths: ['src'] }, { as: ada })
    expect(await inboxOf(ben, own)).toHaveLength(1)
    await world.ok('release_paths', { reservation_id: second.id }, { as: ben })
    expect(await inboxOf(ada, own)).toEqual([])
  })

  test('claim_next_card takes a card without an overlap first, among those of the same priority', async () => {
    const on = await Scene.on(world)
    const [holder, next] = [await joining(on), await joining(on)]
    await world.ok('claim_card', { card_id: await scoped(['src/held'], on) }, { as: holder })
    const [first, free, critical] = [
      await scoped(['src/held/a'], on),
      await scoped(['src/other'], on),
      await scoped(['src/held/b'], on),
    ]
    const claimNext = async () =>
      (await world.ok('claim_next_card', { board_id: on.boardId, another: true }, { as: next })).card.id
    expect(await claimNext()).toBe(free)
    await world.ok('update_card', { card_id: critical, priority: 'critical' })
    expect([await claimNext(), await claimNext()]).toEqual([critical, first])
  })

  test('nothing of one agent overlaps unless in sessions of its own', async () => {
    const own = await on()
    const reserve = (session: string | null) =>
      world.ok('reserve_paths', { board_id: own.boardId, paths: ['a'], session }, { as: ada })
    await reserve(null)
    expect((await reserve('one')).overlaps).toEqual([])
    expect((await reserve('two')).overlaps).toHaveLength(1)
  })

  test('a board without scopes shows none', async () => {
    const own = await on()
    const card_id = await own.card({ spec_id: await own.specWithScenarios() })
    const [ready] = await world.ok('list_ready_cards', { board_id: own.boardId })
    const { paths, overlaps } = await world.ok('get_card', { card_id })
    expect([ready.overlaps, paths, overlaps]).toEqual([null, [], []])
  })
})
