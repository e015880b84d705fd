import type {
  ApiContract,
  BusinessRule,
  SpecDecision,
  SpecEvaluationInput,
  StoredSpecEvaluation,
  TechnicalRequirement,
  TestEvidence,
  TestScenario,
} from '@specboard/contract'
import type { z } from 'zod'

/** A scenario as stored: with all fields, defaults filled in (specs 2.2). */
export type Scenario = z.output<typeof TestScenario>
export type Evidence = z.output<typeof TestEvidence>
export type Rule = z.output<typeof BusinessRule>
export type Contract = z.output<typeof ApiContract>
export type Decision = z.output<typeof SpecDecision>
export type TechnicalItem = z.output<typeof TechnicalRequirement>
export type Evaluation = z.output<typeof StoredSpecEvaluation>
export type EvaluationInput = z.output<typeof SpecEvaluationInput>

/** The lists whose items have `linked_task_ids`. */
export const linkableLists = [
  'test_scenarios',
  'business_rules',
  'api_contracts',
  'decisions',
  'technical_requirements',
] as const

export type LinkableList = (typeof linkableLists)[number]

/** The lists of a spec with items that cards can be linked to. */
export interface Linkables {
  readonly test_scenarios: Scenario[] | null
  readonly business_rules: Rule[] | null
  readonly api_contracts: Contract[] | null
  readonly decisions: Decision[] | null
  readonly technical_requirements: (string | TechnicalItem)[] | null
}

/** The technical requirements that cards can be linked to: all except plain strings. */
export const technicalItems = (requirements: Linkables['technical_requirements']): TechnicalItem[] =>
  (requirements ?? []).filter(requirement => typeof requirement !== 'string')

/** The parts that linkable items of all kinds have. */
export interface Linkable {
  readonly id: string
  readonly linked_task_ids: readonly string[] | null
}

/** The item with an id in one of the lists; undefined when the list has none. */
export const itemIn = (lists: Linkables, list: LinkableList, id: string): Linkable | undefined =>
  (lists[list] as readonly (string | Linkable)[] | null)?.find(
    (item): item is Linkable => typeof item !== 'string' && item.id === id,
  )
