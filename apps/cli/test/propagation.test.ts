import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { logged } from './support/event-log.ts'
import { Scene } from './support/scene.ts'
import { World } from './support/world.ts'

let world: World
let scene: Scene

beforeAll(async () => {
  world = await World.start()
  scene = await Scene.on(world)
})

afterAll(() => world.stop())

const payload = { type: 'excalidraw', elements: [{ id: 'box', type: 'rectangle' }] }
const ids = (items: readonly { id: string }[]) => items.map(item => item.id)

/** An ideation in `done` with everything that can be copied from it. */
async function richIdeation(fields: Readonly<Record<string, unknown>> = {}) {
  const ideation_id = await scene.ideation('draft', {
    description: 'What',
    labels: ['l'],
    screen_mockups: [
      { id: 'home', title: 'Home', html_content: '<p>Hi</p>', annotations: [{ id: 'n', text: 'note' }] },
      { id: 'list', title: 'List', order: 4, origin_id: 'older' },
    ],
    ...fields,
  })
  const answers = [{ question: 'Who?' }, { question: 'Open?' }, { question: 'Which?', ...choice }]
  const [who, , which] = await inTurn(answers, body => world.ok('ask_ideation_question', { ideation_id, ...body }))
  await world.ok('answer_ideation_question', { ideation_id, qa_id: who.id, answer: 'We' })
  await world.ok('answer_ideation_question', { ideation_id, qa_id: which.id, selected: ['b'], answer: 'since' })
  const design = await world.ok('create_ideation_architecture', {
    ideation_id,
    title: 'Overview',
    global_description: 'All of it',
    diagrams: [{ title: 'Boxes', format: 'excalidraw_json', adapter_payload: payload }],
  })
  for (const status of ['review', 'approved', 'evaluating', 'done'])
    await world.ok('move_ideation', { ideation_id, status })
  return { ideation_id, design_id: design.id as string }
}

const choice = {
  question_type: 'choice',
  choices: [
    { id: 'a', label: 'A' },
    { id: 'b', label: 'B' },
  ],
  allow_free_text: true,
}

// biome-ignore lint/suspicious/noExplicitAny: answers of all operations
async function inTurn<Item>(items: readonly Item[], act: (item: Item) => Promise<any>): Promise<any[]> {
  const done = []
  for (const item of items) done.push(await act(item))
  return done
}

const target = {
  async refinement(ideation_id: string, filters: object) {
    return world.ok('create_refinement', { ideation_id, title: 'Story', in_scope: ['x'], ...filters })
  },
  async spec(ideation_id: string, filters: object) {
    return world.ok('derive_spec_from_ideation', { ideation_id, ...filters })
  },
}

describe.each(['refinement', 'spec'] as const)('from an ideation to a %s (ideation 8.1)', kind => {
  test('mockups, answered questions, designs and labels are copied', async () => {
    const { ideation_id, design_id } = await richIdeation()
    const source = await world.ok('get_ideation', { ideation_id })
    const record = await target[kind](ideation_id, {})
    expect(record.labels).toEqual(['l'])
    expect(record.screen_mockups).toEqual(
      source.screen_mockups.map((mockup: { id: string }) => ({
        ...mockup,
        id: expect.stringMatching(/^sm_[0-9a-f]{8}$/),
        origin_id: mockup.id,
      })),
    )
    const questions = source.qa_items.filter((item: { answered_at: string | null }) => item.answered_at !== null)
    expect(record.qa_items).toEqual(
      questions.map(({ ideation_id: _, ...item }: { ideation_id: string }) => ({
        ...item,
        [`${kind}_id`]: record.id,
        id: expect.any(String),
        ref: expect.stringMatching(/\.q\d+$/),
        created_at: record.created_at,
      })),
    )
    const [copy] = record.architecture_designs
    const [diagram] = source.architecture_designs[0].adapter_payload_refs
    expect(copy).toMatchObject({
      parent_type: kind,
      parent_id: record.id,
      title: 'Overview',
      version: 1,
      source_ref: `architecture_design:${design_id}`,
      source_version: 1,
      stale: false,
    })
    const whole = await world.ok('get_architecture', { design_id: copy.id, include_payloads: true })
    expect(whole.diagrams).toEqual([
      expect.objectContaining({
        adapter_payload: payload,
        source_payload_ref: diagram,
        source_diagram_id: whole.diagrams[0].id,
      }),
    ])
    expect(logged(world, copy.id)).toEqual([])
  })

  test('filters copy only what they name; an empty one copies nothing', async () => {
    const { ideation_id, design_id } = await richIdeation()
    const none = { mockup_ids: [], kb_ids: [], architecture_design_ids: [] }
    const bare = await target[kind](ideation_id, none)
    expect([bare.screen_mockups ?? [], bare.architecture_designs]).toEqual([[], []])
    expect(bare.qa_items).toHaveLength(2)
    const some = await target[kind](ideation_id, { mockup_ids: ['list'], architecture_design_ids: [design_id] })
    expect(some.screen_mockups.map((mockup: { origin_id: string }) => mockup.origin_id)).toEqual(['list'])
    expect(some.architecture_designs).toHaveLength(1)
  })

  test.each([
    ['copy', 1],
    ['derive', 1],
    ['reference_only', 0],
    ['none', 0],
  ])('the mode %s copies %i designs', async (architecture_propagation_mode, count) => {
    const { ideation_id } = await richIdeation()
    const record = await target[kind](ideation_id, { architecture_propagation_mode })
    expect(record.architecture_designs).toHaveLength(count)
  })

  test('copies are independent of their source', async () => {
    const { ideation_id, design_id } = await richIdeation()
    const record = await target[kind](ideation_id, {})
    await world.ok('move_ideation', { ideation_id, status: 'draft' })
    await world.ok('update_ideation', { ideation_id, screen_mockups: null, labels: null })
    for (const qa_id of ids((await world.ok('get_ideation', { ideation_id })).qa_items))
      await world.ok('delete_ideation_question', { ideation_id, qa_id })
    await world.ok('delete_architecture', { design_id })
    expect(await world.ok(`get_${kind}`, { [`${kind}_id`]: record.id })).toEqual(record)
  })
})

