/** Signing in at a provider, and the accounts of a person there (people 2.1, 2.2, 2.3). */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { MailSink } from './support/mail-sink.ts'
import { OpenIdProvider } from './support/openid-provider.ts'
import { Person } from './support/person.ts'
import { Scene } from './support/scene.ts'
import { SignIn } from './support/sign-in.ts'
import { World } from './support/world.ts'

let provider: OpenIdProvider
let mail: MailSink
let folder: string
let world: World
let owner: Person
let signIn: SignIn

const secret = 'a secret: with/signs'

async function fileOf(...providers: unknown[]): Promise<string> {
  await writeFile(join(folder, 'secret'), `${secret}\n`)
  const file = join(folder, `${Math.random()}.json`)
  await writeFile(file, JSON.stringify({ providers }))
  return file
}

const corp = () => provider.member({ client_secret_file: 'secret', allowed_domains: ['example.org'] })

beforeAll(async () => {
  provider = await OpenIdProvider.start()
  folder = await mkdtemp(join(tmpdir(), 'specboard-providers-'))
  const groups = provider.member({
    id: 'groups',
    client_auth: 'post',
    client_secret_file: 'secret',
    allowed_groups: ['dev', 'ops'],
    groups_claim: 'realm.groups',
    group_presets: [
      { group: 'dev', preset: 'Executor', boards: ['SCE'] },
      { group: 'ops', preset: 'Full Control', boards: ['SCE'], share: 'admin' },
    ],
  })
  const linkedOnly = provider.member({ id: 'linked' })
  const byEmail = provider.member({ id: 'mail', link_by_email: true })
  const once = provider.member({
    id: 'once',
    link_by_email: true,
    group_sync: 'first',
    group_presets: [
      { group: 'dev', preset: 'Executor' },
      { group: 'ops', preset: 'Validator' },
    ],
  })
  const unset = provider.member({ id: 'unset', allowed_groups: ['dev'], preset: 'Nobody has this' })
  mail = await MailSink.start()
  world = await World.start({
    signInFile: await fileOf(corp(), groups, linkedOnly, byEmail, once, unset),
    smtpUrl: mail.url,
    mailFrom: 'Specboard <board@example.com>',
  })
  owner = await Person.owner(world)
  signIn = new SignIn(world, provider)
})

afterEach(() => {
  provider.lies = {}
  provider.userinfo = {}
})

afterAll(async () => {
  await world.stop()
  await provider.stop()
  await mail.stop()
  await rm(folder, { recursive: true, force: true })
})

let count = 0

/** Somebody with an account at the provider that nobody has seen. */
function newcomer(more: Readonly<Record<string, unknown>> = {}): string {
  const sub = `account-${++count}`
  provider.claims = { sub, name: `Ada ${count}`, email: `${sub}@example.org`, email_verified: true, ...more }
  return sub
}

const errorOf = (answer: Response): string | null =>
  new URL(answer.headers.get('location') ?? '/', 'http://x').searchParams.get('error')

test.each([
  ['the address that the provider verified', true, undefined, true],
  ['the same in other letters', true, 'upper', true],
  ['another one', true, 'other', false],
  ['one that the provider does not vouch for', false, undefined, false],
])('a channel to %s needs a code, or none (people 5.3)', async (_, email_verified, variant, verified) => {
  const sub = newcomer({ email_verified })
  const { person: manager } = await signIn.through({ provider: 'linked', link: true }, owner)
  expect(manager).toBeDefined()
  const mine = `${sub}@example.org`
  const email = variant === 'other' ? 'other@example.org' : variant === 'upper' ? mine.toUpperCase() : mine
  const channel = await owner.ok('create_notification_channel', { type: 'email', email })
  expect(channel.verified).toBe(verified)
  await owner.ok('delete_notification_channel', { channel_id: channel.id })
})

