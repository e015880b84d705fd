import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { McpWire } from './support/mcp.ts'
import { Scene } from './support/scene.ts'
import { World } from './support/world.ts'

let world: World
let scene: Scene
let mcp: McpWire

beforeAll(async () => {
  world = await World.start()
  scene = await Scene.on(world)
  mcp = new McpWire(world)
})

afterAll(() => world.stop())

const put = (spec_id: string, body: object) => world.call('put_spec_items', { spec_id, ...body })
const puts = async (spec_id: string, body: object) => (await put(spec_id, body)).body
const spec = (spec_id: string) => world.ok('get_spec', { spec_id })
const scenario = (id: string, fields: object = {}) => ({ id, title: `Scenario ${id}`, ...fields })
const rule = (id: string, fields: object = {}) => ({ id, title: 'T', rule: 'R', when: 'W', then: 'T', ...fields })
const contract = (id: string, fields: object = {}) => ({ id, method: 'GET', path: '/x', ...fields })

describe('put_spec_items (crew 1.1)', () => {
  test('changes an item, keeps what is left out, and adds one with an id of its own', async () => {
    const spec_id = await scene.spec('draft', {
      test_scenarios: [scenario('t1', { given: 'G', notes: 'N' }), scenario('own')],
    })
    const { ref } = await spec(spec_id)
    const answer = await put(spec_id, {
      test_scenarios: [{ id: 't1', title: 'New', notes: null }, { title: 'Second' }, scenario('mine')],
      expected_rev: 1,
    })
    expect([answer.status, answer.body]).toStrictEqual([
      200,
      {
        spec_id,
        ref,
        rev: 2,
        version: 1,
        status: 'draft',
        added: [
          { list: 'test_scenarios', id: 't2' },
          { list: 'test_scenarios', id: 'mine' },
        ],
        changed: [{ list: 'test_scenarios', id: 't1' }],
        removed: [],
        unchanged: 0,
      },
    ])
    expect((await spec(spec_id)).test_scenarios).toMatchObject([
      { id: 't1', title: 'New', given: 'G', notes: null },
      { id: 'own' },
      { id: 't2', title: 'Second', status: 'draft', given: '' },
      { id: 'mine' },
    ])
  })

  test.each([
    ['test_scenarios', { title: 'T' }, 't1'],
    ['business_rules', { title: 'T', rule: 'R', when: 'W', then: 'T' }, 'r1'],
    ['api_contracts', { method: 'get', path: '/' }, 'c1'],
    ['decisions', { title: 'T', rationale: 'R' }, 'd1'],
    ['technical_requirements', { text: 'T' }, 'tr1'],
    ['screen_mockups', { title: 'T' }, 'm1'],
  ])('%s get ids of their own form', async (list, item, id) => {
    const spec_id = await scene.spec()
    expect((await puts(spec_id, { [list]: [item] })).added).toStrictEqual([{ list, id }])
  })

  test('an id is never given twice', async () => {
    const spec_id = await scene.spec('draft', { decisions: [{ id: 'd2', title: 'T', rationale: 'R' }] })
    const add = async () => (await puts(spec_id, { decisions: [{ title: 'T', rationale: 'R' }] })).added[0].id
    expect(await add()).toBe('d1')
    expect((await puts(spec_id, { remove: ['d1', 'd2'] })).removed).toStrictEqual([
      { list: 'decisions', id: 'd1' },
      { list: 'decisions', id: 'd2' },
    ])
    expect(await add()).toBe('d3')
    await world.ok('update_spec', { spec_id, decisions: [] })
    expect(await add()).toBe('d4')
  })

  test('adds and rewords texts; references follow', async () => {
    const spec_id = await scene.spec('draft', {
      acceptance_criteria: ['one', 'two', 'three'],
      test_scenarios: [scenario('a', { linked_criteria: ['two'] }), scenario('b', { linked_criteria: ['1', '2'] })],
    })
    const answer = await puts(spec_id, { acceptance_criteria: ['one', 'four', { was: 'two', text: 'deux' }] })
    expect(answer).toMatchObject({
      version: 2,
      added: [{ list: 'acceptance_criteria', text: 'four' }],
      changed: [{ list: 'acceptance_criteria', text: 'deux' }],
      unchanged: 1,
    })
    expect(await spec(spec_id)).toMatchObject({
      acceptance_criteria: ['one', 'deux', 'three', 'four'],
      test_scenarios: [{ linked_criteria: ['deux'] }, { linked_criteria: ['1', '2'] }],
    })
    expect((await puts(spec_id, { remove: ['one'] })).removed).toStrictEqual([
      { list: 'acceptance_criteria', text: 'one' },
    ])
    expect((await spec(spec_id)).test_scenarios[1].linked_criteria).toStrictEqual(['0', '1'])
  })

  test('a text in use goes only on purpose, with what names it', async () => {
    const spec_id = await scene.spec('draft', {
      acceptance_criteria: ['one', 'two', 'three'],
      test_scenarios: [
        scenario('a', { linked_criteria: ['two', '2'] }),
        scenario('b', { linked_criteria: ['1', '0'] }),
      ],
    })
    const { status, body } = await put(spec_id, { remove: ['two'] })
    expect([status, body.detail]).toMatchObject([
      409,
      {
        error: 'ITEMS_IN_USE',
        items: [{ list: 'acceptance_criteria', id: null, title: 'two', uses: ['item'] }],
      },
    ])
    await puts(spec_id, { remove: ['two'], allow_removal: true })
    expect(await spec(spec_id)).toMatchObject({
      acceptance_criteria: ['one', 'three'],
      test_scenarios: [{ linked_criteria: ['1'] }, { linked_criteria: ['0'] }],
    })
  })

  test('what is named twice in remove goes once, and takes nothing else with it', async () => {
    const spec_id = await scene.spec('draft', {
      test_scenarios: [scenario('t1'), scenario('t2'), scenario('t3')],
      acceptance_criteria: ['first', 'second'],
    })
    expect(await puts(spec_id, { remove: ['t1', 'test_scenarios.t1', 't1', 'first', 'first'] })).toMatchObject({
      removed: [
        { list: 'test_scenarios', id: 't1' },
        { list: 'acceptance_criteria', text: 'first' },
      ],
    })
    expect(await spec(spec_id)).toMatchObject({
      test_scenarios: [{ id: 't2' }, { id: 't3' }],
      acceptance_criteria: ['second'],
    })
  })

  test('a text that is sent as it stands and reworded in one call is unchanged, then reworded', async () => {
    const spec_id = await scene.spec('draft', { acceptance_criteria: ['first'] })
    const body = { acceptance_criteria: ['first', { was: 'first', text: 'better' }] }
    expect(await puts(spec_id, body)).toMatchObject({
      added: [],
      changed: [{ list: 'acceptance_criteria', text: 'better' }],
      unchanged: 1,
    })
  })

  test('a text that is reworded to one that is there already is told as changed', async () => {
    const spec_id = await scene.spec('draft', { acceptance_criteria: ['first', 'second'] })
    const reworded = await puts(spec_id, { acceptance_criteria: [{ was: 'first', text: 'second' }] })
    expect(reworded).toMatchObject({ changed: [{ list: 'acceptance_criteria', text: 'second' }], unchanged: 0 })
    const same = await puts(spec_id, { acceptance_criteria: [{ was: 'second', text: 'second' }] })
    expect(same).toMatchObject({ rev: reworded.rev, changed: [], unchanged: 1 })
  })

  test('says which texts and names it does not know, and what was meant', async () => {
    const spec_id = await scene.spec('draft', {
      acceptance_criteria: ['The basket survives'],
      test_scenarios: [scenario('same')],
      business_rules: [rule('same')],
    })
    const reword = await put(spec_id, { acceptance_criteria: [{ was: 'The basket survived', text: 'x' }] })
    expect([reword.status, reword.body.detail]).toMatchObject([400, { nearest: ['The basket survives'] }])
    const twice = await put(spec_id, { remove: ['same'] })
    expect([twice.status, twice.body.detail]).toMatchObject([400, { lists: ['test_scenarios', 'business_rules'] }])
    expect((await puts(spec_id, { remove: ['business_rules.same'] })).removed).toStrictEqual([
      { list: 'business_rules', id: 'same' },
    ])
    expect((await put(spec_id, { remove: ['nothing'] })).status).toBe(400)
    expect((await put(spec_id, {})).status).toBe(400)
    expect((await put(spec_id, { test_scenarios: [], remove: [] })).status).toBe(400)
  })

  test('a new item must have what every item has', async () => {
    const spec_id = await scene.spec()
    const { status, body } = await put(spec_id, {
      decisions: [
        { title: 'T', rationale: 'R' },
        { id: 'x', title: 'T' },
      ],
    })
    expect([status, body.detail]).toMatchObject([
      422,
      [{ loc: ['body', 'decisions', 1, 'rationale'], type: 'missing' }],
    ])
    expect((await spec(spec_id)).decisions).toBeNull()
  })

  test('asks for the permission of each list that it touches', async () => {
    const spec_id = await scene.spec('draft', { test_scenarios: [scenario('t1')], decisions: null })
    const agent = await world.agent({ permission_flags: { SPECS_UPDATE_SCENARIOS: false } })
    await scene.admit(agent)
    const as = { as: agent }
    const call = (body: object) => world.call('put_spec_items', { spec_id, ...body }, as)
    expect((await call({ test_scenarios: [scenario('t2')] })).body.detail.permission).toBe('SPECS_UPDATE_SCENARIOS')
    expect((await call({ remove: ['t1'] })).body.detail.permission).toBe('SPECS_UPDATE_SCENARIOS')
    expect((await call({ functional_requirements: ['F'] })).status).toBe(200)
  })

  test('keeps to the lock, in one transaction', async () => {
    const spec_id = await scene.specWithScenarios(1, 'approved', {})
    const judged = {
      completeness: 90,
      completeness_justification: 'It says what is needed.',
      assertiveness: 90,
      assertiveness_justification: 'Every rule can be tested.',
      ambiguity: 10,
      ambiguity_justification: 'One reading is possible.',
      general_justification: 'It can be built as it stands.',
      recommendation: 'approve',
    }
    await world.ok('update_spec', { spec_id, skip_test_coverage: true })
    await world.ok('submit_spec_validation', { spec_id, ...judged })
    const { status, body } = await put(spec_id, { test_scenarios: [{ id: 's1', status: 'ready' }, { title: 'New' }] })
    expect([status, body.detail.error, body.detail.fields]).toEqual([409, 'SPEC_LOCKED', ['test_scenarios']])
    expect((await puts(spec_id, { test_scenarios: [{ id: 's1', status: 'ready' }] })).changed).toHaveLength(1)
  })

  test('its history tells item by item, and diff_record reads it', async () => {
    const spec_id = await scene.spec('draft', { decisions: [{ id: 'd1', title: 'Old', rationale: 'R' }] })
    await puts(spec_id, {
      decisions: [
        { id: 'd1', title: 'New' },
        { title: 'More', rationale: 'R' },
      ],
    })
    await puts(spec_id, { remove: ['d2'] })
    const [removed, changed] = await world.ok('list_spec_history', { spec_id })
    expect(changed).toMatchObject({
      action: 'updated',
      changes: [
        { field: 'decisions.d1', old: { title: 'Old' }, new: { title: 'New' } },
        { field: 'decisions.d2', old: null, new: { title: 'More' } },
      ],
    })
    expect(removed.changes).toMatchObject([{ field: 'decisions.d2', old: { title: 'More' }, new: null }])
    const { fields } = await world.ok('diff_record', { entity_type: 'spec', entity_id: spec_id, from: 'r1', to: 'r2' })
    expect(fields).toMatchObject([{ field: 'decisions', added: [{ id: 'd2' }], changed: [{ id: 'd1' }], removed: [] }])
    const { body } = await put(spec_id, { decisions: [{ id: 'd1', title: 'Mine' }], expected_rev: 1 })
    expect(body.detail).toMatchObject({
      rev: 3,
      changed: [{ field: 'decisions', before: [{ id: 'd1', title: 'Old' }], current: [{ id: 'd1', title: 'New' }] }],
    })
  })

  test('is a tool', async () => {
    const spec_id = await scene.spec()
    const { value } = await mcp.tool('put_spec_items', { spec_id, functional_requirements: ['It adds'] })
    expect(value).toMatchObject({ spec_id, rev: 2, added: [{ list: 'functional_requirements', text: 'It adds' }] })
  })
})

