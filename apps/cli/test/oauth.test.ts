/** Clients over MCP that a person connects by an address alone (people 3). */
import { createHash } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { rowsOf } from './support/event-log.ts'
import { eventually } from './support/eventually.ts'
import { freePort } from './support/free-port.ts'
import { OauthClient } from './support/oauth-client.ts'
import { Person } from './support/person.ts'
import { Scene } from './support/scene.ts'
import { World } from './support/world.ts'

let world: World
let owner: Person
let client: OauthClient
let boardId: string
let url: string

beforeAll(async () => {
  const port = await freePort()
  url = `http://127.0.0.1:${port}`
  world = await World.start({ port, publicUrl: url })
  owner = await Person.owner(world)
  client = new OauthClient(url)
  boardId = (await Scene.on(world)).boardId
})

afterAll(() => world.stop())

const choice = (more: Readonly<Record<string, unknown>> = {}) => ({
  allow: true,
  new_agent: { name: 'Claude of Ada', preset_id: 'Executor' },
  ...more,
})

const mcp = (token: string | undefined, body: unknown = { jsonrpc: '2.0', id: 1, method: 'tools/list' }, query = '') =>
  fetch(`${url}/mcp${query}`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2025-06-18',
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
    },
    body: JSON.stringify(body),
  })

const calling = (name: string, args: unknown = {}) => ({
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: { name, arguments: args },
})

// biome-ignore lint/suspicious/noExplicitAny: answers of several routes
const bodyOf = (response: Response): Promise<any> => response.json()

describe('refusals of /mcp (people 3.2)', () => {
  const metadata = () => `resource_metadata="${url}/.well-known/oauth-protected-resource/mcp`

  test('lead whoever sent nothing to a sign-in', async () => {
    const answer = await mcp(undefined)
    expect([answer.status, answer.headers.get('www-authenticate')]).toEqual([
      401,
      `Bearer realm="mcp", ${metadata()}", scope="read write"`,
    ])
    const viewed = await mcp(undefined, undefined, '?toolsets=core&x=1&readonly=1')
    expect(viewed.headers.get('www-authenticate')).toContain(`${metadata()}?toolsets=core&readonly=1"`)
  })

  test('have a token refreshed that has ended', async () => {
    const answer = await mcp('x'.repeat(43))
    expect(answer.headers.get('www-authenticate')).toBe(
      `Bearer realm="mcp", error="invalid_token", ${metadata()}", scope="read write"`,
    )
  })

  test.each([
    'dash_000000000000000000000000000000000000000000000000',
    'dashci_x',
    'dashrun_x',
    '$'.concat('{SPECBOARD_API_KEY}'),
    'x'.repeat(42),
  ])('send nobody with a broken key to a browser: %s', async key => {
    expect((await mcp(key)).headers.get('www-authenticate')).toBe('Bearer realm="mcp"')
  })

  test('nor one in another header', async () => {
    for (const headers of [{ 'x-api-key': 'x'.repeat(43) }, { authorization: 'Bearer ' }, { authorization: 'Basic x' }])
      expect((await fetch(`${url}/mcp`, { method: 'POST', headers })).headers.get('www-authenticate')).toBe(
        'Bearer realm="mcp"',
      )
    const inQuery = await fetch(`${url}/mcp?api_key=${'x'.repeat(43)}`, { method: 'POST' })
    expect(inQuery.headers.get('www-authenticate')).toBe('Bearer realm="mcp"')
  })
})

