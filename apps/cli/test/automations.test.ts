import { afterAll, beforeAll, expect, test } from 'vitest'
import { forgeSecret, sendEvent, settled } from './support/forge.ts'
import { Scene } from './support/scene.ts'
import { World } from './support/world.ts'

let world: World

beforeAll(async () => {
  world = await World.start()
})

afterAll(() => world.stop())

const sha = (digit: string) => digit.repeat(40)
const [a, b, c] = ['a', 'b', 'c'].map(sha) as [string, string, string]
const zeros = sha('0')

const all = {
  auto_start_on_change: true,
  auto_validation_on_pull_request: true,
  auto_done_on_merge: true,
  auto_move: false,
}

const verdict = {
  recommendation: 'approve',
  outcome: 'success',
  summary: 'It does what it says, and was tried by hand.',
  confidence: 95,
  confidence_justification: 'Tried.',
  completeness: 95,
  completeness_justification: 'All of it.',
  drift: 0,
  drift_justification: 'None.',
}

// biome-ignore lint/suspicious/noExplicitAny: answers as they come
type Answered = Record<string, any>

/** The preset of agents that do the work. */
async function asExecutor() {
  const presets: { readonly id: string; readonly name: string }[] = await world.ok('list_presets')
  const preset_id = presets.find(({ name }) => name === 'Executor')!.id
  return { preset_id, permission_flags: { CARDS_VALIDATE: true, CARDS_WRITE_IN_VALIDATION: true } }
}

/** A small change of a board with automations, held by an agent that the forge calls ada. */
async function held(
  settings: Readonly<Record<string, unknown>> = all,
  make: (scene: Scene) => Promise<string> = scene => scene.smallChange(),
) {
  const scene = await Scene.on(world)
  const { boardId: board_id } = scene
  await world.ok('update_board', { board_id, settings })
  const url = 'https://github.com/acme/shop'
  const repository = await world.ok('create_repository', { board_id, url, webhook_secret: forgeSecret })
  const agent = await world.agent(await asExecutor())
  await world.ok('grant_board_access', { board_id, agent_id: agent.id })
  await world.ok('put_authors', { board_id, authors: [{ login: 'ada', agent_id: agent.id }] })
  const card_id = await make(scene)
  await world.ok('claim_card', { card_id }, { as: agent })
  const { ref } = await world.ok('get_card', { card_id })
  const tell = async (event: string, payload: object, delivery?: string) => {
    await sendEvent(world, repository.id, { event, payload, ...(delivery !== undefined && { delivery }) })
    await settled(world, repository.id)
    return (await world.ok('get_card', { card_id })).status as string
  }
  return {
    board_id,
    card_id,
    ref: ref as string,
    agent,
    repository_id: repository.id as string,
    tell,
    record: async (changes: object, as = agent) => {
      await world.ok('record_changes', { board_id, repository_id: repository.id, ...changes }, { as })
      return (await world.ok('get_card', { card_id })).status as string
    },
    approve: () => world.ok('submit_task_validation', { card_id, ...verdict }),
    events: async (action: string) => (await world.ok('list_board_events', { board_id, action })).events as Answered[],
    inbox: async (kind: string, as = agent) =>
      (await world.ok('list_my_inbox', { board_id, kind }, { as })).items as Answered[],
  }
}

const now = () => new Date().toISOString()

const commit = (id: string, message: string, login = 'ada') => ({
  id,
  message,
  timestamp: now(),
  author: { name: login, email: `${login}@example.com`, username: login },
  added: [],
  modified: ['src/a.ts'],
  removed: [],
})

const push = (ref: string, after: string, commits: object[], login = 'ada') => ({
  ref: `refs/heads/${ref}`,
  before: zeros,
  after,
  commits,
  sender: { login },
})

const request = (title: string, more: object = {}) => ({
  number: 12,
  state: 'open',
  title,
  body: 'It writes CSV.',
  draft: false,
  merged: false,
  updated_at: now(),
  user: { login: 'ada' },
  head: { ref: 'work', sha: b, repo: { full_name: 'acme/shop' } },
  base: { ref: 'main', sha: a, repo: { full_name: 'acme/shop' } },
  ...more,
})

const merged = () => ({ state: 'closed', merged: true, merge_commit_sha: c, merged_at: now(), updated_at: now() })

const opened = (title: string, more?: object) => ({ action: 'opened', pull_request: request(title, more) })
const closed = (title: string, more: object = {}) => ({
  action: 'closed',
  pull_request: request(title, { ...merged(), ...more }),
})

