import { describe, expect, test } from 'vitest'
import { critique, critiqueOfDraft, type DesignDraft, limits } from './critique.ts'

const api = { id: 'api', name: 'Orders API', entity_type: 'api', responsibility: 'takes orders', boundaries: 'HTTP' }
const store = {
  id: 'db',
  name: 'Orders DB',
  entity_type: 'database',
  responsibility: 'keeps orders',
  boundaries: 'SQL',
}
const sql = {
  id: 'sql',
  name: 'Orders SQL',
  description: 'reads and writes',
  protocol: 'sql',
  endpoint: 'orders',
  participants: ['api', 'Orders DB'],
  request_schema: { type: 'object' },
}
const box = { id: 'a', type: 'rectangle', linkedEntityId: 'api' }
const box2 = { id: 'b', type: 'rectangle', customData: { linkedEntityId: 'orders db' } }
const arrow = { id: 'c', type: 'arrow', sourceElementId: 'a', targetElementId: 'b', linkedInterfaceId: 'sql' }
const at = 'diagrams[0].adapter_payload.elements'

const draft = (parts: Partial<DesignDraft> = {}): DesignDraft => ({
  title: 'Orders',
  global_description: 'How orders flow',
  entities: [api, store],
  interfaces: [sql],
  diagrams: [],
  ...parts,
})

const scene = (...elements: readonly unknown[]): DesignDraft =>
  draft({ diagrams: [{ title: 'Map', adapter_payload: { elements } }] })

/** The paths of issues, without their texts. */
const pathsOf = (messages: readonly string[]) => messages.map(message => message.slice(0, message.indexOf(' ')))

test('finds nothing in a complete design', () => {
  expect(critique(scene(box, box2, arrow))).toStrictEqual({
    valid: true,
    issues: [],
    issues_total: 0,
    warnings: [],
    warnings_total: 0,
    suggested_fixes: [],
    summary: {
      entities_count: 2,
      interfaces_count: 1,
      diagrams_count: 1,
      diagram_elements_count: 3,
      linked_entity_elements_count: 2,
      linked_interface_elements_count: 1,
    },
  })
})

const long = 'x'.repeat(256)

