import { afterAll, beforeAll, expect, test } from 'vitest'
import { Scene } from './support/scene.ts'
import { World } from './support/world.ts'

let world: World

beforeAll(async () => {
  world = await World.start()
})

afterAll(() => world.stop())

const url = 'https://github.com/acme/shop.git'

test('a repository takes name and forge from its address, and shows its secret once (git 1)', async () => {
  const { boardId: board_id } = await Scene.on(world)
  const { webhook_secret, ...repository } = await world.ok('create_repository', { board_id, url })
  expect(webhook_secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
  expect(repository).toEqual({
    id: expect.any(String),
    board_id,
    name: 'shop',
    url,
    forge: 'github',
    default_branch: 'main',
    path_prefix: null,
    recognise: ['trailer', 'branch', 'message', 'pull_request'],
    required_checks: [],
    require_signature: false,
    ci: null,
    active: true,
    webhook_path: `/hooks/forge/${repository.id}`,
    forge_id: null,
    branches: [],
    synced_at: null,
    last_delivery_at: null,
    refused_count: 0,
    created_by: world.owner.id,
    created_at: expect.any(String),
    updated_at: repository.created_at,
  })
  expect(await world.ok('list_repositories', { board_id })).toEqual([repository])
  expect(await world.ok('get_repository', { repository_id: repository.id })).toEqual(repository)
})

test('a replayed answer has no secret', async () => {
  const { boardId: board_id } = await Scene.on(world)
  const call = () =>
    world.call('create_repository', { board_id, url }, { headers: { 'idempotency-key': `once ${board_id}` } })
  const [first, again] = [await call(), await call()]
  expect(again.body).toEqual({ ...first.body, webhook_secret: null })
})

test.each<[string, Readonly<Record<string, unknown>>, number]>([
  ['a token in url', { url: 'https://ghp_0123456789abcdefghij@github.com/acme/shop' }, 400],
  ['a password in url', { url: 'https://ada:secret@github.com/acme/shop' }, 400],
  ['another scheme', { url: 'http://github.com/acme/shop' }, 400],
  ['a host that tells no forge', { url: 'https://git.example.com/acme/shop' }, 400],
  ['a file of a forge', { url: 'file:///srv/shop.git', forge: 'github' }, 400],
  ['require_signature of another forge', { require_signature: true }, 400],
  ['no url', { url: undefined }, 422],
  ['a path upwards', { path_prefix: 'a/../b' }, 422],
  ['an absolute path', { path_prefix: '/a' }, 422],
  ['a short secret', { webhook_secret: 'x'.repeat(15) }, 422],
  ['an unknown place', { recognise: ['title'] }, 422],
  ['a pattern of nine wildcards', { required_checks: ['* '.repeat(9)] }, 422],
  ['an empty pattern', { required_checks: [''] }, 422],
])('%s is refused, and nothing of it is repeated', async (_, fields, expected) => {
  const { boardId: board_id } = await Scene.on(world)
  const { status, body } = await world.call('create_repository', { board_id, url, ...fields })
  expect(status).toBe(expected)
  expect(JSON.stringify(body)).not.toMatch(/ghp_|secret@/)
})

test('a name is unique on the board with its path_prefix, in any case', async () => {
  const { boardId: board_id } = await Scene.on(world)
  const { id } = await world.ok('create_repository', { board_id, url, path_prefix: 'web' })
  const again = await world.call('create_repository', { board_id, url, name: 'SHOP', path_prefix: 'Web/' })
  expect([again.status, again.body.detail]).toMatchObject([409, { error: 'REPOSITORY_EXISTS', repository_id: id }])
  const other = await world.ok('create_repository', { board_id, url })
  const moved = await world.call('update_repository', { repository_id: other.id, path_prefix: 'web' })
  expect([moved.status, moved.body.detail.repository_id]).toEqual([409, id])
})

test('a board has at most 100', async () => {
  const { boardId: board_id } = await Scene.on(world)
  for (let count = 0; count < 100; count++) await world.ok('create_repository', { board_id, url, name: `r${count}` })
  const { status, body } = await world.call('create_repository', { board_id, url })
  expect([status, body.detail]).toMatchObject([409, { error: 'LIMIT_REACHED', limit: 100, what: 'repositories' }])
})

test('audit and events say who changed which fields, and no secret', async () => {
  const { boardId: board_id } = await Scene.on(world)
  const { id: repository_id } = await world.ok('create_repository', { board_id, url })
  await world.ok('update_repository', { repository_id, default_branch: 'trunk' })
  const { webhook_secret } = await world.ok('rotate_repository_secret', { repository_id, overlap_hours: 0 })
  expect(webhook_secret).toMatch(/^whsec_/)
  await world.ok('delete_repository', { repository_id })
  expect((await world.call('get_repository', { repository_id })).status).toBe(404)
  const entries: { action: string; fields: string[] }[] = await world.ok('list_audit', { target_id: repository_id })
  expect(entries.map(({ action, fields }) => [action, fields])).toEqual([
    ['repository_deleted', []],
    ['repository_secret_rotated', ['webhook_secret']],
    ['repository_updated', ['default_branch']],
    ['repository_created', expect.arrayContaining(['url'])],
  ])
  expect(JSON.stringify(entries)).not.toContain(webhook_secret)
  const { events } = await world.ok('list_board_events', { board_id, limit: 200 })
  const ownEvents = events.filter(({ action }: { action: string }) => action.startsWith('repository_'))
  expect(ownEvents.map(({ action }: { action: string }) => action)).toEqual([
    'repository_created',
    'repository_updated',
    'repository_secret_rotated',
    'repository_deleted',
  ])
  expect(JSON.stringify(ownEvents)).not.toContain(webhook_secret)
})

test('who says whose CI tokens count stands in the audit, and a wrong trust is told before a name that is taken', async () => {
  const { boardId: board_id } = await Scene.on(world)
  const ci = { issuer: 'https://token.actions.githubusercontent.com' }
  const { id: repository_id } = await world.ok('create_repository', { board_id, url, ci })
  await world.ok('update_repository', { repository_id, ci: null })
  const entries = await world.ok('list_audit', { target_id: repository_id })
  expect(entries.map(({ action }: { action: string }) => action)).toEqual([
    'ci_trust_set',
    'repository_updated',
    'ci_trust_set',
    'repository_created',
  ])
  const wrong = { issuer: 'ftp://example.com' }
  expect((await world.call('create_repository', { board_id, url, ci: wrong })).status).toBe(400)
})

test('an editor of a share reads repositories and manages none', async () => {
  const { boardId: board_id } = await Scene.on(world)
  const editor = await world.agent()
  await world.ok('create_board_share', { board_id, user_id: editor.id, permission: 'editor' })
  expect((await world.call('list_repositories', { board_id }, { as: editor })).status).toBe(200)
  expect((await world.call('create_repository', { board_id, url }, { as: editor })).status).toBe(403)
})