test('a commit starts a card, a pull request brings it to validation, a merge finishes it (git 7)', async () => {
  const card = await held()
  expect(await card.tell('push', push('work', b, [commit(b, `${card.ref}: export`)]), 'first')).toBe('started')
  expect(await card.tell('pull_request', opened(`${card.ref} Export`))).toBe('validation')
  await card.approve()
  expect(await card.tell('pull_request', closed(`${card.ref} Export`))).toBe('done')
  const actor = { actor_id: `automation:${card.repository_id}`, actor_name: 'automation', actor_type: 'service' }
  const moves = await card.events('automation_moved')
  expect(moves).toMatchObject(
    ['started', 'validation', 'done'].map(to_status => ({ ...actor, actor_via: 'service', details: { to_status } })),
  )
  const [change] = await world.ok('list_changes', { board_id: card.board_id, sha: b })
  const author = { name: 'ada', login: 'ada', agent_id: card.agent.id, agent_name: expect.any(String) }
  const cause = { change_id: change.id, delivery_id: 'first', author }
  expect(moves[0]!.details).toEqual({ from_status: 'not_started', to_status: 'started', cause })
  const byAutomation = (await card.events('card_moved')).filter(({ actor_id }) => actor_id === actor.actor_id)
  expect(byAutomation).toHaveLength(3)
  expect(byAutomation[0]).toMatchObject({ ...actor, details: { cause } })
  expect(JSON.stringify(moves)).not.toContain('@example.com')
  const { conclusions } = await world.ok('get_card', { card_id: card.card_id })
  expect(conclusions[0]).toMatchObject({
    text: `${card.ref} Export\n\nIt writes CSV.`,
    author_id: actor.actor_id,
    completeness: 100,
    drift: 0,
    check: { how: 'pull request #12' },
    source: 'move_to_validation',
  })
})

test('nothing moves that the board does not ask for', async () => {
  const card = await held({})
  await card.tell('push', push('work', b, [commit(b, card.ref)]))
  await card.tell('pull_request', opened(card.ref))
  expect(await card.tell('pull_request', closed(card.ref))).toBe('not_started')
  expect(await card.events('automation_moved,automation_refused')).toEqual([])
})

test('a card is started by its worker alone, and by no change that is old', async () => {
  const card = await held()
  expect(await card.tell('push', push('other', a, [commit(a, card.ref, 'eve')], 'eve'))).toBe('not_started')
  const old = { ...commit(c, card.ref), timestamp: '2026-01-01T00:00:00Z' }
  expect(await card.tell('push', push('old', c, [old]))).toBe('not_started')
  expect(await card.tell('push', push(`${card.ref.toLowerCase()}-work`, a, []))).toBe('not_started')
})

test('a branch starts a card of who made it, and the assignee works on a card that nobody claims', async () => {
  const card = await held()
  await world.ok('release_claim', { card_id: card.card_id }, { as: card.agent })
  const branch = `${card.ref.toLowerCase()}-export`
  expect(await card.record({ branches: [{ name: 'x', head: a }] })).toBe('not_started')
  await world.ok('update_card', { card_id: card.card_id, assignee_id: card.agent.id })
  expect(await card.record({ branches: [{ name: branch, head: a }] })).toBe('started')
  const [moved] = await card.events('automation_moved')
  expect(moved!.details.cause).toMatchObject({ recorded_by: card.agent.id })
})

test('a report that the text lacks is asked for, filled in as far as it goes', async () => {
  const card = await held(all, scene => scene.workableCard())
  expect(await card.tell('push', push('work', b, [commit(b, card.ref)]))).toBe('started')
  const title = `${card.ref} Export`
  expect(await card.tell('pull_request', opened(title, { body: 'Completeness: 90 – PDF is missing' }))).toBe('started')
  const missing = ['drift', 'drift_justification']
  const move = { from_status: 'started', to_status: 'validation' }
  expect(await card.events('automation_refused')).toMatchObject([
    { details: { move, code: 'CONCLUSION_REQUIRED', missing, cause: { author: { login: 'ada' } } } },
  ])
  const [item] = await card.inbox('automation_refused')
  expect(item).toMatchObject({
    id: `automation_refused:${card.card_id}`,
    record: { entity_type: 'card', id: card.card_id },
    data: { move, code: 'CONCLUSION_REQUIRED', missing },
    operation: 'move_card',
    arguments: {
      card_id: card.card_id,
      target_status: 'validation',
      conclusion: `${title}\n\nCompleteness: 90 – PDF is missing`,
      completeness: 90,
      completeness_justification: 'PDF is missing',
    },
  })
  expect(await card.inbox('automation_refused', world.owner)).toEqual([])
  const rest = { drift: 0, drift_justification: 'None.' }
  await world.ok('move_card', { ...item!.arguments, ...rest }, { as: card.agent })
  expect(await card.inbox('automation_refused')).toEqual([])
  expect(await card.tell('pull_request', closed(title))).toBe('validation')
  expect(await card.inbox('automation_refused')).toMatchObject([
    { data: { code: 'VALIDATION_REQUIRED', missing: ['task_validation'] }, operation: 'get_allowed_moves' },
  ])
})

