import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { validation } from './operations/specs.rows.ts'
import { Person } from './support/person.ts'
import { Scene } from './support/scene.ts'
import { type TestAgent, World } from './support/world.ts'

let world: World
let scene: Scene
let worker: TestAgent
let owner: Person

beforeAll(async () => {
  world = await World.start()
  owner = await Person.owner(world)
})

beforeEach(async () => {
  scene = await Scene.on(world)
  worker = await world.agent()
  await scene.admit(worker)
})

afterAll(() => world.stop())

const set = (settings: Record<string, unknown>, as = owner) =>
  as.ok('update_board', { board_id: scene.boardId, settings })

const report = {
  conclusion: 'Done.',
  completeness: 100,
  completeness_justification: 'All.',
  drift: 0,
  drift_justification: 'None.',
}
const verdict = { outcome: 'success', summary: 'Seen.' }

/** The members of a PERSON_REQUIRED refusal that say who may act. */
const personRequired = (gate: string | null, asked: boolean) => ({
  error: 'PERSON_REQUIRED',
  needs: 'present',
  gate,
  url: 'https://board.example.com/',
  persons: [{ id: world.owner.id, name: 'Local Owner' }],
  asked,
})

/** A card that the worker brought to `validation`. */
async function workedCard(): Promise<string> {
  const card_id = await scene.workableCard()
  for (const target_status of ['started', 'in_progress'])
    await world.ok('move_card', { card_id, target_status }, { as: worker })
  await world.ok('move_card', { card_id, target_status: 'validation', ...report }, { as: worker })
  return card_id
}

const inboxOf = async (as: TestAgent, kind: string): Promise<string[]> =>
  (await world.ok('list_my_inbox', { board_id: scene.boardId, kind }, { as })).items.map(
    (item: { record: { id: string } }) => item.record.id,
  )

describe('a card to done (people 1.3)', () => {
  test('at person, an agent is refused and only a present person finishes', async () => {
    await set({ approval_done: 'person', auto_move: false })
    const card_id = await workedCard()
    await world.ok('submit_task_validation', { card_id, ...verdict })
    const { status, body } = await world.call('move_card', { card_id, target_status: 'done' }, { as: worker })
    expect([status, body.detail]).toMatchObject([409, personRequired('approval_done', true)])
    expect(body.detail.message).toContain('Local Owner')
    const byKey = await Person.byKey(world, world.owner.key)
    for (const one of [byKey, { call: world.call.bind(world) }]) {
      const refused = await one.call('move_card', { card_id, target_status: 'done' })
      expect([refused.status, refused.body.detail.error]).toEqual([409, 'PERSON_REQUIRED'])
    }
    expect(await inboxOf(world.owner, 'card_approval')).toEqual([card_id])
    expect(await inboxOf(worker, 'card_approval,card_passed')).toEqual([])
    await owner.ok('move_card', { card_id, target_status: 'done' })
    const activity = await world.ok('list_card_activity', { card_id })
    const moved = activity.find(({ action }: { action: string }) => action === 'card_moved')
    expect(moved).toMatchObject({ actor_type: 'person', actor_via: 'session', details: { present: true } })
  })

  test('after a validation, the card waits for the person', async () => {
    await set({ approval_done: 'person' })
    const card_id = await workedCard()
    const answer = await world.ok('submit_task_validation', { card_id, ...verdict }, { as: worker })
    expect(answer).toMatchObject({
      card_status: 'validation',
      routing_blocked: { error: 'PERSON_REQUIRED', gate: 'approval_done' },
      actor_type: 'agent',
      actor_via: 'key',
      present: false,
      next: 'nobody but the owner',
    })
    expect(await inboxOf(world.owner, 'card_approval')).toEqual([card_id])
    const present = await owner.ok('submit_task_validation', { card_id, ...verdict })
    expect(present).toMatchObject({ card_status: 'done', present: true })
  })

  test('at separate, who worked on it is refused', async () => {
    await set({ approval_done: 'separate', auto_move: false })
    const card_id = await workedCard()
    await world.ok('submit_task_validation', { card_id, ...verdict })
    const { status, body } = await world.call('move_card', { card_id, target_status: 'done' }, { as: worker })
    expect([status, body.detail.error]).toEqual([409, 'REVIEWER_NOT_SEPARATE'])
    expect(await inboxOf(worker, 'card_passed')).toEqual([])
    expect(await inboxOf(world.owner, 'card_passed')).toEqual([card_id])
    await world.ok('move_card', { card_id, target_status: 'done' })
  })

  test('a small change is handed over by a move to validation (crew 6.3)', async () => {
    await set({ approval_done: 'person' })
    const { id: card_id } = await world.ok(
      'create_card',
      { board_id: scene.boardId, title: 'Fix a typo', claim: true },
      { as: worker },
    )
    const { holding } = await world.ok('list_my_inbox', { board_id: scene.boardId }, { as: worker })
    expect(holding[0].needs).toContain('move_card validation')
    const finish = { card_id, target_status: 'done', conclusion: 'Fixed.', check: 'read it' }
    const { status, body } = await world.call('move_card', finish, { as: worker })
    expect([status, body.detail]).toMatchObject([409, personRequired('approval_done', false)])
  })

  test('cards are not created in done either, by nobody who is not there', async () => {
    await set({ approval_done: 'person' })
    const spec_id = await scene.spec('in_progress')
    for (const past of [{ imported: true }, report]) {
      const created = { board_id: scene.boardId, spec_id, title: 'Past', status: 'done', ...past }
      const { status, body } = await world.call('create_card', created)
      expect([status, body.detail.error]).toEqual([409, 'PERSON_REQUIRED'])
      await owner.ok('create_card', created)
    }
  })
})

