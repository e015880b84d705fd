import type { features } from '@specboard/contract'
import { dialect, type Json } from '@specboard/storage'
import { sql } from 'kysely'
import type { Context } from '../../kernel/context.ts'
import { parseJson } from '../../lib/json.ts'
import { readSprint, type SprintRecord } from '../../planning/sprints/store.ts'
import type { Change } from '../../schema/contents.ts'
import type { Db } from '../../schema/database.ts'
import { hot } from '../../schema/hot.ts'
import { sameBoard } from '../../schema/same-board.ts'
import { waitingCards } from './blockers.ts'
import { type CardScope, scopeReader } from './card-scope.ts'
import { readCycleHours } from './cycle-times.ts'
import { readSprintFacts, type SprintFact } from './facts.ts'
import { enteredBoardAt } from './flow-analytics.ts'
import { isDoneHere, isSubmitted } from './imported.ts'
import { mean, percentile } from './measures.ts'
import { dateOf } from './periods.ts'
import { allOf } from './population.ts'
import { ascending, descending, ranked } from './ranking.ts'
import {
  hoursLeftOf,
  type OpenCard,
  risksOf,
  type ScopeCard,
  type ScopeChange,
  type ScopeCounts,
  scopeAt,
  scopeChangesOf,
} from './sprint-progress.ts'
import type { Measurement } from './with-refs.ts'

const members = scopeReader<object, ScopeCard>(
  cards =>
    sql<ScopeCard>`select c.id, c.status, c.moved_at, ${enteredBoardAt('c')} as came_at from cards c where ${cards}`,
)

const cardsOfBoard = hot<{ board: string; ids: string }, ScopeCard>(
  (_, param) => sql<ScopeCard>`select c.id, c.status, c.moved_at, ${enteredBoardAt('c')} as came_at from cards c
    where ${dialect.inList(sql.ref('c.id'), param('ids'))} and c.board_id = ${param('board')} and c.archived = 0`,
)

interface LogRow {
  readonly at: string
  readonly changes: Json<Change[]>
}

const scopeLog = hot<{ board: string; sprint: string }, LogRow>(
  (_, param) => sql<LogRow>`select e.created_at as at, e.changes from events e
    where e.entity_type = 'sprint' and e.entity_id = ${param('sprint')} and e.board_id = ${param('board')}
      and e.history_action in ('tasks_assigned', 'tasks_unassigned') and e.imported = 0
    order by e.created_at, e.id`,
)

/** Log entries of updates that put cards of the board into a sprint, or took them out of it. */
const updates = scopeReader<{ since: string; named: string }, LogRow & { readonly card_id: string }>(
  (cards, param) => sql<LogRow & { readonly card_id: string }>`select e.card_id, e.created_at as at, e.changes
    from cards c join events e on e.card_id = c.id and ${sameBoard('e', 'c')} and e.action = 'card_updated'
      and e.imported = 0 and e.created_at >= ${param('since')} and e.changes like ${param('named')}
    where ${cards}`,
)

const idsIn = (changes: readonly Change[], side: 'added' | 'removed'): string[] =>
  changes.flatMap(({ [side]: ids }) => (Array.isArray(ids) ? ids.map(String) : []))

/** The changes that brought cards into a sprint or took them out of it, oldest first. */
async function readChanges(db: Db, board: string, sprint: SprintRecord): Promise<ScopeChange[]> {
  const logged = (await scopeLog(db, { board, sprint: sprint.id })).map(({ at, changes }) => {
    const parsed = parseJson(changes)
    return { at, added: idsIn(parsed, 'added'), removed: idsIn(parsed, 'removed') }
  })
  const rows = await updates(db, { board }, { since: sprint.created_at, named: `%"${sprint.id}"%` })
  const updated = rows.flatMap(({ at, card_id, changes }) =>
    scopeChangesOf(sprint.id, { at, card_id, changes: parseJson(changes) }),
  )
  return ranked(
    [...logged, ...updated],
    ascending(({ at }) => at),
  )
}

const dayMs = 86_400_000

/** Maximum number of days of a burn-up. */
const maxDays = 180

/** The days of a sprint until now, or until it was closed, each with its last moment. */
function daysOf(sprint: SprintRecord, closed: string | null, now: string): { day: string; end: string }[] {
  const to = Date.parse(closed ?? now)
  const from = Math.min(Date.parse(sprint.start_date ?? sprint.created_at), to)
  const days = Math.min(maxDays, Math.floor(to / dayMs) - Math.floor(from / dayMs) + 1)
  const first = (Math.floor(to / dayMs) - days + 1) * dayMs
  return Array.from({ length: days }, (_, index) => {
    const start = first + index * dayMs
    return { day: dateOf(start), end: new Date(Math.min(start + dayMs - 1, to)).toISOString() }
  })
}

