import { defaultBoardSettings } from '@specboard/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { logged, queried, tablesOf } from './support/event-log.ts'
import { McpWire } from './support/mcp.ts'
import { Scene } from './support/scene.ts'
import { hasFiles, storedFiles } from './support/stored-files.ts'
import { type TestAgent, World } from './support/world.ts'

let world: World

beforeAll(async () => {
  world = await World.start()
})

afterAll(() => world.stop())

const create = (fields: object = {}, as: TestAgent = world.owner) =>
  world.ok('create_board', { name: 'Board', description: '', ...fields }, { as })
const update = (board_id: string, fields: object) => world.ok('update_board', { board_id, ...fields })
const ids = (boards: { id: string }[]) => boards.map(({ id }) => id)

describe('create_board (access 3)', () => {
  test('makes the caller its owner, with complete settings', async () => {
    const agent = await world.agent()
    const board = await create({ name: 'Product', description: 'What we build', owner_id: 'x' }, agent)
    expect(board).toMatchObject({
      name: 'Product',
      description: 'What we build',
      owner_id: agent.id,
      realm_id: '',
      settings: defaultBoardSettings,
      cards: [],
      agents: [],
    })
    expect(board.updated_at).toBe(board.created_at)
    expect(await world.ok('get_board', { board_id: board.id }, { as: agent })).toStrictEqual(board)
    expect(logged(world, board.id)).toMatchObject([{ activity: 'board_created', details: { name: 'Product' } }])
  })

  test('supplied settings replace the defaults; null means the defaults', async () => {
    const settings = { min_confidence: 0, require_task_validation: true, unknown: 1, cognitive_llm_config: null }
    expect((await create({ settings })).settings).toStrictEqual({
      ...defaultBoardSettings,
      min_confidence: 0,
      require_task_validation: true,
    })
    expect((await create({ settings: null })).settings).toStrictEqual(defaultBoardSettings)
  })

  test.each<[object, (string | number)[], string]>([
    [{ name: 'a' }, ['body', 'description'], 'missing'],
    [{ description: '' }, ['body', 'name'], 'missing'],
    [{ name: ' ', description: '' }, ['body', 'name'], 'value_error'],
    [{ name: '', description: '' }, ['body', 'name'], 'string_too_short'],
    [{ name: 'x'.repeat(256), description: '' }, ['body', 'name'], 'string_too_long'],
    [{ name: 'a', description: null }, ['body', 'description'], 'string_type'],
  ])('%j is 422', async (body, loc, type) => {
    const answer = await world.call('create_board', { ...body })
    expect([answer.status, answer.body.detail]).toMatchObject([422, [{ loc, type }]])
  })
})

describe('list_boards (access 3)', () => {
  test('lists the boards of a view, last changed first, with counts and the caller’s way there', async () => {
    const agent = await world.agent()
    const owned = await create({ name: 'Owned' }, agent)
    const granted = await create({ name: 'Granted' })
    const shared = await create({ name: 'Shared' })
    await create({ name: 'Hidden' })
    await world.ok('grant_board_access', { agent_id: agent.id, board_id: granted.id })
    for (const { id } of [granted, shared]) await world.ok('create_board_share', { board_id: id, user_id: agent.id })
    await world.ok('update_board', { board_id: owned.id, name: 'Mine' }, { as: agent })
    await world.ok('create_spec', { board_id: owned.id, title: 'Spec' }, { as: agent })
    const list = (query: object = {}) => world.ok('list_boards', { ...query }, { as: agent })
    const all = await list()
    expect(all.map(({ name, access }: { name: string; access: string }) => [name, access])).toStrictEqual([
      ['Mine', 'owner'],
      ['Shared', 'share'],
      ['Granted', 'grant'],
    ])
    expect(all[0]).toMatchObject({ settings: defaultBoardSettings, realm_id: '', card_count: 0, spec_count: 1 })
    expect(ids(await list({ view: 'my' }))).toStrictEqual([owned.id])
    expect(ids(await list({ view: 'shared' }))).toStrictEqual([shared.id, granted.id])
    const page = await world.call('list_boards', { limit: 1, offset: 1 }, { as: agent })
    expect([ids(page.body), page.headers.get('x-total-count')]).toStrictEqual([[shared.id], '3'])
  })

  test.each([{ view: 'own' }, { limit: 0 }, { limit: 201 }, { offset: -1 }, { limit: 'all' }])(
    '%j is 422',
    async query => {
      expect((await world.call('list_boards', query)).status).toBe(422)
    },
  )
})

