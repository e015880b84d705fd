import { type ArtifactType, artifactTypes } from '@specboard/contract'
import type { Entry } from '../../kernel/events.ts'
import type { DomainEvent } from '../../schema/contents.ts'

/** The priorities of entries, most urgent first. */
export const priorities = ['high', 'normal', 'low'] as const

/** The position of a priority in the order of work; lower goes first. */
export const priorityRank = (priority: (typeof priorities)[number]): number => priorities.indexOf(priority)

/** A record that a write queues. */
export interface Request {
  readonly type: ArtifactType
  readonly id: string
  /** What happened, such as `card.moved`. */
  readonly event: string
  readonly priority: (typeof priorities)[number]
}

/** Bugs that read what a write changed: bugs among a spec's cards, or bugs that refer to a card. */
export interface Dependents {
  readonly bugsOf: 'spec' | 'card'
  readonly id: string
  readonly event: string
}

const always = ['created', 'updated', 'moved', 'status_changed', 'archived', 'restored', 'deleted']

/** The actions on each kind of record that change what extraction reads (knowledge-graph 4.2). */
const counted: Readonly<Record<ArtifactType, ReadonlySet<string>>> = {
  ideation: new Set([...always, 'complexity_evaluated']),
  refinement: new Set(always),
  spec: new Set([
    ...always,
    'question_answered',
    'question_deleted',
    'card_linked',
    'card_unlinked',
    'task_linked',
    'task_unlinked',
  ]),
  sprint: new Set(always),
  card: new Set([
    ...always,
    'dependency_added',
    'dependency_removed',
    'validation_submitted',
    'validation_deleted',
    'test_task_linked',
    'test_task_unlinked',
  ]),
}

/** The fields of each kind of record that extraction reads (knowledge-graph 3); of specs, all semantic ones (specs 9). */
const read: Readonly<Record<ArtifactType, ReadonlySet<string>>> = {
  ideation: new Set(['title', 'description', 'problem_statement', 'proposed_approach', 'complexity']),
  refinement: new Set(['title', 'description', 'analysis', 'decisions', 'ideation_id']),
  spec: new Set([
    'title',
    'description',
    'context',
    'functional_requirements',
    'technical_requirements',
    'acceptance_criteria',
    'test_scenarios',
    'business_rules',
    'api_contracts',
    'decisions',
    'screen_mockups',
    'ideation_id',
    'refinement_id',
  ]),
  sprint: new Set(['title', 'description', 'objective', 'expected_outcome']),
  card: new Set([
    'title',
    'description',
    'details',
    'priority',
    'severity',
    'spec_id',
    'sprint_id',
    'test_scenario_ids',
    'linked_test_task_ids',
    'action_plan',
    'conclusions',
  ]),
}

/** Domain events that refer to further records, or that have a higher priority than the entry that caused them. */
const named: Readonly<Record<string, Readonly<Partial<Record<ArtifactType, Request['priority']>>>>> = {
  'refinement.deleted': { refinement: 'normal' },
  'sprint.deleted': { sprint: 'normal' },
  'spec.parent_deleted': { spec: 'normal' },
  'card.spec_deleted': { card: 'normal' },
  'spec.version_bumped': { spec: 'high' },
  'spec.task_linked': { card: 'normal', spec: 'normal' },
  'spec.task_unlinked': { card: 'normal', spec: 'normal' },
  'card.created': { card: 'normal' },
  'card.moved': { card: 'normal', spec: 'normal' },
  'card.cancelled': { card: 'high' },
  'card.restored': { card: 'normal' },
  'card.conclusion_added': { card: 'normal', spec: 'normal' },
  'card.validation_submitted': { card: 'normal', spec: 'normal' },
  'card.linked_to_spec': { card: 'normal', spec: 'normal' },
  'card.unlinked_from_spec': { card: 'normal', spec: 'normal' },
  'card.priority_changed': { card: 'normal' },
  'card.severity_changed': { card: 'normal' },
  'card.sprint_changed': { card: 'normal' },
}

/** The fields of a spec that bugs among its cards read. */
const readByBugs: ReadonlySet<string> = new Set(['technical_requirements', 'business_rules', 'test_scenarios'])

/** Events after which bugs that refer to the card may yield something else. */
const movesBugs: ReadonlySet<string> = new Set([
  'spec.task_linked',
  'spec.task_unlinked',
  'card.linked_to_spec',
  'card.unlinked_from_spec',
])

const isArtifact = (type: string): type is ArtifactType => (artifactTypes as readonly string[]).includes(type)

/** The action, without the type of the record in front. */
function verbOf({ entity, activity, history }: Entry): string {
  const action = activity?.action ?? history?.action ?? ''
  const verb = action.startsWith(`${entity.type}_`) ? action.slice(entity.type.length + 1) : action
  return verb === 'status_changed' ? 'moved' : verb
}

/** The fields that an update changed. */
function fieldsOf({ activity, history }: Entry): string[] {
  const fields = history?.changes?.map(change => change.field) ?? activity?.details?.fields
  return Array.isArray(fields) ? fields.map(String) : []
}

function ownRequests(entry: Entry): Request[] {
  const { type, id } = entry.entity
  if (!isArtifact(type)) return []
  const verb = verbOf(entry)
  const counts = counted[type].has(verb) && (verb !== 'updated' || fieldsOf(entry).some(field => read[type].has(field)))
  return counts ? [{ type, id, event: `${type}.${verb}`, priority: 'normal' }] : []
}

function namedRequests(event: DomainEvent): Request[] {
  const { name } = event
  const { parent_type, parent_id } = event
  if (name.startsWith('architecture.') && typeof parent_type === 'string' && isArtifact(parent_type))
    return [{ type: parent_type, id: String(parent_id), event: name, priority: 'normal' }]
  return artifactTypes.toReversed().flatMap(type => {
    const priority = named[name]?.[type]
    const id = event[`${type}_id`]
    return priority === undefined || typeof id !== 'string' ? [] : [{ type, id, event: name, priority }]
  })
}

/** The records that a write queues, each once, with its highest priority (knowledge-graph 4.2). */
export function requestsOf(entry: Entry): Request[] {
  const all = [...(entry.domain ?? []).flatMap(namedRequests), ...ownRequests(entry)]
  const byRecord = new Map<string, Request>()
  for (const request of all) {
    const key = `${request.type} ${request.id}`
    const existing = byRecord.get(key)
    if (existing === undefined || priorityRank(request.priority) < priorityRank(existing.priority))
      byRecord.set(key, request)
  }
  return [...byRecord.values()]
}

/** The bugs that must be queued because they read what a write changed on another record. */
export function dependentsOf(entry: Entry): Dependents[] {
  const { type, id } = entry.entity
  if (type === 'spec' && verbOf(entry) === 'updated' && fieldsOf(entry).some(field => readByBugs.has(field)))
    return [{ bugsOf: 'spec', id, event: 'spec.updated' }]
  return (entry.domain ?? []).flatMap(event =>
    movesBugs.has(event.name) && typeof event.card_id === 'string'
      ? [{ bugsOf: 'card' as const, id: event.card_id, event: event.name }]
      : [],
  )
}