describe('lists of update operations (crew 1.2, 1.3)', () => {
  const both = { test_scenarios: [scenario('a', { notes: 'N' }), scenario('b')] }

  test('a member left out of an item keeps its value, null clears it', async () => {
    const spec_id = await scene.spec('draft', both)
    await world.ok('update_spec', { spec_id, test_scenarios: [{ id: 'a', title: 'New' }, { id: 'b' }] })
    expect((await spec(spec_id)).test_scenarios).toMatchObject([{ title: 'New', notes: 'N' }, { title: 'Scenario b' }])
    await world.ok('update_spec', { spec_id, test_scenarios: [{ id: 'a', notes: null }, { id: 'b' }] })
    expect((await spec(spec_id)).test_scenarios[0].notes).toBeNull()
  })

  test('over HTTP a list replaces, unless it merges', async () => {
    const spec_id = await scene.spec('draft', both)
    await world.ok('update_spec', { spec_id, lists: 'merge', test_scenarios: [scenario('c'), { id: 'b', title: 'B' }] })
    expect((await spec(spec_id)).test_scenarios.map((item: { title: string }) => item.title)).toEqual([
      'Scenario a',
      'B',
      'Scenario c',
    ])
    await world.ok('update_spec', { spec_id, test_scenarios: [scenario('c')] })
    expect((await spec(spec_id)).test_scenarios).toHaveLength(1)
    await world.ok('update_spec', { spec_id, lists: 'merge', test_scenarios: [] })
    expect((await spec(spec_id)).test_scenarios).toEqual([])
  })

  test('over MCP a list merges, unless it replaces', async () => {
    const spec_id = await scene.spec('draft', { ...both, acceptance_criteria: ['one'] })
    await mcp.tool('update_spec', { spec_id, test_scenarios: [scenario('c')], acceptance_criteria: ['one', 'two'] })
    expect(await spec(spec_id)).toMatchObject({
      test_scenarios: [{ id: 'a' }, { id: 'b' }, { id: 'c' }],
      acceptance_criteria: ['one', 'two'],
    })
    await mcp.tool('update_spec', { spec_id, lists: 'replace', test_scenarios: [scenario('c')] })
    expect((await spec(spec_id)).test_scenarios).toHaveLength(1)
    await mcp.tool('update_spec', { spec_id, clear: ['acceptance_criteria'] })
    expect((await spec(spec_id)).acceptance_criteria).toBeNull()
  })

  test('of every kind of record', async () => {
    const mockup = (id: string, fields: object = {}) => ({ id, title: 'M', description: 'D', ...fields })
    const screens = { screen_mockups: [mockup('a'), mockup('b')] }
    const changed = { screen_mockups: [{ id: 'b', title: 'New' }] }
    const merged = [mockup('a'), mockup('b', { title: 'New' })]
    const ideation_id = await scene.ideation('draft', screens)
    expect(await world.ok('update_ideation', { ideation_id, lists: 'merge', ...changed })).toMatchObject({
      screen_mockups: merged,
    })
    const refinement_id = await scene.refinement('draft', { ...screens, in_scope: ['one'] })
    const refined = { refinement_id, lists: 'merge', ...changed, in_scope: ['two'] }
    expect(await world.ok('update_refinement', refined)).toMatchObject({
      screen_mockups: merged,
      in_scope: ['one', 'two'],
    })
    const knowledge = [{ id: 'k', title: 'K', content: 'C', source: 'S' }]
    const card_id = await scene.card(screens)
    await world.ok('update_card', { card_id, knowledge_bases: knowledge })
    const carded = { card_id, lists: 'merge', ...changed, knowledge_bases: [{ id: 'k', content: 'New' }] }
    expect(await world.ok('update_card', carded)).toMatchObject({
      screen_mockups: merged,
      knowledge_bases: [{ id: 'k', title: 'K', content: 'New', source: 'S' }],
    })
    const { status, body } = await world.call('update_card', { card_id, knowledge_bases: [{ content: 'New' }] })
    expect([status, body.detail]).toMatchObject([422, [{ loc: ['body', 'knowledge_bases', 0, 'title'] }]])
    const design = await world.ok('create_card_architecture', {
      card_id,
      title: 'D',
      global_description: 'G',
      entities: [
        { id: 'e', name: 'Api', responsibility: 'Serves' },
        { id: 'f', name: 'Store' },
      ],
      diagrams: [{ id: 'g', title: 'Flow', adapter_payload: 'a --> b', format: 'mermaid', description: 'D' }],
    })
    const input = { design_id: design.id, lists: 'merge', entities: [{ id: 'e', notes: 'N' }] }
    expect(await world.ok('update_architecture', { ...input, diagrams: [{ id: 'g', title: 'New' }] })).toMatchObject({
      entities: [{ id: 'e', name: 'Api', responsibility: 'Serves', notes: 'N' }, { id: 'f' }],
      diagrams: [{ id: 'g', title: 'New', description: 'D', format: 'mermaid', content_hash: expect.any(String) }],
    })
  })
})

