import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { validation } from './operations/specs.rows.ts'
import { Scene } from './support/scene.ts'
import { type TestAgent, World } from './support/world.ts'

/** What an import brought is on the board, but was not done there: no figure of work counts it (insight B.1, walls 5). */
let world: World

beforeAll(async () => {
  world = await World.start()
})

afterAll(() => world.stop())

const report = {
  conclusion: 'Built as planned.',
  completeness: 95,
  completeness_justification: 'All of it.',
  drift: 5,
  drift_justification: 'None.',
}

const review = {
  summary: 'Read and run.',
  confidence: 90,
  confidence_justification: 'Tests pass.',
  completeness_justification: 'Checked.',
  estimated_drift: 10,
  drift_justification: 'Checked.',
  recommendation: 'approve',
}

const move = (card_id: string, target_status: string) =>
  world.ok('move_card', { card_id, target_status, ...(target_status !== 'in_progress' && report) })

/** The figures of work of a board. */
async function figures(board_id: string) {
  const [velocity, funnel, agents, quality, gates] = await Promise.all([
    world.ok('get_velocity_analytics', { board_id }),
    world.ok('get_funnel_analytics', { board_id }),
    world.ok('get_agent_analytics', { board_id }),
    world.ok('get_quality_analytics', { board_id }),
    world.ok('get_validation_analytics', { board_id }),
  ])
  const { completed_cards, sprints, buckets } = velocity
  const { by_kind, ...counted } = gates
  const counts = buckets.flatMap(({ week, ...bucket }: Readonly<Record<string, number>>) => Object.values(bucket))
  return {
    completed_cards,
    sprints,
    events: counts.reduce((sum: number, count: number) => sum + count, 0),
    cycles: funnel.cycle_time_by_phase,
    agents,
    quality,
    submitted: Object.values(counted).map(gate => (gate as { total_submitted: number }).total_submitted),
    by_kind: Object.values(by_kind as Readonly<Record<string, Readonly<Record<string, number>>>>).flatMap(counts =>
      Object.values(counts).filter(count => count > 0),
    ),
    attempts: [gates.spec_validation_gate.per_spec, gates.task_validation_gate.per_card],
  }
}

const nothing = {
  completed_cards: 0,
  sprints: 0,
  events: 0,
  cycles: { ideation: null, refinement: null, spec: null, sprint: null, card: null },
  agents: [],
  quality: { conclusion_reported: [], validation_reported: [] },
  submitted: [0, 0, 0, 0],
  by_kind: [],
  attempts: [[], []],
}

