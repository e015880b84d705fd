import { blocked, type DomainError } from '../../kernel/errors.ts'
import { excerpt } from '../../lib/excerpt.ts'
import { technicalItems } from './items.ts'
import { placesIn } from './references.ts'
import type { SpecRecord } from './store.ts'

/** The coverage gates, in the order in which they are checked (specs 6.1). */
export type CoverageGate = 'test' | 'rules' | 'rule_tasks' | 'technical_requirements' | 'contracts' | 'decisions'

/** The flags of a spec that skip a gate; a board has the same ones with the suffix `_global`. */
export type CoverageFlag =
  | 'skip_test_coverage'
  | 'skip_rules_coverage'
  | 'skip_trs_coverage'
  | 'skip_contract_coverage'
  | 'skip_decisions_coverage'

/** The fields of a spec that coverage depends on. */
export type CoverageFields = Pick<
  SpecRecord,
  | CoverageFlag
  | 'functional_requirements'
  | 'technical_requirements'
  | 'test_scenarios'
  | 'business_rules'
  | 'api_contracts'
  | 'decisions'
>

/** The board settings that skip gates. */
export type CoverageSettings = Readonly<Record<`${CoverageFlag}_global`, boolean>>

/** The counting cards, which are neither archived nor cancelled: their types by id. */
export type CountingCards = ReadonlyMap<string, string>

interface Offender {
  readonly id: string
  readonly label: string
}

interface GateRow {
  readonly gate: CoverageGate
  readonly flag: CoverageFlag
  readonly action: string
  readonly uncovered: (spec: CoverageFields, cards: CountingCards) => readonly Offender[]
}

const hasCard = (links: readonly string[] | null, cards: CountingCards, type?: string): boolean =>
  (links ?? []).some(id => (type === undefined ? cards.has(id) : cards.get(id) === type))

const hasRequirements = (spec: CoverageFields) => (spec.functional_requirements ?? []).length > 0

const rows: readonly GateRow[] = [
  {
    gate: 'test',
    flag: 'skip_test_coverage',
    action: 'Link a test card of this spec to the scenario (link_task_to_scenario)',
    uncovered: (spec, cards) =>
      (spec.test_scenarios ?? [])
        .filter(scenario => !hasCard(scenario.linked_task_ids, cards, 'test'))
        .map(({ id, title }) => ({ id, label: title })),
  },
  {
    gate: 'rules',
    flag: 'skip_rules_coverage',
    action: 'Name the requirement in linked_requirements of a business rule (update_spec)',
    uncovered: spec => {
      const named = (spec.business_rules ?? []).flatMap(rule => rule.linked_requirements ?? [])
      const places = new Set(named.flatMap(placesIn(spec.functional_requirements)))
      return (spec.functional_requirements ?? [])
        .map((text, index) => ({ id: String(index), label: text }))
        .filter((_, index) => !places.has(index))
    },
  },
  {
    gate: 'rule_tasks',
    flag: 'skip_rules_coverage',
    action: 'Link a card of this spec to the business rule (link_task_to_item)',
    uncovered: (spec, cards) =>
      (hasRequirements(spec) ? (spec.business_rules ?? []) : [])
        .filter(rule => !hasCard(rule.linked_task_ids, cards))
        .map(({ id, title }) => ({ id, label: title })),
  },
  {
    gate: 'technical_requirements',
    flag: 'skip_trs_coverage',
    action: 'Link a card of this spec to the technical requirement (link_task_to_item)',
    uncovered: (spec, cards) =>
      technicalItems(spec.technical_requirements)
        .filter(requirement => !hasCard(requirement.linked_task_ids, cards))
        .map(({ id, text }) => ({ id, label: text })),
  },
  {
    gate: 'contracts',
    flag: 'skip_contract_coverage',
    action: 'Link a card of this spec to the API contract (link_task_to_item)',
    uncovered: (spec, cards) =>
      (spec.api_contracts ?? [])
        .filter(contract => !hasCard(contract.linked_task_ids, cards))
        .map(({ id, method, path }) => ({ id, label: `${method} ${path}` })),
  },
  {
    gate: 'decisions',
    flag: 'skip_decisions_coverage',
    action: 'Link a card of this spec to the decision (link_task_to_item)',
    uncovered: (spec, cards) =>
      (spec.decisions ?? [])
        .filter(({ status, linked_task_ids }) => status === 'active' && !hasCard(linked_task_ids, cards))
        .map(({ id, title }) => ({ id, label: title })),
  },
]

/** The flag of a spec or its board that skips a gate; null if there is none. */
const skipOf = ({ flag }: GateRow, spec: CoverageFields, settings: CoverageSettings): string | null => {
  if (spec[flag]) return flag
  return settings[`${flag}_global`] ? `${flag}_global` : null
}

/** The items without coverage, each with its gate, in the order of the gates that no flag skips (specs 6.1). */
export const uncoveredItems = (spec: CoverageFields, settings: CoverageSettings, cards: CountingCards) =>
  rows
    .filter(row => skipOf(row, spec, settings) === null)
    .flatMap(({ gate, flag, action, uncovered }) =>
      uncovered(spec, cards).map(offender => ({ gate, ...offender, action: `${action}, or set ${flag}.` })),
    )

/**
 * The refusal of the coverage gates of a spec (specs 6.1), or null when all of them are open: COVERAGE_REQUIRED with
 * the first failing `gate`, and in `missing` the items of every failing gate.
 */
export function coverageRefusal(
  spec: CoverageFields,
  settings: CoverageSettings,
  cards: CountingCards,
): DomainError | null {
  const missing = uncoveredItems(spec, settings, cards)
  const [first] = missing
  if (first === undefined) return null
  const texts = [...Map.groupBy(missing, ({ gate }) => gate)].map(
    ([gate, items]) => `${gate}: ${items.map(({ id }) => excerpt(id, 80)).join(', ')}. ${items[0]!.action}`,
  )
  return blocked('COVERAGE_REQUIRED', `${missing.length} not covered. ${texts.join(' ')}`, {
    gate: first.gate,
    missing,
  })
}

/**
 * The first flag that lets items without coverage through, or, if all gates are skipped, that skips the first; null
 * when the gates are open without one (board 3).
 */
export function coverageSkippedBy(
  spec: CoverageFields,
  settings: CoverageSettings,
  cards: CountingCards,
): string | null {
  const skipped = rows.flatMap(row => {
    const by = skipOf(row, spec, settings)
    return by === null ? [] : [{ row, by }]
  })
  const needed = skipped.find(({ row }) => row.uncovered(spec, cards).length > 0)
  return (needed ?? (skipped.length === rows.length ? skipped[0] : undefined))?.by ?? null
}