describe('removal is guarded (crew 1.4)', () => {
  test('items in use are named with what uses them', async () => {
    const spec_id = await scene.spec('in_progress', {
      test_scenarios: [scenario('linked'), scenario('ran', { status: 'ready' }), scenario('scoped'), scenario('free')],
      business_rules: [rule('r')],
      api_contracts: [contract('c', { linked_rules: ['r'] })],
    })
    const card_id = await scene.card({ spec_id })
    await world.ok('link_task_to_scenario', { spec_id, scenario_id: 'linked', card_id })
    const sprint = await world.ok('create_sprint', {
      board_id: scene.boardId,
      spec_id,
      title: 'S',
      test_scenario_ids: ['scoped'],
    })
    const items = [
      { list: 'test_scenarios', id: 'linked', title: 'Scenario linked', uses: ['cards'] },
      { list: 'test_scenarios', id: 'ran', title: 'Scenario ran', uses: ['result'] },
      { list: 'test_scenarios', id: 'scoped', title: 'Scenario scoped', uses: ['sprint'] },
      { list: 'business_rules', id: 'r', title: 'T', uses: ['item'] },
    ]
    const emptied = { spec_id, test_scenarios: [], business_rules: [] }
    const refused = await world.call('update_spec', emptied)
    expect([refused.status, refused.body.detail]).toMatchObject([409, { error: 'ITEMS_IN_USE', items }])
    expect(refused.body.next_actions[0]).toMatchObject({ name: 'update_spec', arguments: { allow_removal: true } })
    const removed = await put(spec_id, { remove: ['linked', 'ran', 'scoped', 'free', 'r'] })
    expect([removed.status, removed.body.detail.items]).toEqual([409, items])
    await world.ok('update_spec', { ...emptied, allow_removal: true })
    expect(await spec(spec_id)).toMatchObject({ test_scenarios: [], api_contracts: [{ linked_rules: [] }] })
    expect((await world.ok('get_card', { card_id })).test_scenario_ids).toEqual([])
    expect((await world.ok('get_sprint', { sprint_id: sprint.id })).test_scenario_ids).toEqual(['scoped'])
    const [{ summary }] = await world.ok('list_spec_history', { spec_id })
    expect(summary).toContain('removed in use: test_scenarios linked')
  })

  test('what hangs on nothing goes without asking', async () => {
    const spec_id = await scene.spec('draft', { test_scenarios: [scenario('a')], acceptance_criteria: ['one'] })
    expect((await puts(spec_id, { remove: ['a', 'one'] })).removed).toHaveLength(2)
  })
})

