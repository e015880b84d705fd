import type { Card, Records } from '../records.ts'
import { hours, round } from './formulas.ts'

/** A blocker without the text of its reason. */
export interface Found {
  readonly type: string
  readonly [field: string]: unknown
}

const open = ['not_started', 'started', 'in_progress', 'validation', 'on_hold']
const ended = ['done', 'cancelled']

/** The blockers of a board in order, with their ages at a given time. */
export function blockers({ cards, specs, allCards }: Records, staleHours: number, now: string): Found[] {
  const blocking = (card: Card) =>
    card.dependencies.flatMap(id => {
      const target = allCards.get(id)
      if (target === undefined || ended.includes(target.status)) return []
      return [{ id, title: target.title, status: target.status }]
    })
  const ofCards = cards.flatMap((card): Found[] => {
    const subject = { card_id: card.id, card_title: card.title, card_status: card.status }
    const blocking_cards = open.includes(card.status) ? blocking(card) : []
    const age = hours(card.updated_at, now)
    const isStarted = ['started', 'in_progress', 'validation'].includes(card.status)
    return [
      ...(blocking_cards.length > 0 ? [{ type: 'dependency_blocked', ...subject, evidence: { blocking_cards } }] : []),
      ...(card.status === 'on_hold'
        ? [{ type: 'on_hold', ...subject, evidence: { updated_at: card.updated_at } }]
        : []),
      ...(isStarted && age > staleHours
        ? [{ type: 'stale', ...subject, evidence: { last_updated: card.updated_at, age_hours: round(age) } }]
        : []),
    ]
  })
  const ofSpecs = specs.flatMap((spec): Found[] => {
    const subject = { spec_id: spec.id, spec_title: spec.title }
    const succeeded = spec.submissions.some(record => record.active && record.outcome === 'success')
    if (spec.status === 'approved' && !succeeded)
      return [{ type: 'spec_pending_validation', ...subject, evidence: { total_evaluations: spec.submissions.length } }]
    const isEmpty = !cards.some(card => card.spec_id === spec.id)
    return ['validated', 'in_progress'].includes(spec.status) && isEmpty
      ? [{ type: 'spec_no_cards', ...subject, evidence: { status: spec.status } }]
      : []
  })
  const covered = cards
    .filter(card => card.card_type === 'test' && card.status !== 'cancelled')
    .flatMap(card => card.test_scenario_ids)
  const ofScenarios = specs
    .filter(spec => !ended.includes(spec.status))
    .flatMap((spec): Found[] =>
      (spec.test_scenarios ?? [])
        .filter(({ id }) => !covered.includes(id))
        .map(({ id, title, status }) => ({
          type: 'uncovered_scenario',
          spec_id: spec.id,
          spec_title: spec.title,
          scenario_id: id,
          scenario_title: title,
          evidence: { scenario_status: status },
        })),
    )
  return [...ofCards, ...ofSpecs, ...ofScenarios]
}