describe('a validation of a card (people 1.3)', () => {
  test('at person, an agent may reject and not approve', async () => {
    await set({ approval_card_validation: 'person', auto_move: false })
    const card_id = await workedCard()
    const { status, body } = await world.call('submit_task_validation', { card_id, ...verdict }, { as: worker })
    expect([status, body.detail]).toMatchObject([409, personRequired('approval_card_validation', true)])
    const ready = { board_id: scene.boardId, for: 'validation' }
    expect(await world.ok('list_ready_cards', ready, { as: worker })).toEqual([])
    expect(await world.ok('list_ready_cards', ready)).toMatchObject([{ id: card_id }])
    const { waiting } = await world.ok('claim_next_card', ready, { as: worker })
    expect(waiting).toMatchObject({ person: 1, separate_review: 0, cards: [{ why: 'person', by: [] }] })
    expect(await inboxOf(worker, 'card_validation')).toEqual([])
    expect(await inboxOf(world.owner, 'card_validation')).toEqual([card_id])
    await world.ok('submit_task_validation', { card_id, outcome: 'failed', summary: 'No.' }, { as: worker })
  })

  test('only a validation by a present person opens done, also when the setting came later', async () => {
    await set({ require_task_validation: true, auto_move: false })
    const card_id = await workedCard()
    await world.ok('submit_task_validation', { card_id, ...verdict })
    await set({ approval_card_validation: 'person' })
    // It waits for another one, and whoever may give it is told (crew 4.1).
    expect(await inboxOf(world.owner, 'card_validation')).toEqual([card_id])
    expect(await inboxOf(worker, 'card_validation')).toEqual([])
    const refused = await world.call('submit_task_validation', { card_id, ...verdict }, { as: worker })
    expect([refused.status, refused.body.detail]).toMatchObject([409, personRequired('approval_card_validation', true)])
    const { status, body } = await world.call('move_card', { card_id, target_status: 'done' })
    expect([status, body.detail]).toMatchObject([409, { error: 'VALIDATION_REQUIRED' }])
    expect(body.detail.message).toContain('present person')
    await owner.ok('submit_task_validation', { card_id, ...verdict })
    expect(await inboxOf(world.owner, 'card_validation')).toEqual([])
    await world.ok('move_card', { card_id, target_status: 'done' })
  })

  test.each([{ require_separate_reviewer: true }, { approval_card_validation: 'separate' }])(
    'one by who worked on the card waits for another one once %j',
    async later => {
      await set({ auto_move: false })
      const card_id = await workedCard()
      await world.ok('submit_task_validation', { card_id, ...verdict }, { as: worker })
      await set(later)
      expect(await inboxOf(worker, 'card_validation')).toEqual([])
      const { items } = await world.ok('list_my_inbox', { board_id: scene.boardId, kind: 'card_validation' })
      expect(items).toMatchObject([{ record: { id: card_id }, operation: 'submit_task_validation' }])
      await world.ok('submit_task_validation', { ...items[0].arguments, ...verdict })
      expect(await inboxOf(world.owner, 'card_validation,card_passed')).toEqual([card_id])
      await world.ok('move_card', { card_id, target_status: 'done' })
    },
  )
})