describe('a cut text never comes back (crew 1.5)', () => {
  const long = 'x'.repeat(400)
  const item = (loc: readonly (string | number)[]) => ({ type: 'cut_text', loc })

  test('of a field, a list and an item', async () => {
    const spec_id = await scene.spec('draft', {
      description: long,
      acceptance_criteria: [long],
      decisions: [{ id: 'd', title: 'T', rationale: long }],
    })
    const cut = `${long.slice(0, 200)}…[+200]`
    const bodies: [object, readonly (string | number)[]][] = [
      [{ description: cut }, ['body', 'description']],
      [{ description: `${long.slice(0, 200)}…[+200; ask with fields=description]` }, ['body', 'description']],
      [{ acceptance_criteria: [cut] }, ['body', 'acceptance_criteria', 0]],
      [{ decisions: [{ id: 'd', rationale: cut }] }, ['body', 'decisions', 0, 'rationale']],
      [{ decisions_count: 1 }, ['body', 'decisions_count']],
      [{ _omitted: ['decisions'] }, ['body', '_omitted']],
      [
        { screen_mockups: [{ id: 'm', title: 'M', annotations_count: 2 }] },
        ['body', 'screen_mockups', 0, 'annotations_count'],
      ],
    ]
    for (const [body, loc] of bodies) {
      const answer = await world.call('update_spec', { spec_id, ...body })
      expect([answer.status, answer.body.detail]).toMatchObject([422, [item(loc)]])
      const { value } = await mcp.tool('update_spec', { spec_id, ...body })
      expect(value).toMatchObject({ status: 422, detail: [item(loc.slice(1))] })
    }
    expect((await spec(spec_id)).rev).toBe(1)
  })

  test('a text that only ends like one is stored', async () => {
    const spec_id = await scene.spec('draft', { description: 'Other' })
    const description = 'The list ends with …[+3]'
    expect(await world.ok('update_spec', { spec_id, description })).toMatchObject({ description })
    expect(await world.ok('update_spec', { spec_id, description, title: 'New' })).toMatchObject({ title: 'New' })
  })
})

