import type { OperationName } from '@specboard/contract'
import { writeWithoutLock } from '@specboard/domain'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { Scene } from './support/scene.ts'
import { type TestAgent, World } from './support/world.ts'

let world: World
let scene: Scene
let ada: TestAgent
let ben: TestAgent

beforeAll(async () => {
  world = await World.start()
})

afterAll(() => world.stop())

beforeEach(async () => {
  scene = await Scene.on(world)
  ada = await world.agent({ permission_flags: { BOARDS_UPDATE: false } })
  ben = await world.agent({ permission_flags: { BOARDS_UPDATE: false } })
  for (const agent of [ada, ben]) await scene.admit(agent)
})

interface Item {
  readonly id: string
  readonly kind: string
  readonly record: { readonly entity_type: string; readonly id: string; readonly status: string }
  // biome-ignore lint/suspicious/noExplicitAny: data of all kinds
  readonly data: any
  readonly operation: OperationName
  readonly arguments: Readonly<Record<string, unknown>>
}

const inbox = async (as: TestAgent, kind?: string): Promise<readonly Item[]> =>
  (await world.ok('list_my_inbox', { board_id: scene.boardId, ...(kind && { kind }) }, { as })).items

const report = {
  conclusion: 'Done.',
  completeness: 100,
  completeness_justification: 'All.',
  drift: 0,
  drift_justification: 'None.',
}

const move = (as: TestAgent, card_id: string, target_status: string, fields: object = {}) =>
  world.ok('move_card', { card_id, target_status, ...fields }, { as })

const startable = async (fields: object = {}) => scene.card({ spec_id: await scene.spec('in_progress'), ...fields })

const settings = (fields: object) => world.ok('update_board', { board_id: scene.boardId, settings: fields })

/** A card that ben brought to `validation`. */
async function finished(): Promise<string> {
  const card_id = await startable()
  await move(ben, card_id, 'started')
  await move(ben, card_id, 'validation', report)
  return card_id
}

const judge = (card_id: string, outcome: 'success' | 'failed', fields: object = {}) =>
  world.ok('submit_task_validation', { card_id, outcome, summary: 'As it is.', ...fields }, { as: ada })

const next = (as: TestAgent, fields: object = {}) =>
  world.ok('claim_next_card', { board_id: scene.boardId, ...fields }, { as })

const expire = (card_id: string) =>
  writeWithoutLock(world, db =>
    db.updateTable('claims').set({ expires_at: '2026-01-01T00:00:00.000Z' }).where('card_id', '=', card_id).execute(),
  )