test('a merge is no review, and a person approves where one must', async () => {
  const card = await held({ ...all, approval_done: 'separate' })
  await card.tell('push', push('work', b, [commit(b, card.ref)]))
  expect(await card.tell('pull_request', opened(card.ref))).toBe('validation')
  await card.approve()
  expect(await card.tell('pull_request', closed(card.ref), 'last')).toBe('validation')
  const [delivery] = await world.ok('list_forge_deliveries', { repository_id: card.repository_id })
  expect(delivery).toMatchObject({ delivery_id: 'last', status: 'done' })
  expect(await card.events('automation_refused')).toMatchObject([
    {
      actor_id: `automation:${card.repository_id}`,
      details: { code: 'REVIEWER_NOT_SEPARATE', missing: [], cause: { delivery_id: 'last' } },
    },
  ])
  expect(await card.inbox('automation_refused')).toMatchObject([{ operation: 'get_allowed_moves' }])
  // The automation took no part in the work: nobody but the holder did.
  await world.ok('update_board', { board_id: card.board_id, settings: { require_separate_reviewer: true } })
  const refusal = await world.call('submit_task_validation', { card_id: card.card_id, ...verdict }, { as: card.agent })
  expect(refusal.body.detail).toMatchObject({ error: 'REVIEWER_NOT_SEPARATE', roles: { [card.agent.id]: ['claimed'] } })
  expect(refusal.body.detail.agents).toEqual([card.agent.id])
})

test('a card that a person must approve waits for one, and nobody else is asked', async () => {
  const card = await held({ ...all, approval_done: 'person' })
  await card.tell('push', push('work', b, [commit(b, card.ref)]))
  await card.tell('pull_request', opened(card.ref))
  await card.approve()
  expect(await card.tell('pull_request', closed(card.ref))).toBe('validation')
  expect(await card.events('automation_refused')).toMatchObject([{ details: { code: 'PERSON_REQUIRED' } }])
  expect(await card.inbox('automation_refused')).toEqual([])
  expect(await card.inbox('card_approval')).toEqual([])
  expect(await card.inbox('card_approval', world.owner)).toMatchObject([{ operation: 'move_card' }])
})

test.each([
  ['a draft', { draft: true }],
  ['of a fork', { head: { ref: 'work', sha: b, repo: { full_name: 'eve/shop' } } }],
  ['of somebody else', { user: { login: 'eve' } }],
  ['old', { updated_at: '2026-01-01T00:00:00Z' }],
])('a pull request that is %s moves nothing', async (_, more) => {
  const card = await held()
  await card.tell('push', push('work', b, [commit(b, card.ref)]))
  expect(await card.tell('pull_request', opened(card.ref, more))).toBe('started')
})

test('a draft that is ready moves its card, and a merge waits for the other pull requests', async () => {
  const card = await held()
  await card.tell('push', push('work', b, [commit(b, card.ref)]))
  await card.tell('pull_request', opened(card.ref, { draft: true }))
  const ready = { action: 'ready_for_review', pull_request: request(card.ref) }
  expect(await card.tell('pull_request', ready)).toBe('validation')
  await card.approve()
  await card.tell('pull_request', opened(card.ref, { number: 13, head: { ref: 'more', sha: a } }))
  expect(await card.tell('pull_request', closed(card.ref))).toBe('validation')
  expect(await card.tell('pull_request', closed(card.ref, { number: 13 }))).toBe('done')
})