describe('metadata (people 3.3)', () => {
  test('names the resource as it was asked for', async () => {
    for (const [path, resource] of [
      ['', '/mcp'],
      ['/mcp', '/mcp'],
      ['/mcp/', '/mcp/'],
      ['/mcp?toolsets=core', '/mcp?toolsets=core'],
      ['/mcp?toolsets=core&other=1', '/mcp'],
    ]) {
      const answer = await fetch(`${url}/.well-known/oauth-protected-resource${path}`)
      expect(await bodyOf(answer)).toEqual({
        resource: `${url}${resource}`,
        authorization_servers: [url],
        scopes_supported: ['read', 'write'],
        bearer_methods_supported: ['header'],
        resource_name: expect.any(String),
        resource_documentation: expect.any(String),
      })
      expect(answer.headers.get('cache-control')).toBe('max-age=300')
    }
  })

  test('says what the authorization server does, to any page', async () => {
    const headers = { origin: 'https://inspector.example' }
    const answer = await fetch(`${url}/.well-known/oauth-authorization-server`, { headers })
    expect(answer.headers.get('access-control-allow-origin')).toBe('*')
    const metadata = await bodyOf(answer)
    expect(metadata).toMatchObject({
      issuer: url,
      authorization_endpoint: `${url}/authorize`,
      token_endpoint: `${url}/token`,
      registration_endpoint: `${url}/register`,
      revocation_endpoint: `${url}/revoke`,
      response_types_supported: ['code'],
      code_challenge_methods_supported: ['S256'],
      scopes_supported: ['read', 'write', 'offline_access'],
      client_id_metadata_document_supported: true,
      authorization_response_iss_parameter_supported: true,
    })
    const openid = await fetch(`${url}/.well-known/openid-configuration`, { headers })
    expect([openid.status, openid.headers.get('access-control-allow-origin')]).toEqual([404, '*'])
    const foreign = await fetch(`${url}/api/v1/boards`, { headers })
    expect(foreign.status).toBe(403)
  })

  test('is not there without an address or where it is off', async () => {
    for (const settings of [{ publicUrl: undefined }, { oauth: 'off' as const }]) {
      const closed = await World.start(settings)
      try {
        const at = closed.running.url
        for (const path of [
          '/.well-known/oauth-protected-resource',
          '/.well-known/oauth-authorization-server',
          '/authorize',
        ])
          expect((await fetch(`${at}${path}`)).status).toBe(404)
        expect((await fetch(`${at}/token`, { method: 'POST' })).status).toBe(404)
        const refused = await fetch(`${at}/mcp`, { method: 'POST' })
        expect(refused.headers.get('www-authenticate')).toBe('Bearer realm="mcp"')
      } finally {
        await closed.stop()
      }
    }
  })
})

