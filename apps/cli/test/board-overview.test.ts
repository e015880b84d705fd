import { CardStatus } from '@specboard/contract'
import { writeWithoutLock } from '@specboard/domain'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { Scene } from './support/scene.ts'
import { type TestAgent, World } from './support/world.ts'

let world: World
let scene: Scene
let board_id: string

beforeAll(async () => {
  world = await World.start()
})

afterAll(() => world.stop())

beforeEach(async () => {
  scene = await Scene.on(world)
  board_id = scene.boardId
})

const overview = (as: TestAgent = world.owner) => world.ok('get_board_overview', { board_id }, { as })

describe('get_board_overview (board 5)', () => {
  test('answers the board with counts in place of its records', async () => {
    const { cards, agents, ...board } = await world.ok('get_board', { board_id })
    const { last_sequence, counts, labels, active_sprints, advice, proof, ...own } = await overview()
    expect(own).toEqual(board)
    expect(proof).toBeNull()
    expect([last_sequence, labels, active_sprints, advice]).toEqual([1, [], [], []])
    expect(counts.cards).toEqual(Object.fromEntries(CardStatus.options.map(status => [status, 0])))
    expect(counts).toMatchObject({ cards_blocked: 0, cards_claimed: 0, cards_overdue: 0, open_questions: 0 })
  })

  test('counts every kind by status, what is archived left out', async () => {
    await scene.ideation('review')
    await scene.refinement()
    const spec_id = await scene.spec('in_progress')
    const card_id = await scene.card({ spec_id })
    await world.ok('move_card', { card_id, target_status: 'started' })
    const archived = await scene.spec('approved')
    await scene.card({ spec_id: archived, labels: ['gone'] })
    await world.ok('archive_record', { board_id, entity_type: 'spec', entity_id: archived })
    const { counts, labels } = await overview()
    expect(counts.ideations).toMatchObject({ draft: 0, review: 1, done: 1 })
    expect(counts.refinements).toMatchObject({ draft: 1 })
    expect(counts.specs).toMatchObject({ approved: 0, in_progress: 1 })
    expect(counts.cards).toMatchObject({ not_started: 0, started: 1 })
    expect(labels).toEqual([])
  })

  test('counts cards that wait, are claimed or overdue, and open questions', async () => {
    const spec_id = await scene.spec('approved')
    const [one, two] = [await scene.card({ spec_id, due_date: '2026-01-01' }), await scene.card({ spec_id })]
    await world.ok('add_card_dependency', { card_id: one, depends_on_id: two })
    await world.ok('claim_card', { card_id: two })
    await scene.cardQuestion(one)
    const { qa_id } = await scene.question('spec')
    expect((await overview()).counts).toMatchObject({
      cards_blocked: 1,
      cards_claimed: 1,
      cards_overdue: 1,
      open_questions: 2,
    })
    await writeWithoutLock(world, db =>
      db.updateTable('claims').set({ expires_at: '2026-01-01T00:00:00.000Z' }).where('card_id', '=', two).execute(),
    )
    await world.ok('move_card', { card_id: one, target_status: 'cancelled' })
    await world.ok('answer_card_question', {
      qa_id: (await world.ok('get_card', { card_id: one })).qa_items[0].id,
      answer: 'So.',
    })
    expect(qa_id).toEqual(expect.any(String))
    expect((await overview()).counts).toMatchObject({
      cards_blocked: 0,
      cards_claimed: 0,
      cards_overdue: 0,
      open_questions: 1,
    })
  })

  test('lists labels of all kinds, the most frequent first, and active sprints', async () => {
    const { sprint_id, spec_id, card_id } = await scene.sprint('active', { spec_id: await scene.spec('in_progress') })
    await world.ok('update_card', { card_id, labels: ['ui', 'basket'] })
    await scene.ideation('draft', { labels: ['ui'] })
    const { labels, active_sprints } = await overview()
    expect(labels).toEqual([
      { label: 'ui', count: 2 },
      { label: 'basket', count: 1 },
    ])
    expect(active_sprints).toEqual([
      { id: sprint_id, ref: expect.any(String), title: 'Sprint', spec_id, cards_total: 1, cards_done: 0 },
    ])
  })

  test('what its reader may not read counts as none', async () => {
    const { card_id } = await scene.sprint('active')
    await world.ok('update_card', { card_id, labels: ['ui'] })
    await scene.cardQuestion(card_id)
    const reader = await world.agent({ permission_flags: { CARDS_READ: false, SPRINTS_READ: false } })
    await scene.admit(reader)
    const { counts, labels, active_sprints } = await overview(reader)
    expect(counts.cards).toMatchObject({ not_started: 0 })
    expect(counts.sprints).toMatchObject({ active: 0 })
    expect(counts.specs).toMatchObject({ approved: 1 })
    expect([counts.open_questions, labels, active_sprints]).toEqual([0, [], []])
  })
})

