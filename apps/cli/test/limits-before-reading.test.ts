import { once } from 'node:events'
import { type ClientRequest, type IncomingMessage, request } from 'node:http'
import { text } from 'node:stream/consumers'
import { requestOf } from '@specboard/client'
import { largestBody, operationByName, permissionNames } from '@specboard/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Scene } from './support/scene.ts'
import { type TestAgent, World } from './support/world.ts'

let world: World
let scene: Scene

beforeAll(async () => {
  world = await World.start({ wrongKeysPerMin: 20 })
  scene = await Scene.on(world)
})

afterAll(() => world.stop())

const own = { 'sec-fetch-site': 'same-origin', 'content-type': 'application/json' }

const posted = (path: string, body: string, headers: Record<string, string>) =>
  fetch(`${world.running.url}${path}`, { method: 'POST', body, headers })

const authorized = (key = world.owner.key) => ({ authorization: `Bearer ${key}`, 'content-type': 'application/json' })

const isPermission = (name: string): boolean => new Set<string>(permissionNames).has(name)

/** 8 MiB that the parser would turn into four million objects. */
const manyObjects = `[${'{},'.repeat(2_796_000)}{}]`

describe('a body (walls 4)', () => {
  test.each(['move_spec', 'create_comment', 'claim_card'] as const)('%s has what its schema can hold', async name => {
    const operation = operationByName.get(name)!
    const max_bytes = largestBody(operation)
    const path = operation.path.replaceAll(/\{\w+\}/g, scene.boardId)
    const answer = await posted(path, JSON.stringify({ note: 'x'.repeat(max_bytes) }), authorized())
    expect([answer.status, await answer.json()]).toMatchObject([
      413,
      { detail: { error: 'PAYLOAD_TOO_LARGE', max_bytes } },
    ])
  })

  test('with very many parts is refused before it is parsed, by every door', async () => {
    const overHttp = await posted('/api/v1/boards', manyObjects.slice(0, 1_000_000), authorized())
    expect([overHttp.status, await overHttp.json()]).toMatchObject([
      422,
      { detail: [{ loc: ['body'], type: 'too_long' }] },
    ])
    const overMcp = await posted('/mcp', manyObjects, authorized())
    expect([overMcp.status, await overMcp.json()]).toMatchObject([400, { error: { code: -32600 } }])
  })

  test('of a key that may do nothing is not read beyond 64 KiB: it would be refused whatever it says', async () => {
    const agent = await world.agent({ preset_id: await scene.preset() })
    const { key } = agent
    // Also invalid: if it were read, the answer would be 422.
    const long = JSON.stringify({ title: 0, description: 'x'.repeat(100_000) })
    const path = `/api/v1/boards/${scene.boardId}/ideations`
    const unseen = await posted(path, long, authorized(key))
    expect([unseen.status, await unseen.json()]).toMatchObject([404, { detail: { error: 'NOT_FOUND' } }])
    await scene.admit(agent)
    const refused = await posted(path, long, authorized(key))
    expect([refused.status, await refused.json()]).toMatchObject([
      403,
      { detail: { error: 'FORBIDDEN', permission: 'IDEATIONS_CREATE', board_id: scene.boardId } },
    ])
    const boards = await posted('/api/v1/boards', long, authorized(key))
    expect([boards.status, await boards.json()]).toMatchObject([403, { detail: { permission: 'BOARDS_CREATE' } }])
    const faulty = await posted('/api/v1/boards', JSON.stringify({ name: 0 }), authorized(key))
    expect(faulty.status).toBe(422)
    const overMcp = await posted('/mcp', long, authorized(key))
    expect([overMcp.status, await overMcp.json()]).toMatchObject([
      413,
      { detail: { error: 'PAYLOAD_TOO_LARGE', max_bytes: 64 << 10 } },
    ])
  })

  test.each([
    ['move_card', 'CARDS_MOVE'],
    ['move_spec', 'SPECS_MOVE'],
    ['create_card', 'CARDS_CREATE'],
    ['create_spec', 'SPECS_CREATE'],
    ['update_card', 'CARDS_UPDATE'],
    ['create_invitation', 'PEOPLE_INVITE'],
  ] as const)('%s is refused unread for permissions that exist', async (name, permission) => {
    const agent = await world.agent({ preset_id: await scene.preset() })
    await scene.admit(agent)
    const ids = { board_id: scene.boardId, card_id: await scene.card(), spec_id: await scene.spec() }
    const args = { ...ids, title: 'x'.repeat(100_000) }
    const { status, body } = await world.call(name, args, { as: agent })
    expect([status, body]).toMatchObject([403, { detail: { permission } }])
    expect(body.detail.missing.filter((missing: string) => !isPermission(missing))).toStrictEqual([])
    expect(body.detail.presets).toContain('Full Control')
  })

  test('of a tool has what its operation can hold', async () => {
    const args = { board_id: scene.boardId, note: 'x'.repeat(1_000_000) }
    const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'delete_board', arguments: args } }
    const answer = await posted('/mcp', JSON.stringify(message), authorized())
    const body = (await answer.json()) as { result: { content: [{ text: string }] } }
    expect(JSON.parse(body.result.content[0].text)).toMatchObject({ status: 413 })
  })
})

