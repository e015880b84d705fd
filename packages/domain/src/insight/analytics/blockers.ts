import { type Blocker as BlockerSchema, BlockerType, type features } from '@specboard/contract'
import { dialect, type Json } from '@specboard/storage'
import { sql } from 'kysely'
import type { z } from 'zod'
import { ExplicitAnswer } from '../../kernel/implement.ts'
import { oneOf } from '../../kernel/one-of.ts'
import { pageOf } from '../../kernel/page.ts'
import { parseJson } from '../../lib/json.ts'
import type { Scenario } from '../../planning/specs/items.ts'
import type { Db } from '../../schema/database.ts'
import { hot } from '../../schema/hot.ts'
import { refOf } from '../../schema/refs.ts'
import { sameBoard } from '../../schema/same-board.ts'
import { scopeReader } from './card-scope.ts'
import { hoursBetween, oneDecimal } from './measures.ts'
import { ascending, ranked } from './ranking.ts'
import type { Measurement, WithoutRefs } from './with-refs.ts'

type Analytics = typeof features.analytics
type Blocker = WithoutRefs<z.output<typeof BlockerSchema>>
type CardStatus = Extract<Blocker, { type: 'on_hold' }>['card_status']
type SpecStatus = Extract<Blocker, { type: 'spec_no_cards' }>['evidence']['status']
type ScenarioStatus = Extract<Blocker, { type: 'uncovered_scenario' }>['evidence']['scenario_status']

/** A type of blocker. */
export type Type = z.infer<typeof BlockerType>

/** The fields of a card that blockers show. */
export interface BlockedCard {
  readonly id: string
  readonly title: string
  readonly status: CardStatus
  readonly created_at: string
  readonly updated_at: string
}

/** A card and one of the open cards that it waits for. */
export interface WaitingCard extends BlockedCard {
  readonly blocking_id: string
  readonly blocking_ref: string
  readonly blocking_title: string
  readonly blocking_status: CardStatus
}

/** A spec that waits for a validation or for cards. */
export interface BlockedSpec {
  readonly id: string
  readonly title: string
  readonly status: SpecStatus
  readonly created_at: string
  readonly validations: number
}

/** A scenario that no test card covers. */
export interface UncoveredScenario {
  readonly spec_id: string
  readonly spec_title: string
  readonly id: string
  readonly title: string
  readonly status: ScenarioStatus
}

const shownCard = ({ id, title, status }: BlockedCard) => ({ card_id: id, card_title: title, card_status: status })

/** The blockers of cards, oldest card first; for each card open dependencies, on hold, staleness (B.4). */
export function cardBlockers(
  waiting: readonly WaitingCard[],
  paused: readonly BlockedCard[],
  stale: readonly BlockedCard[],
  now: string,
): Blocker[] {
  const found = [
    ...[...Map.groupBy(waiting, row => row.id).values()].map(rows => ({ card: rows[0]!, kind: 0, rows })),
    ...paused.map(card => ({ card, kind: 1, rows: [] })),
    ...stale.map(card => ({ card, kind: 2, rows: [] })),
  ]
  const ordered = ranked(
    found,
    ascending(({ card }) => card.created_at),
    ascending(({ card }) => card.id),
    (a, b) => a.kind - b.kind,
  )
  return ordered.map(({ card, kind, rows }): Blocker => {
    if (kind === 0) {
      const blocking_cards = rows.map(row => ({
        id: row.blocking_id,
        ref: row.blocking_ref,
        title: row.blocking_title,
        status: row.blocking_status,
      }))
      const names = blocking_cards.map(({ title }) => `"${title}"`).join(', ')
      return {
        type: 'dependency_blocked',
        reason: `Waits for ${names}.`,
        ...shownCard(card),
        evidence: { blocking_cards },
      }
    }
    const { updated_at } = card
    if (kind === 1) return { type: 'on_hold', reason: 'Is on hold.', ...shownCard(card), evidence: { updated_at } }
    const age_hours = oneDecimal(hoursBetween(updated_at, now))
    return {
      type: 'stale',
      reason: `Has not changed for ${age_hours} hours.`,
      ...shownCard(card),
      evidence: { last_updated: updated_at, age_hours },
    }
  })
}

const shownSpec = ({ id, title }: BlockedSpec) => ({ spec_id: id, spec_title: title })

/** The blockers of specs, oldest first: approved specs wait for a validation, validated ones for cards (B.4). */
export const specBlockers = (specs: readonly BlockedSpec[]): Blocker[] =>
  ranked(
    specs,
    ascending(spec => spec.created_at),
    ascending(spec => spec.id),
  ).map(spec =>
    spec.status === 'approved'
      ? {
          type: 'spec_pending_validation',
          reason: 'Is approved and has no successful validation.',
          ...shownSpec(spec),
          evidence: { total_evaluations: spec.validations },
        }
      : {
          type: 'spec_no_cards',
          reason: `Is ${spec.status} and has no cards.`,
          ...shownSpec(spec),
          evidence: { status: spec.status },
        },
  )

/** The blockers of scenarios, by spec and position (B.4). */
const scenarioBlockers = (scenarios: readonly UncoveredScenario[]): Blocker[] =>
  scenarios.map(({ spec_id, spec_title, id, title, status }) => ({
    type: 'uncovered_scenario',
    reason: `No test card covers the scenario "${title}".`,
    spec_id,
    spec_title,
    scenario_id: id,
    scenario_title: title,
    evidence: { scenario_status: status },
  }))

