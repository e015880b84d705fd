import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { logged } from './support/event-log.ts'
import { McpWire } from './support/mcp.ts'
import { Scene } from './support/scene.ts'
import { World } from './support/world.ts'

let world: World
let scene: Scene

beforeAll(async () => {
  world = await World.start({ rateLimit: 5, wrongKeysPerMin: 2, maxBoardsPerAgent: 2, maxAttachmentsMb: 1 })
  scene = await Scene.on(world)
})

afterAll(() => world.stop())

const mebibyte = 1 << 20

test('an agent owns as many boards as it may (trust 1)', async () => {
  const agent = await world.agent()
  const create = () => world.call('create_board', { name: 'One more', description: '' }, { as: agent })
  expect([(await create()).status, (await create()).status]).toStrictEqual([201, 201])
  const { status, body } = await create()
  expect([status, body.detail]).toMatchObject([409, { error: 'LIMIT_REACHED', limit: 2, what: 'boards' }])
  const file = new File(['id,title\n1,One\n'], 'plan.csv')
  for (const dry_run of [true, false]) {
    const refused = await world.call('import_board', { file, dry_run }, { as: agent })
    expect([refused.status, refused.body.detail]).toMatchObject([409, { error: 'LIMIT_REACHED', what: 'boards' }])
  }
})

test('all attachments together take what they may (trust 1)', async () => {
  const agent = await world.agent()
  await scene.admit(agent)
  const card_id = await scene.card()
  const upload = (bytes: number) => {
    const file = new File([new Uint8Array(bytes)], 'bytes.bin')
    return world.call('upload_attachment', { board_id: scene.boardId, card_id, file }, { as: agent })
  }
  expect((await upload(mebibyte - 10)).status).toBe(201)
  const before = logged(world, scene.boardId).length
  const { status, body } = await upload(11)
  expect([status, body.detail]).toMatchObject([409, { error: 'LIMIT_REACHED', limit: 1, what: 'attachments_mb' }])
  expect(logged(world, scene.boardId)).toHaveLength(before)
  expect((await upload(10)).status).toBe(201)
})

test('a key may call so often over HTTP (trust 1)', async () => {
  const agent = await world.agent()
  const answers = await Promise.all(Array.from({ length: 60 }, () => world.call('list_boards', {}, { as: agent })))
  const refused = answers.filter(({ status }) => status === 429)
  expect(refused.length).toBeGreaterThan(0)
  expect(refused[0]!.body.detail.error).toBe('RATE_LIMITED')
  expect(Number(refused[0]!.headers.get('retry-after'))).toBeGreaterThan(0)
})

describe('names that are looked up (trust 1)', () => {
  const long = `get_card_${'x'.repeat(100_000)}`

  test('are refused without a search for similar ones, and cut in the message', async () => {
    const mcp = new McpWire(world)
    const { error } = (await mcp.legacy('tools/call', { name: long, arguments: {} })).body
    expect(error.message).toMatch(/^Unknown tool 'get_card_x+…'\.$/)
    expect(error.message.length).toBeLessThan(200)
    const read = (await mcp.legacy('resources/read', { uri: `specboard://card/${long}` })).body
    expect(JSON.stringify(read.error).length).toBeLessThan(1_000)
  })

  test('a key in one is masked (trust 3)', async () => {
    const agent = await world.agent()
    const mcp = new McpWire(world)
    const { error } = (await mcp.legacy('tools/call', { name: agent.key, arguments: {} })).body
    expect(error.message).toBe(`Unknown tool '${agent.key.slice(0, 13)}…'.`)
    const path = await fetch(`${world.running.url}/api/v1/${agent.key}`, { headers: { 'x-api-key': agent.key } })
    expect(await path.text()).not.toContain(agent.key)
  })
})

test('a view that is bound to a board answers what spans boards for that board alone (trust 2)', async () => {
  const other = await Scene.on(world)
  const mcp = new McpWire(world)
  const bound = (name: string, args: object = {}) => mcp.tool(name, args, { query: `board_id=${scene.boardId}` })
  const overview = (await bound('get_analytics_overview')).value
  expect(JSON.stringify(overview)).toContain(scene.boardId)
  expect(JSON.stringify(overview)).not.toContain(other.boardId)
  expect(JSON.stringify((await mcp.tool('get_analytics_overview')).value)).toContain(other.boardId)
  expect(JSON.stringify((await bound('search_kg_global', { q: 'anything' })).value)).not.toContain(other.boardId)
})

test('many wrong keys in a row stand in the audit with their address (trust 3)', async () => {
  for (let attempt = 0; attempt < 2; attempt++)
    await fetch(`${world.running.url}/api/v1/boards`, { headers: { 'x-api-key': `dash_${'0'.repeat(48)}` } })
  await expect
    .poll(async () => world.ok('list_audit', { action: 'keys_refused' }))
    .toMatchObject([{ actor_id: null, actor_name: null, target_type: 'address', origin: 'http', fields: [] }])
})
