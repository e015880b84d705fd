/** Signing out at the provider ends the sessions here (people 2.4). */
import { randomUUID } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { OpenIdProvider } from './support/openid-provider.ts'
import type { Person } from './support/person.ts'
import { SignIn } from './support/sign-in.ts'
import { World } from './support/world.ts'

const event = 'http://schemas.openid.net/event/backchannel-logout'

let provider: OpenIdProvider
let folder: string
let world: World
let signIn: SignIn

beforeAll(async () => {
  provider = await OpenIdProvider.start()
  folder = await mkdtemp(join(tmpdir(), 'specboard-logout-'))
  const everyone = { create_persons: true, allow_everyone: true }
  const providers = [provider.member(everyone), provider.member({ id: 'other', ...everyone })]
  const signInFile = join(folder, 'sign-in.json')
  await writeFile(signInFile, JSON.stringify({ providers }))
  world = await World.start({ signInFile })
  signIn = new SignIn(world, provider)
})

afterAll(async () => {
  await world.stop()
  await provider.stop()
  await rm(folder, { recursive: true, force: true })
})

/** Signs somebody in, in a session that the provider calls by a name. */
async function session(sub: string, { sid, id = 'corp' }: { sid?: string; id?: string } = {}): Promise<Person> {
  provider.claims = { sub, name: sub, ...(sid !== undefined && { sid }) }
  const { person } = await signIn.through({ provider: id })
  return person!
}

const seconds = () => Math.floor(Date.now() / 1_000)

const claimsOf = (more: Readonly<Record<string, unknown>>) => ({
  iss: provider.issuer,
  aud: 'specboard',
  iat: seconds(),
  exp: seconds() + 120,
  jti: randomUUID(),
  events: { [event]: {} },
  ...more,
})

/** What the provider's server sends: no browser, no origin. */
const send = (token: string, id = 'corp') =>
  fetch(`${world.running.url}/web/session/oidc/${id}/logout`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ logout_token: token }),
  })

const signedOut = (more: Readonly<Record<string, unknown>>) => send(provider.signed(claimsOf(more)))

const stands = async (person: Person): Promise<boolean> => (await person.call('list_my_sessions', {})).status === 200

test('an account that signed out at the provider has no session of it here any more', async () => {
  const sub = randomUUID()
  const [first, second] = [await session(sub, { sid: 'a1' }), await session(sub)]
  const atOther = await session(sub, { id: 'other' })
  const somebody = await session(randomUUID())
  const answer = await signedOut({ sub })
  expect([answer.status, await answer.text(), answer.headers.get('cache-control')]).toEqual([200, '', 'no-store'])
  expect(await Promise.all([first, second, atOther, somebody].map(stands))).toEqual([false, false, true, true])
  const audit = await world.ok('list_audit', { action: 'sessions_ended', limit: 1 })
  expect(audit[0]).toMatchObject({ action: 'sessions_ended', details: { provider: 'corp' } })
})

test.each([
  ['its session alone', (sub: string) => ({ sid: `${sub}-1` })],
  ['its session of that account', (sub: string) => ({ sub, sid: `${sub}-1` })],
])('a sign-out of a session ends %s', async (_, claimsFor) => {
  const sub = randomUUID()
  const [one, two] = [await session(sub, { sid: `${sub}-1` }), await session(sub, { sid: `${sub}-2` })]
  expect((await signedOut(claimsFor(sub))).status).toBe(200)
  expect(await Promise.all([one, two].map(stands))).toEqual([false, true])
})

test('a sign-out of somebody without a session is a sign-out too', async () => {
  expect((await signedOut({ sub: 'nobody' })).status).toBe(200)
})

test('an open stream ends with its session', async () => {
  const sub = randomUUID()
  const person = await session(sub)
  const { headers = {} } = person.page
  const stream = await fetch(`${world.running.url}/api/v1/me/events/stream`, { headers })
  expect(stream.status).toBe(200)
  // It ends with its last part, or with its connection.
  const ended = stream.text().catch(() => '')
  expect((await signedOut({ sub })).status).toBe(200)
  await ended
})

test.each<[string, (sub: string) => string]>([
  ['without events', sub => provider.signed(claimsOf({ sub, events: undefined }))],
  ['of another event', sub => provider.signed(claimsOf({ sub, events: { 'http://x/other': {} } }))],
  ['with a nonce, as ID tokens have', sub => provider.signed(claimsOf({ sub, nonce: 'n' }))],
  ['of four minutes ago', sub => provider.signed(claimsOf({ sub, iat: seconds() - 240 }))],
  ['of the future', sub => provider.signed(claimsOf({ sub, iat: seconds() + 240, exp: seconds() + 300 }))],
  ['of nobody', () => provider.signed(claimsOf({}))],
  ['without an id', sub => provider.signed(claimsOf({ sub, jti: undefined }))],
  ['for another client', sub => provider.signed(claimsOf({ sub, aud: 'somebody-else' }))],
  ['of another issuer', sub => provider.signed(claimsOf({ sub, iss: 'https://login.example.com' }))],
  ['by a foreign key', sub => provider.signed(claimsOf({ sub }), { foreignKey: true })],
  ['that is not signed', sub => provider.signed(claimsOf({ sub }), { head: { alg: 'none' } })],
  ['that is no token', () => 'x'],
])('a token %s ends nothing', async (_, tokenOf) => {
  const sub = randomUUID()
  const person = await session(sub)
  const answer = await send(tokenOf(sub))
  expect(answer.status).toBe(400)
  expect(await answer.json()).toMatchObject({ detail: { error: 'VALIDATION_ERROR', field: 'logout_token' } })
  expect(await stands(person)).toBe(true)
})

test('a token ends sessions once', async () => {
  const sub = randomUUID()
  const token = provider.signed(claimsOf({ sub }))
  expect((await send(token)).status).toBe(200)
  const person = await session(sub)
  expect((await send(token)).status).toBe(400)
  expect(await stands(person)).toBe(true)
})

test('only a provider of this service signs anybody out, in a small body', async () => {
  expect((await send('x', 'nobody')).status).toBe(404)
  expect((await send('x'.repeat(20_000))).status).toBe(413)
})