test('a card is never taken from on_hold, and the claim of another keeps it', async () => {
  const card = await held()
  await card.tell('push', push('work', b, [commit(b, card.ref)]))
  await world.ok('move_card', { card_id: card.card_id, target_status: 'on_hold' })
  expect(await card.tell('pull_request', opened(card.ref))).toBe('on_hold')
  await world.ok('move_card', { card_id: card.card_id, target_status: 'validation', conclusion: 'x', check: 'y' })
  await world.ok('claim_card', { card_id: card.card_id })
  expect(await card.tell('pull_request', closed(card.ref))).toBe('validation')
  expect(await card.events('automation_refused')).toMatchObject([{ details: { code: 'CLAIMED' } }])
})

test('what a pipeline or the forge alone confirms finishes a card; the word of an agent does not', async () => {
  const card = await held()
  await card.record({
    commits: [{ sha: b, parents: [], subject: card.ref, author_email: `${card.agent.id}@specboard` }],
  })
  await world.ok('move_card', { card_id: card.card_id, target_status: 'validation', conclusion: 'x', check: 'y' })
  await card.approve()
  const main = { branches: [{ name: 'main', head: b, is_default: true }] }
  expect(await card.record(main)).toBe('validation')
  expect(await card.tell('push', push('main', c, [commit(c, card.ref)]))).toBe('done')
})

const run = (name: string, conclusion: string | null, head_sha = b) => ({
  check_run: {
    name,
    head_sha,
    status: conclusion === null ? 'in_progress' : 'completed',
    conclusion,
    started_at: now(),
    completed_at: conclusion === null ? null : now(),
  },
})

test('failed checks of a card are told its holder, and go when they pass', async () => {
  const card = await held({})
  await card.tell('pull_request', opened(card.ref))
  await card.tell('check_run', run('unit', 'failure'))
  expect(await card.inbox('checks_failed')).toMatchObject([
    {
      record: { id: card.card_id },
      data: { missing: [{ sha: b, name: 'unit', reason: 'failing' }] },
      operation: 'get_allowed_moves',
    },
  ])
  expect(await card.inbox('checks_failed', world.owner)).toEqual([])
  await world.ok('update_board', { board_id: card.board_id, settings: { notify_failed_checks: false } })
  expect(await card.inbox('checks_failed')).toEqual([])
  await world.ok('update_board', { board_id: card.board_id, settings: { notify_failed_checks: true } })
  await card.tell('check_run', run('unit', 'success'))
  expect(await card.inbox('checks_failed')).toEqual([])
})

test('a card that waits for its merge alone is told its worker; while checks run, nobody is asked', async () => {
  const card = await held({ require_merged_change: true })
  expect(await card.inbox('change_unmerged')).toEqual([])
  await world.ok('move_card', { card_id: card.card_id, target_status: 'in_progress' }, { as: card.agent })
  await card.tell('pull_request', opened(card.ref))
  const [change] = await world.ok('list_changes', { board_id: card.board_id, kind: 'pull_request' })
  const missing = [{ change_id: change.id, reason: 'open' }]
  const item = { data: { missing }, operation: 'get_change', arguments: { change_id: change.id } }
  expect(await card.inbox('change_unmerged')).toMatchObject([item])
  await card.tell('pull_request', closed(card.ref))
  expect(await card.inbox('change_unmerged')).toEqual([])
  await world.ok('update_board', { board_id: card.board_id, settings: { require_green_checks: true } })
  expect(await card.inbox('checks_failed')).toMatchObject([{ data: { missing: [{ reason: 'none' }] } }])
  await card.tell('check_run', run('unit', null))
  expect(await card.inbox('checks_failed,change_unmerged')).toEqual([])
})

test('who manages a repository is told of five bad signatures', async () => {
  const card = await held({})
  const items = () => card.inbox('forge_refused', world.owner)
  const headers = { 'x-hub-signature-256': `sha256=${sha('0')}${'0'.repeat(24)}` }
  const before = new Date().toISOString()
  for (let count = 0; count < 5; count++) {
    expect(await items()).toEqual([])
    await sendEvent(world, card.repository_id, { event: 'push', payload: {}, headers })
  }
  const since = (await items())[0]?.since
  expect(since >= before).toBe(true)
  await sendEvent(world, card.repository_id, { event: 'push', payload: {}, headers })
  expect(await items()).toMatchObject([
    {
      record: { entity_type: 'repository', id: card.repository_id, ref: null, title: 'shop' },
      since,
      data: { refused_count: 6 },
      operation: 'rotate_repository_secret',
    },
  ])
  expect(await card.inbox('forge_refused')).toEqual([])
})
