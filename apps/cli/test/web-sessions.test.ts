/** Sessions of browsers as their person sees them (people 2.4), and which keys begin one (people 1.2, 2.5). */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Person } from './support/person.ts'
import { World } from './support/world.ts'

let world: World
let owner: Person

beforeAll(async () => {
  world = await World.start({ agentSignIn: undefined })
  owner = await Person.owner(world)
})

afterAll(() => world.stop())

const own = { 'sec-fetch-site': 'same-origin', 'content-type': 'application/json' }

const signIn = (key: string, at = world): Promise<Response> =>
  fetch(`${at.running.url}/web/session`, { method: 'POST', headers: own, body: JSON.stringify({ key }) })

const look = (person: Person | undefined): Promise<Response> =>
  fetch(`${world.running.url}/web/session`, { headers: { ...own, ...person?.page.headers } })

interface Listed {
  readonly id: string
  readonly current: boolean
}

describe('sessions (people 2.4)', () => {
  test('are listed, with the one that asks', async () => {
    const byKey = await Person.byKey(world, world.owner.key)
    const [one, other] = await owner.ok('list_my_sessions')
    expect([one, other].find(({ current }) => current)).toEqual({
      id: expect.any(String),
      via: 'link',
      provider: null,
      present: true,
      current: true,
      started_at: expect.any(String),
      last_used_at: expect.any(String),
      expires_at: expect.any(String),
      address: expect.stringContaining('127.0.0.1'),
      browser: expect.any(String),
    })
    expect([one, other].find(({ current }) => !current)).toMatchObject({ via: 'key', present: false })
    const answer = await byKey.call('list_my_sessions', { limit: 1 })
    expect([answer.body.length, answer.headers.get('x-total-count')]).toEqual([1, '2'])
    // A key belongs to no session.
    const none = await world.ok('list_my_sessions')
    expect(none.every(({ current }: Listed) => !current)).toBe(true)
  })

  test('say who is signed in', async () => {
    const answer = await look(owner)
    expect([answer.status, await answer.json()]).toEqual([
      200,
      {
        agent_id: world.owner.id,
        agent_name: 'Local Owner',
        kind: 'person',
        via: 'link',
        provider: null,
        present: true,
        expires_at: expect.any(String),
      },
    ])
    expect((await look(undefined)).status).toBe(401)
  })

  test('are ended one by one, and nobody else’s', async () => {
    const other = await Person.byKey(world, world.owner.key)
    const [session] = (await other.ok('list_my_sessions')).filter(({ current }: Listed) => current)
    const ada = await owner.ok('create_agent', { name: 'Ada', kind: 'person' })
    const stranger = await Person.byLink(world, (await owner.ok('create_sign_in_link', { agent_id: ada.id })).url)
    expect((await stranger.call('end_my_session', { session_id: session.id })).status).toBe(404)
    expect((await owner.call('end_my_session', { session_id: session.id })).status).toBe(204)
    expect((await other.call('list_my_sessions')).status).toBe(401)
    expect((await look(other)).status).toBe(401)
    expect((await owner.call('end_my_session', { session_id: session.id })).status).toBe(404)
  })

  test('of somebody who is signed out everywhere are gone from the list', async () => {
    const bob = await owner.ok('create_agent', { name: 'Bob', kind: 'person' })
    const link = async () => (await owner.ok('create_sign_in_link', { agent_id: bob.id })).url
    const first = await Person.byLink(world, await link())
    await owner.call('end_sessions', { agent_id: bob.id })
    expect((await first.call('list_my_sessions')).status).toBe(401)
    const second = await Person.byLink(world, await link())
    expect(await second.ok('list_my_sessions')).toMatchObject([{ current: true }])
  })
})

test('a session that began with the link of the owner outlasts the key of the owner (people 2.4)', async () => {
  const place = await World.start()
  try {
    const byLink = await Person.owner(place)
    const byKey = await Person.byKey(place, place.owner.key)
    await byLink.ok('regenerate_agent_key', { agent_id: place.owner.id })
    expect((await byKey.call('list_my_sessions')).status).toBe(401)
    expect(await byLink.ok('list_my_sessions')).toMatchObject([{ via: 'link', current: true }])
    await byLink.ok('regenerate_agent_key', { agent_id: place.owner.id, remove: true })
    expect((await byLink.call('list_boards')).status).toBe(200)
  } finally {
    await place.stop()
  }
})

describe('keys that begin sessions (people 1.2, 2.5)', () => {
  test('are not those of agents in a new folder', async () => {
    const { key } = await world.agent()
    const answer = await signIn(key)
    const { detail } = (await answer.json()) as { detail: { error: string; reason: string } }
    expect([answer.status, detail.error, detail.reason]).toEqual([403, 'FORBIDDEN', 'agent_key'])
    expect((await signIn(world.owner.key)).status).toBe(200)
  })

  test('are those of nobody where the setting says so', async () => {
    const closed = await World.start({ keySignIn: 'off', agentSignIn: 'on' })
    try {
      const answer = await signIn(closed.owner.key, closed)
      const { detail } = (await answer.json()) as { detail: { reason: string } }
      expect([answer.status, detail.reason]).toEqual([403, 'key_sign_in'])
      const agent = await closed.agent()
      expect((await signIn(agent.key, closed)).status).toBe(200)
    } finally {
      await closed.stop()
    }
  })
})

test('a caller behind a trusted proxy is the one that the proxy tells (people 7.4)', async () => {
  const addresses = async (settings: Parameters<typeof World.start>[0]): Promise<string> => {
    const at = await World.start(settings)
    try {
      const answer = await fetch(`${at.running.url}/web/session`, {
        method: 'POST',
        headers: { ...own, 'x-forwarded-for': '203.0.113.66, 198.51.100.1' },
        body: JSON.stringify({ key: at.owner.key }),
      })
      expect(answer.status).toBe(200)
      const [session] = (await (await Person.owner(at)).ok('list_my_sessions')).filter(
        ({ via }: { via: string }) => via === 'key',
      )
      return session.address
    } finally {
      await at.stop()
    }
  }
  expect(await addresses({ trustedProxies: ['127.0.0.0/8', '::1'] })).toBe('198.51.100.1')
  expect(await addresses({})).toContain('127.0.0.1')
})