describe('issues', () => {
  test.each<[string, DesignDraft, string[]]>([
    ['a missing title', draft({ title: null }), ['title']],
    ['a title of 501 characters', draft({ title: 'x'.repeat(501) }), ['title']],
    ['a blank description', draft({ global_description: ' \n' }), ['global_description']],
    [
      'an id that differs only in case and space',
      draft({ entities: [api, { ...store, id: ' API' }], interfaces: [] }),
      ['entities[1].id'],
    ],
    ['a repeated name', draft({ entities: [api, store, { name: 'orders api' }] }), ['entities[2].name']],
    ['a blank name', draft({ entities: [api, store, { name: ' ' }] }), ['entities[2].name']],
    ['a long name', draft({ entities: [api, store, { name: long }] }), ['entities[2].name']],
    [
      'a name that is only the category',
      draft({ entities: [api, store, { name: 'MCP Server', entity_type: 'mcp_server' }] }),
      ['entities[2].name'],
    ],
    ['a repeated interface id', draft({ interfaces: [sql, { ...sql, name: 'Other' }] }), ['interfaces[1].id']],
    ['a repeated interface name', draft({ interfaces: [sql, { ...sql, id: 'x' }] }), ['interfaces[1].name']],
    ['an unknown direction', draft({ interfaces: [{ ...sql, direction: 'both' }] }), ['interfaces[0].direction']],
    [
      'a single participant',
      draft({ interfaces: [{ ...sql, participants: ['api'] }] }),
      ['interfaces[0].participants'],
    ],
    [
      'three participants',
      draft({ interfaces: [{ ...sql, participants: ['api', 'db', 'api'] }] }),
      ['interfaces[0].participants'],
    ],
    [
      'a blank participant',
      draft({ interfaces: [{ ...sql, participants: ['api', ' '] }] }),
      ['interfaces[0].participants'],
    ],
    [
      'one entity under two names',
      draft({ interfaces: [{ ...sql, participants: ['api', 'ORDERS API'] }] }),
      ['interfaces[0].participants'],
    ],
    [
      'an unknown participant',
      draft({ interfaces: [{ ...sql, participants: ['api', 'x'] }] }),
      ['interfaces[0].participants[1]'],
    ],
    [
      'a repeated unknown participant',
      draft({ interfaces: [{ ...sql, participants: ['x', 'X'] }] }),
      ['interfaces[0].participants', 'interfaces[0].participants[0]', 'interfaces[0].participants[1]'],
    ],
    ['a schema without a kind of interface', draft({ interfaces: [{ ...sql, protocol: ' ' }] }), ['interfaces[0]']],
    [
      'an error contract without a kind of interface',
      draft({ interfaces: [{ id: 'x', name: 'X', error_contract: [{ code: 1 }] }] }),
      ['interfaces[0]'],
    ],
    [
      'a repeated diagram id',
      draft({
        diagrams: [
          { id: 'd', title: 'A' },
          { id: 'D ', title: 'B' },
        ],
      }),
      ['diagrams[1].id'],
    ],
    ['a blank diagram title', draft({ diagrams: [{ title: ' ' }] }), ['diagrams[0].title']],
    [
      'an unknown format and type',
      draft({ diagrams: [{ title: 'A', format: 'png', diagram_type: 'map', adapter_payload: 1 }] }),
      ['diagrams[0].format', 'diagrams[0].diagram_type'],
    ],
    [
      'a scene without elements',
      draft({ diagrams: [{ title: 'A', format: 'excalidraw_json', adapter_payload: {} }] }),
      ['diagrams[0].adapter_payload'],
    ],
    [
      'an empty text',
      draft({ diagrams: [{ title: 'A', format: 'mermaid', adapter_payload: '' }] }),
      ['diagrams[0].adapter_payload'],
    ],
    [
      'a list instead of a text',
      draft({ diagrams: [{ title: 'A', format: 'svg', adapter_payload: [] }] }),
      ['diagrams[0].adapter_payload'],
    ],
    ['a number', draft({ diagrams: [{ title: 'A', adapter_payload: 5 }] }), ['diagrams[0].adapter_payload']],
    [
      'a payload of more than 2 MiB',
      draft({ diagrams: [{ title: 'A', adapter_payload: 'é'.repeat(limits.payloadBytes / 2) }] }),
      ['diagrams[0].adapter_payload'],
    ],
    ['51 diagrams', draft({ diagrams: Array.from({ length: 51 }, () => ({ title: 'A' })) }), ['diagrams']],
    [
      '501 interfaces',
      draft({ interfaces: Array.from({ length: 501 }, (_, index) => ({ name: `I ${index}` })) }),
      ['interfaces'],
    ],
    ['an element that is not an object', scene('x'), [`${at}[0]`]],
    ['an element without an id', scene({ ...box, id: '' }), [`${at}[0].id`]],
    ['a repeated element id', scene(box, { ...box2, id: 'A' }), [`${at}[1].id`]],
    ['a link to an unknown entity', scene({ ...box, linkedEntityId: 'x' }), [`${at}[0].linkedEntityId`]],
    [
      'a link to an unknown entity in customData',
      scene({ id: 'a', customData: { linkedEntityId: 7 } }),
      [`${at}[0].linkedEntityId`],
    ],
    [
      'interface links that are not an array',
      scene({ ...box, linkedInterfaceIds: 'sql' }),
      [`${at}[0].linkedInterfaceIds`],
    ],
    [
      'a blank, a repeated and an unknown interface link',
      scene({ ...box, linkedInterfaceIds: ['', 'sql', 'SQL', 'x'] }),
      [0, 2, 3].map(index => `${at}[0].linkedInterfaceIds[${index}]`),
    ],
    [
      'a single link to an unknown interface',
      scene({ ...box, linkedInterfaceId: 'x' }),
      [`${at}[0].linkedInterfaceId`],
    ],
    ['an unknown connection type', scene({ ...box, connectionType: 'curved' }), [`${at}[0].connectionType`]],
    ['a connection with only one end', scene(box, { ...arrow, targetElementId: null }), [`${at}[1]`]],
    [
      'a connection to an unknown element',
      scene(box, { ...arrow, targetElementId: 'x' }),
      [`${at}[1].targetElementId`],
    ],
    [
      'a connection in the opposite direction of its interface',
      scene(box, box2, { ...arrow, sourceElementId: 'b', targetElementId: 'a' }),
      [`${at}[2]`],
    ],
  ])('%s', (_, design, paths) => {
    const report = critique(design)
    expect(pathsOf(report.issues)).toStrictEqual(paths)
    expect(report.valid).toBe(false)
    expect(report.suggested_fixes.length).toBeGreaterThan(0)
  })

  test.each<[string, DesignDraft]>([
    ['lengths counted in characters', draft({ title: '😀'.repeat(500), diagrams: [{ title: '😀'.repeat(255) }] })],
    ['a member equal to the single link', scene(box, box2, { ...arrow, linkedInterfaceIds: ['sql'] })],
    ['an empty direction', draft({ interfaces: [{ ...sql, direction: '' }] })],
    ['no participants', draft({ interfaces: [{ ...sql, participants: [] }] })],
    [
      'an empty schema without a kind of interface',
      draft({ interfaces: [{ id: 'x', name: 'X', request_schema: {} }] }),
    ],
    ['an empty raw text', draft({ diagrams: [{ title: 'A', adapter_payload: '' }] })],
    ['participants by name where elements link by id', scene(box, box2, arrow)],
    ['links of a diagram without a payload', draft({ diagrams: [{ title: 'A', format: 'excalidraw_json' }] })],
  ])('not %s', (_, design) => {
    expect(critique(design).issues).toStrictEqual([])
  })
})

