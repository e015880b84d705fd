import type { Context } from '../../../kernel/context.ts'
import { evaluationSummary } from '../../../planning/evaluation.ts'
import type { Scenario } from '../../../planning/specs/items.ts'
import { readSpec } from '../../../planning/specs/store.ts'
import { readSprint } from '../../../planning/sprints/store.ts'
import { doneOf } from '../cards.ts'
import { submittedHere } from '../evaluations.ts'
import {
  type CardFact,
  readCardFacts,
  readSprintFacts,
  readTaskValidations,
  type SprintFact,
  type TaskValidationFact,
} from '../facts.ts'
import { mean, percent } from '../measures.ts'
import { allOfRecord } from '../population.ts'
import { ascending, ranked } from '../ranking.ts'
import { completionRate } from '../tallies.ts'
import { meanCardCycle, meanScores, scoresOf, shownCycle } from './card-figures.ts'

type Validations = ReadonlyMap<string, readonly TaskValidationFact[]>

const cardOf = (card: CardFact, validations: Validations) => ({
  id: card.id,
  ref: card.ref,
  title: card.title,
  status: card.status,
  card_type: card.card_type,
  ...scoresOf(card, validations),
  cycle_hours: shownCycle(card),
})

/** The scenarios in a sprint's scope that its spec still has, and how many of them passed (B.13). */
export function scopedScenarios(
  ids: readonly string[] | null,
  scenarios: readonly Pick<Scenario, 'id' | 'title' | 'status'>[] | null,
) {
  const byId = new Map((scenarios ?? []).map(scenario => [scenario.id, scenario]))
  const scoped = (ids ?? []).flatMap(id => {
    const scenario = byId.get(id)
    return scenario === undefined ? [] : [{ id, title: scenario.title, status: scenario.status }]
  })
  const passed = scoped.filter(scenario => scenario.status === 'passed').length
  return { scoped_scenarios: scoped, scenario_coverage: percent(passed, scoped.length, 0) }
}

/** Compares the sprints of one spec, oldest first. */
export const comparison = (
  sprints: readonly Pick<SprintFact, 'id' | 'title' | 'status' | 'created_at'>[],
  cards: ReadonlyMap<string | null, readonly CardFact[]>,
  validations: Validations,
  currentId: string,
) =>
  ranked(
    sprints,
    ascending(sprint => sprint.created_at),
    ascending(sprint => sprint.id),
  ).map(({ id, title, status }) => {
    const own = cards.get(id) ?? []
    return {
      sprint_id: id,
      title,
      status,
      tasks_total: own.length,
      tasks_done: doneOf(own).length,
      ...meanScores(own.map(card => scoresOf(card, validations))),
      is_current: id === currentId,
    }
  })

/** The figures of a sprint (B.13). An archived sprint is compared with the others too. */
export async function sprintEntity(ctx: Context, id: string) {
  const sprint = await readSprint(ctx.db, id)
  const spec = await readSpec(ctx.db, sprint.spec_id)
  const facts = await readCardFacts(ctx.db, 'spec_id', allOfRecord(spec))
  const validations = await readTaskValidations(ctx.db, 'spec_id', allOfRecord(spec))
  const others = (await readSprintFacts(ctx.db, 'spec_id', allOfRecord(spec))).filter(other => other.id !== id)
  const bySprint = Map.groupBy(facts, card => card.sprint_id)
  const cards = bySprint.get(id) ?? []
  const done = doneOf(cards).length
  const cancelled = cards.filter(card => card.status === 'cancelled').length
  const evaluations = submittedHere(sprint.evaluations)
  const { approvals } = evaluationSummary(evaluations)
  return {
    sprint_id: id,
    title: sprint.title,
    status: sprint.status,
    spec_id: sprint.spec_id,
    spec_version: sprint.spec_version,
    tasks_total: cards.length,
    tasks_done: done,
    tasks_cancelled: cancelled,
    tasks_in_progress: cards.length - done - cancelled,
    progress: completionRate({ done, total: cards.length }),
    ...meanScores(cards.map(card => scoresOf(card, validations))),
    avg_cycle_hours: meanCardCycle(cards),
    cards: ctx.access.allows('CARDS_READ') ? cards.map(card => cardOf(card, validations)) : [],
    evaluations_total: evaluations.length,
    evaluations_non_stale: evaluations.filter(evaluation => !evaluation.stale).length,
    approvals: approvals.length,
    avg_eval_score: mean(approvals.map(({ overall_score }) => overall_score)),
    ...scopedScenarios(sprint.test_scenario_ids, spec.test_scenarios),
    comparison: comparison([sprint, ...others], bySprint, validations, id),
    created_at: sprint.created_at,
    updated_at: sprint.updated_at,
  }
}
