import { blocked } from '../../kernel/errors.ts'
import { placesIn } from './references.ts'
import type { SpecRecord } from './store.ts'

/** The fields of a sprint or card that the gates of `done` read. */
export interface Standing {
  readonly id: string
  readonly ref: string
  readonly title: string
  readonly status: string
}

/** The fields of a card of the spec that its gates read. */
export interface GateCard extends Standing {
  readonly card_type: string
  readonly archived: boolean
}

/**
 * Checks that every acceptance criterion is linked to a scenario, whatever its status (specs 6.3).
 * @throws DomainError CRITERIA_UNCOVERED with `missing`
 */
export function checkCriteria(
  spec: Pick<SpecRecord, 'acceptance_criteria' | 'test_scenarios' | 'skip_test_coverage'>,
  settings: { readonly skip_test_coverage_global: boolean },
): void {
  if (spec.skip_test_coverage || settings.skip_test_coverage_global) return
  const criteria = spec.acceptance_criteria ?? []
  const named = (spec.test_scenarios ?? []).flatMap(scenario => scenario.linked_criteria ?? [])
  const places = new Set(named.flatMap(placesIn(criteria)))
  const missing = criteria.map((text, index) => ({ index, text })).filter(({ index }) => !places.has(index))
  if (missing.length === 0) return
  throw blocked(
    'CRITERIA_UNCOVERED',
    `No test scenario names these acceptance criteria: ${missing.map(({ text }) => text).join('; ')}. Add them to linked_criteria of a scenario.`,
    { missing },
  )
}

const standing = ({ id, ref, title, status }: Standing): Standing => ({ id, ref, title, status })

/**
 * Checks that no sprint of the spec is open, and that at least one is closed if there are any (specs 6.3).
 * @param sprints the sprints that are not archived
 * @throws DomainError SPRINTS_OPEN with `missing`, NO_CLOSED_SPRINT
 */
export function checkSprints(sprints: readonly Standing[]): void {
  const missing = sprints.filter(({ status }) => status !== 'closed' && status !== 'cancelled').map(standing)
  if (missing.length > 0) {
    const titles = missing.map(({ title, status }) => `${title} (${status})`).join('; ')
    throw blocked('SPRINTS_OPEN', `Sprints are open: ${titles}. Close or cancel them.`, { missing })
  }
  if (sprints.length > 0 && !sprints.some(({ status }) => status === 'closed'))
    throw blocked('NO_CLOSED_SPRINT', 'Every sprint of the spec was cancelled. Close at least one.')
}

/**
 * Checks that every normal card is done or cancelled; test and bug cards do not count (specs 6.3).
 * @throws DomainError TASKS_OPEN with `missing`
 */
export function checkTasks(cards: readonly GateCard[]): void {
  const missing = cards
    .filter(({ card_type, archived }) => card_type === 'normal' && !archived)
    .filter(({ status }) => status !== 'done' && status !== 'cancelled')
    .map(standing)
  if (missing.length === 0) return
  const titles = missing.map(({ title, status }) => `${title} (${status})`).join('; ')
  throw blocked('TASKS_OPEN', `Cards are open: ${titles}. Finish or cancel them.`, { missing })
}
