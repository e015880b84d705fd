import { afterAll, beforeAll, expect, test } from 'vitest'
import { MailSink, readable } from './support/mail-sink.ts'
import { Person } from './support/person.ts'
import { World } from './support/world.ts'

let mail: MailSink
let world: World
let owner: Person

beforeAll(async () => {
  mail = await MailSink.start()
  world = await World.start({ smtpUrl: mail.url, mailFrom: 'board@example.com', mailSignIn: 'on' })
  owner = await Person.owner(world)
})

afterAll(async () => {
  await world.stop()
  await mail.stop()
})

const posted = (path: string, body: unknown, at = world): Promise<Response> =>
  fetch(`${at.running.url}${path}`, {
    method: 'POST',
    headers: { 'sec-fetch-site': 'same-origin', 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })

const requestLink = async (email: string, at = world): Promise<number> =>
  (await posted('/web/session/mail', { email }, at)).status

const lastText = (): string => readable(mail.mails.at(-1)!.raw)

test('a link goes by mail to the one person with that address, and works once (people 2.5)', async () => {
  const ada = await owner.ok('create_agent', { name: 'Ada', kind: 'person', email: 'ada@example.com' })
  const options = await (await fetch(`${world.running.url}/web/sign-in`)).json()
  expect(options).toEqual({ providers: [], key: true, mail: true })
  expect(await requestLink('Ada@Example.com')).toBe(202)
  const [first] = await mail.taken(1)
  expect(first!.to).toBe('ada@example.com')
  const [, token] = /https:\/\/board\.example\.com\/#([\w-]{43})/.exec(lastText())!
  const [once, twice] = [await posted('/web/session/link', { token }), await posted('/web/session/link', { token })]
  expect([once.status, twice.status]).toEqual([200, 401])
  expect(await once.json()).toMatchObject({ agent_id: ada.id })
  const audit = await owner.ok('list_audit', { action: 'sign_in_link_created' })
  expect(audit[0]).toMatchObject({ actor_id: ada.id, actor_via: 'service', details: { via: 'mail' } })
  expect((await owner.ok('list_audit', { action: 'signed_in' }))[0]).toMatchObject({ details: { via: 'mail' } })
})

test('an address that nobody has, or two have, is answered alike, and nothing is sent', async () => {
  for (const name of ['Bob', 'Bob 2'])
    await owner.ok('create_agent', { name, kind: 'person', email: 'bob@example.com' })
  await owner.ok('create_agent', { name: 'Cy', kind: 'person', email: 'cy@example.com' })
  const before = mail.mails.length
  expect([await requestLink('nobody@example.com'), await requestLink('bob@example.com')]).toEqual([202, 202])
  expect(await requestLink('cy@example.com')).toBe(202)
  expect((await mail.taken(before + 1)).slice(before).map(({ to }) => to)).toEqual(['cy@example.com'])
  expect((await posted('/web/session/mail', { email: 'no address' })).status).toBe(422)
  const foreign = await fetch(`${world.running.url}/web/session/mail`, {
    method: 'POST',
    headers: { 'sec-fetch-site': 'cross-site', 'content-type': 'application/json' },
    body: JSON.stringify({ email: 'cy@example.com' }),
  })
  expect(foreign.status).toBe(403)
})

test('a person is mailed three links an hour at most', async () => {
  await owner.ok('create_agent', { name: 'Di', kind: 'person', email: 'di@example.com' })
  await owner.ok('create_agent', { name: 'Ed', kind: 'person', email: 'ed@example.com' })
  const before = mail.mails.length
  for (let time = 0; time < 5; time++) expect(await requestLink('di@example.com')).toBe(202)
  expect(await requestLink('ed@example.com')).toBe(202)
  const recipients = (await mail.taken(before + 4)).slice(before).map(({ to }) => to)
  expect(recipients.toSorted()).toEqual(['di@example.com', 'di@example.com', 'di@example.com', 'ed@example.com'])
})

test('an invitation with an address is sent there too (people 2.6)', async () => {
  const before = mail.mails.length
  const { url } = await owner.ok('create_invitation', { email: 'eve@example.com', preset_id: 'Executor' })
  const mails = (await mail.taken(before + 1)).slice(before)
  expect(mails.map(({ to }) => to)).toEqual(['eve@example.com'])
  expect(lastText()).toContain(url)
  expect(lastText()).toContain('Local Owner invites you')
})

test('without the setting there is no such route', async () => {
  const plain = await World.start({ smtpUrl: mail.url, mailFrom: 'board@example.com' })
  try {
    expect(await requestLink('ada@example.com', plain)).toBe(404)
    expect(await (await fetch(`${plain.running.url}/web/sign-in`)).json()).toMatchObject({ mail: false })
  } finally {
    await plain.stop()
  }
})
