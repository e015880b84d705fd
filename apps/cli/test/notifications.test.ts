import { createECDH, randomBytes } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import ece from 'http_ece'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { eventually } from './support/eventually.ts'
import { HttpSink } from './support/http-sink.ts'
import { MailSink, readable } from './support/mail-sink.ts'
import { Person } from './support/person.ts'
import { Scene } from './support/scene.ts'
import { type TestAgent, World } from './support/world.ts'

let world: World
let owner: Person
let chat: HttpSink
let mail: MailSink
let scene: Scene
let agent: TestAgent

beforeAll(async () => {
  chat = await HttpSink.start()
  mail = await MailSink.start()
  world = await World.start({
    contact: 'mailto:ops@example.com',
    smtpUrl: mail.url,
    mailFrom: 'Specboard <board@example.com>',
  })
  owner = await Person.owner(world)
  scene = await Scene.on(world)
  agent = await world.agent({ name: 'Executor 1' })
  await scene.admit(agent)
})

afterAll(async () => {
  await world.stop()
  await chat.stop()
  await mail.stop()
})

beforeEach(async () => {
  const { channels } = await owner.ok('get_my_notifications')
  for (const { id } of channels) await owner.call('delete_notification_channel', { channel_id: id })
  await owner.ok('update_my_notifications', { quiet_hours: null, muted_boards: [], content: 'title' })
  chat.requests.length = 0
  chat.answer = () => ({})
})

const slack = (more: object = {}) =>
  owner.ok('create_notification_channel', { type: 'slack', url: `${chat.url}/hook`, ...more })

const askQuestion = async (question = 'Which colour?', title = 'Basket'): Promise<{ id: string; card_id: string }> => {
  const card_id = await scene.workableCard({ title })
  return world.ok('ask_card_question', { card_id, question }, { as: agent })
}

/** The deliveries of the caller. */
const deliveries = (query: Readonly<Record<string, unknown>> = {}) => owner.ok('list_notification_deliveries', query)

describe('settings (people 5.1)', () => {
  test('are what nobody has set', async () => {
    expect(await owner.ok('get_my_notifications')).toEqual({
      channels: [],
      quiet_hours: null,
      digest_at: '08:00',
      time_zone: 'UTC',
      muted_boards: [],
      content: 'title',
      push_public_key: expect.stringMatching(/^[\w-]{87}$/),
      types: { push: true, email: true, slack: true, discord: true, telegram: false, teams: true },
    })
  })

  test('are changed, each alone', async () => {
    const quiet_hours = { from: '22:00', to: '07:00' }
    const set = { quiet_hours, time_zone: 'Europe/Berlin', muted_boards: [scene.boardId], content: 'ref' }
    const days = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun']
    expect(await owner.ok('update_my_notifications', set)).toMatchObject({
      ...set,
      quiet_hours: { ...quiet_hours, days },
      digest_at: '08:00',
    })
    expect(await owner.ok('update_my_notifications', { digest_at: '09:15' })).toMatchObject({
      digest_at: '09:15',
      content: 'ref',
    })
    const { key } = await world.ok('get_board', { board_id: scene.boardId })
    expect((await owner.ok('update_my_notifications', { muted_boards: [key] })).muted_boards).toEqual([scene.boardId])
    await owner.ok('update_my_notifications', { digest_at: '08:00', time_zone: 'UTC' })
  })

  test('mutes 500 boards at most', async () => {
    const many = await owner.call('update_my_notifications', { muted_boards: Array(501).fill(scene.boardId) })
    expect([many.status, many.body]).toMatchObject([
      422,
      { detail: [{ loc: ['body', 'muted_boards'], type: 'too_long' }] },
    ])
  })

  test.each([
    [{ time_zone: 'Mars/Olympus' }, 'time_zone'],
    [{ muted_boards: ['nope'] }, 'muted_boards'],
    [{ quiet_hours: { from: '08:00', to: '08:00' } }, 'quiet_hours'],
  ])('%j is refused', async (body, field) => {
    const { status, body: answer } = await owner.call('update_my_notifications', body)
    expect([status, answer.detail.error, answer.detail.field]).toEqual([400, 'VALIDATION_ERROR', field])
  })

  test('are for persons alone, and channels for who is present', async () => {
    const byAgent = await world.call('get_my_notifications', {}, { as: agent })
    expect([byAgent.status, byAgent.body.detail.error]).toEqual([409, 'PERSON_REQUIRED'])
    expect((await world.call('get_my_notifications')).status).toBe(200)
    const byKey = await world.call('create_notification_channel', { type: 'nonsense' })
    expect(byKey.status).toBe(422)
    const absent = await world.call('create_notification_channel', { type: 'slack', url: 'https://example.com/' })
    expect([absent.status, absent.body.detail.needs]).toEqual([409, 'present'])
  })
})