describe('a refinement (ideation 8.2)', () => {
  test('keeps its own mockups before the copied ones', async () => {
    const { ideation_id } = await richIdeation()
    const refinement = await target.refinement(ideation_id, { screen_mockups: [{ id: 'home', title: 'Own' }] })
    expect(refinement.screen_mockups.map((mockup: { title: string }) => mockup.title)).toEqual(['Own', 'Home', 'List'])
    expect(new Set(ids(refinement.screen_mockups)).size).toBe(3)
  })

  test('receives the context of its ideation', async () => {
    const { ideation_id } = await richIdeation({ scope_assessment: { domains: 2 }, complexity: 'large' })
    const refinement = await target.refinement(ideation_id, { description: ' Mine ' })
    expect(refinement.description).toBe(
      [
        'Mine',
        '## Ideation context\n- Title: Idea\n- Version: 1',
        '### Description\nWhat',
        '### Scope assessment\n- Domains: 2/5\n- Ambiguity: ?/5\n- Dependencies: ?/5\n- Complexity: large',
        '### Q&A\n**Q:** Who?\n**A:** We',
        '**Q:** Which?\n**A:** B — since',
      ].join('\n\n'),
    )
    const second = await target.refinement(ideation_id, { description: refinement.description })
    expect(second.description).toBe(refinement.description)
  })

  test('of an ideation without content has no description', async () => {
    const refinement = await target.refinement(await scene.ideation('done'), { description: ' ' })
    expect(refinement.description).toBeNull()
  })
})

