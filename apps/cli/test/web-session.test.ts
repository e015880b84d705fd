import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { ownerLink } from '../src/web-link.ts'
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

/** The cookie that an answer sets, as a request sends it. */
const cookieOf = (response: Response): string => response.headers.get('set-cookie')?.split(';')[0] ?? ''

const me = (cookie: string, headers: Record<string, string> = own) =>
  sent('GET', '/api/v1/me/permissions', { ...headers, cookie })

const create = (cookie: string, headers: Record<string, string>) =>
  sent('POST', '/api/v1/boards', { ...own, ...headers, cookie }, { name: 'Board', description: '' })

describe('signing in (web 1)', () => {
  test('answers a cookie that no script reads and no other site sends', async () => {
    const answer = await signIn(world.owner.key)
    expect(answer.status).toBe(200)
    expect(await answer.json()).toMatchObject({ agent_id: world.owner.id, agent_name: 'Local Owner' })
    const attributes = answer.headers.get('set-cookie')!.split('; ').slice(1)
    expect(attributes).toStrictEqual(['Max-Age=43200', 'Path=/', 'HttpOnly', 'SameSite=Strict'])
    expect((await me(cookieOf(answer))).status).toBe(200)
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

  test('is told in the audit, refusals too', async () => {
    await signIn(world.owner.key)
    await signIn('dash_wrong')
    const entries = await world.ok('list_audit', { limit: 2 })
    expect(entries).toMatchObject([
      { action: 'sign_in_refused', target_type: 'address', origin: 'web' },
      { action: 'signed_in', target_id: world.owner.id, origin: 'web' },
    ])
  })
})

describe('what a session may (web 1)', () => {
  test('the API takes it from its own pages alone; writes need their origin', async () => {
    const cookie = cookieOf(await signIn(world.owner.key))
    const { url } = world.running
    expect((await me(cookie, {})).status).toBe(401)
    expect((await me(cookie, { 'sec-fetch-site': 'same-site' })).status).toBe(401)
    expect((await me(cookie, { 'sec-fetch-site': 'none' })).status).toBe(401)
    expect((await create(cookie, {})).status).toBe(401)
    expect((await create(cookie, { origin: 'http://localhost:1' })).status).toBe(401)
    expect((await create(cookie, { origin: 'null' })).status).toBe(403)
    expect((await create(cookie, { origin: url })).status).toBe(201)
  })

  test('a key that is sent wins over it', async () => {
    const cookie = cookieOf(await signIn(world.owner.key))
    expect((await me(cookie, { ...own, authorization: 'Bearer wrong' })).status).toBe(401)
    const agent = await world.agent()
    const answer = await me(cookie, { ...own, authorization: `Bearer ${agent.key}` })
    expect((await bodyOf(answer)).agent_id).toBe(agent.id)
  })

  test('MCP never takes it', async () => {
    const cookie = cookieOf(await signIn(world.owner.key))
    const call = { jsonrpc: '2.0', id: 1, method: 'tools/list' }
    const headers = { ...own, cookie, origin: world.running.url, accept: 'application/json, text/event-stream' }
    expect((await sent('POST', '/mcp', headers, call)).status).toBe(401)
  })

  test('changes made with it are told as made on the web', async () => {
    const cookie = cookieOf(await signIn(world.owner.key))
    const headers = { ...own, cookie, origin: world.running.url }
    const made = await bodyOf(await sent('POST', '/api/v1/agents', headers, { name: 'From a page' }))
    const [entry] = await world.ok('list_audit', { target_id: made.id })
    expect(entry).toMatchObject({ action: 'agent_created', origin: 'web' })
  })
})

describe('what ends a session (web 1)', () => {
  test('signing out, with every copy of the cookie', async () => {
    const cookie = cookieOf(await signIn(world.owner.key))
    const left = await sent('DELETE', '/web/session', { ...own, cookie, origin: world.running.url })
    expect(left.status).toBe(204)
    expect(left.headers.get('set-cookie')).toContain('Max-Age=0')
    expect((await me(cookie)).status).toBe(401)
  })

  test('only its own page signs out', async () => {
    const cookie = cookieOf(await signIn(world.owner.key))
    expect((await sent('DELETE', '/web/session', { ...own, cookie })).status).toBe(403)
    expect((await me(cookie)).status).toBe(200)
  })

  test('deactivation and deletion of the agent', async () => {
    const [inactive, deleted] = [await world.agent(), await world.agent()]
    const cookies = [cookieOf(await signIn(inactive.key)), cookieOf(await signIn(deleted.key))]
    for (const cookie of cookies) expect((await me(cookie)).status).toBe(200)
    await world.ok('update_agent', { agent_id: inactive.id, is_active: false })
    await world.ok('delete_agent', { agent_id: deleted.id })
    for (const cookie of cookies) expect((await me(cookie)).status).toBe(401)
  })

  test('a new key, unless the old one still works', async () => {
    const [replaced, overlapping] = [await world.agent(), await world.agent()]
    const [ended, kept] = [cookieOf(await signIn(replaced.key)), cookieOf(await signIn(overlapping.key))]
    await world.ok('regenerate_agent_key', { agent_id: replaced.id })
    await world.ok('regenerate_agent_key', { agent_id: overlapping.id, overlap_minutes: 5 })
    expect((await me(ended)).status).toBe(401)
    expect((await me(kept)).status).toBe(200)
    await world.ok('regenerate_agent_key', { agent_id: overlapping.id })
    expect((await me(kept)).status).toBe(401)
  })

  test('a changed cookie is none', async () => {
    const cookie = cookieOf(await signIn(world.owner.key))
    for (const other of [cookie.slice(0, -4), `${cookie.slice(0, -2)}xx`, 'specboard_session_0=x', ''])
      expect((await me(other)).status).toBe(401)
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
  const begun = async () => {
    const body = JSON.stringify({ key: timed.owner.key })
    return cookieOf(await at('/web/session', { 'content-type': 'application/json' }, { method: 'POST', body }))
  }
  const used = (cookie: string) => at('/api/v1/me/permissions', { cookie })

  test('a call renews it when it is older than 5 minutes, not before', async () => {
    const cookie = await begun()
    ahead += 4 * minute
    expect((await used(cookie)).headers.get('set-cookie')).toBeNull()
    ahead += 2 * minute
    const renewing = await used(cookie)
    expect(renewing.headers.get('set-cookie')).toMatch(/; Max-Age=43200; Path=\/; HttpOnly; SameSite=Strict$/)
    const renewed = cookieOf(renewing)
    expect(renewed).not.toBe(cookie)
    expect((await used(renewed)).headers.get('set-cookie')).toBeNull()
  })

  test('it ends 12 hours after its last use', async () => {
    let cookie = await begun()
    for (let day = 0; day < 3; day++) {
      ahead += 11 * hour
      const answer = await used(cookie)
      expect(answer.status).toBe(200)
      cookie = cookieOf(answer)
    }
    ahead += 12 * hour
    expect((await used(cookie)).status).toBe(401)
  })

  test('signing out ends what it was before it was renewed, too', async () => {
    const cookie = await begun()
    ahead += 6 * minute
    const renewed = cookieOf(await used(cookie))
    const left = await at('/web/session', { cookie: renewed, origin: timed.running.url }, { method: 'DELETE' })
    expect(left.status).toBe(204)
    expect([(await used(cookie)).status, (await used(renewed)).status]).toEqual([401, 401])
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
    expect((await bodyOf(await me(cookieOf(answer)))).agent_id).toBe(world.owner.id)
    expect((await opened(link)).status).toBe(401)
  })

  test('of many that come at once one is taken', async () => {
    const link = (await ownerLink(world, world.running.url))!
    const statuses = await Promise.all(Array.from({ length: 8 }, async () => (await opened(link)).status))
    expect(statuses.filter(status => status === 200)).toHaveLength(1)
  })

  test("a link's token is no cookie, and a cookie no link", async () => {
    const link = (await ownerLink(world, world.running.url))!
    const cookie = cookieOf(await signIn(world.owner.key))
    const [name, token] = cookie.split('=')
    expect((await me(`${name}=${link.slice(link.indexOf('#') + 1)}`)).status).toBe(401)
    expect((await opened(`#${token}`)).status).toBe(401)
  })
})

test('whoever tries keys here is counted with all others (trust 1)', async () => {
  const guarded = await World.start({ wrongKeysPerMin: 2 })
  try {
    const attempt = () =>
      fetch(`${guarded.running.url}/web/session`, { method: 'POST', body: JSON.stringify({ key: 'dash_wrong' }) })
    for (const _ of [1, 2]) expect((await attempt()).status).toBe(401)
    const audit = await guarded.ok('list_audit')
    expect(audit.map((entry: { action: string }) => entry.action)).toContain('keys_refused')
  } finally {
    await guarded.stop()
  }
})