describe('the way of a client', () => {
  test('leads from registration by consent to a call in the name of an agent', async () => {
    await client.register({ client_name: 'Claude‮ Code\n' })
    const request = await client.ask()
    expect(request.answer.status).toBe(303)
    expect(request.location).toMatch(/^(?:http:\/\/127\.0\.0\.1:\d+)?\/connect\/[\w-]+$/)
    expect(
      request.answer.headers.getSetCookie().every(cookie => /HttpOnly/i.test(cookie) && /SameSite=Lax/i.test(cookie)),
    ).toBe(true)
    const offer = await client.offered(request, owner)
    expect(offer.body).toMatchObject({
      client: {
        id: client.id,
        name: 'Claude Code',
        host: null,
        redirect_host: '127.0.0.1:3334',
        loopback: true,
        verified: false,
      },
      scopes: ['read', 'write'],
      previous: null,
    })
    expect(offer.body.presets).toContainEqual(
      expect.objectContaining({ name: 'Executor', description: expect.stringContaining('Takes cards') }),
    )
    expect(offer.body.boards).toContainEqual({ id: boardId, key: expect.any(String), name: 'Scene' })
    const code = await client.allowed(request, owner, choice({ board_ids: [boardId] }))
    expect([code.searchParams.get('state'), code.searchParams.get('iss')]).toEqual([client.state, url])
    const tokens = await client.exchange(code)
    expect([tokens.status, tokens.body]).toEqual([
      200,
      {
        access_token: expect.stringMatching(/^[\w-]{43}$/),
        token_type: 'Bearer',
        expires_in: 3600,
        scope: 'read write',
        refresh_token: expect.stringMatching(/^[\w-]{43}$/),
      },
    ])
    expect(tokens.headers.get('cache-control')).toBe('no-store')
    const answer = await mcp(tokens.body.access_token, calling('get_my_permissions'))
    const { result } = await bodyOf(answer)
    expect(result.structuredContent).toMatchObject({ agent_name: 'Claude of Ada', preset_name: 'Executor' })
    const [connection] = await owner.ok('list_connections')
    expect(connection).toMatchObject({
      client_id: client.id,
      client_name: 'Claude Code',
      client_host: null,
      agent_id: result.structuredContent.agent_id,
      agent_name: 'Claude of Ada',
      person_id: world.owner.id,
      person_name: 'Local Owner',
      boards: [{ id: boardId, key: expect.any(String), name: 'Scene' }],
      scopes: ['read', 'write'],
      confirm: true,
      ended_at: null,
      ended_reason: null,
    })
    const agent = await world.ok('get_agent', { agent_id: connection.agent_id })
    expect(agent).toMatchObject({ kind: 'agent', has_key: false, created_by: world.owner.id })
    // The owner's board is a grant of the agent.
    const agents: { id: string }[] = await world.ok('list_board_agents', { board_id: boardId })
    expect(agents.map(({ id }) => id)).toContain(connection.agent_id)
    // A token is for /mcp alone, and gives no hint elsewhere.
    const api = await fetch(`${url}/api/v1/boards`, {
      headers: { authorization: `Bearer ${tokens.body.access_token}` },
    })
    expect([api.status, api.headers.get('www-authenticate')]).toEqual([401, 'Bearer'])
    // The second time, what was chosen is offered again.
    const again = await client.offered(await client.ask(), owner)
    expect(again.body.previous).toMatchObject({ agent_id: connection.agent_id, read_only: false, confirm: true })
    expect(again.body.agents.map(({ id }: { id: string }) => id)).toContain(connection.agent_id)
  })

  test('writes in the name of the agent, by a connection', async () => {
    const new_agent = { name: 'Writer', preset_id: 'Full Control' }
    const tokens = await client.connected(owner, choice({ new_agent }))
    const created = await mcp(tokens.access_token, calling('create_ideation', { board_id: boardId, title: 'An idea' }))
    expect((await bodyOf(created)).result.isError).toBeFalsy()
    const event = (await world.ok('list_board_events', { board_id: boardId })).events.at(-1)
    expect(event).toMatchObject({ actor_name: 'Writer', actor_type: 'agent', actor_via: 'connection' })
  })

  test('may only read where the person says so, whatever the address says', async () => {
    const tokens = await client.connected(owner, choice({ read_only: true }))
    expect(tokens.scope).toBe('read')
    const refused = await mcp(tokens.access_token, calling('create_board', { name: 'No' }))
    expect([refused.status, refused.headers.get('www-authenticate')]).toEqual([
      403,
      `Bearer error="insufficient_scope", scope="read write", resource_metadata="${url}/.well-known/oauth-protected-resource/mcp"`,
    ])
    for (const [name, args] of [
      ['call_operation', { name: 'create_board', arguments: { name: 'No' } }],
      ['run_operations', { calls: [{ name: 'list_boards' }, { name: 'create_board', arguments: { name: 'No' } }] }],
    ] as const)
      expect((await mcp(tokens.access_token, calling(name, args), '?toolsets=core')).status).toBe(403)
    expect((await mcp(tokens.access_token, calling('list_boards'))).status).toBe(200)
    const request = await client.ask({ scope: 'read openid' })
    const code = await client.allowed(request, owner, choice())
    expect((await client.exchange(code)).body.scope).toBe('read')
  })

  test.each(['/mcp', '/mcp/', '/mcp?toolsets=core', ''])('takes the resource %j', async path => {
    const resource = `${url}${path}`
    const code = await client.allowed(await client.ask({ resource }), owner, choice())
    expect((await client.exchange(code, { resource })).status).toBe(200)
  })

  test('takes the resource in any case, and any port of this machine', async () => {
    const resource = `HTTP://127.0.0.1:${new URL(url).port}/mcp`
    const redirect_uri = 'http://127.0.0.1:9999/callback'
    const request = await client.ask({ resource, redirect_uri })
    const code = await client.allowed(request, owner, choice())
    expect(code.port).toBe('9999')
    expect((await client.exchange(code)).body.error).toBe('invalid_grant')
  })

  test('is refused by the person', async () => {
    const denied = await client.allowed(await client.ask(), owner, { allow: false })
    expect(Object.fromEntries(denied.searchParams)).toMatchObject({
      error: 'access_denied',
      state: client.state,
      iss: url,
    })
    expect(await world.ok('list_audit', { action: 'connection_denied', limit: 1 })).toHaveLength(1)
  })

  test.each([
    ['invalid_target', { resource: 'https://other.example/mcp' }],
    ['invalid_request', { code_challenge: undefined }],
    ['invalid_request', { code_challenge_method: 'plain' }],
    ['unsupported_response_type', { response_type: 'token' }],
    ['login_required', { prompt: 'none' }],
  ])('goes back with %s', async (error, parameters) => {
    const { answer, location } = await client.ask(parameters)
    expect(answer.status).toBe(303)
    const back = new URL(location, url)
    expect([back.port, back.searchParams.get('error'), back.searchParams.get('state')]).toEqual([
      '3334',
      error,
      client.state,
    ])
    expect(back.searchParams.get('iss')).toBe(url)
  })

  test.each([
    ['an unknown client', { client_id: 'nobody' }],
    ['a foreign address', { redirect_uri: 'https://evil.example/callback' }],
    ['a state that is too long', { state: 'x'.repeat(2_001) }],
  ])('ends in a page for %s', async (_, parameters) => {
    const { answer } = await client.ask(parameters)
    expect([answer.status, answer.headers.get('location')]).toEqual([400, null])
  })
})

