import { writeWithoutLock } from '@specboard/domain'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { doneReport } from './support/report.ts'
import { Scene } from './support/scene.ts'
import { type TestAgent, World } from './support/world.ts'

let world: World
let scene: Scene
/** Agents that may do everything on the board but change it. */
let ada: TestAgent
let ben: TestAgent

const joining = async (flags: object = {}) => {
  const agent = await world.agent({ permission_flags: { BOARDS_UPDATE: false, ...flags } })
  await scene.admit(agent)
  return agent
}

beforeAll(async () => {
  world = await World.start()
  scene = await Scene.on(world)
  ada = await joining()
  ben = await joining()
})

afterAll(() => world.stop())

const ready = async (fields: object = {}) => scene.card({ spec_id: await scene.specWithScenarios(), ...fields })
const claim = (as: TestAgent, card_id: string, fields: object = {}) =>
  world.call('claim_card', { card_id, ...fields }, { as })
const move = (as: TestAgent, card_id: string, target_status: string, fields: object = {}) =>
  world.call('move_card', { card_id, target_status, ...fields }, { as })
const codeOf = ({ body }: { body: { detail?: { error?: string } } }) => body?.detail?.error ?? 'OK'
const claimOn = async (card_id: string) => (await world.ok('get_card', { card_id })).claim
const claimEntries = async (card_id: string) =>
  (await world.ok('list_card_activity', { card_id }))
    .filter(({ action }: { action: string }) => action.includes('claim'))
    .map(({ action, details }: { action: string; details: object }) => [action, details])
    .toReversed()

/** Sets times of a claim back, as if they had passed. */
const backdate = (card_id: string, fields: object) =>
  writeWithoutLock(world, db => db.updateTable('claims').set(fields).where('card_id', '=', card_id).execute())
const expire = (card_id: string) => backdate(card_id, { expires_at: '2026-01-01T00:00:00.000Z' })