describe('a spec (ideation 8.3)', () => {
  test('of an ideation is a draft with its text, and the ideation stays as it is', async () => {
    const { ideation_id } = await richIdeation({ problem_statement: 'Why', proposed_approach: 'How' })
    const before = await world.ok('get_ideation', { ideation_id })
    const { status, body: spec } = await world.call('derive_spec_from_ideation', { ideation_id })
    expect(status).toBe(201)
    expect(spec).toMatchObject({
      title: 'Idea',
      description: 'What',
      status: 'draft',
      version: 1,
      ideation_id,
      refinement_id: null,
      assignee_id: null,
      created_by: world.owner.id,
      context: '## Problem Statement\nWhy\n\n## Proposed Approach\nHow',
      functional_requirements: null,
      technical_requirements: null,
      acceptance_criteria: null,
      test_scenarios: null,
      business_rules: null,
      api_contracts: null,
      decisions: null,
    })
    expect(await world.ok('get_spec', { spec_id: spec.id })).toEqual(spec)
    const after = await world.ok('get_ideation', { ideation_id })
    expect({ ...after, specs: [] }).toEqual(before)
    expect(ids(after.specs)).toEqual([spec.id])
    const [entry] = await world.ok('list_ideation_history', { ideation_id })
    expect(entry).toMatchObject({
      action: 'spec_draft_created',
      changes: [{ field: 'spec', old: null, new: spec.id }],
      version: 1,
    })
    expect(logged(world, ideation_id).at(-1)).toMatchObject({
      activity: null,
      domain: [{ name: 'ideation.derived_to_spec', ideation_id, spec_id: spec.id }],
    })
    expect(logged(world, spec.id)).toEqual([
      {
        activity: 'spec_created',
        details: { spec_id: spec.id, title: 'Idea', status: 'draft' },
        history: 'created',
        domain: [{ name: 'spec.created', spec_id: spec.id, source: 'derived_ideation', origin_id: ideation_id }],
      },
    ])
    expect((await world.ok('derive_spec_from_ideation', { ideation_id })).id).not.toBe(spec.id)
  })

  test('of a refinement copies its knowledge too, traced to the direct parent', async () => {
    const { ideation_id } = await richIdeation({ complexity: 'large' })
    const { id: refinement_id } = await target.refinement(ideation_id, { description: 'Mine', decisions: ['d', 'e'] })
    const knowledge = { refinement_id, title: 'Notes', description: 'n', content: '# N', mime_type: 'text/x' }
    const item = await world.ok('create_refinement_knowledge', knowledge)
    for (const status of ['review', 'approved', 'done']) await world.ok('move_refinement', { refinement_id, status })
    const refinement = await world.ok('get_refinement', { refinement_id })
    const spec = await world.ok('derive_spec_from_refinement', { refinement_id })
    expect(spec).toMatchObject({ title: 'Story', ideation_id, refinement_id, labels: ['l'] })
    expect(spec.context).toBe(
      `## Refinement Description\n${refinement.description}\n\n## In Scope\n- x\n\n## Decisions\n- d\n- e`,
    )
    expect(spec.screen_mockups.map((mockup: { origin_id: string }) => mockup.origin_id)).toEqual(
      ids(refinement.screen_mockups),
    )
    expect(spec.qa_items).toHaveLength(2)
    expect(spec.architecture_designs).toHaveLength(1)
    const [copy] = spec.knowledge_bases
    expect(await world.ok('get_spec_knowledge', { spec_id: spec.id, knowledge_id: copy.id })).toMatchObject({
      title: 'Notes',
      description: 'n',
      content: '# N',
      mime_type: 'text/x',
      source_type: 'refinement',
      source_id: refinement_id,
      source_title: 'Story',
      source_version: 1,
      source_kb_id: item.id,
      created_by: world.owner.id,
    })
    expect(logged(world, refinement_id).at(-1)).toMatchObject({
      history: 'spec_draft_created',
      domain: [{ name: 'refinement.derived_to_spec', refinement_id, spec_id: spec.id }],
    })
    expect((await world.ok('get_ideation', { ideation_id })).specs).toHaveLength(1)
    const none = await world.ok('derive_spec_from_refinement', { refinement_id, kb_ids: [] })
    expect(none.knowledge_bases).toEqual([])
  })

  test('of a refinement without the context in its description receives the current context', async () => {
    const refinement_id = await scene.refinement()
    const { ideation_id } = await world.ok('get_refinement', { refinement_id })
    await world.ok('move_ideation', { ideation_id, status: 'draft' })
    await world.ok('update_ideation', { ideation_id, description: 'Later' })
    for (const status of ['review', 'approved', 'done']) await world.ok('move_refinement', { refinement_id, status })
    const { context } = await world.ok('derive_spec_from_refinement', { refinement_id })
    expect(context).toBe(
      '## In Scope\n- Everything\n\n## Ideation context\n- Title: Idea\n- Version: 3\n\n### Description\nLater',
    )
  })

  test.each([
    ['review', {}, { error: 'IDEATION_NOT_DONE', status: 'review' }],
    ['done', { complexity: 'medium' }, { error: 'REFINEMENT_REQUIRED', complexity: 'medium', missing: ['refinement'] }],
    ['review', { complexity: 'large' }, { error: 'IDEATION_NOT_DONE', status: 'review' }],
  ] as const)('an ideation in %s with %j gives none', async (status, fields, detail) => {
    const answer = await world.call('derive_spec_from_ideation', { ideation_id: await scene.ideation(status, fields) })
    expect(answer.status).toBe(409)
    expect(answer.body.detail).toMatchObject(detail)
  })

  test('cannot be derived from a refinement that is not done', async () => {
    const answer = await world.call('derive_spec_from_refinement', { refinement_id: await scene.refinement('review') })
    expect(answer.status).toBe(409)
    expect(answer.body.detail).toMatchObject({ error: 'REFINEMENT_NOT_DONE', status: 'review' })
  })

  test.each([{ mockup_ids: ['nope'] }, { kb_ids: ['nope'] }, { architecture_design_ids: ['nope'] }])(
    '%j is 400 and makes nothing',
    async filter => {
      const { ideation_id } = await richIdeation()
      const answer = await world.call('derive_spec_from_ideation', { ideation_id, ...filter })
      expect(answer.status).toBe(400)
      expect(answer.body.detail).toMatchObject({ error: 'VALIDATION_ERROR', details: ['nope'] })
      const { body } = await world.call('derive_spec_from_ideation', {
        ideation_id,
        architecture_propagation_mode: 'all',
      })
      expect(body.detail.error).toBe('VALIDATION_ERROR')
      expect((await world.ok('get_ideation', { ideation_id })).specs).toEqual([])
    },
  )
})