describe('channels (people 5.1, 5.3)', () => {
  test('hold where they lead, and never answer it', async () => {
    const channel = await slack()
    expect(channel).toEqual({
      id: expect.any(String),
      type: 'slack',
      name: 'Slack',
      target: '127.0.0.1',
      verified: true,
      active: true,
      kinds: [
        'question',
        'choice_comment',
        'mention',
        'spec_review',
        'spec_validation',
        'card_validation',
        'card_approval',
        'card_rework',
        'card_attempts',
        'connection_ended',
      ],
      mode: 'now',
      created_at: expect.any(String),
      last_success_at: null,
      last_failure_at: null,
      failing_since: null,
      disabled_reason: null,
      connect_url: null,
    })
    expect(JSON.stringify(await owner.ok('get_my_notifications'))).not.toContain('/hook')
    const { body } = await owner.call('update_notification_channel', {
      channel_id: channel.id,
      name: 'Team',
      kinds: ['*'],
      mode: 'digest',
    })
    expect(body).toMatchObject({ name: 'Team', kinds: ['*'], mode: 'digest' })
    expect((await owner.call('delete_notification_channel', { channel_id: channel.id })).status).toBe(204)
    expect((await owner.call('delete_notification_channel', { channel_id: channel.id })).status).toBe(404)
  })

  test.each([
    [{ type: 'telegram' }, 'type'],
    [{ type: 'slack', url: 'https://example.com/hook' }, 'url'],
    [{ type: 'slack', member_id: 'U1' }, 'member_id'],
    [{ type: 'discord', url: 'https://example.com/hook' }, 'url'],
    [{ type: 'teams', url: 'https://example.com/hook' }, 'url'],
    [{ type: 'email' }, 'email'],
    [{ type: 'push' }, 'subscription'],
  ])('%j leads nowhere', async (body, field) => {
    const { status, body: answer } = await owner.call('create_notification_channel', body)
    expect([status, answer.detail.error, answer.detail.field]).toEqual([400, 'VALIDATION_ERROR', field])
  })

  test('are at most 20 of a person', async () => {
    for (let count = 0; count < 20; count++) await slack()
    const { status, body } = await owner.call('create_notification_channel', { type: 'slack', url: `${chat.url}/hook` })
    expect([status, body.detail.error]).toEqual([409, 'LIMIT_REACHED'])
  })

  test('of others are not there', async () => {
    const channel = await slack()
    const ada = await owner.ok('create_agent', { name: 'Ada', kind: 'person' })
    const other = await Person.byLink(world, (await owner.ok('create_sign_in_link', { agent_id: ada.id })).url)
    expect((await other.call('test_notification_channel', { channel_id: channel.id })).status).toBe(404)
    expect(await other.ok('list_notification_deliveries', { channel_id: channel.id })).toEqual([])
  })

  test('an address is confirmed by the code that is sent there', async () => {
    const before = mail.mails.length
    const channel = await owner.ok('create_notification_channel', { type: 'email', email: 'ada@example.org' })
    expect(channel).toMatchObject({ target: 'a…@example.org', verified: false })
    const { to, raw } = (await mail.taken(before + 1))[before]!
    const [, code] = /^([0-9]{8})\r?$/m.exec(readable(raw))!
    expect(to).toBe('ada@example.org')
    const test = await owner.call('test_notification_channel', { channel_id: channel.id })
    expect([test.status, test.body.detail.error]).toEqual([409, 'INVALID_STATE'])
    const wrong = await owner.call('confirm_notification_channel', { channel_id: channel.id, code: '1' })
    expect([wrong.status, wrong.body.detail.field]).toEqual([400, 'code'])
    const confirmed = await owner.ok('confirm_notification_channel', { channel_id: channel.id, code })
    expect(confirmed).toMatchObject({ verified: true })
    const { id } = await askQuestion()
    const [, notice] = (await mail.taken(before + 2)).slice(before)
    expect(notice!.raw).toMatch(/^Message-ID: <[^@]+@example\.com>\r$/m)
    expect(notice!.raw).toMatch(/^Auto-Submitted: auto-generated\r$/m)
    const text = readable(notice!.raw)
    expect(text).toContain('Question from Executor 1: "Basket"')
    expect(text).toContain(`https://board.example.com/i/${encodeURIComponent(`question:${id}`)}`)
    const [, path] = /^List-Unsubscribe: <https:\/\/board\.example\.com(\/web\/unsubscribe\/[\w.-]+)>/m.exec(
      notice!.raw.replaceAll(/\r\n\s/g, ' ').replaceAll(/: +/g, ': '),
    )!
    const look = await fetch(`${world.running.url}${path}`)
    expect([look.status, await look.text()]).toEqual([200, expect.stringContaining('<button')])
    expect((await owner.ok('get_my_notifications')).channels[0].active).toBe(true)
    expect((await fetch(`${world.running.url}${path}`, { method: 'POST' })).status).toBe(200)
    expect((await owner.ok('get_my_notifications')).channels[0].active).toBe(false)
    expect((await fetch(`${world.running.url}${path!.slice(0, -2)}xx`, { method: 'POST' })).status).toBe(404)
  })

  test('a code that was wrong five times confirms nothing any more', async () => {
    const before = mail.mails.length
    const { id } = await owner.ok('create_notification_channel', { type: 'email', email: 'bob@example.org' })
    const { raw } = (await mail.taken(before + 1))[before]!
    const [, code] = /^([0-9]{8})\r?$/m.exec(readable(raw))!
    for (let tries = 0; tries < 5; tries++)
      await owner.call('confirm_notification_channel', { channel_id: id, code: 'wrong' })
    expect((await owner.call('confirm_notification_channel', { channel_id: id, code })).status).toBe(400)
  })

  test('a browser is one channel, and gets what only it can read', async () => {
    const receiver = createECDH('prime256v1')
    receiver.generateKeys()
    const auth = randomBytes(16).toString('base64url')
    const keys = { p256dh: receiver.getPublicKey('base64url'), auth }
    const body = { type: 'push', subscription: { endpoint: `${chat.url}/push/1`, keys } }
    const response = await owner.call('create_notification_channel', body)
    const again = await owner.call('create_notification_channel', { ...body, name: 'Phone' })
    expect([response.status, again.status, again.body.id, again.body.name]).toEqual([
      201,
      200,
      response.body.id,
      'Phone',
    ])
    chat.answer = () => ({ status: 201 })
    const { id } = await askQuestion()
    const [request] = await chat.taken(1)
    expect(request!.headers).toMatchObject({
      ttl: '86400',
      urgency: 'high',
      topic: expect.stringMatching(/^[\w-]{32}$/),
      'content-encoding': 'aes128gcm',
      authorization: expect.stringMatching(/^vapid t=.+, k=.+$/),
    })
    const parameters = { version: 'aes128gcm', privateKey: receiver, authSecret: auth } as const
    expect(JSON.parse(ece.decrypt(request!.body, parameters).toString())).toEqual({
      title: expect.stringMatching(/^\[[A-Z]+-\d+\] Question from Executor 1$/),
      body: 'Basket',
      url: `https://board.example.com/i/${encodeURIComponent(`question:${id}`)}`,
      tag: request!.headers.topic,
      badge: expect.any(Number),
    })
    // The push service says that the browser has gone.
    chat.answer = () => ({ status: 410 })
    await owner.ok('test_notification_channel', { channel_id: response.body.id })
    await eventually(async () => {
      const [channel] = (await owner.ok('get_my_notifications')).channels
      expect(channel).toMatchObject({ active: false, disabled_reason: expect.stringContaining('withdrawn') })
    })
    // The audit entry is written in a separate unit of work, after the channel was disabled.
    await eventually(async () => {
      const audit: readonly { readonly action: string }[] = await world.ok('list_audit', {
        target_id: response.body.id,
      })
      expect(audit.map(({ action }) => action)).toEqual(['channel_disabled', 'channel_created'])
    })
  })
})

