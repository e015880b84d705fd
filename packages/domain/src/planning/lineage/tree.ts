import { parseJson, parseNullable } from '../../lib/json.ts'
import type { WithReference } from '../../schema/refs.ts'
import { descentOf } from './descent.ts'
import { addEntries, entryNode } from './entries.ts'
import { Graph, type Kind, nodeId, type Parent, type Relationship } from './graph.ts'
import { cardKind } from './root.ts'
import type { CardRow, IdeationRow, LineageRows, Parts, SpecRow } from './store.ts'

/**
 * Builds the graph of a tree, depth first and with each record once (planning 3.2, 3.3). It contains all rows, and
 * entries and artifacts if `parts` includes them. Pure.
 * @param rows each list ordered by `created_at`, then `id`
 */
export function buildGraph(rows: LineageRows, parts: Parts): Graph {
  const graph = new Graph()
  const { originOf, sprintOf } = descentOf(rows)
  const refinements = Map.groupBy(rows.refinements, row => row.ideation_id)
  const specs = Map.groupBy(rows.specs, row => originOf(row)?.id ?? null)
  const sprints = Map.groupBy(rows.sprints, row => row.spec_id)
  const cards = Map.groupBy(rows.cards, row => row.spec_id)
  const specValidations = Map.groupBy(rows.spec_validations, row => row.spec_id)
  const taskValidations = Map.groupBy(rows.task_validations, row => row.card_id)
  const changes = Map.groupBy(rows.changes, row => row.entity_id)
  const knowledge = Map.groupBy(rows.knowledge, row => row.owner_id)
  const designs = Map.groupBy(rows.designs, row => row.parent_id)
  const cardNodes = new Map(rows.cards.map(card => [card.id, nodeId(cardKind(card.card_type), card.id)]))

  function addIdeation(ideation: IdeationRow): void {
    const id = graph.add('ideation', described(ideation), null)
    addArtifacts(ideation, id)
    for (const spec of specs.get(ideation.id) ?? []) addSpec(spec, { id, relationship: 'direct_spec' })
    for (const refinement of refinements.get(ideation.id) ?? []) {
      const node = graph.add('refinement', described(refinement), { id, relationship: 'has_refinement' })
      addArtifacts(refinement, node)
      for (const spec of specs.get(refinement.id) ?? []) addSpec(spec, { id: node, relationship: 'derived_spec' })
    }
  }

  function addSpec(spec: SpecRow, parent: Parent | null): void {
    const own = cards.get(spec.id) ?? []
    const id = graph.add('spec', { ...described(spec), summary: summaryOf(own) }, parent)
    addArtifacts(spec, id)
    const ownSprints = sprints.get(spec.id) ?? []
    for (const sprint of ownSprints) graph.add('sprint', described(sprint), { id, relationship: 'has_sprint' })
    for (const card of own) if (card.card_type !== 'bug') addCard(card, id)
    for (const card of own) if (card.card_type === 'bug') addCard(card, id)
    if (!parts.entries) return
    addEntries(graph, spec, ownSprints, cardId => cardNodes.get(cardId))
    for (const validation of specValidations.get(spec.id) ?? []) addValidation('Spec validation', validation, spec, id)
    addChanges(spec, id)
  }

  function addCard(card: CardRow, specNode: string): void {
    const further = { card_type: card.card_type as 'normal' | 'test' | 'bug' }
    const id = graph.add(cardKind(card.card_type), { ...described(card), ...further }, parentOf(card, specNode))
    if (parts.entries)
      for (const validation of taskValidations.get(card.id) ?? [])
        addValidation('Task validation', validation, card, id)
    addChanges(card, id)
    addArtifacts(card, id)
  }

  /** The parent of a card: for a bug the card in which it arose, for any other its sprint, otherwise its spec. */
  function parentOf(card: CardRow, specNode: string): Parent {
    const origin = card.card_type === 'bug' ? cardNodes.get(card.origin_task_id ?? '') : undefined
    if (origin !== undefined) return { id: origin, relationship: 'originates_bug' }
    const sprint = sprintOf(card)
    return sprint === null
      ? { id: specNode, relationship: 'has_card' }
      : { id: nodeId('sprint', sprint.id), relationship: 'contains_card' }
  }

  function addValidation(
    title: string,
    { id, outcome }: { readonly id: string; readonly outcome: string },
    owner: Row,
    ownerNode: string,
  ): void {
    const archived = owner.archived === 1
    graph.add('validation', { entity_id: id, title, status: outcome, archived }, hanging(ownerNode, 'has_validation'))
  }

  /** A change that is linked to several records is placed below the first of them. */
  function addChanges(owner: Row, ownerNode: string): void {
    const archived = owner.archived === 1
    for (const { id, title, state } of changes.get(owner.id) ?? []) {
      const change = { entity_id: id, title, status: state, archived }
      graph.link(ownerNode, 'changes', graph.add('change', change, hanging(ownerNode, 'changes')))
    }
  }

  function addArtifacts(owner: Row & Pick<CardRow, 'screen_mockups' | 'knowledge_bases'>, ownerNode: string): void {
    if (!parts.artifacts) return
    const lists: readonly (readonly [Kind, readonly TitledItem[]])[] = [
      ['mockup', parseNullable(owner.screen_mockups ?? null) ?? []],
      ['knowledge', [...(knowledge.get(owner.id) ?? []), ...(parseNullable(owner.knowledge_bases ?? null) ?? [])]],
      ['architecture', designs.get(owner.id) ?? []],
    ]
    const archived = owner.archived === 1
    for (const [kind, entries] of lists) {
      for (const { id, title } of entries) {
        const artifact = { entity_id: id, key: `${owner.id}/${id}`, title, archived }
        graph.add(kind, artifact, hanging(ownerNode, `has_${kind}` as Relationship))
      }
    }
  }

  for (const ideation of rows.ideations) addIdeation(ideation)
  for (const spec of specs.get(null) ?? []) addSpec(spec, null)
  for (const card of rows.cards) linkCard(graph, card, cardNodes)
  if (parts.entries)
    for (const { card_id, depends_on_id } of rows.dependencies)
      graph.link(cardNodes.get(card_id), 'depends_on', cardNodes.get(depends_on_id))
  return graph
}

interface TitledItem {
  readonly id: string
  readonly title: string
}

interface Row extends TitledItem {
  readonly archived: number
}

const hanging = (id: string, relationship: Relationship): Parent => ({ id, relationship })

const described = (row: Row & WithReference & { readonly status: string }) => ({
  entity_id: row.id,
  ref: row.ref,
  title: row.title,
  status: row.status,
  archived: row.archived === 1,
})

function summaryOf(cards: readonly CardRow[]) {
  const count = (type: string) => cards.filter(card => card.card_type === type).length
  return {
    total: cards.length,
    normal: count('normal'),
    test: count('test'),
    bug: count('bug'),
    done: cards.filter(card => card.status === 'done').length,
  }
}

/** Adds the edges from a card's own links: the scenarios that it verifies, and the tests that guard against a bug. */
function linkCard(graph: Graph, card: CardRow, nodes: ReadonlyMap<string, string>): void {
  const node = nodes.get(card.id)
  for (const id of parseJson(card.test_scenario_ids))
    graph.link(node, 'verifies', entryNode('scenario', card.spec_id ?? '', id))
  if (card.card_type !== 'bug') return
  for (const id of parseJson(card.linked_test_task_ids)) graph.link(nodes.get(id), 'regression_test', node)
}
