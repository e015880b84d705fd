import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { ownerLink } from '../src/web-link.ts'
import { eventually } from './support/eventually.ts'
import { cookieOf, type SessionHeaders, sessionOf } from './support/web-session.ts'
import { World } from './support/world.ts'

let world: World

beforeAll(async () => {
  world = await World.start()
})

afterAll(() => world.stop())

const own = { 'sec-fetch-site': 'same-origin' }

/** A request as a browser's page of the service makes it, unless headers say otherwise. */
function sent(method: string, path: string, headers: Record<string, string>, body?: unknown): Promise<Response> {
  return fetch(`${world.running.url}${path}`, {
    method,
    headers: { ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
    body: body === undefined ? null : JSON.stringify(body),
  })
}

const signIn = (key: string, headers: Record<string, string> = own) => sent('POST', '/web/session', headers, { key })

// biome-ignore lint/suspicious/noExplicitAny: answers of several routes
const bodyOf = (response: Response): Promise<any> => response.json()

const begin = async (key: string): Promise<SessionHeaders> => sessionOf(await signIn(key))

const me = (session: Partial<SessionHeaders>, headers: Record<string, string> = own) =>
  sent('GET', '/api/v1/me/permissions', { ...headers, ...session })

const create = (session: SessionHeaders, headers: Record<string, string>) =>
  sent('POST', '/api/v1/boards', { ...own, ...headers, ...session }, { name: 'Board', description: '' })

const signOut = (session: Partial<SessionHeaders>, origin: string = world.running.url) =>
  sent('DELETE', '/web/session', { ...own, ...session, origin })

describe('signing in (web 1)', () => {
  test('answers a cookie that no script reads and no other site sends', async () => {
    const answer = await signIn(world.owner.key)
    expect(answer.status).toBe(200)
    expect(await answer.clone().json()).toMatchObject({
      agent_id: world.owner.id,
      agent_name: 'Local Owner',
      half: expect.stringMatching(/^[\w-]{43}$/),
    })
    const attributes = answer.headers.get('set-cookie')!.split('; ').slice(1)
    expect(attributes).toStrictEqual(['Max-Age=43200', 'Path=/', 'HttpOnly', 'SameSite=Strict'])
    expect((await me(await sessionOf(answer))).status).toBe(200)
  })

  test('the answer never holds the key', async () => {
    const answer = await signIn(world.owner.key)
    expect(`${await answer.text()}${answer.headers.get('set-cookie')}`).not.toContain(world.owner.key)
  })

  test('a wrong key is refused as everywhere, a body without one is 422, another page 403', async () => {
    const wrong = await signIn(`dash_${'0'.repeat(48)}`)
    const nothing = await sent('GET', '/api/v1/boards', {})
    expect([wrong.status, (await bodyOf(wrong)).detail]).toStrictEqual([401, (await bodyOf(nothing)).detail])
    expect(wrong.headers.get('set-cookie')).toBeNull()
    expect((await sent('POST', '/web/session', own, {})).status).toBe(422)
    expect((await signIn(world.owner.key, { 'sec-fetch-site': 'cross-site' })).status).toBe(403)
    expect((await signIn(world.owner.key, { origin: 'http://localhost:1' })).status).toBe(403)
  })

  test('is told in the audit, 20 refusals in a row as one', async () => {
    await signIn(world.owner.key)
    for (let attempt = 0; attempt < 20; attempt++) await signIn('dash_wrong')
    const entries = await world.ok('list_audit', { limit: 2 })
    expect(entries).toMatchObject([
      { action: 'sign_in_refused', target_type: 'address', origin: 'web' },
      { action: 'signed_in', target_id: world.owner.id, origin: 'web' },
    ])
  })
})

describe('what a session may (web 1)', () => {
  test('the API takes it from its own pages alone; writes need their origin', async () => {
    const session = await begin(world.owner.key)
    const { url } = world.running
    expect((await me(session, {})).status).toBe(401)
    expect((await me(session, { 'sec-fetch-site': 'same-site' })).status).toBe(401)
    expect((await me(session, { 'sec-fetch-site': 'none' })).status).toBe(401)
    expect((await create(session, {})).status).toBe(401)
    expect((await create(session, { origin: 'http://localhost:1' })).status).toBe(401)
    expect((await create(session, { origin: 'null' })).status).toBe(403)
    expect((await create(session, { origin: url })).status).toBe(201)
  })

  test('a key that is sent wins over it', async () => {
    const session = await begin(world.owner.key)
    expect((await me(session, { ...own, authorization: 'Bearer wrong' })).status).toBe(401)
    const agent = await world.agent()
    const answer = await me(session, { ...own, authorization: `Bearer ${agent.key}` })
    expect((await bodyOf(answer)).agent_id).toBe(agent.id)
  })

  test('MCP never takes it', async () => {
    const session = await begin(world.owner.key)
    const call = { jsonrpc: '2.0', id: 1, method: 'tools/list' }
    const headers = { ...own, ...session, origin: world.running.url, accept: 'application/json, text/event-stream' }
    expect((await sent('POST', '/mcp', headers, call)).status).toBe(401)
  })

  test('changes made with it are told as made on the web', async () => {
    const session = await begin(world.owner.key)
    const headers = { ...own, ...session, origin: world.running.url }
    const agent = await bodyOf(await sent('POST', '/api/v1/agents', headers, { name: 'From a page' }))
    const [entry] = await world.ok('list_audit', { target_id: agent.id })
    expect(entry).toMatchObject({ action: 'agent_created', origin: 'web' })
  })
})

describe('a session has two halves (walls 8)', () => {
  test('neither is one alone, and both must be of one session', async () => {
    const [one, other] = [await begin(world.owner.key), await begin(world.owner.key)]
    const { cookie, 'x-session-half': half } = one
    for (const headers of [
      { cookie },
      { 'x-session-half': half },
      { cookie, 'x-session-half': '' },
      { cookie, 'x-session-half': `${half}x` },
      { cookie, 'x-session-half': half.slice(0, -1) },
      { cookie, 'x-session-half': other['x-session-half'] },
      { cookie: other.cookie, 'x-session-half': half },
    ])
      expect((await me(headers)).status).toBe(401)
    expect([(await me(one)).status, (await me(other)).status]).toEqual([200, 200])
  })

  test('files and streams ask for both', async () => {
    const { id: board_id } = await world.ok('create_board', { name: 'Board', description: '' })
    const session = await begin(world.owner.key)
    for (const path of [`/api/v1/boards/${board_id}/export`, '/api/v1/me/events/stream']) {
      const accept = { ...own, accept: 'application/json' }
      expect((await sent('GET', path, { ...accept, cookie: session.cookie })).status).toBe(401)
      const answer = await sent('GET', path, { ...accept, ...session })
      expect(answer.status).toBe(200)
      await answer.body?.cancel()
    }
  })

  test('no cache keeps a file that a page reads (walls 9)', async () => {
    const { id: board_id } = await world.ok('create_board', { name: 'Board', description: '' })
    const session = await begin(world.owner.key)
    const archive = await sent('GET', `/api/v1/boards/${board_id}/export`, { ...own, ...session })
    expect(archive.headers.get('cache-control')).toBe('private, no-store')
    await archive.body?.cancel()
  })

  test('only both sign out; where the session has ended they do so again', async () => {
    const session = await begin(world.owner.key)
    const { cookie } = session
    for (const headers of [{ cookie }, { cookie, 'x-session-half': 'x'.repeat(43) }]) {
      const refused = await signOut(headers)
      expect([refused.status, refused.headers.get('set-cookie')]).toEqual([401, null])
    }
    expect((await me(session)).status).toBe(200)
    for (const _ of [1, 2]) expect((await signOut(session)).status).toBe(204)
    expect((await me(session)).status).toBe(401)
  })
})

describe('what ends a session (web 1)', () => {
  test('signing out, with every copy of the cookie', async () => {
    const session = await begin(world.owner.key)
    const response = await signOut(session)
    expect(response.status).toBe(204)
    expect(response.headers.get('set-cookie')).toContain('Max-Age=0')
    expect((await me(session)).status).toBe(401)
  })

  test('only its own page signs out', async () => {
    const session = await begin(world.owner.key)
    expect((await sent('DELETE', '/web/session', { ...own, ...session })).status).toBe(403)
    expect((await me(session)).status).toBe(200)
  })

  test('deactivation and deletion of the agent', async () => {
    const [inactive, deleted] = [await world.agent(), await world.agent()]
    const sessions = [await begin(inactive.key), await begin(deleted.key)]
    for (const session of sessions) expect((await me(session)).status).toBe(200)
    await world.ok('update_agent', { agent_id: inactive.id, is_active: false })
    await world.ok('delete_agent', { agent_id: deleted.id })
    for (const session of sessions) expect((await me(session)).status).toBe(401)
  })

  test('for good: enabling the agent brings no session and no link back', async () => {
    const agent = await world.agent()
    const session = await begin(agent.key)
    await world.ok('update_agent', { agent_id: agent.id, is_active: false })
    await world.ok('update_agent', { agent_id: agent.id, is_active: true })
    expect((await me(session)).status).toBe(401)
    expect((await me(await begin(agent.key))).status).toBe(200)
    const [entry] = await world.ok('list_audit', { target_id: agent.id, action: 'agent_updated' })
    expect(entry.fields).toEqual(['is_active'])
  })

  test('a new key, unless the old one still works', async () => {
    const [replaced, overlapping] = [await world.agent(), await world.agent()]
    const [ended, surviving] = [await begin(replaced.key), await begin(overlapping.key)]
    await world.ok('regenerate_agent_key', { agent_id: replaced.id })
    await world.ok('regenerate_agent_key', { agent_id: overlapping.id, overlap_minutes: 5 })
    expect((await me(ended)).status).toBe(401)
    expect((await me(surviving)).status).toBe(200)
    await world.ok('regenerate_agent_key', { agent_id: overlapping.id })
    expect((await me(surviving)).status).toBe(401)
  })

  test('a changed cookie is none', async () => {
    const session = await begin(world.owner.key)
    const { cookie: whole } = session
    for (const cookie of [whole.slice(0, -4), `${whole.slice(0, -2)}xx`, 'specboard_session_0=x', ''])
      expect((await me({ ...session, cookie })).status).toBe(401)
  })
})

describe('a session lasts while it is used (web 1)', () => {
  const minute = 60_000
  const hour = 60 * minute
  const realNow = Date.now
  let ahead = 0
  let timed: World

  beforeAll(async () => {
    // The service takes its clock when it is opened.
    vi.spyOn(Date, 'now').mockImplementation(() => realNow() + ahead)
    timed = await World.start()
  })
  afterAll(async () => {
    await timed.stop()
    vi.restoreAllMocks()
  })

  const at = (path: string, headers: Record<string, string>, rest: RequestInit = {}) =>
    fetch(`${timed.running.url}${path}`, { ...rest, headers: { ...own, ...headers } })
  const newSession = async () => {
    const body = JSON.stringify({ key: timed.owner.key })
    return sessionOf(await at('/web/session', { 'content-type': 'application/json' }, { method: 'POST', body }))
  }
  const callWith = (session: SessionHeaders) => at('/api/v1/me/permissions', { ...session })

  test('a call renews it when it is older than 5 minutes, not before', async () => {
    const session = await newSession()
    ahead += 4 * minute
    expect((await callWith(session)).headers.get('set-cookie')).toBeNull()
    ahead += 2 * minute
    const renewing = await callWith(session)
    expect(renewing.headers.get('set-cookie')).toMatch(/; Max-Age=43200; Path=\/; HttpOnly; SameSite=Strict$/)
    const cookie = cookieOf(renewing)
    expect(cookie).not.toBe(session.cookie)
    expect((await callWith({ ...session, cookie })).headers.get('set-cookie')).toBeNull()
  })

  test('it ends 12 hours after its last use', async () => {
    let session = await newSession()
    for (let day = 0; day < 3; day++) {
      ahead += 11 * hour
      const answer = await callWith(session)
      expect(answer.status).toBe(200)
      session = { ...session, cookie: cookieOf(answer) }
    }
    ahead += 12 * hour
    expect((await callWith(session)).status).toBe(401)
  })

  test('signing out ends what it was before it was renewed, too', async () => {
    const session = await newSession()
    ahead += 6 * minute
    const renewed = { ...session, cookie: cookieOf(await callWith(session)) }
    const response = await at('/web/session', { ...renewed, origin: timed.running.url }, { method: 'DELETE' })
    expect(response.status).toBe(204)
    expect([(await callWith(session)).status, (await callWith(renewed)).status]).toEqual([401, 401])
  })

  test('a link that was not opened for 10 minutes signs nobody in', async () => {
    const link = (await ownerLink(timed, timed.running.url))!
    ahead += 10 * minute
    const body = JSON.stringify({ token: link.slice(link.indexOf('#') + 1) })
    const headers = { 'content-type': 'application/json' }
    expect((await at('/web/session/link', headers, { method: 'POST', body })).status).toBe(401)
  })
})

describe('a link that works once (web 1)', () => {
  const opened = (link: string) => sent('POST', '/web/session/link', own, { token: link.slice(link.indexOf('#') + 1) })

  test('signs the owner in, then no more', async () => {
    const link = (await ownerLink(world, world.running.url))!
    expect(link.startsWith(`${world.running.url}/#`)).toBe(true)
    const answer = await opened(link)
    expect(answer.status).toBe(200)
    expect((await bodyOf(await me(await sessionOf(answer)))).agent_id).toBe(world.owner.id)
    expect((await opened(link)).status).toBe(401)
  })

  test('of many that come at once one is taken', async () => {
    const link = (await ownerLink(world, world.running.url))!
    const statuses = await Promise.all(Array.from({ length: 8 }, async () => (await opened(link)).status))
    expect(statuses.filter(status => status === 200)).toHaveLength(1)
  })

  test("a link's token is no cookie, and a cookie no link", async () => {
    const link = (await ownerLink(world, world.running.url))!
    const session = await begin(world.owner.key)
    const [name, token] = session.cookie.split('=')
    expect((await me({ ...session, cookie: `${name}=${link.slice(link.indexOf('#') + 1)}` })).status).toBe(401)
    expect((await opened(`#${token}`)).status).toBe(401)
  })
})

test('whoever tries keys here is counted with all others (trust 1)', async () => {
  const guarded = await World.start({ wrongKeysPerMin: 2 })
  try {
    const attempt = () =>
      fetch(`${guarded.running.url}/web/session`, { method: 'POST', body: JSON.stringify({ key: 'dash_wrong' }) })
    for (const _ of [1, 2]) expect((await attempt()).status).toBe(401)
    await eventually(async () => expect(await guarded.ok('list_audit', { action: 'keys_refused' })).toHaveLength(1))
  } finally {
    await guarded.stop()
  }
})