describe('claim_card (work 3)', () => {
  test('claims a card for half an hour, and says so on the card wherever it stands', async () => {
    const spec_id = await scene.specWithScenarios()
    const card_id = await scene.card({ spec_id })
    const { status, body } = await claim(ada, card_id, { note: 'On it' })
    expect(status).toBe(200)
    expect(body).toEqual({
      card_id,
      card_ref: (await world.ok('get_card', { card_id })).ref,
      agent_id: ada.id,
      agent_name: expect.stringMatching(/^Agent/),
      agent_kind: 'agent',
      stage: 'work',
      session: null,
      note: 'On it',
      claimed_at: expect.any(String),
      renewed_at: body.claimed_at,
      expires_at: new Date(Date.parse(body.claimed_at) + 1_800_000).toISOString(),
    })
    expect(await claimOn(card_id)).toEqual(body)
    const { columns } = await world.ok('get_board_columns', { board_id: scene.boardId })
    expect(columns.not_started.find(({ id }: { id: string }) => id === card_id).claim).toEqual(body)
    expect((await world.ok('get_spec', { spec_id })).cards).toMatchObject([{ id: card_id, claim: body }])
    const [listed] = await world.ok('list_cards', { board_id: scene.boardId, spec_id })
    expect(listed.claim).toEqual(body)
    expect(await claimEntries(card_id)).toEqual([
      ['card_claimed', { agent_id: ada.id, lease_seconds: 1800, stage: 'work', note: 'On it' }],
    ])
  })

  test('renews the claim of its own agent, and tells of it once in five minutes', async () => {
    const card_id = await ready()
    const first = (await claim(ada, card_id, { note: 'On it' })).body
    const again = (await claim(ada, card_id, { lease_seconds: 3_600 })).body
    expect(again).toMatchObject({ claimed_at: first.claimed_at, note: 'On it' })
    expect(Date.parse(again.expires_at) - Date.parse(again.renewed_at)).toBe(3_600_000)
    expect(await claimEntries(card_id)).toHaveLength(1)
    await backdate(card_id, { recorded_at: '2026-01-01T00:00:00.000Z' })
    expect((await claim(ada, card_id, { note: null })).body.note).toBeNull()
    expect((await claimEntries(card_id)).map(([action]: [string]) => action)).toEqual(['card_claimed', 'claim_renewed'])
  })

  test('is refused while another agent has a live claim, also to who may change the board', async () => {
    const card_id = await ready()
    const { body } = await claim(ada, card_id)
    for (const other of [ben, world.owner]) {
      const refused = await claim(other, card_id)
      expect(refused.status).toBe(409)
      expect(refused.body.detail).toMatchObject({ error: 'CLAIMED', claim: body, board_id: scene.boardId })
    }
  })

  test('takes over a claim whose time is over', async () => {
    const card_id = await ready()
    await claim(ada, card_id)
    await expire(card_id)
    expect(await claimOn(card_id)).toBeNull()
    expect((await claim(ben, card_id)).body.agent_id).toBe(ben.id)
    expect((await claimEntries(card_id)).slice(1)).toEqual([
      ['claim_lost', { agent_id: ada.id, by: ben.id, reason: 'taken_over' }],
      ['claim_released', { agent_id: ada.id, by: ben.id, reason: 'taken_over' }],
      ['card_claimed', { agent_id: ben.id, lease_seconds: 1800, stage: 'work', note: null }],
    ])
  })

  test('a card need not be ready; one in validation is claimed for validation', async () => {
    expect((await claim(ada, await scene.card())).body.stage).toBe('work')
    expect((await claim(ada, await scene.card({ status: 'validation' }))).body.stage).toBe('validation')
  })

  test.each(['done', 'cancelled', 'on_hold'])('a card in %s is refused', async status => {
    const refused = await claim(ada, await scene.card({ status }))
    expect(refused.body.detail).toMatchObject({ error: 'INVALID_STATE', status })
  })

  test('an archived card is refused first', async () => {
    const spec_id = await scene.spec('approved')
    const card_id = await scene.card({ spec_id, status: 'done' })
    await world.ok('archive_record', { board_id: scene.boardId, entity_type: 'spec', entity_id: spec_id })
    expect(codeOf(await claim(ada, card_id))).toBe('ARCHIVED')
  })

  test.each([{ lease_seconds: 59 }, { lease_seconds: 86_401 }, { note: 'x'.repeat(501) }])(
    '%j is 422',
    async fields => {
      expect((await claim(ada, await scene.card(), fields)).status).toBe(422)
    },
  )

  test('asks for no state limit, since it changes no field of the card', async () => {
    const limited = await joining({ CARDS_WRITE_IN_NOT_STARTED: false })
    const card_id = await ready()
    const before = (await world.ok('get_card', { card_id })).updated_at
    expect((await claim(limited, card_id)).status).toBe(200)
    expect((await world.ok('get_card', { card_id })).updated_at).toBe(before)
  })
})

describe('release_claim (work 3)', () => {
  const release = (as: TestAgent, card_id: string) => world.call('release_claim', { card_id }, { as })

  test('ends the claim of its agent', async () => {
    const card_id = await ready()
    await claim(ada, card_id)
    expect((await release(ada, card_id)).status).toBe(204)
    expect(await claimOn(card_id)).toBeNull()
    expect((await claimEntries(card_id))[1]).toEqual([
      'claim_released',
      { agent_id: ada.id, by: ada.id, reason: 'released' },
    ])
    expect((await release(ada, card_id)).body.detail).toMatchObject({ error: 'NOT_FOUND', entity_type: 'claim' })
  })

  test('asks for CARDS_CLAIM, and for BOARDS_UPDATE on that of another', async () => {
    const powerless = await joining({ CARDS_CLAIM: false })
    const card_id = await ready()
    expect((await release(powerless, card_id)).body.detail).toMatchObject({ permission: 'CARDS_CLAIM' })
    await claim(ada, card_id)
    expect((await release(ben, card_id)).body.detail).toMatchObject({ error: 'FORBIDDEN', permission: 'BOARDS_UPDATE' })
    expect((await release(world.owner, card_id)).status).toBe(204)
  })

  test('knows no claim whose time is over', async () => {
    const card_id = await ready()
    await claim(ada, card_id)
    await expire(card_id)
    expect((await release(ada, card_id)).status).toBe(404)
  })
})