describe('consent (people 3.5)', () => {
  test('is for who is signed in, on a page of the service, in the browser that asked', async () => {
    const request = await client.ask()
    expect((await client.offered(request, undefined)).status).toBe(401)
    expect((await client.offered({ ...request, cookie: '' }, owner)).status).toBe(404)
    const foreign = await fetch(new URL(`${request.location}/choice`, url), {
      headers: { ...owner.page.headers, 'sec-fetch-site': 'cross-site', cookie: request.cookie },
    })
    expect(foreign.status).toBe(403)
    const other = await client.ask()
    expect((await client.offered({ ...request, location: other.location }, owner)).status).toBe(404)
  })

  test('asks for the person itself', async () => {
    const byKey = await Person.byKey(world, world.owner.key)
    const { status, body } = await client.choose(await client.ask(), byKey, choice())
    expect([status, body.detail.error, body.detail.needs]).toEqual([409, 'PERSON_REQUIRED', 'present'])
    expect([body.detail.url, body.detail.persons]).toEqual([
      `${world.running.url}/`,
      [{ id: world.owner.id, name: 'Local Owner' }],
    ])
  })

  test('gives nothing that the person lacks', async () => {
    const preset = await world.ok('create_preset', { name: 'Little', flags: { BOARDS_READ: true, CARDS_READ: true } })
    const ada = await owner.ok('create_agent', { name: 'Ada', kind: 'person', preset_id: preset.id })
    const person = await Person.byLink(world, (await owner.ok('create_sign_in_link', { agent_id: ada.id })).url)
    const share = await world.ok('create_board_share', { board_id: boardId, user_id: ada.id, permission: 'editor' })
    const request = await client.ask()
    const offer = await client.offered(request, person)
    expect(offer.body.presets.map(({ name }: { name: string }) => name)).toEqual(['Little'])
    expect(offer.body.agents).toEqual([])
    expect((await client.choose(request, person, choice())).status).toBe(403)
    const new_agent = { name: 'Helper', preset_id: preset.id }
    const hidden = await world.ok('create_board', { name: 'Hidden', description: '' })
    expect((await client.choose(request, person, { allow: true, new_agent, board_ids: [hidden.id] })).status).toBe(404)
    expect((await client.choose(request, person, { allow: true, agent_id: world.owner.id })).status).toBe(404)
    expect((await client.choose(request, person, { allow: true })).status).toBe(400)
    expect((await client.choose(request, person, { allow: 'yes' })).status).toBe(422)
    await client.allowed(request, person, { allow: true, new_agent })
    const [{ agent_id }] = await person.ok('list_connections')
    const level = async () => {
      const shares: { user_id: string; permission: string }[] = await world.ok('list_board_shares', {
        board_id: boardId,
      })
      return shares.find(({ user_id }) => user_id === agent_id)?.permission
    }
    expect(await level()).toBe('editor')
    // The agent's access follows the person's own.
    await world.ok('update_board_share', { board_id: boardId, share_id: share.id, permission: 'viewer' })
    expect(await level()).toBe('viewer')
    await world.ok('delete_board_share', { board_id: boardId, share_id: share.id })
    expect(await level()).toBeUndefined()
  })
})

