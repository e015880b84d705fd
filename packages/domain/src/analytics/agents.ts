import type { features } from '@specboard/contract'
import { sql } from 'kysely'
import type { Implementation } from '../implement.ts'
import { pageOf } from '../page.ts'
import { dialect } from '../storage/dialect.ts'
import type { Db } from '../storage/executor.ts'
import { hot } from '../storage/hot.ts'
import { doneOf, reportedMeans, validationGroups } from './cards.ts'
import {
  allOf,
  type CardFact,
  readCardFacts,
  readSpecValidations,
  readTaskValidations,
  type TaskValidationFact,
} from './facts.ts'
import { firstPassRate, outcomesOf, type Submission } from './gates.ts'
import { percent } from './measures.ts'
import { boundsOf, type Range, rangeOf } from './periods.ts'
import { ascending, descending, ranked } from './ranking.ts'

/** A validation, as the ranking counts it for its reviewer. */
export interface Review extends Submission {
  readonly reviewer_id: string
}

/** What the ranking of agents is made from. */
export interface AgentWork {
  /** The cards of the population. */
  readonly cards: readonly CardFact[]
  /** All validations of those cards, each card's oldest first. */
  readonly validations: ReadonlyMap<string, TaskValidationFact[]>
  /** The task and spec validations submitted in the range. */
  readonly taskReviews: readonly Review[]
  readonly specReviews: readonly Review[]
  /** The names of the agents that exist. */
  readonly names: ReadonlyMap<string, string>
}

const successRate = (reviews: readonly Review[]) => percent(outcomesOf(reviews).total_success, reviews.length)

/** The agents of a board, those who did most first (B.3). */
export function rankAgents({ cards, validations, taskReviews, specReviews, names }: AgentWork) {
  const made = Map.groupBy(cards, card => card.created_by)
  const judgedTasks = Map.groupBy(taskReviews, review => review.reviewer_id)
  const judgedSpecs = Map.groupBy(specReviews, review => review.reviewer_id)
  const actors = new Set([...made.keys(), ...judgedTasks.keys(), ...judgedSpecs.keys()])
  const rows = [...actors].map(actor => {
    const own = made.get(actor) ?? []
    const done = doneOf(own)
    const tasks = judgedTasks.get(actor) ?? []
    const specs = judgedSpecs.get(actor) ?? []
    const firstPass = firstPassRate(validationGroups(own, validations))
    return {
      actor_id: actor,
      actor_name: names.get(actor) ?? actor.slice(0, 20),
      total_cards: own.length,
      done_cards: done.length,
      ...reportedMeans(done),
      task_validations_submitted: tasks.length,
      task_validation_success_rate: successRate(tasks),
      spec_validations_submitted: specs.length,
      spec_validation_success_rate: successRate(specs),
      first_pass_acceptance: firstPass,
      first_pass_acceptance_rate: firstPass,
    }
  })
  return ranked(
    rows,
    descending(row => row.done_cards + row.task_validations_submitted + row.spec_validations_submitted),
    descending(row => row.total_cards),
    ascending(row => row.actor_name),
    ascending(row => row.actor_id),
  )
}

/** Those submitted within the range. */
function submittedIn<Fact extends { readonly created_at: string }>(
  validations: ReadonlyMap<string, readonly Fact[]>,
  range: Range,
): Fact[] {
  const { from, to } = boundsOf(range)
  return [...validations.values()].flat().filter(({ created_at }) => created_at >= from && created_at <= to)
}

const namesOf = hot<{ ids: string }, { id: string; name: string }>((db, param) => ({
  compile: () =>
    sql<{ id: string; name: string }>`select a.id, a.name from agents a
      where a.deleted_at is null and ${dialect.inList(sql.ref('a.id'), param('ids'))}`.compile(db),
}))

async function readNames(db: Db, ids: ReadonlySet<string>): Promise<Map<string, string>> {
  const rows = await namesOf(db, { ids: JSON.stringify([...ids]) })
  return new Map(rows.map(({ id, name }) => [id, name]))
}

/** get_agent_analytics (B.3). */
export const agentAnalytics: Implementation<(typeof features.analytics)['get_agent_analytics']> = async (
  { query },
  ctx,
) => {
  const range = rangeOf(query)
  const cards = await readCardFacts(ctx.db, 'board_id', { ids: [ctx.boardId], range })
  const validations = await readTaskValidations(ctx.db, 'board_id', allOf(ctx.boardId))
  const taskReviews = submittedIn(validations, range)
  const specReviews = submittedIn(await readSpecValidations(ctx.db, 'board_id', allOf(ctx.boardId)), range)
  const actors = new Set([
    ...cards.map(card => card.created_by),
    ...[...taskReviews, ...specReviews].map(review => review.reviewer_id),
  ])
  const names = await readNames(ctx.db, actors)
  return pageOf(rankAgents({ cards, validations, taskReviews, specReviews, names }), query)
}