const deliveredCards = hot<{ ids: string }, { readonly id: string; readonly cards: number }>(
  (_, param) => sql<{ readonly id: string; readonly cards: number }>`select c.sprint_id as id, count(*) as cards
    from cards c where ${dialect.inList(sql.ref('c.sprint_id'), param('ids'))} and c.archived = 0 and ${isDoneHere('c')}
    group by c.sprint_id`,
)

/** The number of earlier sprints that determine the capacity. */
const comparedSprints = 3

/** The last sprints that were closed here, the latest first, with what they delivered. */
async function readDelivered(db: Db, sprints: readonly SprintFact[], own: string) {
  const last = ranked(
    sprints.flatMap(sprint =>
      sprint.completed_at === null || sprint.id === own ? [] : [{ ...sprint, closed_at: sprint.completed_at }],
    ),
    descending(({ closed_at }) => Date.parse(closed_at)),
  ).slice(0, comparedSprints)
  const rows = await deliveredCards(db, { ids: JSON.stringify(last.map(({ id }) => id)) })
  const cards = new Map(rows.map(row => [row.id, row.cards]))
  return last.map(({ id, title, closed_at }) => ({ sprint_id: id, title, closed_at, done_cards: cards.get(id) ?? 0 }))
}

const openCards = scopeReader<{ now: string }, OpenCard>(
  (cards, param) => sql<OpenCard>`select c.id, c.title, c.status, c.created_at,
      case when exists (select 1 from claims k where k.card_id = c.id and ${sameBoard('k', 'c')}
        and k.expires_at > ${param('now')}) then 1 else 0 end as claimed,
      (select count(*) from task_validations v where v.card_id = c.id and ${sameBoard('v', 'c')}
        and v.outcome = 'failed' and ${isSubmitted('v')}) as refusals
    from cards c where ${cards} and c.status not in ('done', 'cancelled') order by c.created_at, c.id`,
)

/** How far back cards are considered to determine what counts as old, days. */
const agedOver = 90

/** The minimum number of cards to determine what counts as old. */
const minAged = 5

async function readRisks(ctx: Context, sprint: SprintRecord, scope: CardScope) {
  const now = ctx.now()
  const since = new Date(Date.parse(now) - agedOver * dayMs).toISOString()
  const hours = await readCycleHours(ctx.db, { board: scope.board }, { from: since, to: now })
  const measures = {
    now,
    hoursLeft: hoursLeftOf(sprint.start_date ?? sprint.created_at, sprint.end_date, now),
    p85: hours.length < minAged ? null : percentile(hours, 0.85),
  }
  const waits = Map.groupBy(await waitingCards(ctx.db, scope, {}), ({ id }) => id)
  const cards = (await openCards(ctx.db, scope, { now })).flatMap(card => {
    const reasons = risksOf(card, waits.get(card.id) ?? [], measures)
    return reasons.length === 0 ? [] : [{ card_id: card.id, title: card.title, status: card.status, reasons }]
  })
  return ranked(
    cards,
    descending(({ reasons }) => reasons.length),
  )
}

/** get_sprint_progress (insight B.18). */
export const sprintProgress: Measurement<(typeof features.analytics)['get_sprint_progress']> = async (
  { params },
  ctx,
) => {
  const sprint = await readSprint(ctx.db, params.sprint_id)
  const scope = { board: ctx.boardId, sprint: sprint.id }
  const sprints = await readSprintFacts(ctx.db, 'board_id', allOf(ctx.boardId))
  const closed = sprints.find(({ id }) => id === sprint.id)?.completed_at ?? null
  const days = daysOf(sprint, closed, ctx.now())
  const own = await members(ctx.db, scope, {})
  const ids = new Set(own.map(({ id }) => id))
  const changes = await readChanges(ctx.db, ctx.boardId, sprint)
  const formerIds = [...new Set(changes.flatMap(({ removed }) => removed))].filter(id => !ids.has(id))
  const former = await cardsOfBoard(ctx.db, { board: ctx.boardId, ids: JSON.stringify(formerIds) })
  const counts: ScopeCounts[] = scopeAt(
    days.map(({ end }) => end),
    [...own, ...former],
    ids,
    changes,
  )
  const planned = own.filter(({ status }) => status !== 'cancelled')
  const delivered = await readDelivered(ctx.db, sprints, sprint.id)
  const isOver = sprint.status === 'closed' || sprint.status === 'cancelled'
  return {
    sprint_id: sprint.id,
    title: sprint.title,
    status: sprint.status,
    start_date: sprint.start_date,
    end_date: sprint.end_date,
    days: days.map(({ day }, index) => ({ day, ...counts[index]! })),
    capacity: {
      planned: planned.length,
      remaining: planned.filter(({ status }) => status !== 'done').length,
      average: mean(delivered.map(({ done_cards }) => done_cards)),
      delivered,
    },
    at_risk: isOver ? [] : await readRisks(ctx, sprint, scope),
  }
}