describe('tokens (people 3.7)', () => {
  test.each([
    [
      'codes',
      { grant_type: 'authorization_code', code: 'x'.repeat(43), redirect_uri: 'http://127.0.0.1/', code_verifier: 'y' },
    ],
    ['refresh tokens', { grant_type: 'refresh_token', refresh_token: 'x'.repeat(43) }],
  ])('that are wrong are counted as wrong keys are: %s (people 7.1)', async (_, grant) => {
    const port = await freePort()
    const publicUrl = `http://127.0.0.1:${port}`
    const guarded = await World.start({ port, publicUrl, wrongKeysPerMin: 2 })
    try {
      const guessing = new OauthClient(publicUrl)
      await guessing.register()
      for (const _ of [1, 2]) expect((await guessing.post('/token', grant)).body.error).toBe('invalid_grant')
      await eventually(async () => expect(await guarded.ok('list_audit', { action: 'keys_refused' })).toHaveLength(1))
    } finally {
      await guarded.stop()
    }
  })

  test('rotate, and the one before works a minute longer', async () => {
    const tokens = await client.connected(owner, choice())
    const first = await client.refresh(tokens.refresh_token)
    expect([first.status, first.body.refresh_token]).toEqual([200, expect.not.stringMatching(tokens.refresh_token)])
    const both = await Promise.all([1, 2].map(() => client.refresh(tokens.refresh_token)))
    expect(both.map(({ status }) => status)).toEqual([200, 200])
    for (const { body } of [first, ...both]) expect((await mcp(body.access_token)).status).toBe(200)
    expect((await client.refresh(first.body.refresh_token)).status).toBe(200)
  })

  test('end with the connection where one is used again later', async () => {
    const port = await freePort()
    const at = `http://127.0.0.1:${port}`
    const strict = await World.start({ port, publicUrl: at, oauthRefreshGraceSeconds: 0 })
    try {
      const person = await Person.owner(strict)
      const other = new OauthClient(at)
      await other.register()
      const tokens = await other.connected(person, choice())
      const next = await other.refresh(tokens.refresh_token)
      const reused = await other.refresh(tokens.refresh_token)
      expect([reused.status, reused.body.error]).toEqual([400, 'invalid_grant'])
      expect((await other.refresh(next.body.refresh_token)).status).toBe(400)
      expect(await person.ok('list_connections')).toMatchObject([{ ended_reason: 'reuse' }])
      expect(await strict.ok('list_audit', { action: 'connection_reused' })).toHaveLength(1)
      const [ended] = await person.ok('list_connections')
      const { items, counts } = await person.ok('list_my_inbox')
      expect(items).toEqual([
        {
          id: `connection_ended:${ended.id}`,
          kind: 'connection_ended',
          board_id: null,
          board_key: null,
          record: { entity_type: 'connection', id: ended.id, ref: null, title: ended.client_name, status: 'ended' },
          since: ended.ended_at,
          actor_id: null,
          actor_name: null,
          actor_type: null,
          actor_via: null,
          data: expect.objectContaining({ ended_reason: 'reuse', agent_id: ended.agent_id }),
          operation: 'dismiss_inbox_items',
          arguments: { ids: [`connection_ended:${ended.id}`] },
        },
      ])
      expect(counts.connection_ended).toBe(1)
      const board = await strict.ok('create_board', { name: 'Shop', description: '' })
      expect((await person.ok('list_my_inbox', { board_id: board.id })).items).toEqual([])
      expect(await person.ok(items[0].operation, items[0].arguments)).toMatchObject({ dismissed: [items[0].id] })
      expect((await person.ok('list_my_inbox')).items).toEqual([])
    } finally {
      await strict.stop()
    }
  })

  test('a code works once, and its second use ends what came of the first', async () => {
    const code = await client.allowed(await client.ask(), owner, choice())
    const tokens = await client.exchange(code)
    const second = await client.exchange(code)
    expect([second.status, second.body.error]).toEqual([400, 'invalid_grant'])
    expect((await mcp(tokens.body.access_token)).status).toBe(401)
  })

  test('a code needs its verifier, client and address', async () => {
    for (const wrong of [{ code_verifier: 'x'.repeat(43) }, { redirect_uri: 'http://127.0.0.1:1/callback' }]) {
      const code = await client.allowed(await client.ask(), owner, choice())
      expect((await client.exchange(code, wrong)).body.error).toBe('invalid_grant')
    }
    const unknown = await client.exchange(new URL(`${url}/?code=nothing`), { client_id: 'nobody' })
    expect([unknown.status, unknown.body.error]).toEqual([401, 'invalid_client'])
  })

  test('are revoked with the connection, by the client or by the person', async () => {
    const byClient = await client.connected(owner, choice())
    const next = await client.refresh(byClient.refresh_token)
    expect((await client.post('/revoke', { token: next.body.access_token })).status).toBe(200)
    expect((await mcp(next.body.access_token)).status).toBe(401)
    expect((await mcp(byClient.access_token)).status).toBe(200)
    const stranger = new OauthClient(url)
    await stranger.register()
    expect((await stranger.post('/revoke', { token: byClient.refresh_token })).status).toBe(200)
    expect((await mcp(byClient.access_token)).status).toBe(200)
    expect((await client.post('/revoke', { token: next.body.refresh_token })).status).toBe(200)
    expect((await mcp(byClient.access_token)).status).toBe(401)
    expect((await client.post('/revoke', { token: 'unknown' })).status).toBe(200)
    const byPerson = await client.connected(owner, choice())
    const [{ id }] = (await owner.ok('list_connections')).filter(
      ({ ended_at }: { ended_at: null }) => ended_at === null,
    )
    expect((await owner.call('revoke_connection', { connection_id: id })).status).toBe(204)
    expect((await mcp(byPerson.access_token)).headers.get('www-authenticate')).toContain('invalid_token')
    expect((await client.refresh(byPerson.refresh_token)).body.error).toBe('invalid_grant')
  })

  test('end with their agent and their person', async () => {
    const ofAgent = await client.connected(owner, choice())
    const [{ agent_id }] = await owner.ok('list_connections')
    await owner.ok('update_agent', { agent_id, is_active: false })
    expect((await mcp(ofAgent.access_token)).status).toBe(401)
    await owner.ok('update_agent', { agent_id, is_active: true })
    expect((await mcp(ofAgent.access_token)).status).toBe(401)
    const bob = await owner.ok('create_agent', { name: 'Bob', kind: 'person' })
    const person = await Person.byLink(world, (await owner.ok('create_sign_in_link', { agent_id: bob.id })).url)
    const ofPerson = await client.connected(person, choice())
    await owner.ok('update_agent', { agent_id: bob.id, is_active: false })
    expect((await mcp(ofPerson.access_token)).status).toBe(401)
  })
})

