import { priorityBoost } from '../scores.ts'
import { lines, paragraphs, titleOf } from '../text/titles.ts'
import { extractDesigns } from './designs.ts'
import { Draft, type Extraction, type NodeKey } from './draft.ts'
import { artifactRef, keysOf, listMember, member, partRef } from './refs.ts'
import { cardNode, entity, reasonOf } from './root-nodes.ts'
import type { CardSource, SpecLists, TestTaskLink } from './sources.ts'

/** How long an action plan must be to count as a lesson, characters. */
const lessonLength = 50

/** Confidence that a bug violates what its origin task was meant to fulfil. */
const originConfidence = 0.7

/** What a card yields (knowledge-graph 3.5). */
export function extractCard(card: CardSource): Extraction {
  const { title, description, details, status, card_type, priority, conclusion, validation } = card
  const draft = new Draft(reasonOf(card))
  const root = cardNode(card)
  draft.node(root, {
    title,
    content: paragraphs(description, details),
    context: lines(
      `Status: ${status}`,
      `Type: ${card_type}`,
      `Priority: ${priority}`,
      conclusion,
      validation === null ? null : `Validation: ${validation.outcome} ${validation.summary}`,
    ),
    priority_boost: priorityBoost(card),
  })
  const { sprint_id, spec_id } = card
  if (sprint_id !== null) draft.edge('belongs_to', root, entity(artifactRef('sprint', sprint_id)), 'card_to_sprint')
  if (spec_id !== null) draft.edge('belongs_to', root, entity(artifactRef('spec', spec_id)), 'card_to_spec')
  for (const dependency of card.dependencies) draft.edge('depends_on', root, cardNode(dependency), 'card_dependency')
  if (card_type === 'bug') extractBug(draft, root, card)
  extractDesigns(draft, root, card.designs)
  return draft
}

function extractBug(draft: Draft, root: NodeKey, bug: CardSource): void {
  if (bug.origin !== null) draft.edge('originates_from', root, cardNode(bug.origin), 'origin_task_id')
  const scenariosOf = scenarioNodes(bug.specs)
  for (const task of bug.test_tasks) {
    draft.edge('covered_by', root, cardNode(task), 'linked_test_task')
    for (const scenario of scenariosOf(task)) draft.edge('covered_by', root, scenario, 'linked_test_scenario')
  }
  for (const constraint of violatedBy(bug))
    draft.edge('violates', root, constraint, 'origin_task', { confidence: originConfidence })
  const plan = bug.action_plan?.trim() ?? ''
  if (bug.status !== 'done' || [...plan].length < lessonLength) return
  const learning: NodeKey = { node_type: 'Learning', ref: `${root.ref}:learning` }
  draft.node(learning, {
    title: titleOf(`Learning: ${bug.title}`),
    content: bug.action_plan ?? '',
    source_confidence: 0.9,
  })
  draft.edge('validates', learning, root, 'learning')
  if (bug.spec_id !== null) draft.edge('belongs_to', learning, entity(artifactRef('spec', bug.spec_id)), 'learning')
}

/** Finds the scenario nodes that a test task is linked to; the scenarios of each spec are read once for all tasks. */
function scenarioNodes(specs: readonly SpecLists[]): (task: TestTaskLink) => NodeKey[] {
  const bySpec = new Map(
    specs.map(({ id, test_scenarios }) => {
      const nodes = keysOf(test_scenarios).map((key, position) => ({
        id: member(test_scenarios[position], 'id'),
        key: { node_type: 'TestScenario' as const, ref: partRef(artifactRef('spec', id), 'test_scenario', key) },
      }))
      return [id, Map.groupBy(nodes, node => node.id)]
    }),
  )
  return ({ spec_id, test_scenario_ids }) => {
    const nodes = bySpec.get(spec_id ?? '')
    return [...new Set(test_scenario_ids)].flatMap(id => nodes?.get(id)?.map(({ key }) => key) ?? [])
  }
}

/** The constraints of the bug's spec that its origin task was meant to fulfil. */
function violatedBy({ origin, spec_id, specs }: CardSource): NodeKey[] {
  const spec = specs.find(({ id }) => id === spec_id)
  if (spec === undefined || origin === null) return []
  const sections = [
    ['tr', spec.technical_requirements],
    ['business_rule', spec.business_rules],
  ] as const
  return sections.flatMap(([section, items]) =>
    keysOf(items).flatMap((key, position) =>
      listMember(items[position], 'linked_task_ids').includes(origin.id)
        ? [{ node_type: 'Constraint' as const, ref: partRef(artifactRef('spec', spec.id), section, key) }]
        : [],
    ),
  )
}
