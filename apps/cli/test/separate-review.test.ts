import fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { validation } from './operations/specs.rows.ts'
import { Scene } from './support/scene.ts'
import { type TestAgent, World } from './support/world.ts'

let world: World
let scene: Scene
let worker: TestAgent
let reviewer: TestAgent

beforeAll(async () => {
  world = await World.start()
})

beforeEach(async () => {
  scene = await Scene.on(world)
  worker = await world.agent()
  reviewer = await world.agent()
  for (const agent of [worker, reviewer]) await scene.admit(agent)
  await separate(true)
})

afterAll(() => world.stop())

const separate = (on: boolean) =>
  world.ok('update_board', {
    board_id: scene.boardId,
    settings: { require_separate_reviewer: on, auto_move: false },
  })

const report = {
  conclusion: 'Done.',
  completeness: 100,
  completeness_justification: 'All.',
  drift: 0,
  drift_justification: 'None.',
}
const move = (card_id: string, target_status: string, as = worker, more: object = {}) =>
  world.call('move_card', { card_id, target_status, ...more }, { as })
const verdict = { outcome: 'success', summary: 'Seen.' }
const validate = (card_id: string, as: TestAgent, more: object = {}) =>
  world.call('submit_task_validation', { card_id, ...verdict, ...more }, { as })

/** A card that the worker brought to `validation`. */
async function workedCard(): Promise<string> {
  const card_id = await scene.card({ spec_id: await scene.spec('in_progress') })
  for (const status of ['started', 'in_progress']) expect((await move(card_id, status)).status).toBe(200)
  expect((await move(card_id, 'validation', worker, report)).status).toBe(200)
  return card_id
}

/** The ways in which an agent takes part in the work of a card, or leaves it to others; what its status refuses changes nothing. */
const parts: Readonly<Record<string, (card_id: string, agent: TestAgent) => Promise<unknown>>> = {
  none: async () => {},
  claimed: async (card_id, as) => {
    await world.call('claim_card', { card_id }, { as })
    await world.call('release_claim', { card_id }, { as })
  },
  moved: (card_id, as) => world.call('move_card', { card_id, target_status: 'started' }, { as }),
  concluded: async (card_id, as) => {
    await world.call('move_card', { card_id, target_status: 'validation', ...report }, { as })
    await world.call('move_card', { card_id, target_status: 'on_hold' }, { as })
  },
  assigned: (card_id, agent) => world.call('update_card', { card_id, assignee_id: agent.id }),
  'given to somebody else': card_id => world.call('update_card', { card_id, assignee_id: 'somebody' }),
  'claimed in vain': async (card_id, as) => {
    await world.call('claim_card', { card_id }, { as })
    await world.call('move_card', { card_id, target_status: 'started' }, { as })
    await world.call('move_card', { card_id, target_status: 'not_started' }, { as })
  },
}

/** A card of a spec in `validation`, in whose work agents took part in these ways before. */
async function cardAfter(spec_id: string, work: readonly (readonly [string, TestAgent])[]): Promise<string> {
  const card_id = await scene.card({ spec_id })
  for (const [part, agent] of work) await parts[part]!(card_id, agent)
  await world.ok('move_card', { card_id, target_status: 'validation', ...report })
  return card_id
}

