import { createHash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { logged } from './support/event-log.ts'
import { Scene } from './support/scene.ts'
import { World } from './support/world.ts'

type Fields = Readonly<Record<string, unknown>>

let world: World
let scene: Scene

beforeAll(async () => {
  world = await World.start()
  scene = await Scene.on(world)
})

afterAll(() => world.stop())

const scene1 = {
  type: 'excalidraw',
  elements: [{ id: 'a', type: 'rectangle', linkedEntityId: 'api' }],
  appState: { z: 1 },
}
const basics = { title: 'Orders', global_description: 'How orders flow' }
const api = { id: 'api', name: 'Orders API' }
const map = { id: 'map', title: 'Map', adapter_payload: scene1 }

/** A new design on a new ideation. */
const design = async (fields: Fields = {}) =>
  world.ok('create_ideation_architecture', {
    ideation_id: await scene.ideation(),
    ...basics,
    entities: [api],
    ...fields,
  })

const get = (design_id: string, include_payloads = false) =>
  world.ok('get_architecture', { design_id, include_payloads })
const patch = (design_id: string, fields: Fields) => world.ok('update_architecture', { design_id, ...fields })
const payload = (design_id: string, diagram_id = 'map') => world.call('get_diagram_payload', { design_id, diagram_id })

/** A new spec with designs of these titles, created in this order. */
async function specWith(...titles: string[]) {
  const spec_id = await scene.spec()
  const designs = []
  for (const title of titles)
    designs.push(
      await world.ok('create_spec_architecture', { spec_id, ...basics, title, entities: [api], diagrams: [map] }),
    )
  return { spec_id, designs }
}

/** Locks a spec with a successful validation. */
async function lock(spec_id: string) {
  for (const status of ['review', 'approved']) await world.ok('move_spec', { spec_id, status })
  await world.ok('submit_spec_validation', {
    spec_id,
    completeness: 100,
    completeness_justification: 'All is there.',
    assertiveness: 100,
    assertiveness_justification: 'It says what is.',
    ambiguity: 0,
    ambiguity_justification: 'It means one thing.',
    general_justification: 'Ready to be built by anyone.',
    recommendation: 'approve',
  })
}

describe('versions (board 6)', () => {
  test('are listed with who made them, newest first', async () => {
    const other = await world.agent({ name: 'Other' })
    await scene.admit(other)
    const { id, versions } = await design()
    const first = { version: 1, at: expect.any(String), actor_name: expect.any(String), change_summary: 'created' }
    expect(versions).toEqual([first])
    await world.ok('update_architecture', { design_id: id, title: 'New', change_summary: 'renamed' }, { as: other })
    expect((await get(id)).versions).toEqual([
      { ...first, version: 2, actor_name: 'Other', change_summary: 'renamed' },
      first,
    ])
  })

  test('keep the payloads of their diagrams', async () => {
    const { id } = await design({ diagrams: [map] })
    const put = (content: object) =>
      world.ok('put_diagram_payload', { design_id: id, diagram_id: 'map', payload: content, format: 'raw' })
    await put({ second: 2 })
    await patch(id, { title: 'New' })
    await put(scene1)
    await patch(id, { diagrams: [] })
    const at = (version: number) => world.call('get_diagram_payload', { design_id: id, diagram_id: 'map', version })
    expect((await payload(id)).status).toBe(404)
    const payloads = await Promise.all([1, 2, 3, 4].map(async version => (await at(version)).body.payload))
    expect(payloads).toEqual([scene1, { second: 2 }, { second: 2 }, scene1])
    expect((await at(5)).body.detail.entity_type).toBe('diagram')
    expect((await at(6)).body.detail.entity_type).toBe('architecture_version')
    expect((await at(0)).status).toBe(422)
  })

  test('a tag that was read with payloads matches', async () => {
    const { id } = await design({ diagrams: [map] })
    const { headers } = await world.call('get_architecture', { design_id: id, include_payloads: true })
    const match = { headers: { 'if-match': headers.get('etag')! } }
    expect((await world.call('update_architecture', { design_id: id, title: 'New' }, match)).status).toBe(200)
  })
})

describe('create and get', () => {
  test('answer every field, absent ones empty, and the payload only on request', async () => {
    const ideation_id = await scene.ideation()
    const created = await world.ok('create_ideation_architecture', {
      ideation_id,
      ...basics,
      entities: [{ name: 'Worker' }],
      interfaces: [{ name: 'Events' }],
      diagrams: [
        {
          title: 'Text',
          adapter_payload: 'graph TD',
          format: 'mermaid',
          content_hash: 'x',
          size_bytes: 9,
          adapter_payload_ref: 'x',
        },
      ],
    })
    expect(created).toMatchObject({
      parent_type: 'ideation',
      parent_id: ideation_id,
      board_id: scene.boardId,
      version: 1,
      source_ref: null,
      source_version: null,
      source_design_id: null,
      stale: false,
      breaking_change_flag: false,
      requires_arch_review: false,
      created_by: world.owner.id,
    })
    expect(created.entities).toStrictEqual([
      {
        id: null,
        name: 'Worker',
        entity_type: null,
        responsibility: null,
        boundaries: null,
        technologies: [],
        relationships: [],
        notes: null,
      },
    ])
    expect(created.interfaces[0]).toMatchObject({
      participants: [],
      request_schema: null,
      error_contract: null,
      direction: null,
    })
    const [diagram] = created.diagrams
    expect(diagram).toMatchObject({
      diagram_type: 'other',
      format: 'mermaid',
      order_index: 0,
      adapter_payload: null,
      size_bytes: 10,
    })
    expect(diagram.id).toMatch(/^diag_[0-9a-f]{8}$/)
    expect(diagram.content_hash).toBe(createHash('sha256').update('"graph TD"').digest('hex'))
    expect(diagram.adapter_payload_ref).not.toBe('x')
    expect(await get(created.id)).toStrictEqual(created)
    expect((await get(created.id, true)).diagrams[0].adapter_payload).toBe('graph TD')
  })

  test.each<[string, Fields, string]>([
    ['no title', { title: undefined }, 'title'],
    ['a blank title', { title: ' ' }, 'title'],
    ['a long title', { title: 'x'.repeat(501) }, 'title'],
    ['a blank description', { global_description: ' ' }, 'global_description'],
    ['a flag that is not a boolean', { stale: 'yes' }, 'stale'],
    ['an unknown format', { diagrams: [{ title: 'A', format: 'png' }] }, 'diagrams'],
    ['an unknown diagram type', { diagrams: [{ title: 'A', diagram_type: 'map' }] }, 'diagrams'],
    ['an entity without a name', { entities: [{}] }, 'entities'],
    ['an id of 81 characters', { diagrams: [{ title: 'A', id: 'x'.repeat(81) }] }, 'diagrams'],
  ])('refuse %s with 422', async (_, fields, field) => {
    const answer = await world.call('create_ideation_architecture', {
      ideation_id: await scene.ideation(),
      ...basics,
      ...fields,
    })
    expect(answer.status).toBe(422)
    expect(answer.body.detail[0].loc.slice(0, 2)).toStrictEqual(['body', field])
  })

  test('refuse a faulty design with issues, writing nothing', async () => {
    const ideation_id = await scene.ideation()
    const answer = await world.call('create_ideation_architecture', {
      ideation_id,
      ...basics,
      entities: [api, api],
      diagrams: [{ title: 'A', format: 'mermaid', adapter_payload: '' }],
    })
    expect(answer.status).toBe(400)
    expect(answer.body.detail).toMatchObject({
      error: 'VALIDATION_ERROR',
      issues: [
        expect.stringMatching(/^entities\[1\]\.id /),
        expect.stringMatching(/^entities\[1\]\.name /),
        expect.stringMatching(/^diagrams\[0\]\.adapter_payload /),
      ],
      warnings: expect.any(Array),
      suggested_fixes: expect.any(Array),
    })
    expect(await world.ok('list_ideation_architecture', { ideation_id })).toStrictEqual([])
  })

  test('a new design is in its parent and its list', async () => {
    const created = await design({ diagrams: [map, { title: 'Empty' }] })
    const { ideation_id, ...summary } = { ideation_id: created.parent_id, ...created }
    const [listed] = await world.ok('list_ideation_architecture', { ideation_id })
    expect(listed).toStrictEqual({
      id: summary.id,
      ref: expect.stringMatching(/\.d1$/),
      board_id: scene.boardId,
      parent_type: 'ideation',
      parent_id: ideation_id,
      title: 'Orders',
      version: 1,
      source_ref: null,
      source_version: null,
      stale: false,
      breaking_change_flag: false,
      requires_arch_review: false,
      diagrams_count: 2,
      adapter_payload_refs: [created.diagrams[0].adapter_payload_ref],
      created_at: created.created_at,
      updated_at: created.updated_at,
    })
    expect((await world.ok('get_ideation', { ideation_id })).architecture_designs).toStrictEqual([listed])
  })

  test('lists are ordered by last change, newest first, then by title', async () => {
    const ideation_id = await scene.ideation()
    const make = (title: string) => world.ok('create_ideation_architecture', { ideation_id, ...basics, title })
    const a = await make('A')
    await make('B')
    await patch(a.id, { title: 'A2' })
    const list = await world.call('list_ideation_architecture', { ideation_id, limit: 1 })
    expect(list.body.map((item: { title: string }) => item.title)).toStrictEqual(['A2'])
    expect(list.headers.get('x-total-count')).toBe('2')
  })
})

test('every effective write leaves one entry; on cards also one in their activity', async () => {
  const { spec_id, designs } = await specWith('Source')
  const card_id = await scene.card()
  const [copy] = await world.ok('copy_architecture_to_card', { card_id, spec_id })
  await world.ok('copy_architecture_to_card', { card_id, spec_id })
  await patch(copy.id, { title: 'Mine', change_summary: 'renamed' })
  await patch(copy.id, { stale: true })
  await world.ok('copy_architecture_to_card', { card_id, spec_id })
  await world.ok('delete_architecture', { design_id: copy.id })
  const parent = { design_id: copy.id, parent_type: 'card', parent_id: card_id }
  const entries = logged(world, copy.id)
  expect(entries.map(entry => [entry.activity, entry.details.version, entry.details.change_summary])).toStrictEqual([
    ['architecture_copied', 1, undefined],
    ['architecture_updated', 2, 'renamed'],
    ['architecture_updated', 3, 'updated'],
    ['architecture_copied', 4, 'synced with spec'],
    ['architecture_deleted', 4, undefined],
  ])
  expect(entries[1]!.details).toStrictEqual({ ...parent, title: 'Mine', version: 2, change_summary: 'renamed' })
  expect(entries[1]!.domain).toStrictEqual([{ name: 'architecture.updated', ...parent }])
  expect(entries[2]!.domain).toBeNull()
  const activity = await world.ok('list_card_activity', { card_id })
  expect(activity.map((entry: { action: string }) => entry.action)).toContain('architecture_deleted')
  expect(logged(world, designs[0].id).map(entry => entry.activity)).toStrictEqual(['architecture_created'])
})

describe('update', () => {
  test('raises the version once for all changes', async () => {
    const original = await design()
    const after = await patch(original.id, { title: 'New', stale: true, interfaces: [{ name: 'X' }] })
    expect(after).toMatchObject({ title: 'New', stale: true, version: 2, entities: original.entities })
    expect(after.updated_at >= original.updated_at).toBe(true)
  })

  test.each<[string, Fields]>([
    ['nothing', {}],
    ['only a change summary', { change_summary: 'why' }],
    ['equal values', { ...basics, entities: [api], diagrams: [map] }],
    [
      'an equal payload in another key order',
      { diagrams: [{ ...map, adapter_payload: Object.fromEntries(Object.entries(scene1).reverse()) }] },
    ],
  ])('with %s keeps version and updated_at', async (_, fields) => {
    const original = await design({ diagrams: [map] })
    expect(await patch(original.id, fields)).toStrictEqual(original)
  })

  test.each<[string, Fields]>([
    ['without it', { id: 'map', title: 'Map' }],
    ['with a foreign ref', { id: 'map', title: 'Renamed', adapter_payload_ref: 'x' }],
    ['as it was read', {}],
  ])('keeps the payload of a listed diagram %s', async (_, item) => {
    const original = await design({ diagrams: [map] })
    const diagram = Object.keys(item).length === 0 ? original.diagrams[0] : item
    const { diagrams } = await patch(original.id, { title: 'Changed', diagrams: [diagram] })
    const { adapter_payload_ref, content_hash, size_bytes, format } = original.diagrams[0]
    expect(diagrams[0]).toMatchObject({ adapter_payload_ref, content_hash, size_bytes, format })
    expect((await payload(original.id)).body).toMatchObject({
      payload: scene1,
      content_hash,
      size_bytes,
      format: 'excalidraw_json',
    })
  })

  test('replaces a payload under the same ref; a null ref or a left-out diagram drops it', async () => {
    const original = await design({ diagrams: [map] })
    const replaced = await patch(original.id, { diagrams: [{ ...map, format: 'raw', adapter_payload: [1] }] })
    expect(replaced.diagrams[0].adapter_payload_ref).toBe(original.diagrams[0].adapter_payload_ref)
    expect((await payload(original.id)).body.payload).toStrictEqual([1])
    const dropped = await patch(original.id, { diagrams: [{ id: 'map', title: 'Map', adapter_payload_ref: null }] })
    expect(dropped.diagrams[0]).toMatchObject({
      adapter_payload_ref: null,
      content_hash: null,
      size_bytes: null,
      format: 'raw',
    })
    expect((await payload(original.id)).body.detail).toMatchObject({ error: 'NOT_FOUND', entity_id: 'map' })
    await patch(original.id, { diagrams: [map] })
    await patch(original.id, { diagrams: null })
    expect((await payload(original.id)).status).toBe(404)
    await patch(original.id, { diagrams: [{ id: 'map', title: 'Map' }] })
    expect((await payload(original.id)).status).toBe(404)
  })

  test('never shows the payload of another design', async () => {
    const other = await design({ diagrams: [map] })
    const { adapter_payload_ref } = other.diagrams[0]
    const created = await design({ diagrams: [{ id: 'map', title: 'Map', adapter_payload_ref }] })
    expect(created.diagrams[0].adapter_payload_ref).toBeNull()
    const patched = await patch(created.id, { diagrams: [{ id: 'map', title: 'Mine', adapter_payload_ref }] })
    expect(patched.diagrams[0].adapter_payload_ref).toBeNull()
    expect((await payload(created.id)).status).toBe(404)
  })

  test('validates the merged design, but only the payloads in the request', async () => {
    const original = await design({ diagrams: [map] })
    const unlinked = await world.call('update_architecture', { design_id: original.id, entities: [{ name: 'Other' }] })
    expect(unlinked.status).toBe(200)
    const linked = await world.call('update_architecture', { design_id: original.id, diagrams: [map] })
    expect(linked.body.detail.issues).toStrictEqual([
      expect.stringMatching(/^diagrams\[0\]\.adapter_payload\.elements\[0\]\.linkedEntityId /),
    ])
  })

  test('two at once get different versions', async () => {
    const original = await design()
    const answers = await Promise.all(['A', 'B', 'C'].map(title => patch(original.id, { title })))
    expect(answers.map(answer => answer.version).sort()).toStrictEqual([2, 3, 4])
  })

  test('a null title and a blank description are 422', async () => {
    const { id } = await design()
    for (const fields of [{ title: null }, { title: ' ' }, { global_description: ' ' }])
      expect((await world.call('update_architecture', { design_id: id, ...fields })).status).toBe(422)
  })
})

describe('diagram payloads', () => {
  test('put replaces only payload, format, hash and size', async () => {
    const original = await design({ diagrams: [map, { id: 'other', title: 'Other' }] })
    const after = await world.ok('put_diagram_payload', {
      design_id: original.id,
      diagram_id: 'map',
      payload: 'graph',
      format: 'mermaid',
    })
    expect(after.version).toBe(2)
    expect(after.diagrams[0]).toStrictEqual({
      ...original.diagrams[0],
      format: 'mermaid',
      size_bytes: 7,
      content_hash: createHash('sha256').update('"graph"').digest('hex'),
    })
    expect(after.diagrams[1]).toStrictEqual(original.diagrams[1])
    expect((await payload(original.id)).body.payload).toBe('graph')
  })

  test('put keeps the stored format, and validates against it', async () => {
    const { id } = await design({ diagrams: [map] })
    const answer = await world.call('put_diagram_payload', { design_id: id, diagram_id: 'map', payload: 'graph' })
    expect(answer.body.detail.issues).toStrictEqual([expect.stringMatching(/^diagrams\[0\]\.adapter_payload /)])
  })

  test('an unknown diagram is 404', async () => {
    const { id } = await design()
    for (const name of ['get_diagram_payload', 'put_diagram_payload'] as const) {
      const answer = await world.call(name, { design_id: id, diagram_id: 'x', payload: 'y' })
      expect(answer.body.detail).toMatchObject({ error: 'NOT_FOUND', entity_type: 'diagram', entity_id: 'x' })
    }
  })

  test('import appends a scene, or replaces a diagram with it', async () => {
    const original = await design({ diagrams: [{ ...map, preview_ref: 'p', description: 'old' }] })
    const added = await world.ok('import_excalidraw_diagram', {
      design_id: original.id,
      title: 'New',
      payload: { elements: [] },
      diagram_type: 'context',
    })
    expect(added).toMatchObject({
      version: 2,
      diagrams: [{ id: 'map' }, { title: 'New', diagram_type: 'context', format: 'excalidraw_json' }],
    })
    const replaced = await world.ok('import_excalidraw_diagram', {
      design_id: original.id,
      title: 'Again',
      payload: { elements: [] },
      replace_diagram_id: 'map',
    })
    expect(replaced.diagrams[0]).toMatchObject({
      id: 'map',
      title: 'Again',
      description: null,
      preview_ref: 'p',
      diagram_type: 'other',
    })
    expect(replaced.diagrams[0].adapter_payload_ref).toBe(original.diagrams[0].adapter_payload_ref)
    const unknown = await world.call('import_excalidraw_diagram', {
      design_id: original.id,
      title: 'A',
      payload: {},
      replace_diagram_id: 'x',
    })
    expect(unknown.status).toBe(404)
    const faulty = await world.call('import_excalidraw_diagram', { design_id: original.id, title: 'A', payload: {} })
    expect(faulty.body.detail.issues).toStrictEqual([expect.stringMatching(/^diagrams\[2\]\.adapter_payload /)])
  })

  test('a payload of more than 2 MiB is refused', async () => {
    const { id } = await design({ diagrams: [{ id: 'map', title: 'Map' }] })
    const put = (length: number) =>
      world.call('put_diagram_payload', { design_id: id, diagram_id: 'map', payload: 'x'.repeat(length) })
    expect((await put(2 * 1024 * 1024 - 1)).status).toBe(400)
    expect((await put(2 * 1024 * 1024 - 2)).status).toBe(200)
  })
})

describe('validate', () => {
  test('answers 200 whatever it finds, and stores nothing', async () => {
    const report = await world.ok('validate_architecture', {
      title: ' ',
      entities: [{ name: 5 }],
      diagrams: [{ title: 'A', format: 'x' }],
    })
    expect(report.valid).toBe(false)
    expect(report.issues.map((issue: string) => issue.split(' ')[0])).toStrictEqual([
      'title',
      'global_description',
      'entities[0].name',
      'diagrams[0].format',
    ])
    expect(await world.ok('validate_architecture', { ...basics })).toMatchObject({ valid: true, warnings: [] })
  })

  test.each([{ entities: 'x' }, { entities: [1] }, { title: 5 }, { diagrams: {} }])(
    'refuses %j with 422',
    async body => {
      expect((await world.call('validate_architecture', body)).status).toBe(422)
    },
  )
})

describe('diff', () => {
  test('shows what changed between two versions, in either direction', async () => {
    const { id } = await design({ interfaces: [{ id: 'i', name: 'Call', endpoint: '/a' }] })
    await patch(id, { title: 'New', interfaces: [{ id: 'i', name: 'Call', endpoint: '/b' }] })
    const diff = (from_version: number, to_version: number) =>
      world.ok('diff_architecture', { design_id: id, from_version, to_version })
    expect(await diff(1, 2)).toStrictEqual({
      design_id: id,
      from_version: 1,
      to_version: 2,
      changed_fields: ['title', 'interfaces'],
      semantic_changes: [
        { field: 'title', from: 'Orders', to: 'New' },
        { field: 'interfaces', added: [], removed: [], changed: ['i'] },
      ],
      layout_changes: [],
      breaking_change_flag: true,
      requires_arch_review: true,
    })
    expect((await diff(2, 1)).semantic_changes[0]).toStrictEqual({ field: 'title', from: 'New', to: 'Orders' })
    expect(await diff(2, 2)).toMatchObject({
      changed_fields: [],
      semantic_changes: [],
      layout_changes: [],
      breaking_change_flag: false,
    })
  })

  test('needs two versions that exist', async () => {
    const { id } = await design()
    const answers = await Promise.all(
      [{ from_version: 1 }, { from_version: 0, to_version: 1 }, { from_version: 1, to_version: 2 }].map(versions =>
        world.call('diff_architecture', { design_id: id, ...versions }),
      ),
    )
    expect(answers.map(answer => answer.status)).toStrictEqual([422, 422, 404])
  })
})

describe('copy to a card', () => {
  test('makes copies with their own payloads, in list order, and syncs them again', async () => {
    const { spec_id, designs } = await specWith('First', 'Second')
    const card_id = await scene.card()
    const copy = (fields: Fields = {}) => world.ok('copy_architecture_to_card', { card_id, spec_id, ...fields })
    const copies = await copy()
    expect(copies.map((item: { title: string }) => item.title)).toStrictEqual(['Second', 'First'])
    const [source] = designs
    const first = copies[1]
    expect(first).toMatchObject({
      parent_type: 'card',
      parent_id: card_id,
      version: 1,
      source_ref: `architecture_design:${source.id}`,
      source_version: 1,
      source_design_id: source.id,
    })
    expect(first.diagrams[0]).toMatchObject({
      id: 'map',
      source_diagram_id: 'map',
      source_payload_ref: source.diagrams[0].adapter_payload_ref,
      content_hash: source.diagrams[0].content_hash,
    })
    expect(first.diagrams[0].adapter_payload_ref).not.toBe(source.diagrams[0].adapter_payload_ref)
    expect((await payload(first.id)).body.payload).toStrictEqual(scene1)
    expect(await copy()).toStrictEqual(copies)

    await patch(first.id, { title: 'Edited here', stale: true })
    const [synced] = await copy({ design_ids: [source.id] })
    expect(synced).toMatchObject({ id: first.id, title: 'First', version: 3, stale: false })
    expect((await world.ok('list_card_architecture', { card_id })).length).toBe(2)

    await world.ok('delete_architecture', { design_id: source.id })
    expect(await get(first.id)).toStrictEqual(synced)
    expect((await payload(first.id)).status).toBe(200)
  })

  test('[] copies nothing; an id that the spec does not have is 404', async () => {
    const { spec_id } = await specWith('Only')
    const card_id = await scene.card()
    expect(await world.ok('copy_architecture_to_card', { card_id, spec_id, design_ids: [] })).toStrictEqual([])
    const answer = await world.call('copy_architecture_to_card', { card_id, spec_id, design_ids: ['x', 'y'] })
    expect(answer.body.detail).toMatchObject({ error: 'NOT_FOUND', missing: ['x', 'y'] })
    expect(answer.status).toBe(404)
  })

  test('an unknown spec is reported before an unknown card', async () => {
    const card_id = await scene.card()
    const spec_id = await scene.spec()
    const missed = async (params: Fields) =>
      (await world.call('copy_architecture_to_card', params)).body.detail.entity_type
    expect(await missed({ card_id: 'x', spec_id: 'y' })).toBe('spec')
    expect(await missed({ card_id, spec_id: 'y' })).toBe('spec')
    expect(await missed({ card_id: 'x', spec_id })).toBe('card')
  })

  test('a spec of another board is 400', async () => {
    const elsewhere = await Scene.on(world)
    const answer = await world.call('copy_architecture_to_card', {
      card_id: await scene.card(),
      spec_id: await elsewhere.spec(),
    })
    expect(answer.body.detail).toMatchObject({ error: 'VALIDATION_ERROR', field: 'spec_id' })
  })

  test('a copy behind its source is stale until it is synced; changed flags alone do not make it stale', async () => {
    const { spec_id, designs } = await specWith('Only')
    const card_id = await scene.card()
    const [copy] = await world.ok('copy_architecture_to_card', { card_id, spec_id })
    await patch(designs[0].id, { breaking_change_flag: true })
    expect((await get(copy.id)).stale).toBe(false)
    await patch(designs[0].id, { title: 'Changed' })
    expect(await get(copy.id)).toStrictEqual({ ...copy, stale: true, rev: copy.rev + 1 })
    const [synced] = await world.ok('copy_architecture_to_card', { card_id, spec_id })
    expect(synced).toMatchObject({ stale: false, version: 2, source_version: 3, title: 'Changed' })
  })
})

describe('locks and removal', () => {
  test('designs of an archived record accept no writes, but can be read', async () => {
    const created = await design({ diagrams: [map] })
    await world.ok('archive_record', { board_id: scene.boardId, entity_type: 'ideation', entity_id: created.parent_id })
    const at = { design_id: created.id }
    const writes = await Promise.all([
      world.call('create_ideation_architecture', {
        ideation_id: created.parent_id,
        ...basics,
        entities: [{ name: ' ' }],
      }),
      world.call('update_architecture', { ...at, title: 'X' }),
      world.call('put_diagram_payload', { ...at, diagram_id: 'x', payload: 'x' }),
      world.call('import_excalidraw_diagram', { ...at, title: 'X', payload: {} }),
      world.call('delete_architecture', at),
    ])
    for (const { status, body } of writes) {
      expect(status).toBe(409)
      expect(body.detail).toMatchObject({
        error: 'ARCHIVED',
        entity_type: 'ideation',
        entity_id: created.parent_id,
        restore: `/api/v1/boards/${scene.boardId}/restore/ideation/${created.parent_id}`,
      })
    }
    expect((await payload(created.id)).status).toBe(200)
    expect(await get(created.id)).toStrictEqual(created)
  })

  test('designs of a locked spec accept no writes, but can be copied', async () => {
    const { spec_id, designs } = await specWith('Only')
    const card_id = await scene.card()
    await lock(spec_id)
    const at = { design_id: designs[0].id }
    const writes = await Promise.all([
      world.call('create_spec_architecture', { spec_id, ...basics }),
      world.call('update_architecture', { ...at, title: 'X' }),
      world.call('put_diagram_payload', { ...at, diagram_id: 'map', payload: {} }),
      world.call('import_excalidraw_diagram', { ...at, title: 'X', payload: {} }),
      world.call('delete_architecture', at),
    ])
    for (const { body } of writes)
      expect(body.detail).toMatchObject({
        error: 'SPEC_LOCKED',
        spec_id,
        spec_status: 'validated',
        details: expect.any(String),
      })
    expect(await world.ok('copy_architecture_to_card', { card_id, spec_id })).toHaveLength(1)
  })

  test('deleting a design deletes its payloads and versions', async () => {
    const { id, parent_id } = await design({ diagrams: [map] })
    await world.ok('delete_architecture', { design_id: id })
    const reads = [
      await world.call('get_architecture', { design_id: id }),
      await payload(id),
      await world.call('diff_architecture', { design_id: id, from_version: 1, to_version: 1 }),
      await world.call('delete_architecture', { design_id: id }),
    ]
    expect(reads.map(answer => answer.status)).toStrictEqual([404, 404, 404, 404])
    expect(await world.ok('list_ideation_architecture', { ideation_id: parent_id })).toStrictEqual([])
  })

  test.each(['ideation', 'refinement', 'spec', 'card'] as const)('deleting its %s removes a design', async kind => {
    const parent = { [`${kind}_id`]: await scene[kind]() }
    const created = await world.ok(`create_${kind}_architecture`, { ...parent, ...basics })
    await world.ok(`delete_${kind}`, parent)
    expect((await world.call('get_architecture', { design_id: created.id })).status).toBe(404)
  })

  test('deleting an ideation removes the designs of its refinements', async () => {
    const refinement_id = await scene.refinement()
    const { ideation_id } = await world.ok('get_refinement', { refinement_id })
    const created = await world.ok('create_refinement_architecture', { refinement_id, ...basics })
    await world.ok('delete_ideation', { ideation_id })
    expect((await world.call('get_architecture', { design_id: created.id })).status).toBe(404)
  })

  test('a card that was archived with its spec accepts no designs and no copies', async () => {
    const { spec_id } = await specWith('Only')
    const other = await scene.spec('approved')
    const card_id = await scene.card({ spec_id: other })
    await world.ok('archive_record', { board_id: scene.boardId, entity_type: 'spec', entity_id: other })
    const writes = [
      await world.call('create_card_architecture', { card_id, ...basics }),
      await world.call('copy_architecture_to_card', { card_id, spec_id }),
    ]
    for (const { body } of writes)
      expect(body.detail).toMatchObject({
        error: 'ARCHIVED',
        entity_type: 'card',
        entity_id: card_id,
        restore: `/api/v1/boards/${scene.boardId}/restore/spec/${other}`,
      })
  })

  test('parents keep their version', async () => {
    const created = await design()
    expect((await world.ok('get_ideation', { ideation_id: created.parent_id })).version).toBe(1)
  })
})