describe('a live claim for work keeps the card for its agent (work 3)', () => {
  test('another agent moves it nowhere, and does not delete it (crew 2.5)', async () => {
    const card_id = await ready()
    await claim(ada, card_id)
    const targets = ['not_started', 'started', 'in_progress', 'validation', 'done', 'on_hold', 'cancelled']
    for (const target of targets)
      expect([target, codeOf(await move(ben, card_id, target))]).toEqual([target, 'CLAIMED'])
    expect(codeOf(await world.call('delete_card', { card_id }, { as: ben }))).toBe('CLAIMED')
    expect(codeOf(await move(ada, card_id, 'started'))).toBe('OK')
    await world.ok('delete_card', { card_id })
  })

  test('update_card of status and of what its holder works by is refused, other fields are open (crew 2.5)', async () => {
    const card_id = await ready()
    await claim(ada, card_id)
    const update = (fields: object) => world.call('update_card', { card_id, ...fields }, { as: ben })
    expect(codeOf(await update({ status: 'started' }))).toBe('CLAIMED')
    expect(codeOf(await update({ status: 'not_started', priority: 'high' }))).toBe('OK')
    expect(codeOf(await update({ status: 'on_hold' }))).toBe('CLAIMED')
    for (const field of ['title', 'description', 'details', 'action_plan', 'expected_behavior', 'observed_behavior'])
      expect([field, codeOf(await update({ [field]: 'New' }))]).toEqual([field, 'CLAIMED'])
    expect(codeOf(await update({ title: 'Card', labels: ['a'], assignee_id: 'ben' }))).toBe('OK')
    const moves = await world.ok('get_allowed_moves', { entity_type: 'card', entity_id: card_id }, { as: ben })
    const updating = moves.operations.find((one: { operation: string }) => one.operation === 'update_card')
    expect(updating).toMatchObject({ state: 'open', locked_fields: expect.arrayContaining(['details', 'spec_id']) })
  })

  test('CLAIMED comes before every gate, and after ARCHIVED', async () => {
    const spec_id = await scene.spec('approved')
    const card_id = await scene.card({ spec_id })
    await claim(ada, card_id)
    expect(codeOf(await move(ben, card_id, 'started'))).toBe('CLAIMED')
    expect(codeOf(await move(ada, card_id, 'started'))).toBe('SPEC_NOT_READY')
    await world.ok('archive_record', { board_id: scene.boardId, entity_type: 'spec', entity_id: spec_id })
    expect(codeOf(await move(ben, card_id, 'started'))).toBe('ARCHIVED')
  })

  test('who may change the board passes, and so does everybody once its time is over', async () => {
    const card_id = await ready()
    await claim(ada, card_id)
    expect(codeOf(await move(world.owner, card_id, 'started'))).toBe('OK')
    expect((await claimOn(card_id)).agent_id).toBe(ada.id)
    await expire(card_id)
    expect(codeOf(await move(ben, card_id, 'in_progress'))).toBe('OK')
  })

  test('a claim for validation keeps the validation, and the moves until there is a verdict', async () => {
    const card_id = await ready({ status: 'validation' })
    const submit = (as: TestAgent) =>
      world.call(
        'submit_task_validation',
        { card_id, outcome: 'failed', summary: 'Not yet.', auto_move: false },
        { as },
      )
    const { body } = await claim(ada, card_id)
    const refused = await submit(ben)
    expect([refused.status, refused.body.detail.claim]).toEqual([409, body])
    expect(codeOf(await move(ben, card_id, 'in_progress'))).toBe('CLAIMED')
    expect((await submit(world.owner)).status).toBe(201)
    expect((await submit(ada)).status).toBe(201)
    expect(codeOf(await move(ben, card_id, 'in_progress'))).toBe('OK')
    expect(await claimOn(card_id)).toBeNull()
  })
})