describe('the sign-in page', () => {
  test('is told how people sign in', async () => {
    const answer = await fetch(`${world.running.url}/web/sign-in`)
    expect(await answer.json()).toEqual({
      providers: ['corp', 'groups', 'linked', 'mail', 'once', 'unset'].map(id => ({ id, name: 'Corp' })),
      key: true,
      mail: false,
    })
  })

  test('shows nothing new without the setting, and the routes are not there', async () => {
    const local = await World.start({ publicUrl: undefined })
    try {
      expect(await (await fetch(`${local.running.url}/web/sign-in`)).json()).toEqual({
        providers: [],
        key: true,
        mail: false,
      })
      const request = { method: 'POST', headers: { 'sec-fetch-site': 'same-origin' }, body: '{"provider":"corp"}' }
      expect((await fetch(`${local.running.url}/web/session/oidc`, request)).status).toBe(404)
      expect((await fetch(`${local.running.url}/web/session/oidc/corp/callback`)).status).toBe(404)
    } finally {
      await local.stop()
    }
  })
})

describe('the way to a provider and back (people 2.2)', () => {
  test('asks with code, PKCE, state and nonce', async () => {
    const { answer, url, cookie } = await signIn.begin({ provider: 'corp', return_to: '/b/1' })
    expect([answer.status, Object.fromEntries(url.searchParams)]).toEqual([
      200,
      {
        response_type: 'code',
        client_id: 'specboard',
        redirect_uri: 'https://board.example.com/web/session/oidc/corp/callback',
        scope: 'openid profile email',
        code_challenge: expect.stringMatching(/^[\w-]{43}$/),
        code_challenge_method: 'S256',
        state: expect.stringMatching(/^[\w-]{43}$/),
        nonce: expect.stringMatching(/^[\w-]{43}$/),
      },
    ])
    expect(answer.headers.get('set-cookie')).toMatch(
      /^specboard_oidc_[\w-]{16}=v1\.[\w-]+; Max-Age=600; Path=\/web\/session\/oidc; HttpOnly; SameSite=Lax$/,
    )
    expect(cookie).not.toContain(url.searchParams.get('nonce'))
  })

  test('makes a person of an account that the lists admit, and begins a session', async () => {
    const subject = newcomer({ name: 'Grace Hopper', email: 'grace@example.org' })
    const { answer, person } = await signIn.through({ provider: 'corp', return_to: '/b/1?x=2#y' })
    expect([answer.status, answer.headers.get('location')]).toEqual([
      303,
      expect.stringMatching(/^\/b\/1\?x=2#half=[\w-]{43}$/),
    ])
    const [session] = await person!.ok('list_my_sessions')
    expect(session).toMatchObject({ via: 'oidc', provider: 'corp', present: true, current: true })
    const [identity, ...others] = await person!.ok('list_my_identities')
    expect([identity, others]).toEqual([
      {
        id: expect.any(String),
        provider: 'corp',
        issuer: provider.issuer,
        subject,
        email: 'grace@example.org',
        name: 'Grace Hopper',
        linked_at: expect.any(String),
        last_used_at: expect.any(String),
      },
      [],
    ])
    const me = await person!.ok('get_my_permissions')
    const agent = await owner.ok('get_agent', { agent_id: me.agent_id })
    expect(agent).toMatchObject({
      kind: 'person',
      name: 'Grace Hopper',
      handle: 'grace-hopper',
      email: 'grace@example.org',
      preset_name: 'Reporter',
      has_key: false,
      created_by: world.owner.id,
    })
    // The same account is the same person.
    const again = await signIn.through({ provider: 'corp' })
    expect((await again.person!.ok('get_my_permissions')).agent_id).toBe(me.agent_id)
    const audit: { action: string }[] = await world.ok('list_audit', { target_id: me.agent_id })
    expect(audit.map(({ action }) => action)).toEqual(['signed_in', 'signed_in', 'person_created', 'identity_linked'])
    expect(audit[0]).toMatchObject({ details: { via: 'oidc', provider: 'corp' } })
  })

  test('is gone once: a second use of the same answer has expired, with and without its cookie', async () => {
    newcomer()
    const { url, cookie } = await signIn.begin({ provider: 'corp' })
    const search = provider.answer(url.href)
    const first = await signIn.back('corp', search, cookie)
    expect(errorOf(first)).toBeNull()
    expect(first.headers.getSetCookie().filter(one => one.includes('Max-Age=0'))).toHaveLength(1)
    expect(errorOf(await signIn.back('corp', search, cookie))).toBe('expired')
    expect(errorOf(await signIn.back('corp', search, ''))).toBe('expired')
  })

  test('leads to another provider or another browser nowhere', async () => {
    const { url, cookie } = await signIn.begin({ provider: 'corp' })
    expect(errorOf(await signIn.back('groups', provider.answer(url.href), cookie))).toBe('expired')
    const other = await signIn.begin({ provider: 'corp' })
    expect(errorOf(await signIn.back('corp', provider.answer(url.href), other.cookie))).toBe('expired')
    expect((await signIn.back('nobody', provider.answer(url.href), cookie)).status).toBe(404)
  })

  test.each([
    '//evil.example',
    'https://evil.example/',
    '/\\evil.example',
    '/\t/evil.example',
    '/a/..//evil.example',
    '/.//evil.example',
    '/%2e//evil.example',
    'b/1',
    '',
  ])('returns to no other site: %j', async return_to => {
    newcomer()
    const { answer } = await signIn.through({ provider: 'corp', return_to })
    expect(answer.headers.get('location')).toMatch(/^\/#half=/)
  })

  test.each([
    ['a foreign key', { foreignKey: true }],
    ['no signature', { head: { alg: 'none' } }],
    ['HMAC', { head: { alg: 'HS256' } }],
    ['another issuer', { claims: { iss: 'https://evil.example' } }],
    ['another receiver', { claims: { aud: 'somebody' } }],
    ['another party', { claims: { aud: ['specboard', 'other'], azp: 'other' } }],
    ['an end in the past', { claims: { exp: 1 } }],
    ['a beginning in the future', { claims: { nbf: 9_999_999_999 } }],
    ['another nonce', { claims: { nonce: 'other' } }],
    ['no nonce', { claims: { nonce: undefined } }],
    ['an answer of another issuer', { back: { iss: 'https://evil.example' } }],
  ])('refuses %s', async (_, lies) => {
    newcomer()
    provider.lies = lies
    const { answer } = await signIn.through({ provider: 'corp' })
    expect([answer.status, errorOf(answer)]).toEqual([303, 'refused'])
    expect(answer.headers.get('location')).toBe('/sign-in?error=refused')
  })

  test.each([
    ['the way back', { back: { error: 'access_denied', error_description: 'secret words' } }],
    ['the exchange', { tokenError: 'server_error' }],
  ])('tells an error of the provider at %s by a word', async (_, lies) => {
    newcomer()
    provider.lies = lies
    const { answer } = await signIn.through({ provider: 'corp' })
    expect(answer.headers.get('location')).toBe('/sign-in?error=provider')
    const [entry] = await world.ok('list_audit', { action: 'sign_in_refused', limit: 1 })
    expect(entry.details).toMatchObject({ provider: 'corp' })
  })

  test('takes clocks that differ by less than a minute', async () => {
    newcomer()
    provider.lies = { claims: { exp: Math.floor(Date.now() / 1_000) - 30 } }
    expect(errorOf((await signIn.through({ provider: 'corp' })).answer)).toBeNull()
  })

  test('asks for what is missing once, of the same account', async () => {
    newcomer({ email: undefined, email_verified: undefined })
    provider.userinfo = { email: `${provider.claims.sub}@example.org`, email_verified: true }
    expect(errorOf((await signIn.through({ provider: 'corp' })).answer)).toBeNull()
    newcomer({ email: undefined, email_verified: undefined })
    provider.userinfo = { sub: 'somebody', email: 'a@example.org', email_verified: true }
    expect(errorOf((await signIn.through({ provider: 'corp' })).answer)).toBe('refused')
  })

  test('begins from a page of this service alone, at a provider that there is', async () => {
    const foreign = await signIn.post({ provider: 'corp' }, { 'sec-fetch-site': 'cross-site' })
    expect(foreign.status).toBe(403)
    const unknown = await signIn.post({ provider: 'nobody' })
    const { detail } = (await unknown.json()) as { detail: { error: string; field: string } }
    expect([unknown.status, detail.error, detail.field]).toEqual([400, 'VALIDATION_ERROR', 'provider'])
    expect((await signIn.post({})).status).toBe(422)
    const wrong = await signIn.send('/web/session/oidc', { provider: 'corp', link: 'yes' })
    expect([wrong.status, await wrong.json()]).toMatchObject([
      422,
      { detail: [{ loc: ['body', 'link'], type: 'bool_type' }] },
    ])
  })

  test('ends at the provider too where it can', async () => {
    newcomer()
    const { person } = await signIn.through({ provider: 'corp' })
    const answer = await fetch(`${world.running.url}/web/session?provider=1`, {
      method: 'DELETE',
      headers: { ...person!.page.headers },
    })
    const { url } = (await answer.json()) as { url: string }
    expect([answer.status, url]).toEqual([200, expect.stringContaining(`${provider.issuer}/end`)])
    expect((await person!.call('list_my_sessions')).status).toBe(401)
  })
})

describe('who it is (people 2.3)', () => {
  test.each([
    ['not_allowed', { email: 'ada@evil.example' }],
    ['not_allowed', { email: 'ada@sub.example.org' }],
    ['not_allowed', { email: 'ada@exámple.org' }],
    ['unverified', { email_verified: false }],
    ['unverified', { email_verified: undefined }],
  ])('an account that the lists do not admit: %s', async (word, claims) => {
    newcomer(claims)
    expect(errorOf((await signIn.through({ provider: 'corp' })).answer)).toBe(word)
  })

  test.each([
    ['Ada\u0000 \u202eLovelace', 'Ada   Lovelace'],
    [`${'x'.repeat(254)}😀😀`, `${'x'.repeat(254)}😀`],
  ])('a name without what nobody sees: %j', async (name, expected) => {
    newcomer({ name })
    const { person } = await signIn.through({ provider: 'corp' })
    expect((await person!.ok('get_my_permissions')).agent_name).toBe(expected)
  })

  test.each([`${'x'.repeat(242)}@example.org.evil.example`, 'ada\u0000@example.org'])(
    'an address that is no address here is none: %j',
    async email => {
      newcomer({ email })
      expect(errorOf((await signIn.through({ provider: 'corp' })).answer)).toBe('not_allowed')
    },
  )

  test('an account that nobody has where only linked ones sign in', async () => {
    newcomer()
    expect(errorOf((await signIn.through({ provider: 'linked' })).answer)).toBe('not_linked')
  })

  test('somebody who fits no longer is refused and signed out', async () => {
    newcomer()
    const { person } = await signIn.through({ provider: 'corp' })
    provider.claims = { ...provider.claims, email: 'ada@evil.example' }
    expect(errorOf((await signIn.through({ provider: 'corp' })).answer)).toBe('not_allowed')
    expect((await person!.call('list_my_sessions')).status).toBe(401)
  })

  test('a person who is disabled is', async () => {
    newcomer()
    const { person } = await signIn.through({ provider: 'corp' })
    const { agent_id } = await person!.ok('get_my_permissions')
    await owner.ok('update_agent', { agent_id, is_active: false })
    expect(errorOf((await signIn.through({ provider: 'corp' })).answer)).toBe('disabled')
    await owner.ok('delete_agent', { agent_id })
    expect(errorOf((await signIn.through({ provider: 'corp' })).answer)).toBe('disabled')
  })

  test('two sign-ins at once make one person', async () => {
    newcomer()
    const both = await Promise.all([1, 2].map(() => signIn.through({ provider: 'corp' })))
    const ids = await Promise.all(both.map(async ({ person }) => (await person!.ok('get_my_permissions')).agent_id))
    expect(new Set(ids).size).toBe(1)
  })

  test('a present person links an account, which is nobody else’s', async () => {
    newcomer()
    const bob = await owner.ok('create_agent', { name: 'Bob', kind: 'person' })
    const link = async (id: string) =>
      Person.byLink(world, (await owner.ok('create_sign_in_link', { agent_id: id })).url)
    const person = await link(bob.id)
    const linked = await signIn.through({ provider: 'linked', link: true, return_to: '/me' }, person)
    expect(linked.answer.headers.get('location')).toMatch(/^\/me#half=/)
    expect(await person.ok('list_my_identities')).toMatchObject([{ provider: 'linked' }])
    // From now on the linked account signs in.
    expect((await (await signIn.through({ provider: 'linked' })).person!.ok('get_my_permissions')).agent_id).toBe(
      bob.id,
    )
    const eve = await owner.ok('create_agent', { name: 'Eve', kind: 'person' })
    const stolen = await signIn.through({ provider: 'linked', link: true }, await link(eve.id))
    expect(errorOf(stolen.answer)).toBe('refused')
  })

  test('nobody links one without being there', async () => {
    const byKey = await Person.byKey(world, world.owner.key)
    const answer = await signIn.post({ provider: 'linked', link: true }, byKey.page.headers)
    const { detail } = (await answer.json()) as { detail: object }
    expect([answer.status, detail]).toMatchObject([
      409,
      {
        error: 'PERSON_REQUIRED',
        needs: 'present',
        gate: null,
        url: 'https://board.example.com/',
        persons: [{ id: world.owner.id, name: 'Local Owner' }],
        asked: false,
      },
    ])
    expect((await signIn.post({ provider: 'linked', link: true })).status).toBe(401)
    // A session that has ended meanwhile links nothing.
    newcomer()
    const person = await Person.owner(world)
    const { url, cookie } = await signIn.begin({ provider: 'linked', link: true }, person)
    for (const { id, current } of await person.ok('list_my_sessions'))
      if (current) await person.call('end_my_session', { session_id: id })
    expect(errorOf(await signIn.back('linked', provider.answer(url.href), cookie))).toBe('expired')
  })

  test('a verified address that one person has links where the provider is trusted with that', async () => {
    const carl = await owner.ok('create_agent', { name: 'Carl', kind: 'person', email: 'Carl@Example.org' })
    newcomer({ email: 'carl@example.org', email_verified: false })
    expect(errorOf((await signIn.through({ provider: 'mail' })).answer)).toBe('not_linked')
    newcomer({ email: 'carl@example.org' })
    const { person } = await signIn.through({ provider: 'mail' })
    expect((await person!.ok('get_my_permissions')).agent_id).toBe(carl.id)
    await owner.ok('create_agent', { name: 'Carl', kind: 'person', email: 'carl@example.org' })
    newcomer({ email: 'carl@example.org' })
    expect(errorOf((await signIn.through({ provider: 'mail' })).answer)).toBe('not_linked')
  })

  test('an account is unlinked, but not the last way to sign in', async () => {
    newcomer()
    const { person } = await signIn.through({ provider: 'corp' })
    const [identity] = await person!.ok('list_my_identities')
    const last = await person!.call('unlink_my_identity', { identity_id: identity.id })
    expect([last.status, last.body.detail.error]).toEqual([409, 'LAST_SIGN_IN'])
    expect((await owner.call('unlink_my_identity', { identity_id: identity.id })).status).toBe(404)
    const agent = await world.agent()
    const refused = await world.call('list_my_identities', {}, { as: agent })
    expect([refused.status, refused.body.detail.error]).toEqual([409, 'PERSON_REQUIRED'])
    newcomer()
    await signIn.through({ provider: 'linked', link: true }, person)
    expect((await person!.call('unlink_my_identity', { identity_id: identity.id })).status).toBe(204)
    expect(await person!.ok('list_my_identities')).toMatchObject([{ provider: 'linked' }])
  })
})

describe('groups (people 2.1)', () => {
  test('give a preset and shares, which follow them at each sign-in', async () => {
    const { boardId: board_id } = await Scene.on(world)
    await owner.ok('update_board', { board_id, key: 'SCE' })
    newcomer({ realm: { groups: ['dev'] } })
    const { person } = await signIn.through({ provider: 'groups' })
    expect(provider.received.at(-1)?.get('client_secret')).toBe(secret)
    const { agent_id } = await person!.ok('get_my_permissions')
    const state = async () => {
      const { preset_name } = await owner.ok('get_agent', { agent_id })
      const shares: { user_id: string; permission: string }[] = await world.ok('list_board_shares', { board_id })
      return [preset_name, shares.find(({ user_id }) => user_id === agent_id)?.permission]
    }
    expect(await state()).toEqual(['Executor', 'editor'])
    provider.claims = { ...provider.claims, realm: { groups: ['ops', 'dev'] } }
    await signIn.through({ provider: 'groups' })
    expect(await state()).toEqual(['Executor', 'admin'])
    provider.claims = { ...provider.claims, realm: { groups: 'ops' } }
    await signIn.through({ provider: 'groups' })
    expect(await state()).toEqual(['Full Control', 'admin'])
    const [entry] = await world.ok('list_audit', { target_id: agent_id, action: 'agent_updated', limit: 1 })
    expect(entry.details).toEqual({ provider: 'groups', groups: ['ops'] })
    provider.claims = { ...provider.claims, realm: {} }
    expect(errorOf((await signIn.through({ provider: 'groups' })).answer)).toBe('not_allowed')
  })

  test('a preset that is not there lets nobody in, and the page says so', async () => {
    newcomer({ name: 'Nobody Yet', groups: ['dev'] })
    const { answer } = await signIn.through({ provider: 'unset' })
    expect([answer.status, errorOf(answer)]).toEqual([303, 'refused'])
    const persons: { name: string }[] = await owner.ok('list_agents', { kind: 'person', limit: 200 })
    expect(persons.map(({ name }) => name)).not.toContain('Nobody Yet')
  })

  test('count at the first sign-in alone where the provider is set so, also that of a person who was here before', async () => {
    const { id: agent_id } = await owner.ok('create_agent', { name: 'Hal', kind: 'person', email: 'hal@example.org' })
    newcomer({ email: 'hal@example.org', groups: ['dev'] })
    const preset = async () => {
      await signIn.through({ provider: 'once' })
      return (await owner.ok('get_agent', { agent_id })).preset_name
    }
    expect(await preset()).toBe('Executor')
    provider.claims = { ...provider.claims, groups: ['ops'] }
    expect(await preset()).toBe('Executor')
  })
})

describe('invitations (people 2.6)', () => {
  test('are accepted by an account, with the address that they are for', async () => {
    const { url } = await owner.ok('create_invitation', { preset_id: 'Executor', email: 'ada@else.example' })
    const invitation = url.slice(url.indexOf('#') + 1)
    const response = await signIn.send('/web/invitation', { token: invitation })
    expect(((await response.json()) as { providers: { id: string }[] }).providers[0]).toEqual({
      id: 'corp',
      name: 'Corp',
    })
    const unnamed = await signIn.send('/web/session/invitation', { token: invitation, name: 'Ada' })
    expect(unnamed.status).toBe(403)
    newcomer({ email: 'eve@else.example' })
    expect(errorOf((await signIn.through({ provider: 'linked', invitation })).answer)).toBe('not_allowed')
    newcomer({ email: 'ada@else.example', email_verified: false })
    expect(errorOf((await signIn.through({ provider: 'linked', invitation })).answer)).toBe('unverified')
    newcomer({ email: 'ada@else.example', name: 'Ada Byron' })
    const { person } = await signIn.through({ provider: 'linked', invitation })
    const { agent_id } = await person!.ok('get_my_permissions')
    expect(await owner.ok('get_agent', { agent_id })).toMatchObject({
      name: 'Ada Byron',
      email: 'ada@else.example',
      preset_name: 'Executor',
    })
    newcomer({ email: 'ada@else.example' })
    expect(errorOf((await signIn.through({ provider: 'linked', invitation })).answer)).toBe('expired')
  })
})

describe('the file of providers (people 2.1)', () => {
  const refused = async (...providers: unknown[]): Promise<string> => {
    const signInFile = await fileOf(...providers)
    const starting = World.start({ signInFile })
    return starting.then(
      () => 'started',
      error => String(error),
    )
  }

  test.each([
    ['providers.0.id', { id: 'No' }],
    ['providers.0.issuer', { issuer: 'ftp://example.org' }],
    ['providers.0.issuer', { issuer: 'http://example.org' }],
    ['providers.0.create_persons', { create_persons: true }],
    ['providers.0.client_secret_file', { client_secret_file: 'nowhere' }],
    ['providers.0.scopes', { scopes: 'email' }],
    ['providers.0', { unknown: true }],
  ])('that says what it may not ends the start: %s', async (member, more) => {
    expect(await refused(provider.member(more))).toContain(`${member} `)
  })

  test('has no two providers of one id, and needs a public address', async () => {
    expect(await refused(provider.member(), provider.member())).toContain('providers.1.id')
    const signInFile = await fileOf(provider.member())
    await expect(World.start({ signInFile, publicUrl: undefined })).rejects.toThrow('SPECBOARD_PUBLIC_URL')
  })
})