describe('what is told (people 5.2, 5.4)', () => {
  test('an item that came, by its title and reference, and not what it says', async () => {
    const { id: channel_id } = await slack()
    const { id } = await askQuestion('A secret question?', 'Keep the <basket>')
    const [request] = await chat.taken(1)
    expect(request!.json).toEqual({
      text: expect.stringMatching(
        /^\[[A-Z]+-\d+\] Question from Executor 1: "Keep the &lt;basket&gt;" <https:\/\/board\.example\.com\/i\/question%3A[\w-]+\|Open>$/,
      ),
      unfurl_links: false,
      unfurl_media: false,
    })
    await eventually(async () => {
      expect(await deliveries({ channel_id })).toMatchObject([
        {
          channel_id,
          item_ids: [`question:${id}`],
          kinds: ['question'],
          status: 'delivered',
          attempts: 1,
          reason: null,
        },
      ])
    })
    const [channel] = (await owner.ok('get_my_notifications')).channels
    expect(channel.last_success_at).toEqual(expect.any(String))
  })

  test('the reference alone, where the person wants it so', async () => {
    await owner.ok('update_my_notifications', { content: 'ref' })
    await slack()
    await askQuestion()
    const [request] = await chat.taken(1)
    expect(request!.json.text).not.toContain('Basket')
  })

  test('not what was there before, nor what is settled at once, nor of muted boards, nor other kinds', async () => {
    const before = await askQuestion()
    const muted = await Scene.on(world)
    await muted.admit(agent)
    await owner.ok('update_my_notifications', { muted_boards: [muted.boardId] })
    const { id: channel_id } = await slack({ kinds: ['question'] })
    const card_id = await muted.workableCard()
    await world.ok('ask_card_question', { card_id, question: 'Muted?' }, { as: agent })
    // The channel is inactive meanwhile: on a slow machine the question would otherwise be sent before it is answered.
    await owner.ok('update_notification_channel', { channel_id, active: false })
    const settled = await askQuestion('Settled?')
    await world.ok('answer_card_question', { qa_id: settled.id, answer: 'Yes.' })
    await owner.ok('update_notification_channel', { channel_id, active: true })
    const question = await askQuestion('Told?')
    await chat.taken(1)
    await eventually(async () => {
      const [first, ...others] = await deliveries({ channel_id })
      expect([first.item_ids, others]).toEqual([[`question:${question.id}`], []])
    })
    expect(before.id).not.toBe(question.id)
  })

  test('what comes in quiet hours is held', async () => {
    const { id: channel_id } = await slack()
    const now = new Date()
    const at = (hours: number) => `${String((now.getUTCHours() + hours + 24) % 24).padStart(2, '0')}:00`
    await owner.ok('update_my_notifications', { quiet_hours: { from: at(-1), to: at(3) } })
    const { id } = await askQuestion()
    await eventually(async () => {
      expect(await deliveries({ channel_id })).toMatchObject([
        {
          status: 'held',
          attempts: 0,
          item_ids: [`question:${id}`],
          next_attempt_at: expect.stringContaining(`T${at(3)}`),
        },
      ])
    })
    await owner.ok('test_notification_channel', { channel_id })
    await chat.taken(1)
    expect(chat.requests).toHaveLength(1)
    // Without quiet hours the notification is sent.
    await owner.ok('update_my_notifications', { quiet_hours: null })
    await chat.taken(2)
    expect(await deliveries({ channel_id, status: 'held' })).toEqual([])
  })

  test('what is held of a board that is muted meanwhile is not told', async () => {
    const { id: channel_id } = await slack({ mode: 'digest' })
    const { id } = await askQuestion()
    const expectStatus = async (status: string) => {
      const found = await deliveries({ channel_id })
      expect(found).toMatchObject([{ status, item_ids: [`question:${id}`] }])
    }
    await eventually(() => expectStatus('held'))
    await owner.ok('update_my_notifications', { muted_boards: [scene.boardId] })
    await owner.ok('update_notification_channel', { channel_id, mode: 'now' })
    await eventually(() => expectStatus('dropped'))
    await owner.ok('update_my_notifications', { muted_boards: [] })
    expect(chat.requests).toEqual([])
  })

  test('a digest waits for its time', async () => {
    const before = `${String((new Date().getUTCHours() + 23) % 24).padStart(2, '0')}:00`
    const { id: channel_id } = await slack()
    // Whatever arrives after the digest time waits for the next day, whether or not there was a digest.
    await owner.ok('update_my_notifications', { digest_at: before })
    await owner.ok('update_notification_channel', { channel_id, mode: 'digest' })
    await askQuestion()
    await eventually(async () => {
      expect(await deliveries({ channel_id })).toMatchObject([{ status: 'held' }])
    })
    expect(chat.requests).toEqual([])
  })

  test('a failure is tried again, with the same text', async () => {
    const { id: channel_id } = await slack()
    chat.answer = () => ({ status: 500 })
    await askQuestion()
    await eventually(async () => {
      expect(await deliveries({ channel_id })).toMatchObject([
        { status: 'pending', attempts: 1, next_attempt_at: expect.any(String), delivered_at: null },
      ])
    })
    const [channel] = (await owner.ok('get_my_notifications')).channels
    expect(channel).toMatchObject({ failing_since: expect.any(String), active: true })
  })

  test('five a minute; the rest is held', async () => {
    const { id: channel_id } = await slack()
    const card_id = await scene.workableCard()
    for (let count = 0; count < 8; count++)
      await world.ok('ask_card_question', { card_id, question: `Question ${count}?` }, { as: agent })
    await chat.taken(5)
    await eventually(async () => {
      const entries = await deliveries({ channel_id, status: 'held' })
      expect(entries).toMatchObject([{ item_ids: { length: 3 }, kinds: ['question'] }])
    })
    expect(chat.requests).toHaveLength(5)
  })

  test('after a restart what came meanwhile is told, and nothing twice', async () => {
    const { id: channel_id } = await slack()
    await askQuestion()
    await chat.taken(1)
    await eventually(async () => {
      expect(await deliveries({ channel_id })).toMatchObject([{ status: 'delivered' }])
    })
    await owner.ok('update_notification_channel', { channel_id, active: false })
    const later = await askQuestion()
    await owner.ok('update_notification_channel', { channel_id, active: true })
    await chat.taken(2)
    await eventually(async () => {
      const all = await deliveries({ channel_id })
      expect(all.map((one: { item_ids: string[] }) => one.item_ids)).toContainEqual([`question:${later.id}`])
      expect(all).toHaveLength(2)
    })
  })
})

