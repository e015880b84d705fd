import type { Json } from '@specboard/storage'
import { parseNullable } from '../../lib/json.ts'
import { type Graph, type Kind, nodeId, type Relationship } from './graph.ts'
import type { SpecRow, SprintRow } from './store.ts'

/** An entry of a spec, in the same shape for all lists. */
interface Entry {
  readonly kind: Kind & ('business_rule' | 'technical_requirement' | 'scenario' | 'api_contract' | 'decision')
  readonly id: string
  readonly title: string
  readonly status: string | null
  readonly linked_task_ids: readonly string[] | null
}

/** The id of an entry's node. */
export const entryNode = (kind: Kind, specId: string, entryId: string): string => nodeId(kind, `${specId}/${entryId}`)

/** The entries of a spec in the order of the graph; the id of a plain text is its index. */
const entriesOf = (spec: SpecRow): Entry[] => [
  ...list(spec.business_rules).map(rule => ({ ...rule, kind: 'business_rule' as const, status: null })),
  ...list(spec.technical_requirements).map((requirement, index) => {
    const item =
      typeof requirement === 'string' ? { id: `#${index}`, text: requirement, linked_task_ids: null } : requirement
    return { ...item, kind: 'technical_requirement' as const, title: item.text, status: null }
  }),
  ...list(spec.test_scenarios).map(scenario => ({ ...scenario, kind: 'scenario' as const })),
  ...list(spec.api_contracts).map(contract => ({
    ...contract,
    kind: 'api_contract' as const,
    title: `${contract.method} ${contract.path}`,
    status: null,
  })),
  ...list(spec.decisions).map(decision => ({ ...decision, kind: 'decision' as const })),
]

const list = <Item>(json: Json<Item[]> | null | undefined): Item[] => parseNullable(json ?? null) ?? []

/**
 * Adds the entries of a spec, and their edges: the cards that implement and verify them, the scopes of the sprints, and
 * which decision supersedes which.
 * @param nodeOfCard the ids of the cards' nodes
 */
export function addEntries(
  graph: Graph,
  spec: SpecRow,
  sprints: readonly SprintRow[],
  nodeOfCard: (cardId: string) => string | undefined,
): void {
  const parent = nodeId('spec', spec.id)
  const archived = spec.archived === 1
  for (const { kind, id, title, status, linked_task_ids } of entriesOf(spec)) {
    const described = { entity_id: id, key: `${spec.id}/${id}`, title, status, archived }
    const node = graph.add(kind, described, { id: parent, relationship: `has_${kind}` })
    const relationship: Relationship = kind === 'scenario' ? 'verifies' : 'implements'
    for (const cardId of linked_task_ids ?? []) graph.link(nodeOfCard(cardId), relationship, node)
  }
  for (const { id, supersedes_decision_id } of list(spec.decisions)) {
    if (supersedes_decision_id === null) continue
    const [newer, older] = [id, supersedes_decision_id].map(key => entryNode('decision', spec.id, key))
    graph.link(newer, 'supersedes', older)
  }
  for (const sprint of sprints) {
    const source = nodeId('sprint', sprint.id)
    const scenarios = list(sprint.test_scenario_ids).map(id => entryNode('scenario', spec.id, id))
    const rules = list(sprint.business_rule_ids).map(id => entryNode('business_rule', spec.id, id))
    for (const target of [...scenarios, ...rules]) graph.link(source, 'scopes', target)
  }
}