describe('a judgement moves its card (crew 4.4)', () => {
  test('to done, and a move to done that follows is one to the current status', async () => {
    const card_id = await finished()
    expect((await judge(card_id, 'success')).card_status).toBe('done')
    expect(await move(ben, card_id, 'done')).toMatchObject({ id: card_id, status: 'done' })
  })

  test('back to work, at the end of the column, and tells of the rework', async () => {
    const card_id = await finished()
    const { id, card_status, attempts } = await judge(card_id, 'failed')
    expect([card_status, attempts]).toEqual(['in_progress', { used: 1, limit: 3, failed: 1, lost: 0 }])
    expect(await world.ok('get_card', { card_id })).toMatchObject({ status: 'in_progress', attempts: { used: 1 } })
    const entries = await world.ok('list_card_activity', { card_id })
    expect(entries.slice(0, 2)).toMatchObject([
      { action: 'card_rework', details: { validation_id: id, to_agent_id: ben.id, attempts: { failed: 1 } } },
      { action: 'card_moved', details: { from_status: 'validation', to_status: 'in_progress' } },
    ])
  })

  test('nowhere where the board or the call says so', async () => {
    const first = await finished()
    expect((await judge(first, 'failed', { auto_move: false })).card_status).toBe('validation')
    await settings({ auto_move: false })
    expect((await judge(first, 'success')).card_status).toBe('validation')
    expect((await inbox(ada, 'card_passed')).map(({ record }) => record.id)).toEqual([first])
  })

  test('and keeps it for its worker: claim_next_card offers it to that agent first, to others after the time', async () => {
    const other = await startable({ priority: 'critical' })
    const card_id = await finished()
    await judge(card_id, 'failed')
    const refused = await world.call('claim_card', { card_id }, { as: ada })
    expect(refused.body.detail).toMatchObject({
      error: 'CLAIMED',
      claim: { agent_id: ben.id, stage: 'reserved', expires_at: expect.any(String) },
    })
    const listed = await world.ok('list_ready_cards', { board_id: scene.boardId }, { as: ben })
    expect(listed.map(({ id, why }: { id: string; why: string }) => [id, why])).toEqual([
      [card_id, 'rework'],
      [other, 'ready'],
    ])
    expect((await next(ada)).card.id).toBe(other)
    expect((await next(ada, { another: true })).waiting).toMatchObject({
      reserved: 1,
      cards: [{ why: 'reserved', by: [expect.any(String)] }],
    })
    expect(await next(ben, { start: true })).toMatchObject({ card: { id: card_id, status: 'in_progress' }, move: null })
  })

  test('reserves nothing where the board reserves for no time', async () => {
    await settings({ rework_reserve_minutes: 0 })
    const card_id = await finished()
    await judge(card_id, 'failed')
    expect((await next(ada)).card.id).toBe(card_id)
  })

  test('without it, who worked on the card takes it back whatever its state limits say', async () => {
    const worker = await world.agent({
      permission_flags: { BOARDS_UPDATE: false, CARDS_WRITE_IN_VALIDATION: false, CARDS_MOVE_IN_PROGRESS: false },
    })
    await scene.admit(worker)
    const card_id = await startable()
    await move(worker, card_id, 'started')
    await move(worker, card_id, 'validation', report)
    const back = () => world.call('move_card', { card_id, target_status: 'in_progress' }, { as: worker })
    expect((await back()).status).toBe(403)
    await judge(card_id, 'failed', { auto_move: false })
    const moves = await world.ok('get_allowed_moves', { entity_type: 'card', entity_id: card_id }, { as: worker })
    expect(moves.moves.find(({ to }: { to: string }) => to === 'in_progress').state).toBe('open')
    expect((await back()).status).toBe(200)
  })
})

async function takeOver(card_id: string): Promise<void> {
  await expire(card_id)
  await world.ok('claim_card', { card_id }, { as: ben })
}

describe('begun cards come before new ones (crew 4.5)', () => {
  test('what the caller holds, then what nobody works on, its own former cards first', async () => {
    const fresh = await startable({ priority: 'critical' })
    const [claimed, abandoned, foreign] = [await startable(), await startable(), await startable()]
    for (const card_id of [abandoned, foreign]) await move(card_id === abandoned ? ada : ben, card_id, 'started')
    await world.ok('claim_card', { card_id: claimed }, { as: ada })
    await move(ada, claimed, 'started')
    const listed = await world.ok('list_ready_cards', { board_id: scene.boardId }, { as: ada })
    expect(listed.map(({ id, why }: { id: string; why: string }) => [id, why])).toEqual([
      [claimed, 'yours'],
      [abandoned, 'begun'],
      [foreign, 'begun'],
      [fresh, 'ready'],
    ])
    expect((await next(ada)).card.id).toBe(claimed)
    expect((await next(ada, { another: true })).card.id).toBe(abandoned)
  })

  test.each([
    ['ask for another card', () => ({ another: true })],
    ['are sessions of their own (harness 3.2)', (at: number) => ({ session: `worker-${at}` })],
  ])('workers under one key that %s never get the same one, at once or to judge', async (_, fieldsOf) => {
    const ids = (answers: readonly { card: { id: string } | null }[]) => answers.map(({ card }) => card?.id)
    for (let count = 0; count < 4; count++) await startable()
    const offers = await Promise.all([0, 1, 2, 3].map(at => next(ada, fieldsOf(at))))
    expect(new Set(ids(offers)).size).toBe(4)
    const judged = []
    for (const _made of [0, 1]) await finished()
    for (const at of [0, 1]) judged.push(await next(ada, { for: 'validation', ...fieldsOf(at) }))
    expect(new Set(ids(judged)).size).toBe(2)
  })

  test('a begun card that waits for another is offered to nobody', async () => {
    const [card_id, depends_on_id] = [await startable(), await scene.card()]
    await move(ben, card_id, 'started')
    await world.ok('add_card_dependency', { card_id, depends_on_id })
    const { claim, waiting } = await next(ada)
    expect([claim, waiting.dependencies]).toEqual([null, 1])
  })
})