describe('a board that was imported', () => {
  let copy: { readonly board_id: string }
  let original: { readonly board_id: string }

  /** A board on which everything that figures count was done once. */
  async function worked(): Promise<Scene> {
    const scene = await Scene.on(world)
    const reviewer: TestAgent = await world.agent()
    await scene.admit(reviewer)
    await scene.refinement('done')
    const spec_id = await scene.spec('approved')
    await world.ok('submit_spec_validation', { spec_id, ...validation })
    const { sprint_id, card_id } = await scene.sprint('active', { spec_id: await scene.spec('in_progress') })
    await move(card_id, 'validation')
    for (const [estimated_completeness, auto_move] of [
      [10, false],
      [90, true],
    ]) {
      await world.ok('update_board', { board_id: scene.boardId, settings: { auto_move } })
      await world.ok('submit_task_validation', { card_id, ...review, estimated_completeness }, { as: reviewer })
    }
    await world.ok('move_sprint', { sprint_id, status: 'review' })
    await world.ok('submit_sprint_evaluation', { sprint_id, overall_score: 90, recommendation: 'approve' })
    await world.ok('move_sprint', { sprint_id, status: 'closed' })
    return scene
  }

  beforeAll(async () => {
    const { boardId } = await worked()
    original = { board_id: boardId }
    const { board_id } = await world.ok('import_board', { file: await world.archive(boardId), keep_ids: false })
    copy = { board_id }
  })

  test('has no figure of work, where its original has each', async () => {
    expect(await figures(copy.board_id)).toEqual(nothing)
    const { cycles, agents, ...counted } = await figures(original.board_id)
    expect(counted).toMatchObject({ completed_cards: 1, sprints: 1, events: 3, submitted: [1, 2, 0, 1] })
    expect(cycles).toMatchObject({ ideation: expect.any(Number), sprint: expect.any(Number), card: expect.any(Number) })
    expect(agents).toHaveLength(2)
  })

  test('counts and shows what it holds, as its original does', async () => {
    const counts = async ({ board_id }: typeof copy) => {
      const { cycle_time_by_phase, avg_cycle_hours, ...all } = await world.ok('get_funnel_analytics', { board_id })
      const [{ completion_rate, done_cards }] = (await world.ok('get_sprints_analytics', { board_id })).sprints
      return { ...all, completion_rate, done_cards }
    }
    expect(await counts(copy)).toEqual(await counts(original))
    expect(await counts(copy)).toMatchObject({ done: 1, ideations_done: 1, completion_rate: 100 })
  })

  test('marks what its timelines and its activity show', async () => {
    const { board_id } = copy
    const specs: { id: string }[] = await world.ok('list_specs', { board_id })
    const timelines = await Promise.all(
      specs.map(
        async ({ id }) => (await world.ok('get_spec_analytics', { board_id, spec_id: id })).validation_timeline,
      ),
    )
    const [sprint] = await world.ok('list_board_sprints', { board_id })
    const { evaluation_timeline } = await world.ok('get_sprint_analytics', { board_id, sprint_id: sprint.id })
    expect([...timelines.flat(), ...evaluation_timeline].map(({ imported }) => imported)).toEqual([true, true])
    const intent = { board_id, intent_id: 'recent_activity' }
    const { rows } = await world.ok('execute_discovery_intent', intent)
    expect(rows.every(({ meta }: { meta: { imported?: boolean } }) => meta.imported)).toBe(true)
    await world.ok('create_ideation', { board_id, title: 'Later' })
    const { rows: later } = await world.ok('execute_discovery_intent', intent)
    expect(later[0].meta).not.toHaveProperty('imported')
  })
})

describe('a backlog of another tool', () => {
  const table = new File(
    [
      'id,title,status,created,updated\n',
      '1,Old,done,2020-01-01,2020-02-01\n2,Late,done,2020-01-01,2999-01-01\n3,Open,todo,2020-01-01,2020-01-01\n',
    ],
    'plan.csv',
  )

  test('counts what is done here, and nothing that came done, whatever its times', async () => {
    const { board_id } = await world.ok('import_board', { file: table })
    expect(await figures(board_id)).toEqual(nothing)
    const cards: { id: string; title: string }[] = await world.ok('list_cards', { board_id })
    const idOf = new Map(cards.map(({ id, title }) => [title, id]))
    const completed = async () => (await figures(board_id)).completed_cards
    const spec_id = (await world.ok('list_specs', { board_id }))[0].id
    await world.ok('update_spec', { spec_id, require_task_validation: false })

    await move(idOf.get('Open')!, 'in_progress')
    await move(idOf.get('Open')!, 'done')
    expect(await completed()).toBe(1)
    await move(idOf.get('Old')!, 'in_progress')
    expect(await completed()).toBe(1)
    await move(idOf.get('Old')!, 'done')
    expect(await completed()).toBe(2)
    const [worker] = (await figures(board_id)).agents
    expect(worker).toMatchObject({ total_cards: 0, done_cards: 0, worked_done_cards: 2 })
    const card = { board_id, entity_type: 'card' }
    const cycle = async (title: string) =>
      (await world.ok('get_entity_analytics', { ...card, entity_id: idOf.get(title) })).cycle_hours
    expect([await cycle('Late'), await cycle('Open')]).toEqual([null, expect.any(Number)])
  })
})