/** The open cards of a scope that wait for another, with the cards that they wait for (B.4). */
export const waitingCards = scopeReader<object, WaitingCard>(
  cards =>
    sql<WaitingCard>`select c.id, c.title, c.status, c.created_at, c.updated_at,
        t.id as blocking_id, ${refOf('t')} as blocking_ref, t.title as blocking_title, t.status as blocking_status
      from cards c join card_dependencies d on d.card_id = c.id and ${sameBoard('d', 'c')} join cards t on t.id = d.depends_on_id and ${sameBoard('t', 'd')}
      where ${cards} and c.status in ('not_started', 'started', 'in_progress', 'validation', 'on_hold')
        and t.status not in ('done', 'cancelled')
      order by c.created_at, c.id, d.created_at, d.id`,
)

const pausedCards = hot<{ board: string }, BlockedCard>(
  (_, param) =>
    sql<BlockedCard>`select c.id, c.title, c.status, c.created_at, c.updated_at from cards c
      where c.board_id = ${param('board')} and c.archived = 0 and c.status = 'on_hold'`,
)

const staleCards = hot<{ board: string; before: string }, BlockedCard>(
  (_, param) =>
    sql<BlockedCard>`select c.id, c.title, c.status, c.created_at, c.updated_at from cards c
      where c.board_id = ${param('board')} and c.archived = 0
        and c.status in ('started', 'in_progress', 'validation') and c.updated_at < ${param('before')}`,
)

const waitingSpecs = hot<{ board: string }, BlockedSpec>(
  (_, param) =>
    sql<BlockedSpec>`select s.id, s.title, s.status, s.created_at,
        (select count(*) from spec_validations v where v.spec_id = s.id) as validations
      from specs s where s.board_id = ${param('board')} and s.archived = 0 and s.status = 'approved'
        and not exists (select 1 from spec_validations v where v.id = s.current_validation_id and v.outcome = 'success')`,
)

const cardlessSpecs = hot<{ board: string }, BlockedSpec>(
  (_, param) =>
    sql<BlockedSpec>`select s.id, s.title, s.status, s.created_at, 0 as validations from specs s
      where s.board_id = ${param('board')} and s.archived = 0 and s.standing = 0
        and s.status in ('validated', 'in_progress')
        and not exists (select 1 from cards c where c.spec_id = s.id and c.archived = 0)`,
)

interface SpecScenarios {
  readonly id: string
  readonly title: string
  readonly test_scenarios: Json<Scenario[]>
}

const openSpecs = hot<{ board: string }, SpecScenarios>(
  (_, param) =>
    sql<SpecScenarios>`select s.id, s.title, s.test_scenarios from specs s
      where s.board_id = ${param('board')} and s.archived = 0 and s.status not in ('done', 'cancelled')
        and s.test_scenarios is not null and s.test_scenarios <> '[]'
      order by s.created_at, s.id`,
)

const coveredScenarios = hot<{ board: string }, { id: string }>(
  (_, param) =>
    sql<{ id: string }>`select distinct covered.value as id
      from cards c, ${dialect.jsonElements(sql.ref('c.test_scenario_ids'))} as covered
      where c.board_id = ${param('board')} and c.archived = 0 and c.card_type = 'test' and c.status <> 'cancelled'`,
)

/** The scenarios that no test card covers, by spec and position. */
async function uncoveredScenarios(db: Db, parameters: { readonly board: string }): Promise<UncoveredScenario[]> {
  const covered = new Set((await coveredScenarios(db, parameters)).map(({ id }) => id))
  return (await openSpecs(db, parameters)).flatMap(spec =>
    parseJson(spec.test_scenarios)
      .filter(({ id }) => !covered.has(id))
      .map(({ id, title, status }) => ({ spec_id: spec.id, spec_title: spec.title, id, title, status })),
  )
}

/** How many blockers there are of each type; types without blockers are left out. */
export function summaryOf(blockers: readonly Blocker[]): Partial<Record<Type, number>> {
  const grouped = Map.groupBy(blockers, blocker => blocker.type)
  return Object.fromEntries(
    BlockerType.options.flatMap(type => (grouped.has(type) ? [[type, grouped.get(type)!.length]] : [])),
  )
}

/** get_blockers_analytics (B.4). */
export const blockersAnalytics: Measurement<Analytics['get_blockers_analytics']> = async ({ query }, ctx) => {
  const { stale_hours, filter_type: named, ...paging } = query
  const filter_type = named ? oneOf('filter_type', BlockerType.options, named) : null
  const when = <Row>(type: Type, read: () => Promise<Row[]>): Promise<Row[]> =>
    filter_type === null || filter_type === type ? read() : Promise.resolve([])
  const board = ctx.boardId
  const now = ctx.now()
  // Never before 1970, however many hours are requested.
  const before = new Date(Math.max(Date.parse(now) - stale_hours * 3_600_000, 0)).toISOString()
  const specs = [
    ...(await when('spec_pending_validation', () => waitingSpecs(ctx.db, { board }))),
    ...(await when('spec_no_cards', () => cardlessSpecs(ctx.db, { board }))),
  ]
  const blockers = [
    ...cardBlockers(
      await when('dependency_blocked', () => waitingCards(ctx.db, { board }, {})),
      await when('on_hold', () => pausedCards(ctx.db, { board })),
      await when('stale', () => staleCards(ctx.db, { board, before })),
      now,
    ),
    ...specBlockers(specs),
    ...scenarioBlockers(await when('uncovered_scenario', () => uncoveredScenarios(ctx.db, { board }))),
  ]
  const { items, total } = pageOf(blockers, paging)
  const summary = summaryOf(blockers)
  const body = {
    board_id: board,
    summary,
    total,
    stale_hours_threshold: stale_hours,
    filter_type,
    blockers: [...items],
  }
  return new ExplicitAnswer(body, { total })
}