describe('a claim ends (work 3)', () => {
  test.each(['validation', 'done', 'on_hold', 'cancelled', 'not_started'])('on a move to %s', async target => {
    const card_id = await ready({ card_type: 'normal', status: 'started' })
    await claim(ada, card_id)
    expect(codeOf(await move(ada, card_id, target, doneReport))).toBe('OK')
    expect(await claimOn(card_id)).toBeNull()
    expect((await claimEntries(card_id)).at(-1)).toEqual([
      'claim_released',
      { agent_id: ada.id, by: ada.id, reason: 'moved' },
    ])
  })

  test('not on a move to started or in_progress', async () => {
    const card_id = await ready()
    await claim(ada, card_id)
    for (const target of ['started', 'in_progress', 'started']) await move(ada, card_id, target)
    expect(await claimOn(card_id)).toMatchObject({ agent_id: ada.id, stage: 'work' })
  })

  test('as one that ran out where its time was over before the move', async () => {
    const card_id = await ready()
    await claim(ada, card_id)
    await expire(card_id)
    await move(ben, card_id, 'on_hold')
    expect((await claimEntries(card_id)).slice(1)).toEqual([
      ['claim_lost', { agent_id: ada.id, by: null, reason: 'expired' }],
    ])
  })

  test('when its validation moves the card to done', async () => {
    const card_id = await ready({ status: 'validation' })
    await claim(ada, card_id)
    const verdict = { outcome: 'success', summary: 'Good.', auto_move: true }
    await world.ok('submit_task_validation', { card_id, ...verdict }, { as: ada })
    expect(await claimOn(card_id)).toBeNull()
  })

  test.each<[string, (agent: TestAgent) => Promise<unknown>, boolean]>([
    ['is deleted', ({ id }) => world.ok('delete_agent', { agent_id: id }), false],
    ['is made inactive', ({ id }) => world.ok('update_agent', { agent_id: id, is_active: false }), true],
    ['leaves the board', agent => world.ok('delete_board_share', shareOf(agent), { as: agent }), false],
    ['loses its share', agent => world.ok('delete_board_share', shareOf(agent)), true],
  ])('when its agent %s', async (_, leave, isTold) => {
    const agent = await leaver()
    const card_id = await ready()
    await claim(agent, card_id)
    await leave(agent)
    expect(await claimOn(card_id)).toBeNull()
    const lost = isTold ? [['claim_lost', { agent_id: agent.id, reason: 'taken_over' }]] : []
    expect((await claimEntries(card_id)).slice(1)).toMatchObject([['claim_released', { reason: 'released' }], ...lost])
  })

  test('and an agent that comes back is told so (crew 4.2)', async () => {
    const agent = await leaver()
    const card_id = await ready()
    await claim(agent, card_id)
    await world.ok('update_agent', { agent_id: agent.id, is_active: false })
    await world.ok('update_agent', { agent_id: agent.id, is_active: true })
    const { items } = await world.ok('list_my_inbox', { kind: 'claim_lost' }, { as: agent })
    expect(items).toMatchObject([{ record: { id: card_id }, data: { reason: 'taken_over' } }])
  })

  test('not while its agent sees the board by another way', async () => {
    const agent = await leaver()
    const at = { agent_id: agent.id, board_id: scene.boardId }
    await world.ok('grant_board_access', at)
    const card_id = await ready()
    await claim(agent, card_id)
    await world.ok('delete_board_share', shareOf(agent))
    expect(await claimOn(card_id)).toMatchObject({ agent_id: agent.id })
    await world.ok('revoke_board_access', at)
    expect(await claimOn(card_id)).toBeNull()
  })

  const shares = new Map<string, string>()
  const shareOf = ({ id }: TestAgent) => ({ board_id: scene.boardId, share_id: shares.get(id) })

  async function leaver(): Promise<TestAgent> {
    const agent = await world.agent()
    const share = { board_id: scene.boardId, user_id: agent.id, permission: 'admin' }
    shares.set(agent.id, (await world.ok('create_board_share', share)).id)
    return agent
  }
})

