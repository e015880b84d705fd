import type { features } from '@specboard/contract'
import { dialect } from '@specboard/storage'
import { sql } from 'kysely'
import type { Implementation } from '../../kernel/implement.ts'
import { pageOf } from '../../kernel/page.ts'
import type { Flag } from '../../schema/columns.ts'
import type { Db } from '../../schema/database.ts'
import { hot } from '../../schema/hot.ts'
import { sameBoard } from '../../schema/same-board.ts'
import type { AgentsTable, PrincipalKind } from '../../schema/tables.ts'
import { type AgentChanges, changeFigures, readAgentChanges } from './agent-changes.ts'
import { readSpecValidations } from './facts.ts'
import { isImported, isReported, isSubmitted, reported } from './imported.ts'
import { oneDecimal, percent } from './measures.ts'
import { boundsOf, type Range, rangeOf } from './periods.ts'
import { allOf, among, reader, within } from './population.ts'
import { ascending, descending, ranked } from './ranking.ts'
import { type Part, readParts, readWorkedCards, type WorkedCard, workedFigures } from './workers.ts'

/** The cards that an agent created, without imported ones. */
export interface CreatedCards {
  readonly created_by: string
  readonly cards: number
  readonly done: number
}

/** The figures reported in the last conclusions of an agent's done cards: unrounded means. */
export interface ReportedFigures {
  readonly created_by: string
  readonly completeness: number | null
  readonly drift: number | null
}

/** A validation that counts for its reviewer in the ranking. */
export interface Review {
  readonly reviewer_id: string
  readonly outcome: string
}

/** The oldest validation of a card, which counts for the card's creator in the ranking. */
export interface FirstReview {
  readonly created_by: string
  readonly outcome: string
}

/** The input of the ranking of agents. */
export interface AgentWork {
  /** One row per agent. */
  readonly created: readonly CreatedCards[]
  readonly reported: readonly ReportedFigures[]
  readonly firstReviews: readonly FirstReview[]
  /** The task and spec validations submitted in the range. */
  readonly taskReviews: readonly Review[]
  readonly specReviews: readonly Review[]
  /** The roles of agents in the work on the cards, and these cards. */
  readonly parts: readonly Part[]
  readonly workedCards: readonly WorkedCard[]
  /** What agents brought into repositories; null if the caller may not read it. */
  readonly changes: ReadonlyMap<string, AgentChanges> | null
  /** The names of the existing agents. */
  readonly names: ReadonlyMap<string, string>
  /** The kinds of agents, including deleted ones. */
  readonly kinds: ReadonlyMap<string, PrincipalKind>
}

const successRate = (reviews: readonly { readonly outcome: string }[]) =>
  percent(reviews.filter(({ outcome }) => outcome === 'success').length, reviews.length)

const rounded = (value: number | null = null) => (value === null ? null : oneDecimal(value))

