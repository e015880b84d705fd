import { InboxKind, type OperationName } from '@specboard/contract'
import { writeWithoutLock } from '@specboard/domain'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { evaluation, validation } from './operations/specs.rows.ts'
import { McpWire } from './support/mcp.ts'
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
  await world.ok('update_board', { board_id: scene.boardId, settings: { auto_move: false } })
})

interface Item {
  readonly id: string
  readonly kind: string
  readonly since: string
  readonly record: { readonly id: string }
  readonly operation: OperationName
  readonly arguments: Readonly<Record<string, unknown>>
}

const inbox = async (as: TestAgent, query: Readonly<Record<string, unknown>> = {}) =>
  (await world.ok('list_my_inbox', { board_id: scene.boardId, ...query }, { as })) as {
    readonly items: readonly Item[]
    readonly counts: Readonly<Record<string, number>>
  }
const kindsOf = async (as: TestAgent) => (await inbox(as)).items.map(({ kind }) => kind)

const report = {
  conclusion: 'Done.',
  completeness: 100,
  completeness_justification: 'All.',
  drift: 0,
  drift_justification: 'None.',
}
const verdict = { outcome: 'failed', summary: 'It loses the basket.' }
const move = (as: TestAgent, card_id: string, target_status: string, fields: object = {}) =>
  world.ok('move_card', { card_id, target_status, ...fields }, { as })
const startable = async (fields: object = {}) => scene.card({ spec_id: await scene.spec('in_progress'), ...fields })

/** A card that ben brought to `validation`. */
async function cardInValidation(fields: object = {}): Promise<string> {
  const card_id = await startable(fields)
  await move(ben, card_id, 'started')
  await move(ben, card_id, 'validation', report)
  return card_id
}

/** Sets columns of a card back, as if time had passed. */
const backdate = (table: 'cards' | 'claims', id: string, fields: object) =>
  writeWithoutLock(world, db =>
    db
      .updateTable(table)
      .set(fields)
      .where(table === 'cards' ? 'id' : 'card_id', '=', id)
      .execute(),
  )
const longAgo = '2026-01-01T00:00:00.000Z'

/** One thing of each kind that waits for ada: what makes it, what it shows, and what a person adds to settle it. */
const things: Readonly<
  Record<
    string,
    {
      /** How the actor authenticated; with a key unless it says. */
      readonly via?: null
      readonly kind: string
      readonly make: () => Promise<{ readonly source?: string; readonly record: string }>
      readonly data?: unknown
      readonly operation: OperationName
      readonly arguments: (record: string, source: string) => object
      readonly says?: object
    }
  >
