import { expect, test } from 'vitest'
import type { Diagram } from '../../schema/contents.ts'
import { copiedDiagrams } from './copy.ts'
import { type DiagramInput, listDiagrams } from './diagrams.ts'
import { payloadOf } from './payload.ts'

const scene = { elements: [] }
const stored: Diagram = {
  id: 'd1',
  title: 'Map',
  diagram_type: 'context',
  format: 'mermaid',
  description: null,
  order_index: 0,
  preview_ref: null,
  render_metadata: null,
  source_diagram_id: null,
  source_payload_ref: null,
  adapter_payload_ref: 'ref-1',
  content_hash: payloadOf('graph TD').content_hash,
  size_bytes: 10,
}
const storedFields = { adapter_payload_ref: 'ref-1', content_hash: stored.content_hash, size_bytes: 10 }
const none = { adapter_payload_ref: null, content_hash: null, size_bytes: null }

const input = (fields: Partial<DiagramInput>): DiagramInput => ({
  title: 'Map',
  diagram_type: 'other',
  description: null,
  order_index: 0,
  preview_ref: null,
  render_metadata: null,
  source_diagram_id: null,
  source_payload_ref: null,
  ...fields,
})

const ids = () => {
  let count = 0
  return () => `new-0000000${++count}`
}
const list = (fields: Partial<DiagramInput>) => listDiagrams([input(fields)], [stored], ids())

test.each<[string, Partial<DiagramInput>, Partial<Diagram>]>([
  ['a stored id without a payload keeps the stored one', { id: 'd1' }, storedFields],
  ['a null payload keeps it', { id: 'd1', adapter_payload: null }, storedFields],
  ['its own ref keeps it', { id: 'd1', adapter_payload_ref: 'ref-1' }, storedFields],
  ['a foreign ref is ignored', { id: 'd1', adapter_payload_ref: 'ref-2' }, storedFields],
  ['a null ref drops it', { id: 'd1', adapter_payload_ref: null }, none],
  ['a new diagram with a foreign ref has no payload', { id: 'd2', adapter_payload_ref: 'ref-1' }, none],
  [
    'a payload with a null ref replaces it',
    { id: 'd1', adapter_payload_ref: null, adapter_payload: 'x' },
    { adapter_payload_ref: 'ref-1', size_bytes: 3 },
  ],
  ['a stored format stays', { id: 'd1' }, { format: 'mermaid' }],
  ['a scene names its format', { id: 'd1', adapter_payload: scene }, { format: 'excalidraw_json' }],
  ['an object that is not a scene is raw', { adapter_payload: { elements: 1 } }, { format: 'raw' }],
  ['a new diagram without a payload is raw', {}, { format: 'raw', id: 'diag_00000001' }],
  ['a blank id counts as none', { id: ' ' }, { id: 'diag_00000001' }],
])('%s', (_, fields, expected) => {
  expect(list(fields).diagrams[0]).toMatchObject(expected)
})

test('an equal payload is not written again', () => {
  expect(list({ id: 'd1', adapter_payload: 'graph TD' }).payloads).toStrictEqual([])
  expect(list({ id: 'd1', adapter_payload: 'graph LR' }).payloads).toStrictEqual([
    { ref: 'ref-1', diagramId: 'd1', content: '"graph LR"' },
  ])
})

test('new ids are unique', () => {
  const newId = (() => {
    const sequence = ['0-aaaaaaaa', '0-aaaaaaaa', '0-bbbbbbbb']
    return () => sequence.shift()!
  })()
  const { diagrams } = listDiagrams([input({}), input({}), input({ id: 'x' })], [], newId)
  expect(diagrams.map(diagram => diagram.id)).toStrictEqual(['diag_aaaaaaaa', 'diag_bbbbbbbb', 'x'])
})

test('a copy has its own payloads, and keeps their refs when it is synced', () => {
  const contents = new Map([['d1', payloadOf('graph TD').content]])
  const first = copiedDiagrams([stored], contents, [], ids())
  expect(first.diagrams).toStrictEqual([
    { ...stored, adapter_payload_ref: 'new-00000001', source_diagram_id: 'd1', source_payload_ref: 'ref-1' },
  ])
  expect(first.payloads).toStrictEqual([{ ref: 'new-00000001', diagramId: 'd1', content: '"graph TD"' }])
  const again = copiedDiagrams([stored], contents, first.diagrams, ids())
  expect(again).toStrictEqual({ diagrams: first.diagrams, payloads: [] })
  const emptied = copiedDiagrams([{ ...stored, ...none }], new Map(), first.diagrams, ids())
  expect(emptied.diagrams[0]).toMatchObject({ ...none, source_payload_ref: null })
})
