import { operationByName, parseInput } from '@specboard/contract'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { GraphWorld } from '../../../test/graph-world.ts'
import { insertRow } from '../../schema/rows.ts'
import { removeOldDeliveries } from './forge/delivery-store.ts'
import { shortenCommits } from './retention.ts'

let world: GraphWorld
let repository_id: string

beforeEach(async () => {
  world = await GraphWorld.start()
  const { boardId: board_id } = world
  repository_id = (await world.ok('create_repository', { board_id, url: 'https://github.com/acme/shop' })).id
})

afterEach(() => world.stop())

const dayMs = 86_400_000

const sha = (digit: string) => digit.repeat(40)

const commit = (digit: string, parent: string | null, more: Readonly<Record<string, unknown>> = {}) => ({
  sha: sha(digit),
  parents: parent === null ? [] : [sha(parent)],
  subject: `Work ${digit}`,
  body: 'Co-authored-by: Eve <eve@example.org>',
  author_name: 'Ada',
  author_email: 'ada@example.org',
  tree: sha('e'),
  patch_id: sha('f'),
  paths: ['src/shop.ts'],
  files_changed: 1,
  additions: 2,
  deletions: 3,
  branch: 'main',
  ...more,
})

const record = (fields: Readonly<Record<string, unknown>>) =>
  world.ok('record_changes', { board_id: world.boardId, repository_id, ...fields })

const list = (query: Readonly<Record<string, unknown>>) =>
  world.ok('list_changes', { board_id: world.boardId, ...query })

const shorten = () => shortenCommits(world.opened.service.database, world.now)

async function refusal(name: 'get_change' | 'link_change', params: Readonly<Record<string, unknown>>) {
  const operation = operationByName.get(name)!
  const parsed = parseInput(operation, { params, query: {}, body: undefined })
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.items))
  const { service } = world.opened
  const caller = await service.authenticate(world.ownerKey)
  return service.perform({ operation, input: parsed.input, caller }).then(
    () => 'none',
    ({ code }) => code,
  )
}

test('a commit without a link is kept for its order alone after 180 days (git 3, rule 6)', async () => {
  const card = await world.ok('create_card', { board_id: world.boardId, title: 'Card' })
  const linked = commit('b', 'a', { patch_id: null, subject: `Work for ${card.ref}` })
  await record({ commits: [commit('a', null), linked] })
  const [old] = await list({ sha: sha('a') })
  world.now += 180 * dayMs
  await shorten()
  expect(await list({ unlinked: true, kind: 'commit' })).toMatchObject([{ sha: sha('a'), title: 'Work a' }])

  world.now += 1
  await shorten()
  expect(await list({ unlinked: true, kind: 'commit' })).toEqual([])
  expect(await list({ sha: sha('a') })).toEqual([])
  expect(await list({})).toMatchObject([{ sha: sha('b'), additions: 2, body: linked.body }])
  expect(await world.ok('list_authors', { board_id: world.boardId })).toMatchObject([{ commits: 1 }])
  expect(await refusal('get_change', { change_id: old.id })).toBe('NOT_FOUND')
  const link = { change_id: old.id, entity_type: 'card', entity_id: card.id }
  expect(await refusal('link_change', link)).toBe('NOT_FOUND')

  const { database } = world.opened.service
  const [row] = await database.read(db => db.selectFrom('changes').selectAll().where('id', '=', old.id).execute())
  expect(row).toMatchObject({ key: sha('a'), title: '', author_name: null, author_email: null, patch_id: sha('f') })
  expect(row).toMatchObject({ files_changed: null, additions: null, deletions: null, state: 'merged' })
  expect(JSON.parse(row!.content)).toEqual({ parents: [], tree: sha('e'), merged_at: expect.any(String) })
})

test('a shortened commit keeps its place, and is known in full once it is told of again (git 3, rule 6)', async () => {
  await record({ commits: [commit('a', null), commit('b', 'a', { branch: 'work' })] })
  world.now += 181 * dayMs
  await shorten()
  await record({ branches: [{ name: 'main', head: sha('b'), is_default: true }] })
  expect(await list({ unlinked: true, kind: 'commit' })).toEqual([])

  const report = { commits: [commit('a', null), commit('b', 'a')] }
  expect(await record(report)).toMatchObject({ created: 0, updated: 2, problems: [] })
  expect(await record(report)).toMatchObject({ updated: 0 })
  expect(await list({ sha: sha('b') })).toMatchObject([
    {
      title: 'Work b',
      state: 'merged',
      author: { email: 'ada@example.org' },
      co_authors: [{ email: 'eve@example.org' }],
      paths: ['src/shop.ts'],
      additions: 2,
    },
  ])
  await shorten()
  expect(await list({ unlinked: true, kind: 'commit' })).toHaveLength(2)
})

test('a commit whose link somebody undid stays as it is (git 4, rule 4)', async () => {
  const card = await world.ok('create_card', { board_id: world.boardId, title: 'Card' })
  await record({ commits: [commit('a', null, { subject: `Work for ${card.ref}` })] })
  const [{ id: change_id }] = await list({})
  const link = { change_id, entity_type: 'card', entity_id: card.id }
  await world.ok('unlink_change', link)
  world.now += 181 * dayMs
  await shorten()
  expect(await world.ok('link_change', link)).toMatchObject({ title: `Work for ${card.ref}`, links: [{ id: card.id }] })
})

test('a commit loses its title only some time after its last link by hand', async () => {
  const card = await world.ok('create_card', { board_id: world.boardId, title: 'Card' })
  await record({ commits: [commit('a', null)] })
  const [{ id: change_id }] = await list({ unlinked: true, kind: 'commit' })
  const link = { change_id, entity_type: 'card', entity_id: card.id }
  await world.ok('link_change', link)
  world.now += 181 * dayMs
  await world.ok('unlink_change', link)
  await shorten()
  expect(await refusal('get_change', { change_id })).toBe('none')
})

test('deliveries go after 30 days, the text of a failed one after 7, and what is queued stays (git 2, rule 7)', async () => {
  const { database } = world.opened.service
  const arrived = (id: string, days: number, status: 'queued' | 'done' | 'failed') =>
    database.write(db =>
      insertRow(db, 'forge_deliveries', {
        id,
        board_id: world.boardId,
        repository_id,
        delivery_id: id,
        event: 'push',
        action: null,
        status,
        reason: null,
        received_at: new Date(world.now - days * dayMs).toISOString(),
        processed_at: null,
        attempts: 0,
        next_attempt_at: null,
        repeats: 0,
        size: 2,
        changes: 0,
        links: 0,
        payload: status === 'done' ? null : '{}',
        seen_by: null,
      }),
    )
  for (let number = 0; number < 250; number++) await arrived(`old ${number}`, 31 + number / 1_000, 'done')
  await arrived('old and queued', 31, 'queued')
  await arrived('done', 29, 'done')
  await arrived('failed long ago', 8, 'failed')
  await arrived('failed', 6, 'failed')

  await removeOldDeliveries(database, world.now)
  const remaining = await database.read(db =>
    db.selectFrom('forge_deliveries').select(['id', 'payload']).orderBy('received_at').execute(),
  )
  expect(remaining).toEqual([
    { id: 'old and queued', payload: '{}' },
    { id: 'done', payload: null },
    { id: 'failed long ago', payload: null },
    { id: 'failed', payload: '{}' },
  ])
})
