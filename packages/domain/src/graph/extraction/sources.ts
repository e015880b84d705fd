/** The fields of records that extraction reads: plain values, as stored. */

interface Source {
  readonly id: string
  readonly title: string
  readonly description: string | null
  readonly status: string
  readonly archived: boolean
}

/** An architecture design, extracted with its parent. */
export interface DesignSource {
  readonly id: string
  readonly title: string
  readonly global_description: string
  readonly entities: readonly unknown[]
  readonly interfaces: readonly unknown[]
}

export interface IdeationSource extends Source {
  readonly type: 'ideation'
  readonly problem_statement: string | null
  readonly proposed_approach: string | null
  readonly complexity: string | null
  readonly designs: readonly DesignSource[]
}

export interface RefinementSource extends Source {
  readonly type: 'refinement'
  readonly ideation_id: string
  readonly analysis: string | null
  readonly decisions: readonly unknown[]
  readonly designs: readonly DesignSource[]
}

/** The lists of a spec that bugs among its cards refer to. */
export interface SpecLists {
  readonly id: string
  readonly technical_requirements: readonly unknown[]
  readonly business_rules: readonly unknown[]
  readonly test_scenarios: readonly unknown[]
}

export interface SpecSource extends Source, SpecLists {
  readonly type: 'spec'
  readonly ideation_id: string | null
  readonly refinement_id: string | null
  readonly context: string | null
  readonly functional_requirements: readonly unknown[]
  readonly acceptance_criteria: readonly unknown[]
  readonly api_contracts: readonly unknown[]
  readonly decisions: readonly unknown[]
  /** The answers given to the spec's questions, oldest first. */
  readonly answers: readonly string[]
  readonly designs: readonly DesignSource[]
}

export interface SprintSource extends Source {
  readonly type: 'sprint'
  readonly spec_id: string
  readonly objective: string | null
  readonly expected_outcome: string | null
}

/** Another card that a card refers to. */
export interface CardLink {
  readonly id: string
  readonly card_type: string
}

/** A test task of a bug, with its linked scenarios. */
export interface TestTaskLink extends CardLink {
  readonly spec_id: string | null
  readonly test_scenario_ids: readonly string[]
}

export interface CardSource extends Source {
  readonly type: 'card'
  readonly spec_id: string | null
  readonly sprint_id: string | null
  readonly details: string | null
  readonly card_type: string
  readonly priority: string
  readonly severity: string | null
  readonly action_plan: string | null
  /** The text of the latest conclusion. */
  readonly conclusion: string | null
  /** The latest task validation. */
  readonly validation: { readonly outcome: string; readonly summary: string } | null
  readonly dependencies: readonly CardLink[]
  readonly origin: CardLink | null
  readonly test_tasks: readonly TestTaskLink[]
  /** The lists of the bug's spec and of its test tasks' specs. */
  readonly specs: readonly SpecLists[]
  readonly designs: readonly DesignSource[]
}

/** The fields of a record that extraction reads. */
export type ArtifactSource = IdeationSource | RefinementSource | SpecSource | SprintSource | CardSource