describe('cards to validate (work 2, 3)', () => {
  const toValidate = async (as: TestAgent): Promise<string[]> =>
    (await world.ok('list_ready_cards', { board_id: scene.boardId, for: 'validation' }, { as })).map(
      (card: { id: string }) => card.id,
    )
  const claimNext = (as: TestAgent) =>
    world.ok('claim_next_card', { board_id: scene.boardId, for: 'validation' }, { as })
  const none = { claimed: 0, dependencies: 0, spec_not_ready: 0, sprint: 0, separate_review: 0 }
  /** The counts of what is held back, without its cards. */
  const countsIn = (waiting: Readonly<Record<string, unknown>> | null) =>
    waiting === null ? null : Object.fromEntries(Object.keys(none).map(name => [name, waiting[name]]))

  test.each(Object.keys(parts))(
    'the list, the claim and the refusal agree on an agent whose part is: %s',
    async part => {
      const card_id = await cardAfter(await scene.spec('in_progress'), [[part, worker]])
      const listed = await toValidate(worker)
      const { claim, waiting } = await claimNext(worker)
      if (claim !== null) await world.ok('release_claim', { card_id }, { as: worker })
      const { status, body } = await validate(card_id, worker)
      const isRefused = Object.hasOwn({ claimed: 1, moved: 1, concluded: 1, assigned: 1 }, part)
      expect([listed, claim?.card_id, countsIn(waiting), status]).toEqual(
        isRefused ? [[], undefined, { ...none, separate_review: 1 }, 409] : [[card_id], card_id, null, 201],
      )
      if (isRefused) {
        expect(body.detail.error).toBe('REVIEWER_NOT_SEPARATE')
        expect(body.detail.roles[worker.id]).toContain(part)
      }
    },
  )

  test('on drawn boards', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.boolean(),
        fc.array(
          fc.array(fc.tuple(fc.constantFrom(...Object.keys(parts)), fc.constantFrom('worker', 'reviewer')), {
            maxLength: 3,
          }),
          { minLength: 1, maxLength: 4 },
        ),
        async (on, histories) => {
          scene = await Scene.on(world)
          for (const agent of [worker, reviewer]) await scene.admit(agent)
          await separate(on)
          const spec_id = await scene.spec('in_progress')
          const agents = { worker, reviewer }
          const cards: string[] = []
          for (const work of histories)
            cards.push(
              await cardAfter(
                spec_id,
                work.map(([part, role]) => [part, agents[role as keyof typeof agents]]),
              ),
            )
          const listed = await toValidate(worker)
          const { claim, waiting } = await claimNext(worker)
          if (claim === null)
            expect([listed, countsIn(waiting)]).toEqual([[], { ...none, separate_review: cards.length }])
          else expect(claim.card_id).toBe(listed[0])
          const open: string[] = []
          for (const card_id of cards) if ((await validate(card_id, worker)).status === 201) open.push(card_id)
          expect(listed.toSorted()).toEqual(open.toSorted())
        },
      ),
      { numRuns: 15 },
    )
  })

  test('another agent validates; a live claim of another is counted before a part in the work', async () => {
    const card_id = await cardAfter(await scene.spec('in_progress'), [['claimed', worker]])
    expect((await claimNext(reviewer)).claim.card_id).toBe(card_id)
    expect((await claimNext(worker)).waiting).toMatchObject({ ...none, claimed: 1 })
  })
})

describe('a task validation (work 4)', () => {
  test('by an agent that moved and concluded is refused, whoever it names as reviewer', async () => {
    const card_id = await workedCard()
    for (const more of [{}, { reviewer_id: reviewer.id }]) {
      const { status, body } = await validate(card_id, worker, more)
      expect([status, body.detail]).toMatchObject([
        409,
        {
          error: 'REVIEWER_NOT_SEPARATE',
          agents: [worker.id],
          roles: { [worker.id]: ['moved', 'concluded'] },
        },
      ])
    }
    expect((await validate(card_id, reviewer)).status).toBe(201)
    expect((await move(card_id, 'done', worker)).status).toBe(200)
  })

  test('by the assignee is refused, also when it owns the board', async () => {
    const card_id = await workedCard()
    await world.ok('update_card', { card_id, assignee_id: world.owner.id })
    const { body } = await validate(card_id, world.owner)
    expect(body.detail).toMatchObject({
      agents: [worker.id, world.owner.id].sort(),
      roles: { [world.owner.id]: ['assigned'], [worker.id]: ['moved', 'concluded'] },
    })
  })

  test('an assignee that is no agent is none of those who took part', async () => {
    const card_id = await workedCard()
    await world.ok('update_card', { card_id, assignee_id: 'somebody' })
    expect((await validate(card_id, worker)).body.detail.agents).toEqual([worker.id])
  })

  test('work before the card was last in not_started does not count, nor do moves that are not forward', async () => {
    const card_id = await workedCard()
    expect((await move(card_id, 'not_started')).status).toBe(200)
    for (const status of ['started', 'in_progress']) expect((await move(card_id, status, reviewer)).status).toBe(200)
    expect((await move(card_id, 'started', worker)).status).toBe(200)
    expect((await move(card_id, 'on_hold', worker)).status).toBe(200)
    expect((await move(card_id, 'validation', reviewer, report)).status).toBe(200)
    expect((await validate(card_id, reviewer)).body.detail.agents).toEqual([reviewer.id])
    expect((await validate(card_id, worker)).status).toBe(201)
  })

  test('what a validation moves and concludes by itself makes its reviewer no participant', async () => {
    const card_id = await workedCard()
    expect((await validate(card_id, reviewer, { auto_move: true })).body.card_status).toBe('done')
    expect((await move(card_id, 'validation', worker)).status).toBe(200)
    expect((await validate(card_id, reviewer)).status).toBe(201)
  })

  test('without the setting anybody validates', async () => {
    await separate(false)
    expect((await validate(await workedCard(), worker)).status).toBe(201)
  })

  test('the status of the card is judged before', async () => {
    const card_id = await scene.card({ spec_id: await scene.spec('in_progress') })
    await move(card_id, 'started')
    expect((await validate(card_id, worker)).body.detail.error).toBe('CARD_NOT_IN_VALIDATION')
  })
})

