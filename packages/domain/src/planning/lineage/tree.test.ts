import type { Json } from '@specboard/storage'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { withoutArchived } from './descent.ts'
import type { CardRow, LineageRows, SpecRow } from './store.ts'
import { buildGraph } from './tree.ts'

const row = (id: string, archived = 0) => ({
  id,
  ref: `B-${id}`,
  title: `Title ${id}`,
  status: 'draft',
  archived: archived as 0 | 1,
})
const everything = { entries: true, artifacts: true, changes: true }
const nothing: LineageRows = {
  ideations: [],
  refinements: [],
  specs: [],
  sprints: [],
  cards: [],
  dependencies: [],
  spec_validations: [],
  task_validations: [],
  changes: [],
  knowledge: [],
  designs: [],
}

/** JSON with only those parts of a column's value that the graph reads. */
const json = <Value>(value: unknown) => JSON.stringify(value) as Json<Value>

const spec = (id: string, fields: Partial<SpecRow> = {}): SpecRow => ({
  ...row(id),
  ideation_id: null,
  refinement_id: null,
  ...fields,
})
const card = (id: string, fields: Partial<CardRow> = {}): CardRow => ({
  ...row(id),
  spec_id: 's',
  sprint_id: null,
  card_type: 'normal',
  origin_task_id: null,
  linked_test_task_ids: json([]),
  test_scenario_ids: json([]),
  ...fields,
})
const sprint = (id: string, spec_id = 's', fields: object = {}) => ({
  ...row(id),
  spec_id,
  test_scenario_ids: null,
  business_rule_ids: null,
  ...fields,
})

const idsOf = (rows: Partial<LineageRows>, parts = everything) =>
  buildGraph({ ...nothing, ...rows }, parts).nodes.map(node => node.id)
const edgesOf = (rows: Partial<LineageRows>, parts = everything) =>
  buildGraph({ ...nothing, ...rows }, parts).edges.map(edge => edge.id)