describe('unknown members inside items (crew 1.6)', () => {
  const surplus = (id: string) => ({ decisions: [{ id, title: 'T', rationale: 'R', rationals: 'lost' }] })

  test('are refused over MCP, with what was meant', async () => {
    const spec_id = await scene.spec()
    const { value } = await mcp.tool('update_spec', { spec_id, ...surplus('d') })
    expect(value).toMatchObject({
      status: 422,
      detail: [{ type: 'unknown_member', loc: ['decisions', 0, 'rationals'], did_you_mean: 'rationale' }],
    })
  })

  test('are dropped over HTTP and named in a header', async () => {
    const answer = await world.call('update_spec', { spec_id: await scene.spec(), ...surplus('d') })
    expect([answer.status, answer.headers.get('x-unknown-members')]).toEqual([200, 'decisions.0.rationals'])
    expect(answer.body.decisions[0]).not.toHaveProperty('rationals')
  })

  test('of open objects are kept, and what an answer carries is dropped without a word', async () => {
    const spec_id = await scene.spec()
    const open = {
      test_scenarios: [{ id: 'a', title: 'A', status: 'ready', evidence: { own: 1 } }],
      technical_requirements: [{ id: 't', text: 'T', own: 1 }],
    }
    expect((await mcp.tool('update_spec', { spec_id, ...open })).isError).toBe(false)
    const card_id = await scene.card()
    const { knowledge_bases } = await world.ok('update_card', {
      card_id,
      knowledge_bases: [{ title: 'K', content: 'C' }],
    })
    expect((await mcp.tool('update_card', { card_id, knowledge_bases })).isError).toBe(false)
    const again = await world.call('update_card', { card_id, knowledge_bases })
    expect(again.headers.get('x-unknown-members')).toBeNull()
  })

  test('as they were read, items go back into put_spec_items', async () => {
    const spec_id = await scene.specWithScenarios(1)
    const [row] = await world.ok('list_spec_items', { spec_id, list: 'test_scenarios' })
    const { test_scenarios } = await world.ok('get_spec', { spec_id })
    for (const [turn, item] of [row, test_scenarios[0]].entries()) {
      const changed = { spec_id, test_scenarios: [{ ...item, title: `Turn ${turn}` }] }
      const { value } = await mcp.tool('put_spec_items', changed)
      expect(value).toMatchObject({ changed: [{ list: 'test_scenarios', id: item.id }] })
      expect((await world.call('put_spec_items', changed)).headers.get('x-unknown-members')).toBeNull()
    }
    const misspelled = { spec_id, test_scenarios: [{ ...row, titel: 'T' }] }
    expect((await mcp.tool('put_spec_items', misspelled)).value.detail[0].type).toBe('unknown_member')
  })
})