describe('update_board (access 3, 4)', () => {
  test('merges settings; no key falls back to its default unasked', async () => {
    const { id } = await create({ settings: { max_drift: 10 } })
    await update(id, { settings: { min_confidence: 50 } })
    await update(id, { settings: null })
    const { settings } = await update(id, { name: 'New', settings: { max_scenarios_per_card: 100 } })
    expect(settings).toStrictEqual({
      ...defaultBoardSettings,
      max_drift: 10,
      min_confidence: 50,
      max_scenarios_per_card: 100,
    })
  })

  test('takes limits of columns for open cards, replaced whole', async () => {
    const { id } = await create({ settings: { column_limits: { started: 5, in_progress: 3 } } })
    expect((await update(id, { settings: { column_limits: { in_progress: 2 } } })).settings.column_limits).toEqual({
      in_progress: 2,
    })
    for (const column_limits of [{ done: 3 }, { started: 0 }, { started: 1_001 }, { started: null }, null])
      expect((await world.call('update_board', { board_id: id, settings: { column_limits } })).status).toBe(422)
    expect((await update(id, { settings: { column_limits: {} } })).settings.column_limits).toEqual({})
  })

  test('of different keys at once loses no key', async () => {
    const { id } = await create()
    await Promise.all([update(id, { settings: { max_drift: 1 } }), update(id, { settings: { min_confidence: 2 } })])
    expect((await world.ok('get_board', { board_id: id })).settings).toMatchObject({ max_drift: 1, min_confidence: 2 })
  })

  test('treats a null description as empty, and keeps updated_at when nothing changes', async () => {
    const board = await create({ description: 'x' })
    expect(await update(board.id, { description: 'x', name: 'Board', settings: { max_drift: 50 } })).toStrictEqual(
      board,
    )
    expect((await update(board.id, { description: null })).description).toBe('')
  })

  test.each<[object, (string | number)[], string]>([
    [{ name: null }, ['body', 'name'], 'string_type'],
    [{ name: '\n' }, ['body', 'name'], 'value_error'],
    [{ settings: { max_drift: null } }, ['body', 'settings', 'max_drift'], 'int_type'],
    [{ settings: { max_drift: 101 } }, ['body', 'settings', 'max_drift'], 'less_than_equal'],
    [{ settings: { max_drift: '1' } }, ['body', 'settings', 'max_drift'], 'int_type'],
    [{ settings: { max_drift: 1.5 } }, ['body', 'settings', 'max_drift'], 'int_type'],
    [{ settings: { max_scenarios_per_card: 0 } }, ['body', 'settings', 'max_scenarios_per_card'], 'greater_than_equal'],
    [{ settings: { require_test_task_for_bug: 1 } }, ['body', 'settings', 'require_test_task_for_bug'], 'bool_type'],
    [{ settings: { bug_test_gate_min_severity: 'low' } }, ['body', 'settings', 'bug_test_gate_min_severity'], 'enum'],
    [{ settings: { cognitive_llm_config: [] } }, ['body', 'settings', 'cognitive_llm_config'], 'dict_type'],
    [
      { settings: { cognitive_llm_config: { api_key_env: 'sk-12' } } },
      ['body', 'settings', 'cognitive_llm_config', 'api_key_env'],
      'value_error',
    ],
  ])('%j is 422, and nothing is stored', async (body, loc, type) => {
    const board = await create()
    const answer = await world.call('update_board', { board_id: board.id, description: 'changed', ...body })
    expect([answer.status, answer.body.detail]).toMatchObject([422, [{ loc, type }]])
    expect(await world.ok('get_board', { board_id: board.id })).toStrictEqual(board)
  })

  test('keeps undeclared keys of cognitive_llm_config; null empties it', async () => {
    const { id } = await create()
    const cognitive_llm_config = {
      provider: 'p',
      model: 'm',
      api_key_env: 'LLM_KEY',
      max_tokens: 1,
      own: { x: [null] },
    }
    expect((await update(id, { settings: { cognitive_llm_config } })).settings).toMatchObject({ cognitive_llm_config })
    expect(
      (await update(id, { settings: { cognitive_llm_config: null } })).settings.cognitive_llm_config,
    ).toStrictEqual({})
  })

  test('leaves one activity entry with what changed, none when nothing did (access 14)', async () => {
    const { id } = await create()
    await update(id, { name: 'Other', description: '', settings: { max_drift: 7, min_confidence: 70 } })
    await update(id, { name: 'Other' })
    expect(logged(world, id).slice(1)).toStrictEqual([
      {
        activity: 'board_updated',
        details: {
          fields: ['name', 'settings.max_drift'],
          changes: { name: ['Board', 'Other'], 'settings.max_drift': [50, 7] },
        },
        history: null,
        domain: null,
      },
    ])
  })
})