/** The agents of a board, the most active first (B.3). */
export function rankAgents(work: AgentWork) {
  const { created, reported, firstReviews, taskReviews, specReviews, parts, workedCards, changes, names, kinds } = work
  const createdBy = new Map(created.map(row => [row.created_by, row]))
  const reportedBy = new Map(reported.map(row => [row.created_by, row]))
  const firstOf = Map.groupBy(firstReviews, review => review.created_by)
  const judgedTasks = Map.groupBy(taskReviews, review => review.reviewer_id)
  const judgedSpecs = Map.groupBy(specReviews, review => review.reviewer_id)
  const partsOf = Map.groupBy(parts, part => part.agent_id)
  const cards = new Map(workedCards.map(card => [card.id, card]))
  const actors = new Set([
    ...createdBy.keys(),
    ...judgedTasks.keys(),
    ...judgedSpecs.keys(),
    ...partsOf.keys(),
    ...(changes?.keys() ?? []),
  ])
  const rows = [...actors].map(actor => {
    const tasks = judgedTasks.get(actor) ?? []
    const specs = judgedSpecs.get(actor) ?? []
    const firstPass = successRate(firstOf.get(actor) ?? [])
    return {
      actor_id: actor,
      actor_name: names.get(actor) ?? actor.slice(0, 20),
      kind: kinds.get(actor) ?? 'agent',
      total_cards: createdBy.get(actor)?.cards ?? 0,
      done_cards: createdBy.get(actor)?.done ?? 0,
      avg_completeness: rounded(reportedBy.get(actor)?.completeness),
      avg_drift: rounded(reportedBy.get(actor)?.drift),
      task_validations_submitted: tasks.length,
      task_validation_success_rate: successRate(tasks),
      spec_validations_submitted: specs.length,
      spec_validation_success_rate: successRate(specs),
      first_pass_acceptance: firstPass,
      first_pass_acceptance_rate: firstPass,
      ...workedFigures(partsOf.get(actor) ?? [], cards),
      ...changeFigures(changes, actor),
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

const readMade = reader(
  ['board_id'],
  (
    column,
    param,
  ) => sql<CreatedCards>`select c.created_by, count(*) as cards, count(*) filter (where c.status = 'done') as done
    from cards c where ${within('c', column, param)} and not ${isImported('c')} group by c.created_by`,
)

const readReported = reader(
  ['board_id'],
  (column, param) => sql<ReportedFigures>`select c.created_by,
      avg(${reported('c', 'completeness')}) as completeness, avg(${reported('c', 'drift')}) as drift
    from cards c where ${within('c', column, param)} and c.status = 'done' and ${isReported('c')}
      and not ${isImported('c')} group by c.created_by`,
)

/** A task validation with the creator and the creation time of its card. */
interface TaskReview extends Review {
  readonly card_id: string
  readonly created_at: string
  readonly created_by: string
  readonly card_created_at: string
  readonly card_imported: Flag
}

/** The task validations of cards that are not archived, by card, oldest first. */
const readTaskReviews = reader(
  ['board_id'],
  (column, param) => sql<TaskReview>`select v.card_id, v.reviewer_id, v.outcome, v.created_at, c.created_by,
      c.created_at as card_created_at, ${dialect.flag(isImported('c'))} as card_imported
    from task_validations v join cards c on c.id = v.card_id and ${sameBoard('c', 'v')}
    where ${among(`v.${column}`, param)} and c.archived = 0 and ${isSubmitted('v')}
    order by v.board_id, v.card_id, v.id`,
)

const isIn = (range: Range) => {
  const { from, to } = boundsOf(range)
  return (time: string) => time >= from && time <= to
}

type NamedAgent = Pick<AgentsTable, 'id' | 'name' | 'kind' | 'deleted_at'>

const namesOf = hot<{ ids: string }, NamedAgent>(
  (_, param) =>
    sql<NamedAgent>`select a.id, a.name, a.kind, a.deleted_at from agents a
      where ${dialect.inList(sql.ref('a.id'), param('ids'))}`,
)

async function readNames(db: Db, ids: ReadonlySet<string>): Promise<Pick<AgentWork, 'names' | 'kinds'>> {
  const rows = await namesOf(db, { ids: JSON.stringify([...ids]) })
  const existing = rows.filter(({ deleted_at }) => deleted_at === null)
  return {
    names: new Map(existing.map(({ id, name }) => [id, name])),
    kinds: new Map(rows.map(({ id, kind }) => [id, kind])),
  }
}

/** get_agent_analytics (B.3). */
export const agentAnalytics: Implementation<(typeof features.analytics)['get_agent_analytics']> = async (
  { query },
  ctx,
) => {
  const range = rangeOf(query)
  const inRange = isIn(range)
  const population = { ids: [ctx.boardId], board: null, range }
  const created = await readMade(ctx.db, 'board_id', population)
  const reported = await readReported(ctx.db, 'board_id', population)
  const all = await readTaskReviews(ctx.db, 'board_id', allOf(ctx.boardId))
  const firstReviews = all.filter(
    ({ card_id, card_created_at, card_imported }, place) =>
      card_id !== all[place - 1]?.card_id && inRange(card_created_at) && card_imported === 0,
  )
  const taskReviews = all.filter(review => inRange(review.created_at))
  const specValidations = await readSpecValidations(ctx.db, 'board_id', allOf(ctx.boardId))
  const specReviews = [...specValidations.values()].flat().filter(review => inRange(review.created_at))
  const parts = await readParts(ctx.db, 'board_id', population)
  const workedCards = await readWorkedCards(ctx.db, 'board_id', population)
  const changes = await readAgentChanges(ctx, range)
  const actors = new Set([
    ...(changes?.keys() ?? []),
    ...parts.map(part => part.agent_id),
    ...created.map(row => row.created_by),
    ...[...taskReviews, ...specReviews].map(review => review.reviewer_id),
  ])
  const named = await readNames(ctx.db, actors)
  const work = {
    created,
    reported,
    firstReviews,
    taskReviews,
    specReviews,
    parts,
    workedCards,
    changes,
    ...named,
  }
  return pageOf(rankAgents(work), query)
}