describe('nodes', () => {
  test('are in depth-first order: direct specs, then refinements with their specs', () => {
    const rows = {
      ideations: [row('i')],
      refinements: [
        { ...row('r1'), ideation_id: 'i' },
        { ...row('r2'), ideation_id: 'i' },
      ],
      specs: [
        spec('alone'),
        spec('derived', { ideation_id: 'i', refinement_id: 'r1' }),
        spec('direct', { ideation_id: 'i' }),
        spec('inherited', { refinement_id: 'r2' }),
        spec('elsewhere', { ideation_id: 'i', refinement_id: 'of another ideation' }),
      ],
    }
    expect(idsOf(rows)).toEqual([
      'ideation:i',
      'spec:direct',
      'spec:elsewhere',
      'refinement:r1',
      'spec:derived',
      'refinement:r2',
      'spec:inherited',
      'spec:alone',
    ])
    expect(edgesOf(rows)).toEqual([
      'ideation:i->direct_spec->spec:direct',
      'ideation:i->direct_spec->spec:elsewhere',
      'ideation:i->has_refinement->refinement:r1',
      'refinement:r1->derived_spec->spec:derived',
      'ideation:i->has_refinement->refinement:r2',
      'refinement:r2->derived_spec->spec:inherited',
    ])
  })

  const full: Partial<LineageRows> = {
    specs: [
      spec('s', {
        screen_mockups: json([{ id: 'm', title: 'Screen' }]),
        business_rules: json([{ id: 'br', title: 'Rule', linked_task_ids: ['c', 'gone'] }]),
        technical_requirements: json(['Text', { id: 'tr', text: 'Item', linked_task_ids: null }]),
        test_scenarios: json([{ id: 'ts', title: 'Scenario', status: 'passed', linked_task_ids: ['t'] }]),
        api_contracts: json([{ id: 'ac', method: 'GET', path: '/x', linked_task_ids: null }]),
        decisions: json([
          { id: 'd1', title: 'Old', status: 'superseded', supersedes_decision_id: null, linked_task_ids: null },
          { id: 'd2', title: 'New', status: 'active', supersedes_decision_id: 'd1', linked_task_ids: ['c'] },
        ]),
      }),
    ],
    sprints: [sprint('sp', 's', { test_scenario_ids: json(['ts', 'gone']), business_rule_ids: json(['br']) })],
    cards: [
      card('b', { card_type: 'bug', origin_task_id: 'c', linked_test_task_ids: json(['t', 'gone']) }),
      card('c', { sprint_id: 'sp', knowledge_bases: json([{ id: 'k2', title: 'Inline' }]) }),
      card('t', { card_type: 'test', test_scenario_ids: json(['ts']), status: 'done' }),
    ],
    dependencies: [
      { card_id: 'c', depends_on_id: 't' },
      { card_id: 'c', depends_on_id: 'gone' },
    ],
    spec_validations: [{ id: 'v1', spec_id: 's', outcome: 'success' }],
    task_validations: [{ id: 'v2', card_id: 'c', outcome: 'failed' }],
    knowledge: [{ id: 'k1', owner_id: 's', title: 'Notes' }],
    designs: [{ id: 'a', parent_id: 's', title: 'Design' }],
  }

  test('of a spec are in their order; validations and artifacts follow their owner', () =>
    expect(idsOf(full)).toEqual([
      'spec:s',
      'mockup:s/m',
      'knowledge:s/k1',
      'architecture:s/a',
      'sprint:sp',
      'task:c',
      'validation:v2',
      'knowledge:c/k2',
      'test:t',
      'bug:b',
      'business_rule:s/br',
      'technical_requirement:s/#0',
      'technical_requirement:s/tr',
      'scenario:s/ts',
      'api_contract:s/ac',
      'decision:s/d1',
      'decision:s/d2',
      'validation:v1',
    ]))

  test('have edges for implementing, verifying, scoping, superseding and guarding', () =>
    expect(edgesOf(full)).toEqual([
      'spec:s->has_mockup->mockup:s/m',
      'spec:s->has_knowledge->knowledge:s/k1',
      'spec:s->has_architecture->architecture:s/a',
      'spec:s->has_sprint->sprint:sp',
      'sprint:sp->contains_card->task:c',
      'task:c->has_validation->validation:v2',
      'task:c->has_knowledge->knowledge:c/k2',
      'spec:s->has_card->test:t',
      'task:c->depends_on->test:t',
      'task:c->originates_bug->bug:b',
      'test:t->regression_test->bug:b',
      'spec:s->has_business_rule->business_rule:s/br',
      'sprint:sp->scopes->business_rule:s/br',
      'task:c->implements->business_rule:s/br',
      'spec:s->has_technical_requirement->technical_requirement:s/#0',
      'spec:s->has_technical_requirement->technical_requirement:s/tr',
      'spec:s->has_scenario->scenario:s/ts',
      'sprint:sp->scopes->scenario:s/ts',
      'test:t->verifies->scenario:s/ts',
      'spec:s->has_api_contract->api_contract:s/ac',
      'spec:s->has_decision->decision:s/d1',
      'decision:s/d2->supersedes->decision:s/d1',
      'spec:s->has_decision->decision:s/d2',
      'task:c->implements->decision:s/d2',
      'spec:s->has_validation->validation:v1',
    ]))

  test('are those of the workflow only, without entries and artifacts', () => {
    const parts = { entries: false, artifacts: false, changes: false }
    expect(idsOf(full, parts)).toEqual(['spec:s', 'sprint:sp', 'task:c', 'test:t', 'bug:b'])
    expect(edgesOf(full, parts)).toEqual([
      'spec:s->has_sprint->sprint:sp',
      'sprint:sp->contains_card->task:c',
      'spec:s->has_card->test:t',
      'task:c->originates_bug->bug:b',
      'test:t->regression_test->bug:b',
    ])
  })

  test('have title, status and summary', () => {
    const nodes = new Map(buildGraph({ ...nothing, ...full }, everything).nodes.map(node => [node.id, node]))
    const summary = { total: 3, normal: 1, test: 1, bug: 1, done: 1 }
    expect(nodes.get('spec:s')).toMatchObject({ stage: 2, parent_id: null, summary })
    expect(nodes.get('task:c')).toEqual({
      id: 'task:c',
      entity_type: 'task',
      entity_id: 'c',
      ref: 'B-c',
      title: 'Title c',
      label: 'Title c',
      status: 'draft',
      stage: 4,
      archived: false,
      parent_id: 'sprint:sp',
      card_type: 'normal',
    })
    expect(nodes.get('bug:b')).toMatchObject({ stage: 5, parent_id: 'task:c' })
    expect(nodes.get('api_contract:s/ac')).toMatchObject({ title: 'GET /x', status: null, stage: 3, entity_id: 'ac' })
    expect(nodes.get('scenario:s/ts')).toMatchObject({ status: 'passed' })
    expect(nodes.get('validation:v2')).toMatchObject({ status: 'failed', stage: 6, parent_id: 'task:c' })
  })
})

describe('the parent of a bug whose origin is not in the graph', () => {
  test.each([
    ['its sprint', { sprint_id: 'sp' }, 'sprint:sp->contains_card->bug:b'],
    ['its spec', {}, 'spec:s->has_card->bug:b'],
    ['its spec when the sprint belongs to another spec', { sprint_id: 'x' }, 'spec:s->has_card->bug:b'],
  ])('is %s', (_, fields, edge) => {
    const bug = card('b', { card_type: 'bug', origin_task_id: 'gone', ...fields })
    expect(edgesOf({ specs: [spec('s')], sprints: [sprint('sp')], cards: [bug] })).toContain(edge)
  })
})