describe('get_board (access 3)', () => {
  test('has all cards, archived ones too, oldest first, and the granted agents', async () => {
    const scene = await Scene.on(world)
    const board_id = scene.boardId
    const spec_id = await scene.spec('approved')
    const cards = [await scene.card({ spec_id }), await scene.card({ spec_id })]
    await world.ok('archive_record', { board_id, entity_type: 'spec', entity_id: spec_id })
    const agent = await world.agent()
    await world.ok('grant_board_access', { agent_id: agent.id, board_id })
    const board = await world.ok('get_board', { board_id })
    expect(ids(board.cards)).toStrictEqual(cards)
    expect(board.cards[0]).toStrictEqual(await world.ok('get_card', { card_id: cards[0] }))
    expect(ids(board.agents)).toStrictEqual([agent.id])
    expect((await world.ok('list_boards')).find(({ id }: { id: string }) => id === board_id)).toMatchObject({
      card_count: 0,
      spec_count: 0,
    })
  })

  test('leaves nested parts empty when their read permission is missing', async () => {
    const scene = await Scene.on(world)
    const board_id = scene.boardId
    await scene.card()
    const blind = await world.agent({ permission_flags: { CARDS_READ: false, AGENTS_READ: false } })
    await world.ok('grant_board_access', { agent_id: blind.id, board_id })
    expect(await world.ok('get_board', { board_id }, { as: blind })).toMatchObject({ cards: [], agents: [] })
    const { columns } = await world.ok('get_board_columns', { board_id }, { as: blind })
    expect(Object.values(columns).flat()).toStrictEqual([])
  })
})

describe('get_board_columns (access 5)', () => {
  test('has the seven statuses in order, each with its cards by position', async () => {
    const scene = await Scene.on(world)
    const board_id = scene.boardId
    const first = await scene.card({ labels: ['x'] })
    const second = await scene.card()
    const { columns, ...rest } = await world.ok('get_board_columns', { board_id })
    expect(rest).toStrictEqual({ board_id })
    expect(Object.keys(columns)).toStrictEqual([
      'not_started',
      'started',
      'in_progress',
      'validation',
      'on_hold',
      'done',
      'cancelled',
    ])
    expect(ids(columns.not_started)).toStrictEqual([first, second])
    expect(columns.not_started).toMatchObject([
      { position: 0, priority: 'none', labels: ['x'], conclusions: [] },
      { position: 1, priority: 'none', labels: [] },
    ])
    expect(Object.values(columns).flat()).toHaveLength(2)
  })

  test('leaves archived cards out unless asked for', async () => {
    const scene = await Scene.on(world)
    const board_id = scene.boardId
    const spec_id = await scene.spec('approved')
    const card = await scene.card({ spec_id })
    await world.ok('archive_record', { board_id, entity_type: 'spec', entity_id: spec_id })
    expect((await world.ok('get_board_columns', { board_id })).columns.not_started).toStrictEqual([])
    const { columns } = await world.ok('get_board_columns', { board_id, include_archived: true })
    expect(ids(columns.not_started)).toStrictEqual([card])
  })
})