describe('claim_next_card (work 3)', () => {
  let own: Scene
  const next = (as: TestAgent, fields: object = {}) =>
    world.call('claim_next_card', { board_id: own.boardId, ...fields }, { as })
  const nextCard = async (as: TestAgent, fields: object = {}) => (await next(as, fields)).body.card?.id ?? null

  beforeAll(async () => {
    own = await Scene.on(world)
    await own.admit(ada)
    await own.admit(ben)
  })

  test('gives each agent the best card that is left, and again the one that it holds', async () => {
    const spec_id = await own.spec('in_progress')
    const low = await own.card({ spec_id, priority: 'low' })
    const high = await own.card({ spec_id, priority: 'high' })
    const { body } = await next(ada, { note: 'Mine' })
    expect(body).toMatchObject({
      claim: { card_id: high, agent_id: ada.id, note: 'Mine' },
      card: { id: high, claim: { agent_id: ada.id } },
      move: null,
      waiting: null,
    })
    expect(body.card).toEqual(await world.ok('get_card', { card_id: high }))
    expect(await nextCard(ben)).toBe(low)
    expect(await nextCard(ada)).toBe(high)
    await world.ok('move_card', { card_id: high, target_status: 'cancelled' })
    await world.ok('move_card', { card_id: low, target_status: 'cancelled' })
  })

  test('moves the card to started in the same write, where that is wanted', async () => {
    const card_id = await own.card({ spec_id: await own.spec('in_progress') })
    const { body } = await next(ada, { start: true })
    expect(body).toMatchObject({
      claim: { card_id },
      card: { status: 'started', moved_by: ada.id },
      move: { from_status: 'not_started', to_status: 'started' },
    })
    const [moved, claimed] = await world.ok('list_card_activity', { card_id })
    expect([moved.action, claimed.action]).toEqual(['card_moved', 'card_claimed'])
    await world.ok('move_card', { card_id, target_status: 'cancelled' })
  })

  test('start asks for the permission to move, and is 422 for validation', async () => {
    const still = await joining({ CARDS_MOVE_STARTED: false })
    await own.admit(still)
    expect((await next(still, { start: true })).body.detail).toMatchObject({ permission: 'CARDS_MOVE_STARTED' })
    const [item] = (await next(ada, { start: true, for: 'validation' })).body.detail
    expect(item).toMatchObject({ loc: ['body', 'start'], type: 'value_error' })
  })

  test('says what cards wait for where none is ready, each counted once by the first reason', async () => {
    const waiting = await Scene.on(world)
    await waiting.admit(ada)
    await waiting.admit(ben)
    const ask = async (fields: object = {}) =>
      (await world.ok('claim_next_card', { board_id: waiting.boardId, ...fields }, { as: ada })).waiting
    const none = { claimed: 0, reserved: 0, attempts: 0, on_hold: 0, dependencies: 0, spec_not_ready: 0, sprint: 0 }
    expect(await ask()).toEqual({ ...none, separate_review: 0, person: 0, overlap: 0, cards: [], more: 0 })
    const { spec_id } = await waiting.sprint('active')
    const claimedCard = await waiting.card({ spec_id: await waiting.spec('in_progress') })
    await world.ok('claim_card', { card_id: claimedCard }, { as: ben })
    const blocked = await waiting.card({ spec_id: await waiting.spec('approved') })
    await world.ok('add_card_dependency', { card_id: blocked, depends_on_id: claimedCard })
    const withoutSprint = await waiting.card({ spec_id })
    expect(await ask()).toMatchObject({ ...none, claimed: 1, dependencies: 1, spec_not_ready: 2 })
    await writeWithoutLock(world, db =>
      db.updateTable('specs').set({ status: 'in_progress' }).where('id', '=', spec_id).execute(),
    )
    await world.ok('move_card', { card_id: blocked, target_status: 'cancelled' })
    await world.ok('claim_next_card', { board_id: waiting.boardId, spec_id }, { as: ben })
    expect(await ask({ spec_id })).toMatchObject({ ...none, claimed: 1, sprint: 1 })
    await world.ok('delete_card', { card_id: withoutSprint })
    expect(await ask({ spec_id })).toMatchObject({ ...none, claimed: 1 })
  })

  test('gives cards to validate', async () => {
    const card_id = await own.card({ spec_id: await own.spec('in_progress'), status: 'validation' })
    expect((await next(ada, { for: 'validation' })).body.claim).toMatchObject({ card_id, stage: 'validation' })
    expect((await next(ben, { for: 'validation' })).body).toMatchObject({ claim: null, waiting: { claimed: 1 } })
  })

  test('an Idempotency-Key answers the first card again', async () => {
    const spec_id = await own.spec('in_progress')
    const cards = [await own.card({ spec_id }), await own.card({ spec_id })]
    const headers = { 'idempotency-key': 'take-one' }
    const ask = () =>
      world.call('claim_next_card', { board_id: own.boardId, spec_id, start: true }, { as: ada, headers })
    const [first, second] = [await ask(), await ask()]
    expect(second.body).toEqual(first.body)
    expect(cards).toContain(first.body.claim.card_id)
  })
})