> = {
  'a question on a card': {
    kind: 'question',
    make: async () => {
      const record = await scene.card()
      return { record, source: await scene.cardQuestion(record) }
    },
    data: { question: 'Why?', question_type: 'text', choices: null, allow_free_text: false },
    operation: 'answer_card_question',
    arguments: (_, qa_id) => ({ qa_id }),
    says: { answer: 'Because.' },
  },
  'a question on a spec': {
    kind: 'question',
    make: async () => {
      const { spec_id, qa_id } = await scene.question('spec')
      return { record: spec_id, source: qa_id }
    },
    data: expect.objectContaining({ question: 'Why?' }),
    operation: 'answer_spec_question',
    arguments: (spec_id, qa_id) => ({ spec_id, qa_id }),
    says: { answer: 'Because.' },
  },
  'a choice': {
    kind: 'choice_comment',
    make: async () => {
      const record = await scene.card()
      const choices = [{ id: 'a', label: 'A' }]
      const fields = { card_id: record, content: 'Which?', comment_type: 'choice', choices }
      return { record, source: (await world.ok('create_comment', fields)).id }
    },
    data: {
      content: 'Which?',
      comment_type: 'choice',
      choices: [{ id: 'a', label: 'A' }],
      allow_free_text: false,
    },
    operation: 'respond_to_comment',
    arguments: (_, comment_id) => ({ comment_id }),
    says: { selected: ['a'] },
  },
  'a card to validate': {
    kind: 'card_validation',
    make: async () => ({ record: await cardInValidation() }),
    data: { card_type: 'normal', priority: 'none' },
    operation: 'submit_task_validation',
    arguments: card_id => ({ card_id }),
    says: { ...verdict, outcome: 'success' },
  },
  'a card to rework': {
    kind: 'card_rework',
    make: async () => {
      const record = await cardInValidation({ assignee_id: ada.id })
      return { record, source: (await world.ok('submit_task_validation', { card_id: record, ...verdict })).id }
    },
    data: expect.objectContaining({ summary: verdict.summary, recommendation: 'reject' }),
    operation: 'move_card',
    arguments: card_id => ({ card_id, target_status: 'in_progress' }),
  },
  'a spec to review': {
    kind: 'spec_review',
    make: async () => ({ record: await scene.spec('review') }),
    operation: 'move_spec',
    arguments: spec_id => ({ spec_id, status: 'approved' }),
  },
  'a spec to validate': {
    kind: 'spec_validation',
    make: async () => {
      await world.ok('update_board', { board_id: scene.boardId, settings: { require_spec_validation: true } })
      return { record: await scene.spec('approved') }
    },
    operation: 'submit_spec_validation',
    arguments: spec_id => ({ spec_id }),
    says: validation,
  },
  'a spec to evaluate': {
    kind: 'spec_evaluation',
    make: async () => ({ record: await scene.spec('validated') }),
    operation: 'submit_spec_evaluation',
    arguments: spec_id => ({ spec_id }),
    says: evaluation(),
  },
  'a sprint to evaluate': {
    kind: 'sprint_evaluation',
    make: async () => ({ record: (await scene.sprint('review')).sprint_id }),
    operation: 'submit_sprint_evaluation',
    arguments: sprint_id => ({ sprint_id }),
    says: { overall_score: 90, recommendation: 'approve' },
  },
  'an ideation to evaluate': {
    kind: 'ideation_evaluation',
    make: async () => ({ record: await scene.ideation('evaluating') }),
    operation: 'evaluate_ideation',
    arguments: ideation_id => ({ ideation_id }),
    says: { domains: 1 },
  },
  'an expired claim': {
    kind: 'claim_expired',
    make: async () => {
      const record = await startable()
      await world.ok('claim_card', { card_id: record, note: 'On it' }, { as: ben })
      await backdate('claims', record, { expires_at: longAgo })
      return { record }
    },
    data: expect.objectContaining({ stage: 'work', note: 'On it', expires_at: longAgo }),
    // The expiry was set to a time before anybody had done anything.
    via: null,
    operation: 'claim_card',
    arguments: card_id => ({ card_id }),
  },
}

describe('what waits', () => {
  test.each(Object.keys(things))('%s: it says what settles it, and is gone then', async name => {
    const thing = things[name]!
    const { record, source = record } = await thing.make()
    const [item, ...others] = (await inbox(ada, { kind: thing.kind })).items
    expect(others).toEqual([])
    expect(item).toEqual({
      id: `${thing.kind}:${source}`,
      kind: thing.kind,
      board_id: scene.boardId,
      board_key: expect.stringMatching(/^SCE/),
      record: {
        entity_type: expect.any(String),
        id: record,
        ref: expect.stringMatching(/^SCE\d*-\d+$/),
        title: expect.any(String),
        status: expect.any(String),
      },
      since: expect.any(String),
      actor_id: expect.any(String),
      actor_name: expect.any(String),
      actor_type: expect.stringMatching(/^(?:person|agent)$/),
      actor_via: thing.via === undefined ? 'key' : thing.via,
      data: thing.data ?? null,
      operation: thing.operation,
      arguments: thing.arguments(record, source),
    })
    await world.ok(item!.operation, { ...item!.arguments, ...thing.says }, { as: ada })
    expect((await inbox(ada, { kind: thing.kind })).items).toEqual([])
  })

  test('a card on hold for more than a day is stuck; one for less is not', async () => {
    const card_id = await startable()
    await move(ben, card_id, 'on_hold')
    expect((await inbox(ada)).counts.card_stuck).toBe(0)
    await backdate('cards', card_id, { moved_at: longAgo })
    const { items } = await inbox(ada, { kind: 'card_stuck' })
    expect(items).toMatchObject([
      {
        id: `card_stuck:${card_id}`,
        since: longAgo,
        data: { reason: 'on_hold', waits_for: [] },
        operation: 'get_allowed_moves',
        arguments: { entity_type: 'card', entity_id: card_id },
      },
    ])
  })

  test('a webhook that has failed for over an hour waits for who may read it', async () => {
    const { id } = await world.ok('create_webhook', { board_id: scene.boardId, url: 'https://example.org/hook' })
    const failingSince = (failing_since: string) =>
      writeWithoutLock(world, db => db.updateTable('webhooks').set({ failing_since }).where('id', '=', id).execute())
    await failingSince(new Date().toISOString())
    expect((await inbox(ada)).counts.webhook_failing).toBe(0)
    await failingSince(longAgo)
    const { items } = await inbox(ada)
    expect(items).toMatchObject([
      {
        id: `webhook_failing:${id}`,
        record: { entity_type: 'webhook', id, ref: null, title: 'https://example.org/hook', status: 'failing' },
        since: longAgo,
        operation: 'list_webhook_deliveries',
        arguments: { webhook_id: id },
      },
    ])
    await world.ok(items[0]!.operation, items[0]!.arguments, { as: ada })
    expect((await world.ok('get_service_status')).webhooks.failing).toBe(1)
    await world.ok('update_webhook', { webhook_id: id, active: false })
    expect((await inbox(ada)).counts.webhook_failing).toBe(0)
  })

  test('a card that was begun and waits for another is stuck until that one is done', async () => {
    const spec_id = await scene.spec('in_progress')
    const card_id = await scene.card({ spec_id })
    const awaited = await scene.card({ spec_id, title: 'First' })
    await move(ben, card_id, 'started')
    await world.ok('add_card_dependency', { card_id, depends_on_id: awaited })
    const { items } = await inbox(ada, { kind: 'card_stuck' })
    expect(items).toMatchObject([
      { record: { id: card_id }, data: { reason: 'dependencies', waits_for: [{ id: awaited, title: 'First' }] } },
    ])
    await move(ben, awaited, 'cancelled')
    expect((await inbox(ada)).counts.card_stuck).toBe(0)
  })
})