test('get_board_columns answers a page of each column, and those that are asked for (crew 1.7)', async () => {
  const scene = await Scene.on(world)
  const board_id = scene.boardId
  const cards = [await scene.card(), await scene.card(), await scene.card()]
  const args = { board_id, status: 'not_started,done', limit: 2 }
  const ids = (columns: Record<string, { cards: { id: string }[] }>) => columns.not_started!.cards.map(({ id }) => id)
  const first = (await world.ok('get_board_columns', args)).columns
  expect(first).toMatchObject({ not_started: { total: 3 }, done: { total: 0, cards: [] } })
  expect([Object.keys(first), ids(first)]).toEqual([['not_started', 'done'], cards.slice(0, 2)])
  expect(ids((await world.ok('get_board_columns', { ...args, offset: 2 })).columns)).toEqual(cards.slice(2))
  expect((await world.call('get_board_columns', { board_id, status: 'nope' })).status).toBe(422)
  const { value } = await new McpWire(world).tool('get_board_columns', { board_id, fields: 'title' })
  expect(value.columns.not_started.cards).toHaveLength(3)
})

describe('delete_board (access 3)', () => {
  test('is for its owner only', async () => {
    const scene = await Scene.on(world)
    const admin = await world.agent()
    await scene.admit(admin)
    const { status, body } = await world.call('delete_board', { board_id: scene.boardId }, { as: admin })
    expect([status, body.detail]).toMatchObject([403, { permission: 'BOARDS_DELETE', denied_by: 'share' }])
    const limited = await world.agent({ permission_flags: { BOARDS_DELETE: false } })
    const own = await create({}, limited)
    const refused = await world.call('delete_board', { board_id: own.id }, { as: limited })
    expect([refused.status, refused.body.detail.denied_by]).toStrictEqual([403, 'agent'])
  })

  test('deletes everything on it', async () => {
    const scene = await Scene.on(world)
    const board_id = scene.boardId
    const agent = await world.agent()
    await scene.admit(agent)
    await world.ok('grant_board_access', { agent_id: agent.id, board_id })
    const inline = await world.ok('create_guideline', { title: 'Here', content: 'x', scope: 'inline', board_id })
    const global = await world.ok('create_guideline', { title: 'Everywhere', content: 'x' })
    await world.ok('add_board_guideline', { board_id, guideline_id: global.id })
    const { spec_id } = await scene.knowledge('spec')
    const { ideation_id } = await scene.question('ideation')
    const refinement_id = await scene.refinement('done')
    const card_id = await scene.card({ spec_id: await scene.spec('approved') })
    await world.ok('create_comment', { card_id, content: 'x' })
    await world.ok('upload_attachment', { board_id, card_id, file: new File(['x'], 'x.txt') })
    expect(storedFiles(world, board_id)).toHaveLength(1)

    expect((await world.call('delete_board', { board_id })).status).toBe(204)
    const paths = [
      await world.call('get_board', { board_id }),
      await world.call('delete_board', { board_id }),
      await world.call('get_spec', { spec_id }),
      await world.call('get_ideation', { ideation_id }),
      await world.call('get_refinement', { refinement_id }),
      await world.call('get_card', { card_id }),
      await world.call('get_guideline', { guideline_id: inline.id }),
    ]
    expect(paths.map(({ status }) => status)).toStrictEqual(Array(paths.length).fill(404))
    expect(await world.ok('get_guideline', { guideline_id: global.id })).toMatchObject({ id: global.id })

    // A board that nobody can see any more is removed in the background.
    await expect.poll(() => queried(world, 'select id from boards where id = ?', board_id)).toStrictEqual([])
    expect(hasFiles(world, board_id)).toBe(false)
    const withBoard = tablesOf(world).filter(({ columns }) => columns.includes('board_id'))
    expect(withBoard.length).toBeGreaterThan(15)
    const remaining = withBoard.filter(
      ({ name }) => queried(world, `select 1 as one from "${name}" where board_id = ?`, board_id).length > 0,
    )
    expect(remaining).toStrictEqual([])
  })
})