describe('mentions (people 5.6)', () => {
  test('stand in the inbox of who is named, until it writes on the record', async () => {
    const named = await world.agent({ name: 'Reviewer Two' })
    await scene.admit(named)
    const card_id = await scene.workableCard()
    const { handle } = await world.ok('get_agent', { agent_id: named.id })
    const comment = await world.ok('create_comment', {
      card_id,
      content: `Please look, @${handle}. Not \`@${handle}\`.`,
    })
    const inbox = await world.ok('list_my_inbox', { kind: 'mention' }, { as: named })
    expect(inbox.items).toMatchObject([
      {
        kind: 'mention',
        record: { entity_type: 'card', id: card_id },
        actor_id: world.owner.id,
        data: { excerpt: `Please look, @${handle}. Not \`@${handle}\`.`, source: 'comment' },
        operation: 'create_comment',
        arguments: { card_id },
      },
    ])
    await world.ok('update_comment', { comment_id: comment.id, content: `Please look again, @${handle}` })
    expect((await world.ok('list_my_inbox', { kind: 'mention' }, { as: named })).counts.mention).toBe(1)
    await world.ok('create_comment', { card_id, content: 'Seen.' }, { as: named })
    expect((await world.ok('list_my_inbox', {}, { as: named })).counts.mention).toBe(0)
  })

  test('can be dismissed, and concern nobody who does not see the board', async () => {
    const stranger = await world.agent({ name: 'Stranger Three' })
    const named = await world.agent({ name: 'Reviewer Four' })
    await scene.admit(named)
    const handles = await Promise.all(
      [stranger, named].map(async ({ id }) => (await world.ok('get_agent', { agent_id: id })).handle),
    )
    const spec_id = await scene.spec()
    await world.ok('update_spec', { spec_id, description: handles.map(handle => `@${handle}`).join(' and ') })
    expect((await world.ok('list_my_inbox', {}, { as: stranger })).counts.mention).toBe(0)
    const [item] = (await world.ok('list_my_inbox', { kind: 'mention' }, { as: named })).items
    expect(item).toMatchObject({ record: { id: spec_id }, data: { source: 'description' }, operation: 'get_spec' })
    expect(await world.ok('dismiss_inbox_items', { ids: [item.id] }, { as: named })).toEqual({
      dismissed: [item.id],
      not_dismissible: [],
    })
    expect((await world.ok('list_my_inbox', {}, { as: named })).counts.mention).toBe(0)
  })

  test('are on the record that is written, not on one that is written before it', async () => {
    const named = await world.agent({ name: 'Reviewer Five' })
    const { handle } = await world.ok('get_agent', { agent_id: named.id })
    const fresh = await world.ok('create_board', { name: 'Fresh', description: '' })
    await world.ok('grant_board_access', { agent_id: named.id, board_id: fresh.id })
    const mentioned = async (board_id: string) => {
      const { items } = await world.ok('list_my_inbox', { kind: 'mention', board_id }, { as: named })
      return items.map(({ record }: { record: { id: string } }) => record.id)
    }
    const description = `See @${handle}`
    // The first small change of a board brings its spec along.
    const card = await world.ok('create_card', { board_id: fresh.id, title: 'Typo', description })
    expect(await mentioned(fresh.id)).toEqual([card.id])
    const { spec } = await world.ok('promote_card', { card_id: card.id, requirements: [description] })
    expect(await mentioned(fresh.id)).toContain(spec.id)
  })

  test('are told to a person', async () => {
    await slack()
    const card_id = await scene.workableCard({ title: 'Checkout' })
    const { handle } = await owner.ok('get_agent', { agent_id: world.owner.id })
    await world.ok('create_comment', { card_id, content: `Ready, @${handle}` }, { as: agent })
    const [request] = await chat.taken(1)
    expect(request!.json.text).toContain('Mention from Executor 1: "Checkout"')
  })
})

