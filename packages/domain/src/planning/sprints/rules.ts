import { SprintStatus } from '@specboard/contract'
import type { z } from 'zod'
import { blocked, type DomainError, invalid } from '../../kernel/errors.ts'
import { stateMachine } from '../../kernel/state-machine.ts'
import { type EvidencedScenario, unproven } from '../evidence.ts'

export type Status = z.infer<typeof SprintStatus>

/** A condition that a move must meet (planning 1.6). */
export type GateName = 'cards' | 'scenarios' | 'evidence' | 'proof' | 'evaluation'

/** The state table of sprints (planning 1.5). */
export const sprintStates = stateMachine<Status, GateName>('sprint', SprintStatus.options, [
  { from: 'draft', to: 'active', gates: ['cards'] },
  { from: 'draft', to: 'cancelled' },
  { from: 'active', to: 'draft' },
  { from: 'active', to: 'review', gates: ['scenarios'] },
  { from: 'active', to: 'cancelled' },
  { from: 'review', to: 'active', gates: ['cards'] },
  { from: 'review', to: 'closed', gates: ['evidence', 'proof', 'evaluation'] },
  { from: 'review', to: 'cancelled' },
  { from: 'closed', to: 'draft' },
  { from: 'cancelled', to: 'draft' },
])

const reopening: readonly (readonly [Status, Status])[] = [
  ['review', 'active'],
  ['closed', 'draft'],
  ['cancelled', 'draft'],
]

/** Whether a move reopens the sprint, so that its evaluations become stale. */
export const reopens = (from: Status, to: Status): boolean =>
  reopening.some(([before, after]) => before === from && after === to)

/** Whether a sprint accepts no more cards. */
export const isOver = (status: Status): boolean => status === 'closed' || status === 'cancelled'

/** Fields whose change increments the version (planning 1.4). */
export const contentFields: ReadonlySet<string> = new Set([
  'title',
  'description',
  'test_scenario_ids',
  'business_rule_ids',
])

/** The part of its spec that a sprint is meant to cover. */
export interface Scope {
  readonly test_scenario_ids?: readonly string[] | null
  readonly business_rule_ids?: readonly string[] | null
}

const items = { test_scenario_ids: 'test_scenarios', business_rule_ids: 'business_rules' } as const

/** The lists of a spec that a scope refers to. */
export type ScopeLists = Readonly<Record<(typeof items)[keyof typeof items], readonly { readonly id: string }[] | null>>

/**
 * A scope as stored, without repeated ids and without missing fields.
 * @throws DomainError VALIDATION_ERROR with `details`, the unknown ids
 */
export function checkedScope<Given extends Scope>(fields: Given, spec: ScopeLists): Given {
  const scope: Record<string, readonly string[] | null> = {}
  for (const [field, list] of Object.entries(items) as [keyof Scope, keyof ScopeLists][]) {
    const ids = fields[field]
    if (ids === undefined) continue
    const available = new Set(spec[list]?.map(item => item.id))
    const unknown = (ids ?? []).filter(id => !available.has(id))
    if (unknown.length > 0) {
      throw invalid(field, `The spec has no ${list.replace('_', ' ')} with the ids ${unknown.join(', ')}.`, {
        details: [...new Set(unknown)],
      })
    }
    scope[field] = ids === null ? null : [...new Set(ids)]
  }
  return { ...fields, ...scope }
}

/**
 * Checks that the dates of a sprint are in order.
 * @throws DomainError VALIDATION_ERROR
 */
export function checkDates(start: string | null, end: string | null): void {
  if (start === null || end === null || end >= start) return
  throw invalid('end_date', `end_date ${end} is before start_date ${start}.`)
}

/** The fields of a card of the sprint that gates read. */
export interface GateCard {
  readonly id: string
  readonly card_type: string
  readonly archived: boolean
  readonly test_scenario_ids: readonly string[]
}

/** The fields of a test scenario of the spec that gates read. */
export interface GateScenario extends EvidencedScenario {
  readonly id: string
  readonly title: string
}

/** SPRINT_EMPTY for a sprint without cards, otherwise null. */
export const emptyRefusal = (cards: readonly GateCard[]): DomainError | null =>
  cards.some(card => !card.archived)
    ? null
    : blocked('SPRINT_EMPTY', 'The sprint has no cards. Add some with assign_sprint_tasks.')

const scenariosById = (scenarios: readonly GateScenario[]): ReadonlyMap<string, GateScenario> =>
  new Map(scenarios.map(scenario => [scenario.id, scenario]))

/**
 * COVERAGE_REQUIRED with `gate` and `missing` when a scenario in the scope has not passed, else null; ids that the spec
 * no longer has are ignored.
 */
export function scopedRefusal(ids: readonly string[] | null, scenarios: readonly GateScenario[]): DomainError | null {
  const byId = scenariosById(scenarios)
  const missing = (ids ?? [])
    .flatMap(id => byId.get(id) ?? [])
    .filter(scenario => scenario.status !== 'passed')
    .map(({ id, title, status }) => ({ scenario_id: id, title, status }))
  if (missing.length === 0) return null
  const names = missing.map(({ scenario_id, status }) => `${scenario_id} (${status})`).join(', ')
  return blocked('COVERAGE_REQUIRED', `Test scenarios of the sprint have not passed: ${names}.`, {
    gate: 'scenarios',
    missing,
  })
}

/** The scenarios of the sprint's test cards that lack the evidence of their status, card by card (planning 1.6). */
export const withoutEvidence = (cards: readonly GateCard[], scenarios: readonly GateScenario[]) => {
  const byId = scenariosById(scenarios)
  return cards
    .filter(card => card.card_type === 'test' && !card.archived)
    .flatMap(card =>
      card.test_scenario_ids
        .flatMap(id => byId.get(id) ?? [])
        .map(scenario => ({
          scenario_id: scenario.id,
          card_id: card.id,
          status: scenario.status,
          required: unproven(scenario),
        })),
    )
    .filter(({ required }) => required.length > 0)
}

/** INVALID_STATE for a sprint that is not in review, otherwise null (planning 1.7). */
export const notInReview = (status: Status): DomainError | null =>
  status === 'review'
    ? null
    : blocked('INVALID_STATE', `Only a sprint in review can be evaluated; this one is ${status}.`, { status })

/** INVALID_STATE for a sprint that is over, which accepts no cards; otherwise null. */
export const takesNoCards = (status: Status): DomainError | null =>
  isOver(status)
    ? blocked('INVALID_STATE', `The sprint is ${status} and takes no cards. Move it to draft first.`, { status })
    : null
