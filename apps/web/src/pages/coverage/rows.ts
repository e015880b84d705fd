import { countsTowards, type LinkedType } from '../../data/coverage.ts'
import type { Spec } from '../../data/planning.ts'

type Card = Spec['cards'][number]

type ScenarioProof = NonNullable<Spec['test_scenarios']>[number]['proof']

/** An item that cards can be linked to. */
export interface CoverageRow {
  readonly id: string
  readonly type: LinkedType
  readonly says: string
  readonly cardIds: readonly string[]
  /** Whether one of these cards counts for the gate of its kind (specs 6.1). */
  readonly isCovered: boolean
  /** Whether its gate is skipped. */
  readonly isSkipped: boolean
  /** The proof of a scenario, if its board shows proof (evidence 13). */
  readonly proof: ScenarioProof
}

type LinkedItem = { readonly id: string; readonly linked_task_ids: readonly string[] | null }

/** The flag of a spec or setting of its board that skips the gate of a kind (specs 6.1). */
const flags = {
  scenario: 'skip_test_coverage',
  business_rule: 'skip_rules_coverage',
  technical_requirement: 'skip_trs_coverage',
  api_contract: 'skip_contract_coverage',
  decision: 'skip_decisions_coverage',
} as const satisfies Readonly<Record<LinkedType, keyof Spec>>

/** Settings of a board that skip a gate for all of its specs. */
export type SkippedEverywhere = Readonly<Record<`${(typeof flags)[LinkedType]}_global`, boolean>>

export const isSkipped = (type: LinkedType, spec: Spec, board: SkippedEverywhere): boolean =>
  spec[flags[type]] || board[`${flags[type]}_global`]

/** Everything in a spec that cards can be linked to; a requirement without an id cannot. */
export function rowsOf(spec: Spec, board: SkippedEverywhere): CoverageRow[] {
  const cards = new Map(spec.cards.map(card => [card.id, card]))
  const row = (
    type: LinkedType,
    says: string,
    { id, linked_task_ids }: LinkedItem,
    proof: ScenarioProof = null,
  ): CoverageRow => ({
    id,
    type,
    says,
    cardIds: linked_task_ids ?? [],
    isCovered: (linked_task_ids ?? []).some(cardId => {
      const card = cards.get(cardId)
      return card !== undefined && countsTowards(card, type)
    }),
    isSkipped: isSkipped(type, spec, board),
    proof,
  })
  return [
    ...(spec.test_scenarios ?? []).map(item => row('scenario', item.title, item, item.proof)),
    ...(spec.business_rules ?? []).map(item => row('business_rule', item.title, item)),
    ...(spec.technical_requirements ?? []).flatMap(item =>
      typeof item === 'string' ? [] : [row('technical_requirement', item.text, item)],
    ),
    ...(spec.api_contracts ?? []).map(item => row('api_contract', `${item.method} ${item.path}`, item)),
    ...(spec.decisions ?? []).flatMap(item => (item.status === 'active' ? [row('decision', item.title, item)] : [])),
  ]
}

/** The cards with a column: those that count for something, and those that are linked although they do not count. */
export function columnsOf(spec: Spec, rows: readonly CoverageRow[]): Card[] {
  const linked = new Set(rows.flatMap(({ cardIds }) => cardIds))
  return spec.cards.filter(card => countsTowards(card, 'business_rule') || linked.has(card.id))
}

/** A sentence with the items that name it, by its index in the list or by its text. */
export interface CoveredSentence {
  readonly text: string
  readonly by: readonly { readonly id: string; readonly title: string }[]
}

interface Naming {
  readonly id: string
  readonly title: string
  readonly references: readonly string[] | null
}

const coveredBy = (sentences: readonly string[] | null, naming: readonly Naming[]): CoveredSentence[] =>
  (sentences ?? []).map((text, index) => ({
    text,
    by: naming.filter(({ references }) => references?.some(name => name === String(index) || name === text)),
  }))

/** Functional requirements with their business rules. */
export const requirementsOf = (spec: Spec): CoveredSentence[] =>
  coveredBy(
    spec.functional_requirements,
    (spec.business_rules ?? []).map(({ id, title, linked_requirements }) => ({
      id,
      title,
      references: linked_requirements,
    })),
  )

/** Acceptance criteria with the scenarios that test them. */
export const criteriaOf = (spec: Spec): CoveredSentence[] =>
  coveredBy(
    spec.acceptance_criteria,
    (spec.test_scenarios ?? []).map(({ id, title, linked_criteria }) => ({ id, title, references: linked_criteria })),
  )
