import type { DiscoveryIntent } from '@specboard/contract'
import type { z } from 'zod'
import type { Steps } from '../../kernel/implement.ts'
import { byCodePoint } from '../../lib/text-order.ts'
import { recentActivity } from './activity.ts'
import { blockersInSprints } from './blockers.ts'
import { dependentsOf } from './dependents.ts'
import { contradictingDecisions, decisionsOn, lessonsFromBugs, nodesOn, orWarning } from './graph.ts'
import { mentionsOf } from './mentions.ts'
import { uncoveredRequirements } from './requirements.ts'
import type { QuestionResult } from './result.ts'
import { scenariosCovering, scenariosWithoutTasks } from './scenarios.ts'
import { supersededDecisions } from './supersedence.ts'

/** The arguments of a question, trimmed, by parameter name. */
export type Params = Readonly<Record<string, string>>

/** A question as it was asked. Access is checked in each step. */
export interface Question {
  readonly steps: Steps
  readonly boardId: string
  readonly params: Params
}

/** A parameter of a question. */
interface Param {
  readonly name: string
  readonly label: string
  /** An optional parameter that `params_schema` does not show. */
  readonly hidden?: true
}

/** A question of the catalogue: its description, and the query that answers it. */
export interface Intent {
  readonly id: string
  readonly name: string
  readonly category: string
  readonly label: string
  readonly description: string
  readonly tool_binding: string
  readonly min_permission: 'DISCOVERY_EXECUTE' | 'KG_READ'
  readonly params: readonly Param[]
  readonly columns: readonly string[]
  readonly find: (question: Question) => Promise<QuestionResult>
}

/** Ids are the same on every installation and are never reused. */
const id = (number: number) => `00000000-0000-7000-8000-0000000001${String(number).padStart(2, '0')}`

