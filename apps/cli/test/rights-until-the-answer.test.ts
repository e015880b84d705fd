import { requestOf } from '@specboard/client'
import { type AnyOperation, type OperationName, permissionNames, registry } from '@specboard/contract'
import { addressesRecord } from '@specboard/domain'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { EventStream } from './support/event-stream.ts'
import { toolArguments } from './support/mcp.ts'
import { Scene } from './support/scene.ts'
import { type SlowAnswer, type SlowRequest, sentSlowly } from './support/slow-request.ts'
import { Stage } from './support/stage.ts'
import { graphAtWork, type TestAgent, World } from './support/world.ts'

let world: World
let scene: Scene
let stage: Stage

beforeAll(async () => {
  world = await World.start(graphAtWork)
  scene = await Scene.on(world)
  stage = await Stage.on(world)
})

afterAll(() => world.stop())

type Arguments = Readonly<Record<string, unknown>>

const nothing = Object.fromEntries(permissionNames.map(name => [name, false]))

/** An agent on a board, whose key may be made anew. */
interface Guest {
  agent: TestAgent
  readonly at: Scene
}

async function guestAt(at: Scene): Promise<Guest> {
  const guest = { agent: await world.agent(), at }
  await share(guest)
  return guest
}

/** A change to an agent that may happen while its request body arrives, and how the agent gets back what it had. */
interface Change {
  readonly happens: (guest: Guest) => Promise<unknown>
  readonly undone: (guest: Guest) => Promise<unknown>
  /** Operations that it does not concern, such as those that ask for no permission. */
  readonly concerns: (operation: AnyOperation) => boolean
  readonly refused: readonly string[]
}

const everything = () => true

const share = ({ agent, at }: Guest) => at.admit(agent)

const unshare = async ({ agent, at }: Guest) => {
  const shares = await world.ok('list_board_shares', { board_id: at.boardId })
  const share_id = shares.find((one: { user_id: string }) => one.user_id === agent.id).id
  await world.ok('delete_board_share', { board_id: at.boardId, share_id })
}

const updated = (fields: Arguments) => (guest: Guest) =>
  world.ok('update_agent', { agent_id: guest.agent.id, ...fields })

const renewed = async (guest: Guest) => {
  const { api_key } = await world.ok('regenerate_agent_key', { agent_id: guest.agent.id })
  guest.agent = { ...guest.agent, key: api_key }
}

const changes: Readonly<Record<string, Change>> = {
  'switched off': {
    happens: updated({ is_active: false }),
    undone: updated({ is_active: true }),
    concerns: everything,
    refused: ['UNAUTHORIZED'],
  },
  'given a new key': { happens: renewed, undone: async () => {}, concerns: everything, refused: ['UNAUTHORIZED'] },
  narrowed: {
    happens: updated({ permission_flags: nothing }),
    undone: updated({ permission_flags: {} }),
    concerns: ({ permission }) => permission !== '-',
    refused: ['FORBIDDEN', 'NOT_FOUND'],
  },
  'shown the door of the board': { happens: unshare, undone: share, concerns: addressesRecord, refused: ['NOT_FOUND'] },
  deleted: {
    happens: ({ agent }) => world.ok('delete_agent', { agent_id: agent.id }),
    undone: async () => {},
    concerns: everything,
    refused: ['UNAUTHORIZED'],
  },
}

/** A way in: the request of a call, and the code of its refusal. */
interface Door {
  readonly request: (operation: AnyOperation, args: Arguments, key: string) => Promise<SlowRequest>
  readonly codeOf: (answer: SlowAnswer) => string | undefined
}

const doors: Readonly<Record<string, Door>> = {
  HTTP: {
    request: async (operation, args, key) => {
      const { path, body } = requestOf(operation, args)
      const authorization = `Bearer ${key}`
      const url = `${world.running.url}${path}`
      if (args.file instanceof File) {
        const form = new FormData()
        form.set('file', args.file)
        const encoded = new Response(form)
        const headers = { authorization, 'content-type': encoded.headers.get('content-type')! }
        return { method: operation.method, url, headers, body: new Uint8Array(await encoded.arrayBuffer()) }
      }
      const headers = { authorization, 'content-type': 'application/json' }
      return { method: operation.method, url, headers, body: Buffer.from(JSON.stringify(body ?? {})) }
    },
    codeOf: ({ body }) => body?.detail?.error,
  },
  MCP: {
    request: async (operation, args, key) => ({
      method: 'POST',
      url: `${world.running.url}/mcp`,
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: Buffer.from(
        JSON.stringify({
          jsonrpc: '2.0',
          id: 1,
          method: 'tools/call',
          params: { name: operation.name, arguments: toolArguments(operation, args) },
        }),
      ),
    }),
    codeOf: ({ body }) => body?.detail?.error ?? JSON.parse(body.result?.content?.[0]?.text ?? '{}').detail?.error,
  },
}

