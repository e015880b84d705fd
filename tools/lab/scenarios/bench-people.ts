/**
 * Measures the features for people (people 8): a sign-in at a provider, tokens of a connected client compared with a
 * key, notifications while items arrive and after a downtime, and the memory of sign-in, OAuth and mail.
 */
import { writeFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { databaseFile } from '@specboard/storage'
import SqliteDatabase from 'better-sqlite3'
import { freePort } from '../../../apps/cli/test/support/free-port.ts'
import { HttpSink } from '../../../apps/cli/test/support/http-sink.ts'
import { MailSink } from '../../../apps/cli/test/support/mail-sink.ts'
import { OauthClient } from '../../../apps/cli/test/support/oauth-client.ts'
import { OpenIdProvider } from '../../../apps/cli/test/support/openid-provider.ts'
import { postFromPage } from '../../../apps/cli/test/support/web-session.ts'
import { inParallel } from '../harness/in-parallel.ts'
import type { Lab } from '../harness/lab.ts'
import { ownerSession } from '../harness/present.ts'
import { scenario } from '../harness/scenario.ts'
import type { Service } from '../harness/service.ts'
import { p50, ratio, timed, times } from '../harness/statistics.ts'
import { ask, makeNotified, titlesIn } from '../load/notified.ts'

/** The environment of a service at a known address. */
async function atAddress(more: Readonly<Record<string, string>> = {}) {
  const port = String(await freePort())
  return { SPECBOARD_PORT: port, SPECBOARD_PUBLIC_URL: `http://127.0.0.1:${port}`, ...more }
}

/** The whole sign-in of new people at a provider in this process, whose time is included. */
async function measureSignIn(lab: Lab, { url }: Service, provider: OpenIdProvider, rounds: number): Promise<void> {
  const [cold, ...warm] = await times(rounds + 1, async round => {
    provider.claims = { sub: `subject-${round}`, name: `Person of Corp ${round}` }
    const response = await postFromPage(url, '/web/session/oidc', { provider: 'corp' })
    const { url: authorizationUrl } = (await response.json()) as { url: string }
    const headers = { cookie: response.headers.get('set-cookie')!.split(';')[0]!, 'sec-fetch-site': 'cross-site' }
    const address = `${url}/web/session/oidc/corp/callback${provider.answer(authorizationUrl)}`
    const back = await fetch(address, { redirect: 'manual', headers })
    if (!back.headers.get('location')?.includes('#half=')) throw new Error(`The way back ended with ${back.status}.`)
  })
  lab.report.figure('first sign-in at a provider', { ms: cold!, goal: '≤ 2,000' })
  lab.report.times('sign-in at a provider', warm, { goal: 'p95 ≤ 1,000' })
}

const callOf = (name: string) =>
  JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: {} } })

/** Tokens: refreshing them, and a call with one compared with the same with a key, in turns. */
async function measureTokens(lab: Lab, service: Service, calls: number): Promise<void> {
  const { url } = service
  const owner = await ownerSession(lab.place('people'), url)
  const client = new OauthClient(url)
  const before = service.residentMiB
  await client.register()
  const new_agent = { name: 'Connected', preset_id: 'Executor' }
  let tokens = await client.connected(owner, { allow: true, new_agent })
  lab.report.figure('memory of the first connection', { MiB: service.residentMiB - before, goal: '≤ 50' })
  const refreshed = await times(calls, async () => {
    tokens = (await client.refresh(tokens.refresh_token)).body
  })
  lab.report.times('refresh', refreshed, { goal: 'p50 ≤ 50' })
  lab.report.figure('memory of OAuth in use', { MiB: service.residentMiB - before, goal: '≤ 50' })
  const { api_key } = await owner.client.createAgent({ name: 'With a key', preset_id: 'Executor' })
  const took = { key: [] as number[], token: [] as number[] }
  const baseHeaders = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }
  for (let round = 0; round < 10 * calls + 20; round++)
    for (const way of round % 2 === 0 ? (['key', 'token'] as const) : (['token', 'key'] as const)) {
      const authorization = `Bearer ${way === 'key' ? api_key! : tokens.access_token}`
      const headers = { ...baseHeaders, 'mcp-protocol-version': '2025-06-18', authorization }
      const ms = await timed(async () => {
        const answer = await fetch(`${url}/mcp`, { method: 'POST', headers, body: callOf('get_my_permissions') })
        if (!(await answer.text()).includes('Executor')) throw new Error(`/mcp answered ${answer.status}.`)
      })
      if (round >= 20) took[way].push(ms)
    }
  lab.report.times('call with a key', took.key)
  lab.report.times('call with an access token', took.token, { 'of a key': ratio(p50(took.token), p50(took.key), 2) })
}

