import { SpecStatus, SprintStatus } from '@specboard/contract'
import type { Db } from '../../schema/database.ts'
import { cycleOf } from './cards.ts'
import {
  type PlanningFact,
  readIdeationFacts,
  readRefinementFacts,
  readSpecFacts,
  readSprintFacts,
  type SpecFact,
  type SprintFact,
} from './facts.ts'
import { breakdown, mean } from './measures.ts'
import type { Population } from './population.ts'
import {
  bugCounts,
  type CardTally,
  cardBreakdown,
  cardCounts,
  readCardCycle,
  readCardTallies,
  readSpecContents,
  type SpecContents,
  typeCounts,
} from './tallies.ts'

/** The records of boards that the funnel reads. */
export interface Chain {
  readonly ideations: readonly PlanningFact[]
  readonly refinements: readonly PlanningFact[]
  readonly specs: readonly SpecFact[]
  readonly contents: SpecContents
  readonly sprints: readonly SprintFact[]
  /** By board. */
  readonly cards: readonly CardTally[]
  /** The mean cycle hours of done cards. */
  readonly cardCycle: number | null
}

/** Reads the records of a population of boards in seven queries. */
export async function readChain(db: Db, population: Population): Promise<Chain> {
  return {
    ideations: await readIdeationFacts(db, 'board_id', population),
    refinements: await readRefinementFacts(db, 'board_id', population),
    specs: await readSpecFacts(db, 'board_id', population),
    contents: await readSpecContents(db, population),
    sprints: await readSprintFacts(db, 'board_id', population),
    cards: await readCardTallies(db, 'board_id', population),
    cardCycle: await readCardCycle(db, population),
  }
}

/** The mean cycle hours of each kind of record; null when none has ended. */
export const cycleTimes = ({ ideations, refinements, specs, sprints, cardCycle }: Chain) => ({
  ideation: mean(ideations.map(cycleOf)),
  refinement: mean(refinements.map(cycleOf)),
  spec: mean(specs.map(cycleOf)),
  sprint: mean(sprints.map(cycleOf)),
  card: cardCycle,
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

/** How many ideations, refinements or specs are done, here or before an import. */
export const doneCount = (records: readonly PlanningFact[]): number =>
  records.filter(record => record.status === 'done').length

/** The funnel of a board, from idea to done (B.5). */
export function funnelOf(chain: Chain) {
  const { ideations, refinements, specs, contents, sprints, cards } = chain
  const { total, done } = cardCounts(cards)
  const types = typeCounts(cards)
  const bugs = bugCounts(cards)
  const cycles = cycleTimes(chain)
  return {
    ideations: ideations.length,
    refinements: refinements.length,
    specs: specs.length,
    sprints: sprints.length,
    cards: total,
    done,
    ideations_done: doneCount(ideations),
    refinements_done: doneCount(refinements),
    specs_done: doneCount(specs),
    cards_impl: types.normal,
    cards_test: types.test,
    cards_bug: types.bug,
    rules_count: contents.rules,
    contracts_count: contents.contracts,
    specs_with_rules: contents.with_rules,
    specs_with_contracts: contents.with_contracts,
    specs_with_tests: contents.with_tests,
    bugs_total: bugs.total,
    bugs_open: bugs.open,
    bugs_by_severity: bugs.bySeverity,
    spec_status_breakdown: specBreakdown(specs),
    card_status_breakdown: cardBreakdown(cards),
    sprint_status_breakdown: sprintBreakdown(sprints),
    avg_cycle_hours: cycles.card,
    cycle_time_by_phase: cycles,
  }
}