const catalogue: readonly Intent[] = [
  {
    id: id(1),
    name: 'recent_activity',
    category: 'activity_recency',
    label: 'Latest activity on the board',
    description: 'The newest 50 entries of the board’s activity.',
    tool_binding: 'get_activity_log',
    min_permission: 'DISCOVERY_EXECUTE',
    params: [],
    columns: ['Entity', 'Action', 'Actor', 'When'],
    find: ({ steps, boardId }) => steps.read(ctx => recentActivity(ctx.db, boardId)),
  },
  {
    id: id(2),
    name: 'my_mentions',
    category: 'activity_recency',
    label: 'Mentions of me',
    description: 'The newest 50 comments and questions that address you by @id or @name.',
    tool_binding: 'list_my_mentions',
    min_permission: 'DISCOVERY_EXECUTE',
    params: [],
    columns: ['Where', 'Comment'],
    find: ({ steps, boardId }) => steps.read(ctx => mentionsOf(ctx.db, boardId, ctx.caller)),
  },
  {
    id: id(3),
    name: 'coverage_for_fr',
    category: 'coverage_tracing',
    label: 'Coverage of one requirement',
    description: 'Scenarios with a criterion that contains the words.',
    tool_binding: 'list_test_scenarios',
    min_permission: 'DISCOVERY_EXECUTE',
    params: [{ name: 'fr_id', label: 'Requirement' }],
    columns: ['Scenario', 'Spec', 'Linked tasks'],
    find: ({ steps, boardId, params: { fr_id = '' } }) => steps.read(ctx => scenariosCovering(ctx.db, boardId, fr_id)),
  },
  {
    id: id(4),
    name: 'uncovered_requirements',
    category: 'coverage_tracing',
    label: 'Requirements without coverage',
    description: 'Requirements without a rule, criteria without a scenario, technical requirements without a card.',
    tool_binding: 'list_uncovered_requirements',
    min_permission: 'DISCOVERY_EXECUTE',
    params: [],
    columns: ['Kind', 'Text', 'Spec', 'Status', 'Skip at validation'],
    find: ({ steps, boardId }) => steps.read(ctx => uncoveredRequirements(ctx.db, boardId)),
  },
  {
    id: id(5),
    name: 'scenarios_without_tasks',
    category: 'coverage_tracing',
    label: 'Scenarios without a task',
    description: 'Scenarios that no card is linked to.',
    tool_binding: 'list_test_scenarios',
    min_permission: 'DISCOVERY_EXECUTE',
    params: [],
    columns: ['Scenario', 'Spec', 'Linked tasks'],
    find: ({ steps, boardId }) => steps.read(ctx => scenariosWithoutTasks(ctx.db, boardId)),
  },
  {
    id: id(6),
    name: 'decisions_by_topic',
    category: 'decisions_history',
    label: 'Decisions on a topic',
    description: 'Decisions of the knowledge graph that are similar to the topic.',
    tool_binding: 'kg_find_similar_decisions',
    min_permission: 'KG_READ',
    params: [{ name: 'topic', label: 'Topic' }],
    columns: ['Decision', 'Score'],
    find: ({ steps, boardId, params: { topic = '' } }) =>
      orWarning(() => decisionsOn(steps.environment.graph.search, boardId, topic)),
  },
  {
    id: id(7),
    name: 'contradictions_in_kg',
    category: 'decisions_history',
    label: 'Contradicting decisions',
    description: 'Pairs of decisions of the knowledge graph that contradict each other, highest confidence first.',
    tool_binding: 'kg_find_contradictions',
    min_permission: 'KG_READ',
    params: [],
    columns: ['Pair', 'Confidence'],
    find: ({ steps, boardId }) => orWarning(() => steps.read(ctx => contradictingDecisions(ctx.db, boardId))),
  },
  {
    id: id(8),
    name: 'decisions_superseded',
    category: 'decisions_history',
    label: 'Superseded decisions',
    description: 'Chains of superseded decisions of a spec, newest first.',
    tool_binding: 'list_supersedence_chains',
    min_permission: 'DISCOVERY_EXECUTE',
    params: [],
    columns: ['Head', 'Length', 'Trail'],
    find: ({ steps, boardId }) => steps.read(ctx => supersededDecisions(ctx.db, boardId)),
  },
  {
    id: id(9),
    name: 'blockers_current_sprint',
    category: 'dependencies_blockers',
    label: 'Blockers in active sprints',
    description: 'Cards of active sprints that wait for other cards, are on hold, or have not changed for 72 hours.',
    tool_binding: 'list_blockers',
    min_permission: 'DISCOVERY_EXECUTE',
    params: [],
    columns: ['Type', 'Title', 'Reason'],
    find: ({ steps, boardId }) => steps.read(ctx => blockersInSprints(ctx.db, boardId, ctx.now())),
  },
  {
    id: id(10),
    name: 'dependencies_of_card',
    category: 'dependencies_blockers',
    label: 'Cards waiting for a card',
    description: 'Cards that depend directly on the card.',
    tool_binding: 'get_card_dependencies',
    min_permission: 'DISCOVERY_EXECUTE',
    params: [{ name: 'card_id', label: 'Card' }],
    columns: ['Dependent Card', 'Status'],
    find: ({ steps, boardId, params: { card_id = '' } }) => steps.read(ctx => dependentsOf(ctx.db, boardId, card_id)),
  },
  {
    id: id(11),
    name: 'similar_nodes_to_text',
    category: 'similarity_reuse',
    label: 'Nodes similar to a phrase',
    description: 'Nodes of the knowledge graph, of any type, that are similar to the phrase.',
    tool_binding: 'kg_query_natural',
    min_permission: 'KG_READ',
    params: [{ name: 'query', label: 'Phrase' }],
    columns: ['Type', 'Title', 'Similarity'],
    find: ({ steps, boardId, params: { query = '' } }) =>
      orWarning(() => nodesOn(steps.environment.graph.search, boardId, query)),
  },
  {
    id: id(12),
    name: 'learning_from_bugs',
    category: 'similarity_reuse',
    label: 'Lessons from bugs',
    description: 'Lessons learned from bugs, most relevant first; area narrows them to bugs whose text contains it.',
    tool_binding: 'kg_get_learning_from_bugs',
    min_permission: 'KG_READ',
    params: [{ name: 'area', label: 'Area', hidden: true }],
    columns: ['Learning', 'Source bug'],
    find: ({ steps, boardId, params: { area } }) =>
      orWarning(() => steps.read(ctx => lessonsFromBugs(ctx.db, boardId, area))),
  },
]

/** The catalogue, sorted by category, then label, by code point. */
export const intents: readonly Intent[] = catalogue.toSorted(
  (a, b) => byCodePoint(a.category, b.category) || byCodePoint(a.label, b.label),
)

/** Finds a question by its id or name. */
export const findIntent = (idOrName: string): Intent | undefined =>
  intents.find(intent => intent.id === idOrName || intent.name === idOrName)

/** The creation time shown for all questions, which are built in. */
const since = '2026-01-01T00:00:00.000Z'

/** A question in the form of an answer (planning 4.1). */
export function intentOf(intent: Intent): z.input<typeof DiscoveryIntent> {
  const { params, columns: _, find: __, ...fields } = intent
  const visible = params.filter(param => !param.hidden)
  return {
    ...fields,
    params_schema:
      visible.length === 0
        ? null
        : Object.fromEntries(visible.map(({ name, label }) => [name, { type: 'text', required: true, label }])),
    renderer: 'table',
    active: true,
    is_seed: true,
    created_at: since,
    updated_at: since,
  }
}
