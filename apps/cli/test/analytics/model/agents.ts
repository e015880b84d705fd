import { always, isIn, type Range, within } from '../range.ts'
import type { Records } from '../records.ts'
import { average, byText, hereOf, isDone, lastReport, rate } from './formulas.ts'
import { successesOf, taskGate } from './gates.ts'

/** The agents of a board: their cards in a range, and the validations that they submitted in it. */
export function agents(all: Records, range: Range = always) {
  const { agentNames, agentKinds } = all
  const cards = within(all, range).cards.filter(card => !card.imported)
  const tasks = hereOf(all.cards.flatMap(card => card.validations)).filter(isIn(range))
  const specReviews = hereOf(all.specs.flatMap(spec => spec.submissions)).filter(isIn(range))
  const actors = new Set([
    ...cards.map(card => card.created_by),
    ...[...tasks, ...specReviews].map(review => review.reviewer_id),
  ])
  return [...actors]
    .map(actor => {
      const own = cards.filter(card => card.created_by === actor)
      const done = own.filter(isDone)
      const reviewed = tasks.filter(review => review.reviewer_id === actor)
      const judged = specReviews.filter(review => review.reviewer_id === actor)
      const firstPass = taskGate(own).first_pass_rate
      return {
        actor_id: actor,
        actor_name: agentNames.get(actor) ?? actor.slice(0, 20),
        kind: agentKinds.get(actor) ?? 'agent',
        total_cards: own.length,
        done_cards: done.length,
        avg_completeness: average(done.map(card => lastReport(card)?.completeness)),
        avg_drift: average(done.map(card => lastReport(card)?.drift)),
        task_validations_submitted: reviewed.length,
        task_validation_success_rate: rate(successesOf(reviewed), reviewed.length),
        spec_validations_submitted: judged.length,
        spec_validation_success_rate: rate(successesOf(judged), judged.length),
        first_pass_acceptance: firstPass,
        first_pass_acceptance_rate: firstPass,
      }
    })
    .sort(
      (a, b) =>
        b.done_cards +
          b.task_validations_submitted +
          b.spec_validations_submitted -
          (a.done_cards + a.task_validations_submitted + a.spec_validations_submitted) ||
        b.total_cards - a.total_cards ||
        byText([a.actor_name, a.actor_id], [b.actor_name, b.actor_id]),
    )
}