/** Notifications while items arrive, and after a downtime. */
async function measureNotifications(
  lab: Lab,
  { persons, seconds, settle, items }: { persons: number; seconds: number; settle: number; items: number },
): Promise<void> {
  const sink = await HttpSink.start()
  lab.atEnd(() => sink.stop())
  const environment = await atAddress({ SPECBOARD_WEBHOOK_ALLOWED_HOSTS: '127.0.0.1' })
  let service = await lab.start('told', environment)
  let owner = (await ownerSession(lab.place('told'), service.url)).client
  const audience = await makeNotified(owner, service.url, sink, persons)
  const arrived: { readonly title: string; readonly at: number }[] = []
  sink.answer = ({ json }) => {
    for (const title of titlesIn(json.text)) arrived.push({ title, at: performance.now() })
    return {}
  }
  const database = new SqliteDatabase(databaseFile(lab.path('told')), { readonly: true })
  const watched = database.prepare(
    'select count(*) as persons from notification_settings where watched_from is not null',
  )
  while ((watched.get() as { persons: number }).persons < persons) await pause(250)
  database.close()
  lab.report.figure(`memory with ${persons} channels`, { MiB: service.residentMiB })
  // The rate of questions that results in ten items per second.
  const everyMs = 100 * audience.perBoard
  const askedAt = new Map<string, number>()
  for (let number = 0; number * everyMs < 1_000 * seconds; number++) {
    const [{ title, at }] = await Promise.all([ask(owner, audience, number), pause(everyMs)])
    askedAt.set(title, at)
  }
  await pause(1_000 * Math.min(settle, 10))
  const late = arrived.map(({ title, at }) => at - askedAt.get(title)!)
  const counted = `${late.length} of ${askedAt.size * audience.perBoard}`
  lab.report.times(`notification, ${persons} persons, 10 items a second`, late, { counted, goal: 'p95 ≤ 2,000' })

  // Items that arrive while notifications are off wait as they would after a downtime.
  await service.stop()
  const setActive = (active: 0 | 1) => {
    const database = new SqliteDatabase(databaseFile(lab.path('told')))
    database.prepare('update notification_channels set active = ?').run(active)
    database.close()
  }
  setActive(0)
  service = await lab.start('told', environment)
  owner = (await ownerSession(lab.place('told'), service.url)).client
  const questions = Math.ceil(items / audience.perBoard)
  await inParallel(Array.from({ length: questions }), 8, (_, number) => ask(owner, audience, 10_000 + number))
  await service.stop()
  setActive(1)
  sink.requests.length = 0
  service = await lab.start('told', environment)
  await pause(1_000 * settle)
  const channels = [...Map.groupBy(sink.requests, ({ path }) => path).values()]
  const max = Math.max(0, ...channels.map(messages => messages.length))
  const summaries = Math.max(
    0,
    ...channels.map(messages => messages.filter(({ json }) => titlesIn(json.text).length !== 1).length),
  )
  lab.report.figure(`${questions * audience.perBoard} items after a downtime`, {
    messages: sink.requests.length,
    channels: channels.length,
    'most of a channel': max,
    'summaries of one': summaries,
    goal: '5 and a summary',
  })
  lab.report.expect(max <= 6 && summaries <= 1, 'a channel was sent more than five messages and a summary')
}

/** The memory of the service: without a public address, with one, and after the first mail. */
async function measureMemory(lab: Lab, rest: number): Promise<void> {
  const mail = await MailSink.start()
  lab.atEnd(() => mail.stop())
  const mailed = { SPECBOARD_SMTP_URL: mail.url, SPECBOARD_MAIL_FROM: 'board@example.com' }
  for (const [name, environment] of [
    ['without an address', {}],
    ['with an address and mail', await atAddress(mailed)],
  ] as const) {
    const started = performance.now()
    const service = await lab.start(name, environment)
    const ready = performance.now() - started
    const atStart = service.residentMiB
    await pause(1_000 * rest)
    lab.report.figure(name, { 'start ms': ready, 'start MiB': atStart, 'idle MiB': service.residentMiB })
    if (name === 'without an address') continue
    const { client } = await ownerSession(lab.place(name), service.url)
    const before = service.residentMiB
    await client.createNotificationChannel({ type: 'email', email: 'ada@example.com' })
    await mail.taken(1)
    lab.report.figure('memory of the first mail', { MiB: service.residentMiB - before, goal: '≤ 30' })
  }
}

export default scenario({
  summary: 'sign-in, tokens beside a key, notifications of many persons, and their memory',
  options: { persons: 1_000, seconds: 60, items: 10_000, calls: 100, settle: 90 },
  short: { persons: 4, seconds: 1, items: 8, calls: 3, settle: 2 },
  run: async (lab, { persons, seconds, items, calls, settle }) => {
    const provider = await OpenIdProvider.start()
    lab.atEnd(() => provider.stop())
    const signInFile = lab.path('sign-in.json')
    const member = provider.member({ create_persons: true, allow_everyone: true, scopes: 'openid profile' })
    writeFileSync(signInFile, JSON.stringify({ providers: [member] }))
    await measureMemory(lab, Math.min(10, settle))
    const service = await lab.start(
      'people',
      await atAddress({ SPECBOARD_SIGN_IN_FILE: signInFile, SPECBOARD_MCP_RATE_LIMIT: '0' }),
    )
    await measureSignIn(lab, service, provider, calls)
    await measureTokens(lab, service, calls)
    await service.stop()
    await measureNotifications(lab, { persons, seconds, settle, items })
  },
})
