import { sameJson } from '../../lib/json.ts'
import type { DesignVersion } from '../../schema/contents.ts'
import { semanticFields } from './design.ts'
import { keyIn } from './references.ts'

interface Part {
  readonly id: string | null
  readonly name: string
}

/** The fields of an interface whose change breaks its users (A.8). */
const breakingFields = [
  'endpoint',
  'direction',
  'protocol',
  'contract_type',
  'participants',
  'request_schema',
  'response_schema',
  'event_schema',
  'error_contract',
  'schema_ref',
] as const

/** Matches the parts of two lists by the key of their id, otherwise of their name. */
function matched<Item>(from: readonly Item[], to: readonly Item[], labelOf: (item: Item) => string) {
  const keyOf = (item: Item) => keyIn(labelOf(item)) ?? ''
  const before = new Map(from.map(item => [keyOf(item), item]))
  const after = new Map(to.map(item => [keyOf(item), item]))
  const pairs = to.flatMap(item => {
    const earlier = before.get(keyOf(item))
    return earlier === undefined ? [] : [{ from: earlier, to: item }]
  })
  return {
    added: to.filter(item => !before.has(keyOf(item))).map(labelOf),
    removed: from.filter(item => !after.has(keyOf(item))).map(labelOf),
    pairs,
    changed: pairs.filter(pair => !sameJson(pair.from, pair.to)).map(pair => labelOf(pair.to)),
  }
}

const labelOf = ({ id, name }: Part): string => (keyIn(id) === undefined ? name : (id ?? name))

/** The differences between two versions of a design, and whether they are breaking (A.8). */
export function diffVersions(from: DesignVersion, to: DesignVersion) {
  const changed_fields = semanticFields.filter(field => !sameJson(from[field], to[field]))
  const entities = matched(from.entities, to.entities, labelOf)
  const interfaces = matched(from.interfaces, to.interfaces, labelOf)
  const diagrams = matched(from.diagrams, to.diagrams, diagram => diagram.id)
  const named = ({ added, removed, changed }: Pick<typeof diagrams, 'added' | 'removed' | 'changed'>) => ({
    added,
    removed,
    changed,
  })
  const isChanged = (field: (typeof semanticFields)[number]) => changed_fields.includes(field)
  const texts = (['title', 'global_description'] as const)
    .filter(isChanged)
    .map(field => ({ field, from: from[field], to: to[field] }))
  const lists = [
    ...(isChanged('entities') ? [{ field: 'entities' as const, ...named(entities) }] : []),
    ...(isChanged('interfaces') ? [{ field: 'interfaces' as const, ...named(interfaces) }] : []),
  ]
  const breaks =
    entities.removed.length > 0 ||
    interfaces.removed.length > 0 ||
    interfaces.pairs.some(pair => breakingFields.some(field => !sameJson(pair.from[field], pair.to[field])))
  const breaking_change_flag = breaks || to.breaking_change_flag
  return {
    changed_fields,
    semantic_changes: [...texts, ...lists],
    layout_changes: isChanged('diagrams') ? [{ field: 'diagrams' as const, ...named(diagrams) }] : [],
    breaking_change_flag,
    requires_arch_review: breaking_change_flag || to.requires_arch_review,
  }
}
