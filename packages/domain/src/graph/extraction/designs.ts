import { lines } from '../text/titles.ts'
import type { Draft, NodeKey } from './draft.ts'
import { keysOf, listMember, member, partRef } from './refs.ts'
import { entity } from './root-nodes.ts'
import type { DesignSource } from './sources.ts'

const labelOf = (field: string) => field.charAt(0).toUpperCase() + field.slice(1).replaceAll('_', ' ')

const entityFields = ['entity_type', 'responsibility', 'boundaries', 'technologies', 'relationships', 'notes']
const interfaceFields = [
  'description',
  'endpoint',
  'direction',
  'protocol',
  'contract_type',
  'schema_ref',
  'participants',
  'request_schema',
  'response_schema',
  'event_schema',
  'error_contract',
  'notes',
]

function shownValue(item: unknown, field: string): string {
  const list = listMember(item, field)
  if (list.length > 0) return list.every(one => typeof one === 'string') ? list.join(', ') : JSON.stringify(list)
  const text = member(item, field)
  if (text !== '') return text
  const value = (item as Readonly<Record<string, unknown>> | null)?.[field]
  return typeof value === 'object' && value !== null && Object.keys(value).length > 0 ? JSON.stringify(value) : ''
}

const labelled = (item: unknown, fields: readonly string[]) =>
  lines(
    ...fields.map(field => {
      const value = shownValue(item, field)
      return value === '' ? '' : `${labelOf(field)}: ${value}`
    }),
  )

/** Adds one node for each design of a record, and one for each of its entities and interfaces (knowledge-graph 3.6). */
export function extractDesigns(draft: Draft, parent: NodeKey, designs: readonly DesignSource[]): void {
  for (const { id, title, global_description, entities, interfaces } of designs) {
    const ref = `architecture_design:${id}`
    const content = global_description.trim() === '' ? title : global_description
    const design = draft.node(entity(ref), { title, content, context: `Parent: ${parent.ref}` })
    draft.edge('belongs_to', design, parent, 'architecture_design')
    const entityKeys = keysOf(entities)
    for (const [position, item] of entities.entries()) {
      const key = entity(partRef(ref, 'entity', entityKeys[position]!))
      draft.node(key, { title: member(item, 'name'), content: labelled(item, entityFields) })
      draft.edge('belongs_to', key, design, 'architecture_entity')
    }
    const interfaceKeys = keysOf(interfaces)
    for (const [position, item] of interfaces.entries()) {
      const key: NodeKey = { node_type: 'APIContract', ref: partRef(ref, 'interface', interfaceKeys[position]!) }
      draft.node(key, { title: member(item, 'name'), content: labelled(item, interfaceFields) })
      draft.edge('belongs_to', key, design, 'architecture_interface')
    }
  }
}
