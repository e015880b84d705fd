import type { RevocationReason } from '@specboard/contract'
import { slugOf, technologiesIn } from '../text/technologies.ts'
import { lines } from '../text/titles.ts'
import type { Draft, NodeKey } from './draft.ts'
import { keysOf, listMember, member, partRef } from './refs.ts'
import type { CardLink, DesignSource } from './sources.ts'

/** The root node of a planning record or sprint. */
export const entity = (ref: string): NodeKey => ({ node_type: 'Entity', ref })

/** The root node of a card: a Bug, or an Entity. */
export const cardNode = ({ id, card_type }: CardLink): NodeKey => ({
  node_type: card_type === 'bug' ? 'Bug' : 'Entity',
  ref: `card:${id}`,
})

/** Why a record's nodes are out of force: it is archived, or else cancelled (knowledge-graph 3.8). */
export function reasonOf({ archived, status }: { archived: boolean; status: string }): RevocationReason | null {
  if (archived) return 'source_archived'
  return status === 'cancelled' ? 'source_cancelled' : null
}

/** Joins a decision to the technologies that its title and content name (knowledge-graph 3.3). */
export function mention(draft: Draft, decision: NodeKey, title: string, content: string): void {
  for (const name of technologiesIn(title, content))
    draft.edge('mentions', decision, draft.shared(entity(`tech:${slugOf(name)}`), name), 'tech_list')
}

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

/** The designs of a record: a node each, one for each entity and interface (knowledge-graph 3.6). */
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