test.each<[string, DesignDraft, string[]]>([
  [
    'an entity with only a name',
    draft({ entities: [api, store, { name: 'X' }] }),
    ['id', 'entity_type', 'responsibility', 'boundaries'].map(field => `entities[2].${field}`),
  ],
  [
    'an interface with only a name',
    draft({ interfaces: [{ name: 'X' }] }),
    ['interfaces[0].id', 'interfaces[0].description', 'interfaces[0]', 'interfaces[0]'],
  ],
  ['a connection without an interface', scene(box, box2, { ...arrow, linkedInterfaceId: null }), [`${at}[2]`]],
  [
    'several interfaces, one of them without an endpoint',
    {
      ...scene(box, box2, { ...arrow, linkedInterfaceIds: ['X'] }),
      interfaces: [sql, { ...sql, id: 'x', name: 'X', endpoint: null }],
    },
    [`${at}[2]`],
  ],
  ['a box without an entity', scene({ id: 'a', type: 'rectangle' }), [`${at}[0]`]],
  [
    'a text diagram',
    draft({ diagrams: [{ title: 'A', format: 'mermaid', adapter_payload: 'graph TD' }] }),
    ['diagrams[0].format'],
  ],
])('warns of %s', (_, design, paths) => {
  const report = critique(design)
  expect(pathsOf(report.warnings)).toStrictEqual(paths)
  expect(report.issues).toStrictEqual([])
})

test('suggests one fix per kind of finding, in order of first occurrence', () => {
  const report = critique(draft({ title: '', entities: [{ name: ' ' }, { name: ' ' }], interfaces: [] }))
  expect(report.suggested_fixes.map(fix => fix.split(' ').slice(0, 3).join(' '))).toStrictEqual([
    'Give the design',
    'Give each entity',
    'Describe each entity',
  ])
})

test('also checks the types of a free draft', () => {
  const report = critiqueOfDraft(
    draft({
      entities: [{ ...api, technologies: 'node' }],
      interfaces: [],
      diagrams: [{ title: 'A', order_index: 1.5 }],
    }),
  )
  expect(pathsOf(report.issues)).toStrictEqual(['entities[0].technologies', 'diagrams[0].order_index'])
  expect(report.valid).toBe(false)
})

test('lists a hundred findings with their number, and repeats little of what was sent (walls 3, rule 2)', () => {
  const elements = Array.from({ length: 5_000 }, (_, index) => ({ id: `e${index}`, linkedEntityId: 'x'.repeat(300) }))
  const report = critique(scene(...elements))
  expect([report.issues.length, report.issues_total]).toEqual([100, 5_000])
  expect(Math.max(...report.issues.map(({ length }) => length))).toBeLessThan(300)
  const entities = Array.from({ length: 500 }, () => ({ technologies: Array(100).fill(1) }))
  const { issues, issues_total } = critiqueOfDraft({
    title: 'T',
    global_description: 'D',
    entities,
    interfaces: [],
    diagrams: [],
  })
  expect(issues.length).toBe(100)
  expect(issues_total).toBeGreaterThan(500)
})