describe('for whom', () => {
  test("nobody's own question waits for it", async () => {
    await world.ok('ask_card_question', { card_id: await scene.card(), question: 'Why?' }, { as: ada })
    expect(await kindsOf(ada)).not.toContain('question')
    expect(await kindsOf(ben)).toContain('question')
  })

  test("another's live claim hides a validation, save for who may change the board", async () => {
    const card_id = await cardInValidation()
    await world.ok('claim_card', { card_id }, { as: ada })
    expect(await kindsOf(ben)).toEqual([])
    expect(await kindsOf(ada)).toEqual(['card_validation'])
    expect(await kindsOf(world.owner)).toEqual(['card_validation'])
  })

  test('on a board that separates review, who took part validates nothing', async () => {
    await world.ok('update_board', { board_id: scene.boardId, settings: { require_separate_reviewer: true } })
    await cardInValidation()
    expect(await kindsOf(ben)).toEqual([])
    expect(await kindsOf(ada)).toEqual(['card_validation'])
  })

  test('without an assignee, who moved the card to validation reworks it; an assignee comes first, by id or name', async () => {
    const assigned = await cardInValidation({
      assignee_id: (await world.ok('get_my_permissions', {}, { as: ada })).agent_name,
    })
    const unassigned = await cardInValidation()
    for (const card_id of [assigned, unassigned]) await world.ok('submit_task_validation', { card_id, ...verdict })
    const reworks = async (as: TestAgent) =>
      (await inbox(as, { kind: 'card_rework' })).items.map(({ record }) => record.id)
    expect([await reworks(ada), await reworks(ben)]).toEqual([[assigned], [unassigned]])
  })

  test('who may not read validations is told of the rework, without the verdict (crew 4.1)', async () => {
    const card_id = await cardInValidation({ assignee_id: ada.id })
    await world.ok('submit_task_validation', { card_id, ...verdict })
    await world.ok('update_agent', { agent_id: ada.id, permission_flags: { CARDS_READ_VALIDATIONS: false } })
    const { items } = await inbox(ada, { kind: 'card_rework' })
    expect(items).toMatchObject([{ record: { id: card_id }, data: null, operation: 'move_card' }])
    await world.ok('update_agent', { agent_id: ada.id, permission_flags: { CARDS_READ_VALIDATIONS: true } })
  })

  test('a spec whose validation would be refused for its coverage waits for what is missing', async () => {
    await world.ok('update_board', { board_id: scene.boardId, settings: { require_spec_validation: true } })
    const spec_id = await scene.spec('approved', { functional_requirements: ['It adds'] })
    expect(await kindsOf(ada)).toEqual(['spec_coverage'])
    await world.ok('update_spec', { spec_id, skip_test_coverage: true, skip_rules_coverage: true })
    expect(await kindsOf(ada)).toEqual(['spec_validation'])
  })

  test.each([
    ['SPECS_MOVE_APPROVED', 'a spec to review'],
    ['SPECS_WRITE_IN_REVIEW', 'a spec to review'],
    ['QA_ANSWER_CARDS', 'a question on a card'],
    ['QA_READ', 'a question on a card'],
    ['COMMENTS_RESPOND', 'a choice'],
    ['CARDS_VALIDATE', 'a card to validate'],
    ['CARDS_WRITE_IN_VALIDATION', 'a card to validate'],
    ['SPRINTS_READ', 'a sprint to evaluate'],
    ['IDEATIONS_EVALUATE', 'an ideation to evaluate'],
    ['CARDS_CLAIM', 'an expired claim'],
  ])('without %s there is not %s', async (permission, name) => {
    await things[name]!.make()
    await world.ok('update_agent', { agent_id: ada.id, permission_flags: { [permission]: false } })
    expect((await inbox(ada)).counts[things[name]!.kind]).toBe(0)
  })

  test('what is archived waits for nobody', async () => {
    const spec_id = await scene.spec('review')
    await scene.cardQuestion(await scene.card({ spec_id: await scene.spec('approved') }))
    expect(await kindsOf(ada)).toContain('spec_review')
    await world.ok('archive_record', { board_id: scene.boardId, entity_type: 'spec', entity_id: spec_id })
    expect(await kindsOf(ada)).not.toContain('spec_review')
  })
})