describe('connections', () => {
  test('are one’s own unless one manages them', async () => {
    const eve = await owner.ok('create_agent', {
      name: 'Eve',
      kind: 'person',
      permission_flags: { CONNECTIONS_MANAGE: false },
    })
    const person = await Person.byLink(world, (await owner.ok('create_sign_in_link', { agent_id: eve.id })).url)
    await client.connected(owner, choice())
    const [{ id }] = await owner.ok('list_connections')
    expect(await person.ok('list_connections')).toEqual([])
    expect((await person.call('list_connections', { all: true })).status).toBe(403)
    expect((await person.call('revoke_connection', { connection_id: id })).status).toBe(404)
    await client.connected(person, choice())
    const [{ id: hers }] = await person.ok('list_connections')
    // Boards that the reader does not see are not named, no matter whose connection it is.
    const own = await person.ok('create_board', { name: 'Of Eve', description: '' })
    const [{ agent_id }] = await person.ok('list_connections')
    await person.ok('grant_board_access', { agent_id, board_id: own.id })
    const on = (connections: { id: string; boards: { key: string }[] }[]) =>
      connections.find(one => one.id === hers)!.boards.map(({ key }) => key)
    expect(on(await person.ok('list_connections'))).toEqual([own.key])
    expect(on(await owner.ok('list_connections', { all: true }))).toEqual([])
    expect((await owner.call('revoke_connection', { connection_id: hers })).status).toBe(204)
    expect(on(await person.ok('list_connections'))).toEqual([])
    const byKey = await world.call('list_connections', {}, { as: await world.agent() })
    expect(byKey.body.detail.error).toBe('PERSON_REQUIRED')
  })
})