test('a chat of Telegram connects itself by a code (people 5.3)', async () => {
  const api = await HttpSink.start()
  const updates: unknown[] = []
  api.answer = ({ path }) => {
    if (path.endsWith('/getMe')) return { body: { ok: true, result: { username: 'board_bot' } } }
    if (path.endsWith('/getUpdates')) return { body: { ok: true, result: updates.splice(0) } }
    return { body: { ok: true, result: {} } }
  }
  const file = `${world.folder}/telegram-token`
  await writeFile(file, '7:secret\n')
  const other = await World.start({ telegramTokenFile: file, telegramApi: api.url })
  try {
    const person = await Person.owner(other)
    const channel = await person.ok('create_notification_channel', { type: 'telegram' })
    const [, code] = /^https:\/\/t\.me\/board_bot\?start=([\w-]+)$/.exec(channel.connect_url)!
    expect(channel).toMatchObject({ verified: false, target: 'not connected' })
    updates.push({ update_id: 5, message: { text: `/start ${code}`, chat: { id: 42 } } })
    await eventually(async () => {
      const [connected] = (await person.ok('get_my_notifications')).channels
      expect(connected).toMatchObject({ verified: true, connect_url: null })
    })
    await person.ok('test_notification_channel', { channel_id: channel.id })
    const [request] = await api.taken(1, ({ path }) => path.endsWith('/sendMessage'))
    expect(request).toMatchObject({ path: '/bot7:secret/sendMessage', json: { chat_id: '42' } })
  } finally {
    await other.stop()
    await api.stop()
  }
})