test('agents that claim at once never get the same card, and no claim is lost', async () => {
  const crowd = await Scene.on(world)
  const agents = await Promise.all(Array.from({ length: 8 }, () => world.agent()))
  for (const agent of agents) await crowd.admit(agent)
  const spec_id = await crowd.spec('in_progress')
  const cards = await Promise.all(Array.from({ length: 40 }, () => crowd.card({ spec_id })))
  const worked = new Map<string, string>()
  const work = async (as: TestAgent) => {
    for (;;) {
      const { claim: mine } = await world.ok('claim_next_card', { board_id: crowd.boardId, start: true }, { as })
      if (mine === null) return
      expect(worked.get(mine.card_id)).toBeUndefined()
      worked.set(mine.card_id, as.id)
      await world.ok('move_card', { card_id: mine.card_id, target_status: 'done', ...doneReport }, { as })
    }
  }
  await Promise.all(agents.map(work))
  expect([...worked.keys()].sort()).toEqual(cards.sort())
})

test('list_claims answers the live claims of a board, those first that end first', async () => {
  const own = await Scene.on(world)
  await own.admit(ada)
  const [later, sooner, over] = [await own.card(), await own.card(), await own.card()]
  await claim(ada, later, { lease_seconds: 900 })
  await claim(world.owner, sooner, { lease_seconds: 600 })
  await claim(ada, over)
  await expire(over)
  const listed = await world.ok('list_claims', { board_id: own.boardId })
  expect(listed.map(({ card_id }: { card_id: string }) => card_id)).toEqual([sooner, later])
  const page = await world.call('list_claims', { board_id: own.boardId, limit: 1, offset: 1 })
  expect([page.body.length, page.headers.get('x-total-count')]).toEqual([1, '2'])
})

test('a claim survives a restart', async () => {
  const card_id = await ready()
  const { body } = await claim(ada, card_id)
  world = await world.restart()
  expect(await claimOn(card_id)).toEqual(body)
})