describe('attempts (crew 4.6)', () => {
  test('count failed validations and lost claims; without one left the card is offered to nobody', async () => {
    await settings({ max_attempts: 2, rework_reserve_minutes: 0 })
    const card_id = await finished()
    await judge(card_id, 'failed')
    await world.ok('claim_card', { card_id }, { as: ben })
    await expire(card_id)
    const used = { used: 2, limit: 2, failed: 1, lost: 1 }
    expect((await world.ok('get_card', { card_id })).attempts).toEqual(used)
    const refused = await world.call('claim_card', { card_id }, { as: ada })
    expect([refused.status, refused.body.detail]).toMatchObject([409, { error: 'ATTEMPTS_USED_UP', attempts: used }])
    expect((await next(ada)).waiting).toMatchObject({ attempts: 1, cards: [{ why: 'attempts', by: [] }] })
    expect(await inbox(ada, 'card_attempts')).toEqual([])
    const [item] = await inbox(world.owner, 'card_attempts')
    expect(item).toMatchObject({
      record: { id: card_id },
      operation: 'allow_attempts',
      arguments: { card_id, more: 1 },
    })
    const allowed = await world.ok('allow_attempts', { card_id, more: 2, note: 'Try it with the new library.' })
    expect(allowed).toEqual({ card_id, attempts: { ...used, limit: 4 } })
    expect((await world.ok('get_card', { card_id })).comments).toMatchObject([
      { content: 'Try it with the new library.' },
    ])
    expect((await next(ada)).card.id).toBe(card_id)
    expect(await inbox(world.owner, 'card_attempts')).toEqual([])
  })

  test('are decided on by persons, where a person may change the board', async () => {
    await settings({ max_attempts: 1 })
    const full = await world.agent()
    await scene.admit(full)
    const card_id = await finished()
    await judge(card_id, 'failed')
    expect(await inbox(world.owner, 'card_attempts')).toMatchObject([{ record: { id: card_id } }])
    expect(await inbox(full, 'card_attempts')).toEqual([])
    expect((await world.call('allow_attempts', { card_id, more: 1 }, { as: full })).status).toBe(200)
  })

  test('are told when the last one is used up, once', async () => {
    await settings({ max_attempts: 1 })
    const card_id = await finished()
    await judge(card_id, 'failed')
    const actions = (await world.ok('list_card_activity', { card_id })).map(({ action }: { action: string }) => action)
    expect(actions.filter((action: string) => action === 'card_attempts_used_up')).toHaveLength(1)
  })

  test('begin anew where somebody who may change the board moves the card to not_started', async () => {
    const card_id = await finished()
    await judge(card_id, 'failed')
    await move(ben, card_id, 'not_started')
    expect((await world.ok('get_card', { card_id })).attempts.used).toBe(1)
    await move(ben, card_id, 'started')
    await move(world.owner, card_id, 'not_started')
    expect((await world.ok('get_card', { card_id })).attempts.used).toBe(0)
  })

  test('allow_attempts asks for BOARDS_UPDATE, and for 1 to 20 more', async () => {
    const card_id = await startable()
    expect((await world.call('allow_attempts', { card_id, more: 1 }, { as: ada })).status).toBe(403)
    for (const more of [0, 21]) expect((await world.call('allow_attempts', { card_id, more })).status).toBe(422)
  })
})