describe('list_board_members (board 5)', () => {
  const members = async (query: Readonly<Record<string, unknown>> = {}, as: TestAgent = world.owner) =>
    world.ok('list_board_members', { board_id, ...query }, { as })

  test('lists owner, shares and grants by name, a share before a grant', async () => {
    const shared = await world.agent({ name: 'B shared' })
    const granted = await world.agent({ name: 'A granted' })
    await scene.admit(shared)
    const overrides = { permission_overrides: { CARDS_DELETE: false } }
    for (const { id } of [shared, granted])
      await world.ok('grant_board_access', { agent_id: id, board_id, ...overrides })
    const found = await members()
    expect(found.map(({ name, access }: { name: string; access: string }) => [name, access])).toEqual([
      ['A granted', 'grant'],
      ['B shared', 'share'],
      ['Local Owner', 'owner'],
    ])
    expect(found[0]).toEqual({
      id: granted.id,
      name: 'A granted',
      kind: 'agent',
      handle: 'a-granted',
      is_active: true,
      deleted: false,
      access: 'grant',
      preset_name: null,
      share: null,
      grant: expect.objectContaining({ agent_id: granted.id, permission_overrides: { CARDS_DELETE: false } }),
      last_used_at: null,
    })
    expect(found[1]).toMatchObject({ share: { permission: 'admin' }, grant: { agent_id: shared.id } })
    const [plain] = await members({ ids: granted.id }, await withoutGranting())
    expect(plain.grant.permission_overrides).toBeNull()
  })

  /** A member that may not grant access. */
  async function withoutGranting(): Promise<TestAgent> {
    const agent = await world.agent({ permission_flags: { AGENTS_GRANT: false } })
    await scene.admit(agent)
    return agent
  }

  test('with all also those only named in records, deleted agents and people of other services', async () => {
    const deleted = await world.agent({ name: 'Gone' })
    await scene.admit(deleted)
    await world.ok('create_ideation', { board_id, title: 'Idea' }, { as: deleted })
    await world.ok('delete_agent', { agent_id: deleted.id })
    await scene.card({ assignee_id: 'external:Zoe' })
    expect((await members()).map(({ name }: { name: string }) => name)).toEqual(['Local Owner'])
    expect(await members({ all: true, ids: `${deleted.id},external:Zoe` })).toMatchObject([
      { id: deleted.id, name: 'Gone', is_active: false, deleted: true, access: 'none', share: null, grant: null },
      { id: 'external:Zoe', name: 'Zoe', is_active: false, deleted: false, access: 'none', preset_name: null },
    ])
  })

  describe('with may', () => {
    const who = async (may: string, query: Readonly<Record<string, unknown>> = {}, as?: TestAgent) =>
      (await members({ may, ...query }, as)).map(({ name }: { name: string }) => name)
    const share = async (permission: 'viewer' | 'editor' | 'admin') => {
      const agent = await world.agent({ name: `A ${permission}` })
      await world.ok('create_board_share', { board_id, user_id: agent.id, permission })
      return agent
    }

    test.each([
      ['CARDS_READ', ['A admin', 'A editor', 'A viewer', 'Local Owner']],
      ['CARDS_MOVE_DONE', ['A admin', 'A editor', 'Local Owner']],
      ['CARDS_MOVE', ['A admin', 'A editor', 'Local Owner']],
      ['BOARDS_UPDATE', ['A admin', 'Local Owner']],
      ['BOARDS_DELETE', ['Local Owner']],
    ])('%s is held by the owner and by the shares that allow it', async (may, names) => {
      await share('admin')
      await share('editor')
      const viewer = await share('viewer')
      expect(await who(may)).toEqual(names)
      expect(await who(may, {}, viewer)).toEqual(names)
    })

    test('a grant holds it unless the preset, the agent or an override denies it', async () => {
      const [executor] = (await world.ok('list_presets')).filter(({ name }: { name: string }) => name === 'Executor')
      const grant = async (name: string, fields: object, permission_overrides?: Readonly<Record<string, boolean>>) => {
        const { id: agent_id } = await world.agent({ name, ...fields })
        await world.ok('grant_board_access', {
          agent_id,
          board_id,
          ...(permission_overrides && { permission_overrides }),
        })
      }
      await grant('A holds', {})
      await grant('B preset', { preset_id: executor.id })
      await grant('C flags', { permission_flags: { CARDS_DELETE: false } })
      await grant('D override', {}, { CARDS_DELETE: false })
      expect(await who('CARDS_DELETE')).toEqual(['A holds', 'Local Owner'])
    })

    test('inactive agents, deleted ones and those only named hold nothing', async () => {
      const resting = await share('admin')
      const deleted = await share('editor')
      await scene.card({ assignee_id: 'external:Zoe' })
      await world.ok('update_agent', { agent_id: resting.id, is_active: false })
      await world.ok('delete_agent', { agent_id: deleted.id })
      expect(await who('CARDS_READ', { all: true })).toEqual(['Local Owner'])
    })

    test('names those that the refusal names', async () => {
      const refused = await share('viewer')
      await share('editor')
      const card_id = await scene.card()
      const { body } = await world.call('delete_card', { card_id }, { as: refused })
      const named = body.detail.held_by.map(({ name }: { name: string }) => name)
      expect((await who('CARDS_DELETE')).toSorted()).toEqual(named.toSorted())
    })

    test('is paged, beyond the number that a refusal names', async () => {
      for (let number = 0; number < 6; number++) await scene.admit(await world.agent({ name: `A ${number}` }))
      await share('viewer')
      const { body, headers } = await world.call('list_board_members', {
        board_id,
        may: 'CARDS_DELETE',
        limit: 2,
        offset: 5,
      })
      expect(body.map(({ name }: { name: string }) => name)).toEqual(['A 5', 'Local Owner'])
      expect(headers.get('x-total-count')).toBe('7')
    })

    test('an unknown name is 422', async () => {
      const { status, body } = await world.call('list_board_members', { board_id, may: 'CARDS_FLY' })
      expect([status, body.detail]).toEqual([
        422,
        [
          expect.objectContaining({
            loc: ['query', 'may'],
            msg: 'must be the name of a permission',
            input: 'CARDS_FLY',
          }),
        ],
      ])
    })
  })

  test('is paged', async () => {
    await scene.admit(await world.agent({ name: 'A' }))
    const { body, headers } = await world.call('list_board_members', { board_id, limit: 1, offset: 1 })
    expect(body.map(({ name }: { name: string }) => name)).toEqual(['Local Owner'])
    expect(headers.get('x-total-count')).toBe('2')
  })
})

describe('get_service_status (board 5)', () => {
  test('tells how the service does', async () => {
    const before = Date.now()
    const status = await world.ok('get_service_status')
    expect(status).toEqual({
      version: (await world.ok('get_health')).version,
      started_at: expect.any(String),
      degraded: [],
      database: {
        engine: world.databaseUrl === undefined ? 'sqlite' : 'postgres',
        size_bytes: expect.any(Number),
        migrations: expect.any(Number),
        ignored_announcements: 0,
        replica: null,
      },
      disk_free_bytes: expect.any(Number),
      backup: null,
      graph_queue: { pending: expect.any(Number), failed: 0 },
      webhooks: { active: 0, failing: 0 },
      ci_issuers: [],
      nodes: [
        {
          id: expect.any(String),
          host: '127.0.0.1',
          port: Number(new URL(world.running.url).port),
          version: status.version,
          started_at: status.started_at,
          last_seen_at: expect.any(String),
        },
      ],
    })
    expect(Date.parse(status.started_at)).toBeLessThanOrEqual(before)
    expect(status.database.migrations).toBeGreaterThan(1)
    expect(Date.parse(status.nodes[0].last_seen_at)).toBeGreaterThanOrEqual(Date.parse(status.started_at))
  })
})
