import type { OperationName } from '@specboard/contract'
import { excerpt } from '../../../lib/excerpt.ts'
import { uncoveredItems } from '../../../planning/specs/coverage.ts'
import { scenariosLeft, sprintsRefusal, uncoveredCriteria } from '../../../planning/specs/done-gates.ts'
import type { GateFacts } from '../../../planning/specs/gates.ts'
import type { StepCall } from './steps.ts'

/** Something that a gate of a spec finds missing. */
interface Gap {
  readonly gate: string
  readonly id: string
  readonly label: string
}

const labelled = (gap: Gap): Gap => ({ ...gap, label: excerpt(gap.label, 120) })

/** Everything that the gates of a spec find missing, in the order in which it should be fixed. */
function gapsOf({ spec, settings, cards, sprints, proof }: GateFacts): Gap[] {
  const counting = new Map(
    cards.filter(card => !card.archived && card.status !== 'cancelled').map(card => [card.id, card.card_type] as const),
  )
  const uncovered = [
    ...uncoveredCriteria(spec, settings).map(({ index, text }) => ({
      gate: 'criteria',
      id: String(index),
      label: text,
    })),
    ...uncoveredItems(spec, settings, counting).map(({ gate, id, label }) => ({ gate, id, label })),
  ]
  if (spec.status !== 'in_progress') return uncovered
  const remaining = scenariosLeft(spec, settings)
  const unproven = (proof?.missing ?? []).filter(item => !remaining.some(({ id }) => id === item.id))
  return [
    ...uncovered,
    ...remaining.map(({ id, title }) => ({ gate: 'scenarios', id, label: title })),
    ...(sprintsRefusal(sprints)?.code === 'NO_CLOSED_SPRINT'
      ? [{ gate: 'sprints', id: spec.id, label: spec.title }]
      : []),
    ...unproven.map(({ id, title }) => ({ gate: 'proof', id, label: title })),
  ]
}

type Call = { readonly operation: OperationName; readonly arguments: Readonly<Record<string, unknown>> }

/** The call that fixes a gap, with all known arguments. */
function closing({ gate, id, label }: Gap, { spec, cards }: GateFacts): Call {
  const title = excerpt(label, 200)
  const board_id = spec.board_id
  if (gate === 'criteria' && !spec.locked)
    return { operation: 'put_spec_items', arguments: { test_scenarios: [{ title, linked_criteria: [label] }] } }
  if (gate === 'rules' && !spec.locked)
    return {
      operation: 'put_spec_items',
      arguments: { business_rules: [{ title, rule: label, when: '', then: '', linked_requirements: [label] }] },
    }
  if (gate === 'test')
    return { operation: 'create_card', arguments: { board_id, title, card_type: 'test', test_scenario_ids: [id] } }
  if (gate === 'scenarios')
    return { operation: 'record_scenario_result', arguments: { scenario_id: id, status: 'passed' } }
  if (gate === 'proof') return { operation: 'get_proof', arguments: { entity_type: 'spec', entity_id: spec.id } }
  if (gate === 'sprints') return { operation: 'create_sprint', arguments: { board_id } }
  if (gate === 'criteria' || gate === 'rules')
    return { operation: 'get_allowed_moves', arguments: { entity_type: 'spec', entity_id: spec.id } }
  const card = cards.find(one => !one.archived && one.status !== 'cancelled' && one.card_type !== 'test')
  return card === undefined
    ? { operation: 'create_card', arguments: { board_id, title } }
    : { operation: 'link_task_to_item', arguments: { item_id: id, card_id: card.id } }
}

/** The arguments that a caller still has to supply. */
const missingArguments: Readonly<Partial<Record<OperationName, readonly string[]>>> = {
  create_sprint: ['title'],
  record_scenario_result: ['evidence'],
}

/** The call that fixes the first gap of a spec, and what is missing (crew 4.3); null if there is none. */
export function coverageGap(facts: GateFacts): StepCall | null {
  const gaps = gapsOf(facts)
  const [first] = gaps
  if (first === undefined) return null
  const call = closing(first, facts)
  const counts = [...Map.groupBy(gaps, ({ gate }) => gate)].map(([gate, found]) => [gate, found.length] as const)
  return {
    ...call,
    data: {
      gate: first.gate,
      missing: Object.fromEntries(counts),
      first: gaps.slice(0, 3).map(labelled),
      asks: missingArguments[call.operation] ?? [],
    },
  }
}
