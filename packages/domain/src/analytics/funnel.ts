import { SpecStatus, SprintStatus } from '@specboard/contract'
import type { Db } from '../storage/executor.ts'
import { bugCounts, cardBreakdown, cardCycle, doneOf, planningCycle, typeCounts } from './cards.ts'
import {
  type CardFact,
  type PlanningFact,
  type Population,
  readCardFacts,
  readIdeationFacts,
  readRefinementFacts,
  readSpecFacts,
  readSprintFacts,
  type SpecFact,
  type SprintFact,
} from './facts.ts'
import { breakdown, mean } from './measures.ts'

/** The records of boards, as the funnel counts them. */
export interface Chain {
  readonly ideations: readonly PlanningFact[]
  readonly refinements: readonly PlanningFact[]
  readonly specs: readonly SpecFact[]
  readonly sprints: readonly SprintFact[]
  readonly cards: readonly CardFact[]
}

/** The records of a population of boards: five queries. */
export async function readChain(db: Db, population: Population): Promise<Chain> {
  return {
    ideations: await readIdeationFacts(db, 'board_id', population),
    refinements: await readRefinementFacts(db, 'board_id', population),
    specs: await readSpecFacts(db, 'board_id', population),
    sprints: await readSprintFacts(db, 'board_id', population),
    cards: await readCardFacts(db, 'board_id', population),
  }
}

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0)

/** Mean cycle hours of each kind of record; null of none that ended. */
export const cycleTimes = ({ ideations, refinements, specs, sprints, cards }: Chain) => ({
  ideation: mean(ideations.map(planningCycle)),
  refinement: mean(refinements.map(planningCycle)),
  spec: mean(specs.map(planningCycle)),
  sprint: mean(sprints.map(planningCycle)),
  card: mean(cards.map(cardCycle)),
})

/** How many specs have each status. */
export const specBreakdown = (specs: readonly SpecFact[]) =>
  breakdown(
    SpecStatus.options,
    specs.map(spec => spec.status),
  )

/** How many sprints have each status. */
export const sprintBreakdown = (sprints: readonly Pick<SprintFact, 'status'>[]) =>
  breakdown(
    SprintStatus.options,
    sprints.map(sprint => sprint.status),
  )

/** What the specs hold. */
export const specContents = (specs: readonly SpecFact[]) => ({
  rules: sum(specs.map(spec => spec.rules_count)),
  contracts: sum(specs.map(spec => spec.contracts_count)),
  withRules: specs.filter(spec => spec.rules_count > 0).length,
  withContracts: specs.filter(spec => spec.contracts_count > 0).length,
  withTests: specs.filter(spec => spec.scenarios_count > 0).length,
})

/** The records of the chain that ended. */
export const endedOf = (records: readonly PlanningFact[]): number =>
  records.filter(record => record.completed_at !== null).length

/** The funnel of a board, from idea to done (B.5). */
export function funnelOf(chain: Chain) {
  const { ideations, refinements, specs, sprints, cards } = chain
  const types = typeCounts(cards)
  const contents = specContents(specs)
  const cycles = cycleTimes(chain)
  return {
    ideations: ideations.length,
    refinements: refinements.length,
    specs: specs.length,
    sprints: sprints.length,
    cards: cards.length,
    done: doneOf(cards).length,
    ideations_done: endedOf(ideations),
    refinements_done: endedOf(refinements),
    specs_done: endedOf(specs),
    cards_impl: types.normal,
    cards_test: types.test,
    cards_bug: types.bug,
    rules_count: contents.rules,
    contracts_count: contents.contracts,
    specs_with_rules: contents.withRules,
    specs_with_contracts: contents.withContracts,
    specs_with_tests: contents.withTests,
    ...bugCounts(cards),
    spec_status_breakdown: specBreakdown(specs),
    card_status_breakdown: cardBreakdown(cards),
    sprint_status_breakdown: sprintBreakdown(sprints),
    avg_cycle_hours: cycles.card,
    cycle_time_by_phase: cycles,
  }
}
