import type { Spec } from '../../data/planning.ts'

export type LinkedType = 'business_rule' | 'api_contract' | 'decision' | 'technical_requirement' | 'scenario'

/** Something that cards answer for. */
export interface CoverageRow {
  readonly id: string
  readonly type: LinkedType
  readonly says: string
  readonly cardIds: readonly string[]
}

type Linked = { readonly id: string; readonly linked_task_ids: readonly string[] | null }

const row = (type: LinkedType, says: string, { id, linked_task_ids }: Linked): CoverageRow => ({
  id,
  type,
  says,
  cardIds: linked_task_ids ?? [],
})

/** Everything of a spec that cards can be linked to; a requirement without an id cannot. */
export const rowsOf = (spec: Spec): CoverageRow[] => [
  ...(spec.technical_requirements ?? []).flatMap(item =>
    typeof item === 'string' ? [] : [row('technical_requirement', item.text, item)],
  ),
  ...(spec.business_rules ?? []).map(item => row('business_rule', item.title, item)),
  ...(spec.api_contracts ?? []).map(item => row('api_contract', `${item.method} ${item.path}`, item)),
  ...(spec.decisions ?? []).flatMap(item => (item.status === 'active' ? [row('decision', item.title, item)] : [])),
  ...(spec.test_scenarios ?? []).map(item => row('scenario', item.title, item)),
]

/** A sentence with what names it by its place in the list or by its words. */
export interface Covered {
  readonly text: string
  readonly by: readonly string[]
}

interface Naming {
  readonly title: string
  readonly references: readonly string[] | null
}

const coveredBy = (sentences: readonly string[] | null, naming: readonly Naming[]): Covered[] =>
  (sentences ?? []).map((text, index) => ({
    text,
    by: naming
      .filter(({ references }) => references?.some(name => name === String(index) || name === text))
      .map(({ title }) => title),
  }))

/** Functional requirements with the rules that they lead to. */
export const requirementsOf = (spec: Spec): Covered[] =>
  coveredBy(
    spec.functional_requirements,
    (spec.business_rules ?? []).map(({ title, linked_requirements }) => ({ title, references: linked_requirements })),
  )

/** Acceptance criteria with the scenarios that show them. */
export const criteriaOf = (spec: Spec): Covered[] =>
  coveredBy(
    spec.acceptance_criteria,
    (spec.test_scenarios ?? []).map(({ title, linked_criteria }) => ({ title, references: linked_criteria })),
  )