describe('news (crew 4.3)', () => {
  test('an answer waits for who asked, until the record is read', async () => {
    const card_id = await startable()
    const { id } = await world.ok('ask_card_question', { card_id, question: 'Which one?' }, { as: ada })
    await world.ok('answer_card_question', { qa_id: id, answer: 'The first.' }, { as: ben })
    expect(await inbox(ada, 'answer')).toMatchObject([
      {
        id: `answer:${id}`,
        record: { entity_type: 'card', id: card_id },
        data: { question: 'Which one?', answer: 'The first.', answered_by: ben.id },
        operation: 'get_card',
      },
    ])
    await world.ok('get_card', { card_id }, { as: ben })
    expect(await inbox(ada, 'answer')).toHaveLength(1)
    await world.ok('get_card', { card_id }, { as: ada })
    expect(await inbox(ada, 'answer')).toEqual([])
  })

  test('can be dismissed, other items cannot', async () => {
    const spec_id = await scene.spec('review')
    const { id } = await world.ok('ask_spec_question', { spec_id, question: 'Why?' }, { as: ada })
    await world.ok('answer_spec_question', { spec_id, qa_id: id, answer: 'So.' }, { as: ben })
    const ids = [`answer:${id}`, `spec_review:${spec_id}`]
    expect(await world.ok('dismiss_inbox_items', { ids }, { as: ada })).toEqual({
      dismissed: [`answer:${id}`],
      not_dismissible: [`spec_review:${spec_id}`],
    })
    expect((await inbox(ada)).map(({ kind }) => kind)).toEqual(['spec_review'])
    for (const wrong of [[], Array.from({ length: 101 }, () => 'answer:1')])
      expect((await world.call('dismiss_inbox_items', { ids: wrong }, { as: ada })).status).toBe(422)
  })

  const cancelSpecOf = async (card_id: string) => {
    const { spec_id } = await world.ok('get_card', { card_id })
    await world.ok('move_spec', { spec_id, status: 'cancelled' })
    expect((await world.ok('get_card', { card_id })).claim).toBeNull()
  }

  test.each<[string, (card_id: string) => Promise<unknown>]>([
    ['expired', expire],
    ['taken_over', takeOver],
    ['moved', card_id => move(world.owner, card_id, 'on_hold')],
    ['deleted', card_id => world.ok('delete_card', { card_id })],
    ['spec_moved', cancelSpecOf],
  ])('a lost claim tells its holder: %s', async (reason, lose) => {
    const card_id = await startable()
    await world.ok('claim_card', { card_id, note: 'On it' }, { as: ada })
    await lose(card_id)
    expect(await inbox(ada, 'claim_lost')).toMatchObject([
      { id: `claim_lost:${card_id}`, record: { entity_type: 'card', id: card_id }, data: { reason, note: 'On it' } },
    ])
    await world.ok('dismiss_inbox_items', { ids: [`claim_lost:${card_id}`] }, { as: ada })
    expect(await inbox(ada, 'claim_lost')).toEqual([])
  })

  test('nobody is told of what it did itself', async () => {
    const card_id = await startable()
    await world.ok('claim_card', { card_id }, { as: ada })
    await move(ada, card_id, 'on_hold')
    expect(await inbox(ada, 'claim_lost')).toEqual([])
  })
})