describe('a move to done (work 4)', () => {
  test('asks for a separate validation, also when the setting was switched on later', async () => {
    await separate(false)
    const card_id = await workedCard()
    await validate(card_id, worker)
    await separate(true)
    const refused = await move(card_id, 'done', worker)
    expect(refused.body.detail).toMatchObject({
      error: 'VALIDATION_REQUIRED',
      missing: ['task_validation'],
      message: expect.stringContaining('took part in the work'),
    })
    await validate(card_id, reviewer)
    expect((await move(card_id, 'done', worker)).status).toBe(200)
  })

  test('past validation is closed too, except for test cards', async () => {
    const card_id = await scene.card({ spec_id: await scene.spec('in_progress') })
    expect((await move(card_id, 'done', worker, report)).body.detail.error).toBe('VALIDATION_REQUIRED')
    const spec_id = await scene.spec('in_progress', {
      test_scenarios: [
        { id: 's1', title: 'Works', status: 'automated', evidence: { test_file_path: 'a', test_function: 'b' } },
      ],
    })
    const test_card = await scene.testCard({ spec_id })
    expect((await move(test_card, 'done', worker, report)).status).toBe(200)
  })
})

describe('a spec validation (work 4)', () => {
  const submit = (spec_id: string, as: TestAgent) =>
    world.call('submit_spec_validation', { spec_id, ...validation }, { as })

  test('by the creator, or by whoever changed content since the approval, is refused', async () => {
    const { id: spec_id } = await world.ok(
      'create_spec',
      { board_id: scene.boardId, title: 'Spec', context: 'a' },
      { as: worker },
    )
    await world.ok('update_spec', { spec_id, context: 'before the approval' }, { as: reviewer })
    for (const status of ['review', 'approved']) await world.ok('move_spec', { spec_id, status })
    await world.ok('update_spec', { spec_id, context: 'after it' })
    await world.ok('update_spec', { spec_id, labels: ['no content'] }, { as: reviewer })
    const roles = { [worker.id]: ['created'], [world.owner.id]: ['changed'] }
    for (const as of [worker, world.owner]) {
      const { status, body } = await submit(spec_id, as)
      expect([status, body.detail]).toMatchObject([
        409,
        { error: 'REVIEWER_NOT_SEPARATE', agents: Object.keys(roles).sort(), roles },
      ])
    }
    expect((await submit(spec_id, reviewer)).status).toBe(201)
  })
})

test('a sprint evaluation by an agent that worked on one of its cards is refused (work 4)', async () => {
  const { sprint_id, card_id, spec_id } = await scene.sprint('active')
  await world.ok('update_spec', { spec_id, skip_qualitative_validation: true })
  for (const status of ['validated', 'in_progress']) await world.ok('move_spec', { spec_id, status })
  expect((await move(card_id, 'started')).status).toBe(200)
  await world.ok('move_sprint', { sprint_id, status: 'review' })
  const evaluate = (as: TestAgent) =>
    world.call('submit_sprint_evaluation', { sprint_id, overall_score: 90, recommendation: 'approve' }, { as })
  expect((await evaluate(worker)).body.detail).toMatchObject({
    error: 'REVIEWER_NOT_SEPARATE',
    agents: [worker.id],
    roles: { [worker.id]: ['moved'] },
  })
  expect((await evaluate(reviewer)).status).toBe(201)
})