describe('clients (people 3.6)', () => {
  const registering = (metadata: Readonly<Record<string, unknown>>) =>
    fetch(`${url}/register`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: 'https://any.example' },
      body: JSON.stringify({ redirect_uris: ['https://app.example/callback'], ...metadata }),
    })

  test('register with a secret where they ask for one', async () => {
    const answer = await registering({ client_name: 'App' })
    const registered = await bodyOf(answer)
    expect([answer.status, registered]).toMatchObject([
      201,
      { client_id: expect.any(String), client_id_issued_at: expect.any(Number), client_secret: expect.any(String) },
    ])
    expect(registered.registration_access_token).toBeUndefined()
    expect(answer.headers.get('access-control-allow-origin')).toBe('*')
  })

  test.each([
    ['invalid_redirect_uri', { redirect_uris: [] }],
    ['invalid_redirect_uri', { redirect_uris: ['http://app.example/callback'] }],
    ['invalid_redirect_uri', { redirect_uris: ['https://app.example/', 'javascript:alert(1)'] }],
    ['invalid_redirect_uri', { redirect_uris: Array.from({ length: 11 }, (_, at) => `https://app.example/${at}`) }],
    ['invalid_client_metadata', { token_endpoint_auth_method: 'tls_client_auth' }],
  ])('are refused with %s', async (error, metadata) => {
    const answer = await registering(metadata)
    expect([answer.status, (await bodyOf(answer)).error]).toEqual([400, error])
  })

  test('of an application have its scheme', async () => {
    const answer = await registering({
      application_type: 'web',
      token_endpoint_auth_method: 'none',
      redirect_uris: [
        'cursor://anysphere.cursor-mcp/oauth/callback',
        'http://localhost:8787/callback',
        'https://www.cursor.com/c',
      ],
    })
    expect(answer.status).toBe(201)
  })

  test('are documents at an address', async () => {
    const served = createServer((_, response) => {
      const { port } = served.address() as AddressInfo
      response.writeHead(200, { 'content-type': 'application/json' }).end(
        JSON.stringify({
          client_id: `http://127.0.0.1:${port}/client.json`,
          client_name: 'Documented',
          redirect_uris: ['http://localhost/callback'],
          token_endpoint_auth_method: 'none',
        }),
      )
    })
    await new Promise<void>(resolve => served.listen(0, '127.0.0.1', resolve))
    const { port } = served.address() as AddressInfo
    try {
      const documented = new OauthClient(url, `http://127.0.0.1:${port}/client.json`, 'http://localhost:5555/callback')
      const request = await documented.ask()
      expect((await documented.offered(request, owner)).body.client).toMatchObject({
        name: 'Documented',
        host: `127.0.0.1:${port}`,
        verified: true,
      })
      const tokens = await documented.exchange(await documented.allowed(request, owner, choice()))
      expect(tokens.status).toBe(200)
      const other = new OauthClient(url, `http://127.0.0.1:${port}/other.json`, 'http://localhost:5555/callback')
      expect((await other.ask()).answer.status).toBe(400)
    } finally {
      served.close()
    }
  })
})

test('nothing that was given away stands in the database', async () => {
  const { access_token, refresh_token } = await client.connected(owner, choice())
  const rows = JSON.stringify([...rowsOf(world, ['oauth_records'])])
  for (const token of [access_token, refresh_token]) {
    expect(rows).not.toContain(token)
    expect(rows).toContain(createHash('sha256').update(token).digest('hex'))
  }
})
