import { expect, test } from 'vitest'
import type { DesignVersion } from '../../schema/contents.ts'
import type { Entity, Interface } from './design.ts'
import { diffVersions } from './diff.ts'

const entity = (fields: Partial<Entity>) =>
  ({ id: null, name: 'API', entity_type: null, technologies: [], relationships: [], ...fields }) as Entity
const item = (fields: Partial<Interface>) =>
  ({ id: 'i', name: 'Call', endpoint: '/a', protocol: null, participants: [], ...fields }) as Interface

const version = (fields: Partial<DesignVersion> = {}): DesignVersion => ({
  title: 'A',
  global_description: 'B',
  entities: [entity({ id: 'api' }), entity({ name: 'Worker' })],
  interfaces: [item({})],
  diagrams: [],
  source_ref: null,
  source_version: null,
  source_design_id: null,
  stale: false,
  breaking_change_flag: false,
  requires_arch_review: false,
  ...fields,
})
const calm = { breaking_change_flag: false, requires_arch_review: false }
const breaking = { breaking_change_flag: true, requires_arch_review: true }

test('a version has no differences from itself', () => {
  expect(diffVersions(version(), version())).toStrictEqual({
    changed_fields: [],
    semantic_changes: [],
    layout_changes: [],
    ...calm,
  })
})

test('changed fields are in their order, and parts are matched by id, otherwise by name', () => {
  const diagram = { id: 'd', title: 'D' } as DesignVersion['diagrams'][number]
  const to = version({
    diagrams: [diagram],
    title: 'New',
    entities: [entity({ id: ' API', notes: 'x' }), entity({ name: 'worker ' }), entity({ name: 'Queue' })],
  })
  expect(diffVersions(version(), to)).toStrictEqual({
    changed_fields: ['title', 'entities', 'diagrams'],
    semantic_changes: [
      { field: 'title', from: 'A', to: 'New' },
      { field: 'entities', added: ['Queue'], removed: [], changed: [' API', 'worker '] },
    ],
    layout_changes: [{ field: 'diagrams', added: ['d'], removed: [], changed: [] }],
    ...calm,
  })
})

test.each<[string, Partial<DesignVersion>, typeof calm]>([
  ['removing an entity breaks', { entities: [entity({ id: 'api' })] }, breaking],
  ['removing an interface breaks', { interfaces: [] }, breaking],
  ['adding an interface does not', { interfaces: [item({}), item({ id: 'j' })] }, calm],
  ['describing an interface does not', { interfaces: [item({ description: 'more', name: 'Call it' })] }, calm],
  ...(['endpoint', 'direction', 'protocol', 'contract_type', 'schema_ref'] as const).map(
    field =>
      [`changing ${field} breaks`, { interfaces: [item({ [field]: 'x' })] }, breaking] as [
        string,
        Partial<DesignVersion>,
        typeof calm,
      ],
  ),
  ...(['request_schema', 'response_schema', 'event_schema', 'error_contract'] as const).map(
    field =>
      [`changing ${field} breaks`, { interfaces: [item({ [field]: { a: 1 } })] }, breaking] as [
        string,
        Partial<DesignVersion>,
        typeof calm,
      ],
  ),
  ['changing participants breaks', { interfaces: [item({ participants: ['a', 'b'] })] }, breaking],
  ['a stored flag breaks', { breaking_change_flag: true }, breaking],
  [
    'a stored review flag requires only a review',
    { requires_arch_review: true },
    { ...calm, requires_arch_review: true },
  ],
])('%s', (_, to, flags) => {
  expect(diffVersions(version(), version(to))).toMatchObject(flags)
})