describe('every state names its next step (crew 4.2)', () => {
  const follow = async (as: TestAgent, kind: string, input: object = {}) => {
    const [item, ...others] = await inbox(as, kind)
    expect([kind, item?.kind, others]).toEqual([kind, kind, []])
    await world.ok(item!.operation, { ...item!.arguments, ...input }, { as })
    return item!
  }

  test('an idea goes to a spec by what the inbox says', async () => {
    await world.ok('create_ideation', { board_id: scene.boardId, title: 'Idea' }, { as: ada })
    expect(await inbox(ben, 'own_draft')).toEqual([])
    await follow(ada, 'own_draft')
    for (const _ of ['approved', 'evaluating']) await follow(ben, 'ideation_next')
    await follow(ben, 'ideation_evaluation', { domains: 2, ambiguity: 2, dependencies: 2 })
    await follow(ben, 'ideation_next')
    const derived = await follow(ben, 'ideation_next', { title: 'Refined' })
    if (derived.operation === 'create_refinement') {
      const scoping = await follow(ben, 'own_draft', { in_scope: ['All'] })
      expect(scoping).toMatchObject({ operation: 'update_refinement', data: { asks: ['in_scope'] } })
      await follow(ben, 'own_draft')
      for (const _ of ['approved', 'done']) await follow(ben, 'refinement_next')
      await follow(ben, 'refinement_next')
    }
    expect((await inbox(ben)).map(({ kind }) => kind)).toEqual(['own_draft'])
    expect(await inbox(ada, 'ideation_next')).toEqual([])
  })

  test('a spec is covered, started and finished by what the inbox says', async () => {
    const spec_id = await scene.spec('approved', {
      acceptance_criteria: ['It adds'],
      functional_requirements: ['Sums'],
    })
    for (let gaps = 0; gaps < 8; gaps++) {
      const [item] = await inbox(ada, 'spec_coverage')
      if (item === undefined) break
      expect(item.data).toMatchObject({ gate: expect.any(String), first: expect.any(Array) })
      await world.ok(item.operation, { spec_id, ...item.arguments }, { as: ada })
    }
    expect(await inbox(ada, 'spec_coverage')).toEqual([])
    await follow(ada, 'spec_start')
    expect((await world.ok('get_spec', { spec_id })).status).toBe('validated')
    await world.ok('update_spec', { spec_id, skip_qualitative_validation: true }, { as: ada })
    await follow(ada, 'spec_start')
    expect((await world.ok('get_spec', { spec_id })).status).toBe('in_progress')
  })

  test('a sprint goes from draft to closed by what the inbox says', async () => {
    const spec_id = await scene.spec('in_progress', { skip_test_coverage: true })
    const card_id = await scene.card({ spec_id })
    const { id: sprint_id } = await world.ok('create_sprint', { board_id: scene.boardId, spec_id, title: 'One' })
    expect(await inbox(ada, 'card_unplanned')).toMatchObject([{ arguments: { sprint_id, card_ids: [card_id] } }])
    await follow(world.owner, 'own_draft')
    expect(await inbox(ada, 'card_unplanned')).toEqual([])
    await follow(ada, 'sprint_next')
    expect(await inbox(ada, 'sprint_next')).toEqual([])
    await move(ada, card_id, 'started')
    await move(ada, card_id, 'done', report)
    await follow(ada, 'sprint_next')
    expect((await world.ok('get_sprint', { sprint_id })).status).toBe('review')
    await world.ok('update_sprint', { sprint_id, skip_qualitative_validation: true })
    await follow(ada, 'sprint_next')
    await follow(ada, 'spec_finish')
    expect((await world.ok('get_spec', { spec_id })).status).toBe('done')
  })

  test('a card on hold waits at once for its keeper, for the others after a day', async () => {
    const card_id = await startable({ assignee_id: ada.id })
    await move(ben, card_id, 'on_hold')
    const waits = async (as: TestAgent) => (await inbox(as, 'card_stuck')).map(({ record }) => record.id)
    expect([await waits(ada), await waits(ben), await waits(world.owner)]).toEqual([[card_id], [], []])
    await writeWithoutLock(world, db =>
      db.updateTable('cards').set({ moved_at: '2026-01-01T00:00:00.000Z' }).where('id', '=', card_id).execute(),
    )
    expect([await waits(ada), await waits(ben)]).toEqual([[card_id], [card_id]])
  })

  test('what nobody but the owner may do is a gap in the crew', async () => {
    const alone = await Scene.on(world)
    const worker = await world.agent({ permission_flags: { SPECS_MOVE_APPROVED: false } })
    await alone.admit(worker)
    await alone.spec('review')
    const gaps = (await world.ok('list_my_inbox', { board_id: alone.boardId, kind: 'crew_gap' })).items
    expect(gaps).toMatchObject([
      {
        id: `crew_gap:${alone.boardId}.SPECS_MOVE_APPROVED`,
        record: { entity_type: 'board', id: alone.boardId },
        data: { permission: 'SPECS_MOVE_APPROVED', records: 1, presets: expect.arrayContaining(['Spec']) },
        operation: 'create_agent',
        arguments: { board_ids: [alone.boardId] },
      },
    ])
    const [gap] = gaps
    await world.ok('create_agent', { name: 'Planner', ...gap.arguments })
    expect((await world.ok('list_my_inbox', { board_id: alone.boardId, kind: 'crew_gap' })).items).toEqual([])
  })
})