describe('an upload (walls 4)', () => {
  const boundary = 'part-of-a-test'
  const head = `--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="a.txt"\r\n\r\nhello`

  /** Begins an upload whose remaining bytes never arrive. */
  async function begun(
    card_id: string,
    agent: TestAgent,
  ): Promise<{ sending: ClientRequest; answer: Promise<number> }> {
    const { path } = requestOf(operationByName.get('upload_attachment')!, { board_id: scene.boardId, card_id })
    const url = `${world.running.url}${path}`
    const sending = request(url, {
      method: 'POST',
      agent: false,
      headers: {
        authorization: `Bearer ${agent.key}`,
        'content-type': `multipart/form-data; boundary=${boundary}`,
        expect: '100-continue',
      },
    })
    sending.on('error', () => {})
    const answer = once(sending, 'response').then(async ([response]) => {
      const { statusCode } = response as IncomingMessage
      await text(response as IncomingMessage)
      return statusCode!
    })
    answer.catch(() => {})
    sending.flushHeaders()
    await once(sending, 'continue')
    await new Promise<void>(resolve => sending.write(head, () => resolve()))
    return { sending, answer }
  }

  test('has four slots an agent, which nobody takes whom it is not allowed', async () => {
    const [agent, other] = [await world.agent(), await world.agent()]
    const none = await world.agent({ permission_flags: { ATTACHMENTS_CREATE: false } })
    for (const one of [agent, other, none]) await scene.admit(one)
    const card_id = await scene.card()
    // Refused without the rest of the file.
    for (let index = 0; index < 20; index++) expect(await (await begun(card_id, none)).answer).toBe(403)
    const dripping = await Promise.all(Array.from({ length: 5 }, () => begun(card_id, agent)))
    expect(await Promise.race(dripping.map(({ answer }) => answer))).toBe(429)
    const file = new File(['hello'], 'a.txt')
    await world.ok('upload_attachment', { board_id: scene.boardId, card_id, file }, { as: other })
    for (const { sending } of dripping) sending.destroy()
  })
})

// Last, because it makes the address wait.
describe('a sign-in (walls 4)', () => {
  test('has 2 kB', async () => {
    const answer = await posted('/web/session', JSON.stringify({ key: 'x'.repeat(3_000) }), own)
    expect([answer.status, await answer.json()]).toMatchObject([413, { detail: { max_bytes: 2_048 } }])
  })

  test('that is refused for whatever reason is counted as a wrong key is', async () => {
    const refusals: [string, Record<string, string>, number][] = [
      ['{}', own, 422],
      ['no json', own, 422],
      [JSON.stringify({ key: 'x'.repeat(3_000) }), own, 413],
      [JSON.stringify({ key: world.owner.key }), { ...own, 'sec-fetch-site': 'cross-site' }, 403],
      [JSON.stringify({ key: 'dash_wrong' }), own, 401],
    ]
    const statuses: number[] = []
    for (let round = 0; round < 4; round++)
      for (const [body, headers, expected] of refusals) {
        const { status } = await posted('/web/session', body, headers)
        expect([expected, 429]).toContain(status)
        statuses.push(status)
      }
    const waiting = Array.from({ length: 201 }, () => posted('/web/session', '{}', own))
    expect((await Promise.all(waiting)).some(({ status }) => status === 429)).toBe(true)
  })
})
