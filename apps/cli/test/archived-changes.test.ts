import { afterAll, beforeAll, expect, test } from 'vitest'
import { forgeSecret, mergedRequest, sendEvent, settled } from './support/forge.ts'
import { Scene } from './support/scene.ts'
import { World } from './support/world.ts'
import { linesOf, zipEntries } from './support/zip-entries.ts'

let world: World
/** The service into which archives are imported. */
let other: World

beforeAll(async () => {
  world = await World.start()
  other = await World.start()
})

afterAll(async () => {
  await world.stop()
  await other.stop()
})

const [a, b] = ['a', 'b'].map(digit => digit.repeat(40)) as [string, string]

/** A board with a card whose work is merged, according to its forge, and an author who is set. */
async function merged() {
  const scene = await Scene.on(world)
  const { boardId: board_id } = scene
  await world.ok('update_board', {
    board_id,
    settings: { require_merged_change: true, require_green_checks: true },
  })
  const repository = await world.ok('create_repository', {
    board_id,
    url: 'https://github.com/acme/shop',
    webhook_secret: forgeSecret,
  })
  const card_id = await scene.smallChange()
  await world.ok('move_card', { card_id, target_status: 'started' })
  const { ref } = await world.ok('get_card', { card_id })
  await world.ok('record_changes', {
    board_id,
    repository_id: repository.id,
    commits: [
      { sha: a, parents: [], subject: `Begin ${ref}`, author_email: 'ann@example.com' },
      { sha: b, parents: [a], subject: 'No record' },
    ],
    branches: [{ name: 'main', head: b, is_default: true }],
  })
  for (const [event, payload] of [
    ['pull_request', mergedRequest({ title: ref, base: a, head: b, merge: b })],
    [
      'check_run',
      {
        check_run: {
          name: 'test',
          head_sha: b,
          status: 'completed',
          conclusion: 'success',
          completed_at: '2026-11-20T08:21:00Z',
        },
      },
    ],
  ] as const)
    await sendEvent(world, repository.id, { event, payload })
  await settled(world, repository.id)
  const authors = [{ email: 'ann@example.com', agent_id: world.owner.id }]
  await world.ok('put_authors', { board_id, authors })
  return { board_id, card_id, repository }
}

const gatesOf = async (at: World, card_id: string) => {
  const { moves } = await at.ok('get_allowed_moves', { entity_type: 'card', entity_id: card_id })
  const { gates } = moves.find(({ to }: { to: string }) => to === 'done')
  return Object.fromEntries(
    gates.flatMap(({ gate, state }: Record<string, string>) =>
      gate === 'change' || gate === 'checks' ? [[gate, state]] : [],
    ),
  )
}

const recordsOf = async (file: File) => {
  const lines = linesOf((await zipEntries(file)).get('records.jsonl'))
  return lines.filter(({ type }) => ['repository', 'change', 'change_link', 'author'].includes(type))
}

test('repositories, linked changes, links and authors leave and come back, and open no gate (git 11)', async () => {
  const { board_id, card_id, repository } = await merged()
  expect(await gatesOf(world, card_id)).toEqual({ change: 'passed', checks: 'passed' })
  const file = await world.archive(board_id)
  const text = [...(await zipEntries(file)).values()].map(String).join('')
  expect(text).not.toContain(forgeSecret)
  expect(text).not.toContain('confirmed_by')
  const records = await recordsOf(file)
  expect(records.map(({ type }) => type)).toEqual([
    'repository',
    ...Array.from({ length: records.filter(({ type }) => type === 'change').length }, () => 'change'),
    ...Array.from({ length: records.filter(({ type }) => type === 'change_link').length }, () => 'change_link'),
    'author',
  ])
  // A commit without a record is exported together with its pull request, only to keep the order.
  expect(records.filter(({ type }) => type === 'change').map(({ kind, key }) => [kind, key])).toEqual(
    expect.arrayContaining([
      ['commit', a],
      ['pull_request', '12'],
    ]),
  )

  const imported = await other.call('import_board', { file })
  expect(imported).toMatchObject({ status: 201, body: { skipped: {} } })
  expect(await recordsOf(await other.archive(board_id))).toEqual(records)
  const [mine] = await other.ok('list_repositories', { board_id })
  expect(mine).toMatchObject({ id: repository.id, active: false, forge_id: null, last_delivery_at: null, branches: [] })
  const [change] = (await other.ok('list_changes', { board_id })).filter(
    ({ kind }: { kind: string }) => kind === 'pull_request',
  )
  expect(change).toMatchObject({
    number: 12,
    state: 'merged',
    confirmed_by: null,
    merge_commit: b,
    checks: { state: 'none' },
    links: [{ entity_type: 'card', id: card_id }],
  })
  expect((await other.ok('list_authors', { board_id }))[0]).toMatchObject({ email: 'ann@example.com', source: 'set' })
  expect(await gatesOf(other, card_id)).toEqual({ change: 'blocked', checks: 'blocked' })
  expect(await other.ok('search_records', { board_id, q: 'Begin', kinds: 'change' })).toMatchObject([
    { entity_type: 'change', title: expect.stringContaining('Begin') },
  ])
})

test('a secret is made anew before events count, and what they tell counts then', async () => {
  const { board_id } = await merged()
  const board = await other.ok('import_board', { file: await world.archive(board_id), keep_ids: false })
  const [repository] = await other.ok('list_repositories', { board_id: board.board_id })
  expect(repository).toMatchObject({ active: true })
  const event = { event: 'push', payload: { ref: 'refs/heads/main', before: a, after: b, commits: [] } }
  expect(await sendEvent(other, repository.id, event)).toMatchObject({ http: 401 })
  await other.ok('rotate_repository_secret', { repository_id: repository.id, webhook_secret: forgeSecret })
  expect(await sendEvent(other, repository.id, event)).toMatchObject({ http: 202 })
  await settled(other, repository.id)
  // A sync has to report again where commits are: what the file said about that did not count.
  const report = {
    board_id: board.board_id,
    repository_id: repository.id,
    commits: [{ sha: a, parents: [], subject: 'Begin' }],
    branches: [{ name: 'work', head: a }],
  }
  await other.ok('record_changes', report)
  const commit = async () =>
    (await other.ok('list_changes', { board_id: board.board_id, sha: a })).map(
      ({ state, confirmed_by }: Record<string, string>) => [state, confirmed_by],
    )
  expect(await commit()).toEqual([['open', 'sync']])
  await other.ok('record_changes', { ...report, branches: [{ name: 'main', head: a, is_default: true }] })
  expect(await commit()).toEqual([['merged', 'sync']])
})

test('into a board that stands: what it has stays, and a link of its own changes is none to import', async () => {
  const { board_id, card_id } = await merged()
  const file = await world.archive(board_id)
  expect(await world.ok('import_board', { file, board_id })).toMatchObject({ created: {}, skipped: {} })
  const [change] = await world.ok('list_changes', { board_id, number: 12 })
  const end = { change_id: change.id, entity_type: 'card', entity_id: card_id }
  await world.ok('unlink_change', end)
  expect(await world.ok('import_board', { file, board_id })).toMatchObject({ created: {}, skipped: {} })
  expect((await world.ok('get_change', { change_id: change.id })).links).toEqual([])
  // The same repository under another id.
  expect(await world.ok('import_board', { file, board_id, keep_ids: false })).toMatchObject({
    created: { card: 1 },
    skipped: { repository: 1, change: expect.any(Number), change_link: expect.any(Number) },
  })
})