describe('specs (people 1.3)', () => {
  test('at person, an agent neither approves nor validates nor finishes nor creates past it', async () => {
    await set({ approval_spec: 'person', approval_spec_validation: 'person', approval_done: 'person' })
    const spec_id = await scene.spec('review')
    const refused = async (
      gate: string,
      asked: boolean,
      name: 'move_spec' | 'submit_spec_validation',
      args: object,
    ) => {
      const { status, body } = await world.call(name, { spec_id, ...args }, { as: worker })
      expect([status, body.detail]).toMatchObject([409, personRequired(gate, asked)])
    }
    expect([await inboxOf(worker, 'spec_review'), await inboxOf(world.owner, 'spec_review')]).toEqual([[], [spec_id]])
    await refused('approval_spec', true, 'move_spec', { status: 'approved' })
    await owner.ok('move_spec', { spec_id, status: 'approved' })
    await refused('approval_spec_validation', false, 'submit_spec_validation', validation)
    await refused('approval_spec_validation', true, 'move_spec', { status: 'validated' })
    await world.ok('submit_spec_validation', { spec_id, ...validation, recommendation: 'reject' }, { as: worker })
    const record = await owner.ok('submit_spec_validation', { spec_id, ...validation })
    expect(record).toMatchObject({ outcome: 'success', actor_type: 'person', present: true })
    for (const status of ['approved', 'validated', 'in_progress', 'done']) {
      const created = { board_id: scene.boardId, title: 'Past', status }
      expect((await world.call('create_spec', created, { as: worker })).body.detail.error).toBe('PERSON_REQUIRED')
      expect((await owner.call('create_spec', created)).status).toBe(201)
    }
    await world.ok('create_spec', { board_id: scene.boardId, title: 'New', status: 'review' }, { as: worker })
  })

  test('at separate, not by who wrote it', async () => {
    await set({ approval_spec: 'separate' })
    const { id: spec_id } = await world.ok(
      'create_spec',
      { board_id: scene.boardId, title: 'Spec', status: 'review' },
      { as: worker },
    )
    const { status, body } = await world.call('move_spec', { spec_id, status: 'approved' }, { as: worker })
    expect([status, body.detail.error]).toEqual([409, 'REVIEWER_NOT_SEPARATE'])
    expect(await inboxOf(worker, 'spec_review')).toEqual([])
    await world.ok('move_spec', { spec_id, status: 'approved' })
  })
})

describe('the settings (people 1.3)', () => {
  test('only a present person loosens one, and the audit says so', async () => {
    await world.ok('update_board', { board_id: scene.boardId, settings: { approval_spec: 'person' } }, { as: worker })
    for (const value of ['anyone', 'separate']) {
      const loosening = { board_id: scene.boardId, settings: { approval_spec: value } }
      const { status, body } = await world.call('update_board', loosening, { as: worker })
      expect([status, body.detail]).toMatchObject([409, personRequired('approval_spec', false)])
    }
    await owner.ok('update_board', { board_id: scene.boardId, settings: { approval_spec: 'anyone' } })
    const [entry] = await world.ok('list_audit', { action: 'approval_loosened', target_id: scene.boardId })
    expect(entry).toMatchObject({
      actor_type: 'person',
      target_type: 'board',
      fields: ['approval_spec'],
      details: { approval_spec: ['person', 'anyone'] },
    })
  })

  test('an import into such a board asks a present person, a dry run does not', async () => {
    const file = await world.archive(scene.boardId)
    await set({ approval_done: 'person' })
    const into = { board_id: scene.boardId, file }
    const { status, body } = await world.call('import_board', into)
    expect([status, body.detail]).toMatchObject([409, personRequired('approval_done', false)])
    expect((await world.call('import_board', { ...into, dry_run: true })).status).toBe(200)
  })
})

test('get_allowed_moves says it before the attempt, with the next steps (people 1.3, 1.4)', async () => {
  await set({ approval_done: 'person' })
  const card_id = await scene.workableCard({ status: 'in_progress' })
  const gateOf = async (as: TestAgent) => {
    const { moves } = await world.ok(
      'get_allowed_moves',
      { entity_type: 'card', entity_id: card_id, to: 'done' },
      { as },
    )
    return moves[0]
  }
  const blocked = await gateOf(worker)
  expect(blocked.gates).toContainEqual({ gate: 'person', state: 'blocked', skipped_by: null })
  expect(blocked.blockers[0]).toMatchObject({
    ...personRequired('approval_done', false),
    next_actions: [{ name: 'move_card', arguments: { card_id, target_status: 'validation' } }],
  })
  await set({ approval_done: 'anyone' })
  expect((await gateOf(worker)).gates).toContainEqual({ gate: 'person', state: 'skipped', skipped_by: 'approval_done' })
})

describe('advice of get_board_overview (people 1.3)', () => {
  const advice = async () => (await owner.ok('get_board_overview', { board_id: scene.boardId })).advice

  test('says that separate review is off, once one of two active agents validated its own work', async () => {
    const card_id = await workedCard()
    await world.ok('submit_task_validation', { card_id, ...verdict }, { as: worker })
    expect(await advice()).toEqual([])
    const other = await world.agent()
    await scene.admit(other)
    await world.ok('create_comment', { card_id, content: 'Seen.' }, { as: other })
    expect(await advice()).toEqual(['separate_review_off'])
    await set({ require_separate_reviewer: true })
    expect(await advice()).toEqual([])
  })

  test('says nothing of what another agent validated', async () => {
    const other = await world.agent()
    await scene.admit(other)
    const card_id = await workedCard()
    await world.ok('submit_task_validation', { card_id, ...verdict }, { as: other })
    expect(await advice()).toEqual([])
  })

  test('says that nobody approves, where a setting asks for a person and none may', async () => {
    await set({ approval_spec: 'person' })
    expect(await advice()).toEqual([])
    const settings = { approval_spec: 'person' }
    const { id: board_id } = await world.ok(
      'create_board',
      { name: 'Alone', description: '', settings },
      { as: worker },
    )
    const overview = await world.ok('get_board_overview', { board_id }, { as: worker })
    expect(overview.advice).toEqual(['nobody_approves'])
  })
})