/** Operations that anybody may call do not depend on an agent's rights. */
const withBody = registry.filter(
  ({ hasBody, kind, permission }) => permission !== 'public' && (hasBody || kind === 'upload'),
)

describe.each(Object.entries(doors))(
  'a body that comes slowly over %s is refused when its agent was meanwhile',
  (_, door) => {
    test.each(withBody.map(operation => [operation.name, operation] as const))('changed: %s', async (_, operation) => {
      const guest = await guestAt(stage.sceneOf(operation))
      const args = await stage.refusedArgumentsOf(operation)
      for (const [name, { happens, undone, concerns, refused }] of Object.entries(changes)) {
        if (!concerns(operation)) continue
        const answer = await sentSlowly(
          await door.request(operation, args, guest.agent.key),
          () => happens(guest) as Promise<void>,
        )
        expect([name, refused.includes(door.codeOf(answer) ?? ''), answer.body]).toStrictEqual([
          name,
          true,
          answer.body,
        ])
        await undone(guest)
      }
    })
  },
)

test('a body that is refused for what it holds says so only to whoever may still call', async () => {
  const guest = await guestAt(scene)
  const operation = withBody.find(({ name }) => name === 'create_board')!
  const request = await doors.HTTP!.request(operation, { name: 7 }, guest.agent.key)
  const off = await sentSlowly(request, () => changes['switched off']!.happens(guest) as Promise<void>)
  expect(off.status).toBe(401)
  await changes['switched off']!.undone(guest)
  expect((await sentSlowly(request, async () => {})).status).toBe(422)
})

describe('a call that waits', () => {
  const waiting = {
    list_board_events: () => ({ board_id: scene.boardId, wait_ms: 25_000, after: 1_000_000 }),
    stream_my_events: () => ({ wait_ms: 25_000 }),
    stream_kg_events: () => ({ board_id: scene.boardId, wait_ms: 25_000 }),
  }

  test.each(Object.entries(waiting))('%s answers nothing once its agent is switched off', async (name, args) => {
    const guest = await guestAt(scene)
    const answers = world.call(name as OperationName, args(), { as: guest.agent })
    // Another call of the agent, so that the first one has begun to wait.
    await world.ok('get_my_permissions', {}, { as: guest.agent })
    await changes['switched off']!.happens(guest)
    await scene.card()
    expect((await answers).status).toBe(401)
  })
})

describe('an open stream', () => {
  test('stream_my_events leaves out boards whose events the reader may not list', async () => {
    const reader = await world.agent({ permission_flags: { BOARDS_READ: false } })
    await scene.admit(reader)
    expect((await world.call('list_board_events', { board_id: scene.boardId }, { as: reader })).status).toBe(403)
    const { cursor } = await world.ok('stream_my_events', {}, { as: reader })
    await scene.card()
    const { events, ...rest } = await world.ok('stream_my_events', { after: cursor }, { as: reader })
    expect(events).toStrictEqual([])
    await world.ok('update_agent', { agent_id: reader.id, permission_flags: {} })
    const page = await world.ok('stream_my_events', { after: cursor }, { as: reader })
    expect(page.events.length).toBeGreaterThan(0)
    expect(rest.more).toBe(false)
  })

  test('of a session ends when it signs out, and that of the key goes on', async () => {
    const own = { 'sec-fetch-site': 'same-origin', origin: world.running.url }
    const session = `${world.running.url}/web/session`
    const signedIn = await fetch(session, {
      method: 'POST',
      headers: { ...own, 'content-type': 'application/json' },
      body: JSON.stringify({ key: world.owner.key }),
    })
    const { half } = (await signedIn.json()) as { half: string }
    const cookie = signedIn.headers.get('set-cookie')!.split(';')[0]!
    const halves = { ...own, cookie, 'x-session-half': half }
    const path = `/api/v1/boards/${scene.boardId}/events/stream`
    const ofSession = await fetch(`${world.running.url}${path}`, {
      headers: { ...halves, accept: 'text/event-stream' },
    })
    expect(ofSession.status).toBe(200)
    const ofKey = await EventStream.open(world, path)
    expect((await fetch(session, { method: 'DELETE', headers: halves })).status).toBe(204)
    expect(await ofSession.text()).not.toContain('board.event')
    await scene.card()
    expect((await ofKey.next())?.event).toBe('board.event')
    ofKey.close()
  })
})