describe('without archived records', () => {
  const rows: LineageRows = {
    ...nothing,
    ideations: [row('i', 1)],
    refinements: [{ ...row('r', 1), ideation_id: 'i' }],
    specs: [
      spec('below', { ideation_id: 'i', refinement_id: 'r' }),
      spec('s', { ideation_id: 'i' }),
      spec('gone', { ...row('gone', 1), ideation_id: 'i' }),
    ],
    sprints: [sprint('sp'), { ...sprint('over'), archived: 1 }],
    cards: [
      card('c'),
      card('in', { sprint_id: 'over' }),
      card('of', { spec_id: 'gone' }),
      card('a', { ...row('a', 1) }),
    ],
  }

  test('removes everything below them too, except the root', () =>
    expect(idsOf(withoutArchived(rows, 'i'))).toEqual(['ideation:i', 'spec:s', 'sprint:sp', 'task:c']))

  test('a board has no root to keep', () => expect(idsOf(withoutArchived(rows, null))).toEqual([]))
})

/** Forests of any shape, including dangling references. */
const forests: fc.Arbitrary<LineageRows> = fc
  .record({
    ideations: fc.nat(2),
    refinements: fc.array(fc.nat(3), { maxLength: 4 }),
    specs: fc.array(fc.record({ ideation: fc.nat(3), refinement: fc.nat(5) }), { maxLength: 5 }),
    sprints: fc.array(fc.nat(4), { maxLength: 4 }),
    cards: fc.array(
      fc.record({
        spec: fc.nat(4),
        sprint: fc.nat(5),
        type: fc.constantFrom('normal', 'test', 'bug'),
        origin: fc.nat(12),
        archived: fc.constantFrom(0, 1),
        scenarios: fc.subarray(['ts0', 'ts1', 'gone']),
      }),
      { maxLength: 12 },
    ),
    links: fc.array(fc.tuple(fc.nat(12), fc.nat(12)), { maxLength: 8 }),
  })
  .map(shape => {
    const ideations = Array.from({ length: shape.ideations }, (_, index) => row(`i${index}`))
    const refinements = shape.refinements
      .filter(ideation => ideation < ideations.length)
      .map((ideation, index) => ({ ...row(`r${index}`), ideation_id: `i${ideation}` }))
    const scenarios = [0, 1].map(n => ({ id: `ts${n}`, title: `${n}`, status: 'draft', linked_task_ids: ['c0', 'c1'] }))
    const specs = shape.specs.map(({ ideation, refinement }, index) =>
      spec(`s${index}`, {
        ideation_id: ideation < ideations.length ? `i${ideation}` : null,
        refinement_id: refinement < refinements.length ? `r${refinement}` : null,
        test_scenarios: json(scenarios),
        technical_requirements: json(['a', 'b']),
      }),
    )
    const sprints = shape.sprints.filter(at => at < specs.length).map((at, index) => sprint(`sp${index}`, `s${at}`))
    const cards = shape.cards
      .filter(({ spec: at }) => at < specs.length)
      .map((one, index) => ({
        ...card(`c${index}`, {
          spec_id: `s${one.spec}`,
          sprint_id: `sp${one.sprint}`,
          card_type: one.type,
          origin_task_id: one.origin < index ? `c${one.origin}` : null,
          test_scenario_ids: json(one.scenarios),
          linked_test_task_ids: json(['c0', 'c1']),
        }),
        archived: one.archived as 0 | 1,
      }))
    const dependencies = shape.links.map(([a, b]) => ({ card_id: `c${a}`, depends_on_id: `c${b}` }))
    return { ...nothing, ideations, refinements, specs, sprints, cards, dependencies }
  })

test('has each node and edge once, every node except a root below another one, and edges in order', () => {
  fc.assert(
    fc.property(forests, fc.boolean(), fc.boolean(), (forest, archived, entries) => {
      const rows = archived ? forest : withoutArchived(forest, null)
      const { nodes, edges } = buildGraph(rows, { entries, artifacts: true, changes: entries })
      const rank = new Map(nodes.map((node, index) => [node.id, index]))
      expect(rank.size).toBe(nodes.length)
      expect(new Set(edges.map(edge => edge.id)).size).toBe(edges.length)
      expect(edges.every(({ source, target }) => rank.has(source) && rank.has(target))).toBe(true)
      const records = rows.ideations.length + rows.refinements.length + rows.specs.length + rows.sprints.length
      expect(nodes.length).toBeGreaterThanOrEqual(records + rows.cards.length)
      for (const { id, parent_id, entity_type } of nodes) {
        if (parent_id === null) expect(['ideation', 'spec']).toContain(entity_type)
        else expect(edges.some(edge => edge.source === parent_id && edge.target === id)).toBe(true)
      }
      const order = edges.map(({ source, target }) => [rank.get(target)!, rank.get(source)!] as const)
      expect(order).toEqual(order.toSorted((a, b) => a[0] - b[0] || a[1] - b[1]))
    }),
  )
})