describe('the list', () => {
  test('comes newest first or oldest first, in pages; counts know neither kind nor page', async () => {
    const first = await scene.spec('review')
    const second = await scene.ideation('evaluating')
    await scene.cardQuestion()
    const records = async (query: Readonly<Record<string, unknown>>) =>
      (await inbox(ada, query)).items.map(({ record }) => record.id)
    expect(await records({ kind: 'spec_review, ideation_evaluation' })).toEqual([second, first])
    expect(await records({ order: 'oldest', limit: 1 })).toEqual([first])
    expect(await records({ order: 'oldest', limit: 1, offset: 1 })).toEqual([second])
    const page = await world.call('list_my_inbox', { board_id: scene.boardId, limit: 1 }, { as: ada })
    const { counts } = await inbox(ada, { kind: 'question', limit: 1 })
    const all = Object.values(counts).reduce((sum, count) => sum + count)
    expect(page.headers.get('x-total-count')).toBe(String(all))
    expect(Object.keys(counts)).toEqual(InboxKind.options)
    expect(counts).toMatchObject({ question: 1, spec_review: 1, ideation_evaluation: 1, webhook_failing: 0 })
  })

  test('is of all boards unless some are named, by id or key', async () => {
    const spec_id = await scene.spec('review')
    const other = await Scene.on(world)
    await other.admit(ada)
    const elsewhere = await other.spec('review')
    const boards = async (query: object) =>
      (await world.ok('list_my_inbox', { kind: 'spec_review', ...query }, { as: ada })).items.map(
        ({ record }: Item) => record.id,
      )
    expect(await boards({})).toEqual([elsewhere, spec_id])
    const { key } = await world.ok('get_board', { board_id: other.boardId })
    expect(await boards({ board_id: `${key.toLowerCase()},${scene.boardId}` })).toEqual([elsewhere, spec_id])
    expect(await boards({ board_id: key })).toEqual([elsewhere])
  })

  test('an unknown kind is 422, a board out of sight 404', async () => {
    expect((await world.call('list_my_inbox', { kind: 'question,letter' })).status).toBe(422)
    const unseen = await world.ok('create_board', { name: 'Unseen', description: '' }, { as: ada })
    const { status, body } = await world.call('list_my_inbox', { board_id: unseen.id }, { as: ben })
    expect([status, body.detail.error]).toEqual([404, 'NOT_FOUND'])
  })

  test('of a bound view is of its board alone', async () => {
    await scene.spec('review')
    const other = await Scene.on(world)
    const spec_id = await other.spec('review')
    const { value } = await new McpWire(world).tool(
      'list_my_inbox',
      { kind: 'spec_review' },
      { query: `board_id=${other.boardId}` },
    )
    expect((value as { items: readonly Item[] }).items.map(({ record }) => record.id)).toEqual([spec_id])
  })
})
