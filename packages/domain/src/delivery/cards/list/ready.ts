import { CardPriority, type Waiting } from '@specboard/contract'
import { dialect, type Json, type Param } from '@specboard/storage'
import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { z } from 'zod'
import type { Context } from '../../../kernel/context.ts'
import type { Steps } from '../../../kernel/implement.ts'
import { yieldToEventLoop } from '../../../lib/event-loop.ts'
import { parseJson } from '../../../lib/json.ts'
import { byAscii } from '../../../lib/text-order.ts'
import { workOn } from '../../../planning/review/participants.ts'
import type { Flag } from '../../../schema/columns.ts'
import type { Db } from '../../../schema/database.ts'
import { hot } from '../../../schema/hot.ts'
import { refOf } from '../../../schema/refs.ts'
import { sameBoard } from '../../../schema/same-board.ts'
import type { CardsTable } from '../../../schema/tables.ts'
import { usedUp } from '../../claims/attempts.ts'
import { refusedForOverlaps } from '../../scopes/overlaps.ts'
import { openSpecStatuses } from '../gates/gates.ts'
import { awaitedByCard, type CardFilter, type CardQuery, filterOf, isOpen, matchesFilter, waits } from './filters.ts'

/** The purpose for which a caller asks for cards (work 2). */
type Purpose = 'start' | 'continue' | 'validation'

/** Why a card is not ready, in the order in which the reasons are counted (work 3). */
type Hold = Exclude<keyof z.output<typeof Waiting>, 'cards' | 'more'>

interface OnBoard {
  board: string
}

interface Parameters extends CardFilter, OnBoard {
  agent: string
  /** The agent's name. */
  name: string
  /** 1 for a person. */
  person: Flag
  now: string
  /** Only open cards with later ids, up to the second one. */
  after: string
  until: string
}

type Condition = (param: Param<Parameters>) => RawBuilder<SqlBool>

const liveClaims = (param: Param<Parameters>, operator: '=' | '<>') =>
  sql`select card_id from claims where board_id = ${param('board')} and expires_at > ${param('now')}
    and agent_id ${sql.raw(operator)} ${param('agent')}`

const own: Condition = param => sql`c.id in (${liveClaims(param, '=')})`

const specsIn = (param: Param<OnBoard>, statuses: readonly string[]) =>
  sql`select id from specs where board_id = ${param('board')} and status in (${sql.join(statuses.map(sql.lit))})`

const sprintsIn = (param: Param<OnBoard>, column: 'id' | 'spec_id', condition: RawBuilder<unknown>) =>
  sql`select ${sql.ref(column)} from sprints where board_id = ${param('board')} and ${condition}`

/** The condition for cards `c` on which an agent has worked: with separate review it may not validate them (work 4). */
export const tookPart = (agent: unknown): RawBuilder<SqlBool> =>
  sql<SqlBool>`${agent} in (select agent_id from ${workOn(sql`select c.id`, sql.ref('c.board_id'))} work)`

/** The condition for cards `c` that await validation. */
export const awaitsValidation: RawBuilder<SqlBool> = sql<SqlBool>`(c.status = 'validation' and c.card_type <> 'test'
  and not exists (select 1 from task_validations v where v.card_id = c.id and ${sameBoard('v', 'c')} and v.stay = c.validation_stay))`

/** The condition for boards on which only those who took no part in the work validate cards (work 4, people 1.3). */
export const separatesReview = sql<SqlBool>`(${dialect.jsonFlag(sql.ref<string>('settings'), 'require_separate_reviewer')}
  or ${dialect.jsonText(sql.ref<string>('settings'), 'approval_card_validation')} = 'separate')`

/** The condition for boards on which only people approve cards (people 1.3). */
export const validatedByPersons = sql<SqlBool>`${dialect.jsonText(sql.ref<string>('settings'), 'approval_card_validation')} = 'person'`

/** What holds a card back, each as the gate of a move or the refusal of a validation reports it (cards 4.3, work 4). */
const blockers = {
  claimed: (param: Param<Parameters>) => sql`c.id in (${liveClaims(param, '<>')})`,
  reserved: (param: Param<Parameters>) =>
    sql`(c.reserved_until > ${param('now')} and c.reserved_for <> ${param('agent')})`,
  attempts: (param: Param<Parameters>) => sql`(${usedUp(param('now'))} and not ${own(param)})`,
  on_hold: () => sql`c.status = 'on_hold'`,
  dependencies: () => waits,
  spec_not_ready: (
    param: Param<OnBoard>,
  ) => sql`(c.status = 'not_started' and c.spec_id is not null and case when c.card_type = 'test'
    then c.spec_id not in (${specsIn(param, openSpecStatuses('test'))})
    else c.spec_id not in (${specsIn(param, openSpecStatuses('normal'))}) end)`,
  sprint: (
    param: Param<OnBoard>,
  ) => sql`(c.status = 'not_started' and c.spec_id is not null and c.spec_id in (${sprintsIn(param, 'spec_id', sql`archived = 0 and status <> 'cancelled'`)})
    and (c.sprint_id is null or c.sprint_id not in (${sprintsIn(param, 'id', sql`status = 'active'`)})))`,
  separate_review: (param: Param<Parameters>) => sql`(exists (select 1 from boards where id = ${param('board')}
      and ${separatesReview})
    and ${tookPart(param('agent'))})`,
  person: (
    param: Param<Parameters>,
  ) => sql`(${param('person')} = 0 and exists (select 1 from boards where id = ${param('board')}
      and ${validatedByPersons}))`,
} as const satisfies Partial<Record<Hold, Condition>>

/** The gates of a move to `started`: what holds a card back regardless of who asks. */
const gatesOfStart = ['dependencies', 'spec_not_ready', 'sprint'] as const

const notStarted = sql<SqlBool>`c.status = 'not_started'`

interface Stage {
  /** The cards of the stage. */
  readonly cards: Condition
  readonly holds: readonly (readonly [Hold, Condition])[]
  /** Whether the caller's own cards come first. */
  readonly ownFirst: boolean
}

const stages: Readonly<Record<Purpose, Stage>> = {
  start: {
    cards: () => notStarted,
    holds: (['claimed', 'attempts', ...gatesOfStart] as const).map(hold => [hold, blockers[hold]]),
    ownFirst: true,
  },
  continue: {
    cards: param => sql`c.status in ('started', 'in_progress')
      and (${own(param)} or c.assignee_id in (${param('agent')}, ${param('name')}))`,
    holds: [],
    ownFirst: false,
  },
  validation: {
    cards: () => awaitsValidation,
    holds: (['claimed', 'separate_review', 'person'] as const).map(hold => [hold, blockers[hold]]),
    ownFirst: true,
  },
}

/** The open cards to examine, as a table of their ids. */
type CardSource<P extends OnBoard> = (param: Param<P>) => RawBuilder<unknown>

const inSegment: CardSource<Parameters> = param => sql`(select id as open_id from cards
  where board_id = ${param('board')} and id > ${param('after')} and id <= ${param('until')} and ${isOpen('cards')})`

interface NamedOnBoard extends OnBoard {
  /** A JSON array of ids. */
  ids: string
}

interface NamedParameters extends Parameters, NamedOnBoard {}

const named = (param: Param<NamedOnBoard>) =>
  sql`(select value as open_id from ${dialect.jsonElements(sql`${param('ids')}`)} as named)`

/**
 * Open cards `c`. A cross join keeps SQLite to this order: from the ids to index entries alone where the stage has an
 * index.
 */
const openAmong = <P extends OnBoard>(looked: CardSource<P>, param: Param<P>): RawBuilder<unknown> =>
  sql`from ${looked(param)} open cross join cards c
    where c.board_id = ${param('board')} and c.id = open_id and ${isOpen('c')}`

/** The cards of a stage that the filters select. */
const cardsOf = <P extends Parameters>(stage: Stage, looked: CardSource<P>, param: Param<P>): RawBuilder<unknown> =>
  sql`${openAmong(looked, param)} and ${stage.cards(param)} and ${matchesFilter(param)}`

const noneOf = (holds: readonly RawBuilder<SqlBool>[]): RawBuilder<unknown> =>
  sql.join(
    holds.map(holdsBack => sql`and not ${holdsBack}`),
    sql` `,
  )

const unheld = ({ holds }: Stage, param: Param<Parameters>): RawBuilder<unknown> =>
  noneOf(holds.map(([, holdsBack]) => holdsBack(param)))

/**
 * A card that anybody could start unless another agent has claimed it (work 2), with the columns for sorting and
 * filtering.
 */
export type Startable = Pick<
  CardsTable,
  | 'id'
  | 'priority'
  | 'due_date'
  | 'position'
  | 'created_at'
  | 'card_type'
  | 'spec_id'
  | 'sprint_id'
  | 'assignee_id'
  | 'labels'
>

const startable = hot<NamedOnBoard, Startable>(
  (_, param) =>
    sql<Startable>`select c.id, c.priority, c.due_date, c.position, c.created_at, c.card_type, c.spec_id, c.sprint_id,
        c.assignee_id, c.labels
      ${openAmong(named, param)} and ${notStarted} ${noneOf(gatesOfStart.map(gate => blockers[gate](param)))}`,
)

/** The cards among some of a board for which every gate of a move to `started` is open, regardless of who asks. */
export const startableAmong = (db: Db, board: string, ids: Iterable<string>): Promise<Startable[]> =>
  startable(db, { board, ids: JSON.stringify([...ids]) })

type Candidate = Pick<CardsTable, 'id' | 'priority' | 'due_date' | 'position' | 'created_at'> & { own: number }

const readyFor = <P extends Parameters>(stage: Stage, looked: CardSource<P>) =>
  hot<P, Candidate>(
    (_, param) =>
      sql<Candidate>`select c.id, c.priority, c.due_date, c.position, c.created_at,
          ${stage.ownFirst ? own(param) : sql`0`} as own
        ${cardsOf(stage, looked, param)} ${unheld(stage, param)}`,
  )

/** What may hold back cards that somebody would work on or validate. */
const waitingStages: Readonly<Record<'start' | 'validation', Pick<Stage, 'cards' | 'holds'>>> = {
  start: {
    cards: () => sql`c.status in ('not_started', 'started', 'in_progress', 'on_hold')`,
    holds: (['claimed', 'reserved', 'attempts', 'on_hold', ...gatesOfStart] as const).map(hold => [
      hold,
      blockers[hold],
    ]),
  },
  validation: stages.validation,
}

/** A card that is held back, and the first reason. */
interface HeldBack {
  readonly id: string
  readonly created_at: string
  readonly hold: Hold
}

const heldBackOf = ({ cards, holds }: Pick<Stage, 'cards' | 'holds'>) =>
  hot<Parameters, HeldBack>(
    (_, param) =>
      sql<HeldBack>`select id, created_at, hold from (
          select c.id, c.created_at, case ${sql.join(
            holds.map(([hold, holds]) => sql`when ${holds(param)} then ${sql.lit(hold)}`),
            sql` `,
          )} end as hold ${openAmong(inSegment, param)} and ${cards(param)} and ${matchesFilter(param)}) held
        where hold is not null`,
  )

const ready = {
  start: readyFor(stages.start, inSegment),
  continue: readyFor(stages.continue, inSegment),
  validation: readyFor(stages.validation, inSegment),
}

const readyAmongNamed = {
  start: readyFor<NamedParameters>(stages.start, named),
  validation: readyFor<NamedParameters>(stages.validation, named),
}

const heldBack = { start: heldBackOf(waitingStages.start), validation: heldBackOf(waitingStages.validation) }

/** Sorts after every id. */
const end = '~'

const whole = { after: '', until: end }

const parametersOf = (ctx: Context, query: CardQuery, segment: Segment): Parameters => ({
  ...filterOf(query, ctx),
  ...segment,
  board: ctx.boardId,
  agent: ctx.caller.id,
  name: ctx.caller.name,
  person: ctx.caller.kind === 'person' ? 1 : 0,
  now: ctx.now(),
})

const rankOf = new Map<string, number>(CardPriority.options.map((priority, rank) => [priority, rank]))

/** Sorts after every time. */
const never = '~'

/** A range of open cards by id. */
type Segment = Pick<Parameters, 'after' | 'until'>

/** The number of cards evaluated at a time, which takes 10 ms; other calls get their turn in between. */
const cardsAtOnce = 4_000

const lastOfSegment = hot<{ board: string; after: string }, { id: string }>(
  (_, param) =>
    sql<{ id: string }>`select id from cards where board_id = ${param('board')} and id > ${param('after')}
      and ${isOpen('cards')} order by id limit 1 offset ${sql.lit(cardsAtOnce - 1)}`,
)

/** Reads something about all open cards of a board, one range at a time. */
async function inSegments<Row>(steps: Steps, read: (ctx: Context, segment: Segment) => Promise<Row[]>): Promise<Row[]> {
  const rows: Row[] = []
  for (let after = ''; ; await yieldToEventLoop()) {
    const { until, found } = await steps.read(async ctx => {
      const [last] = await lastOfSegment(ctx.db, { board: ctx.boardId, after })
      const until = last?.id ?? end
      return { until, found: await read(ctx, { after, until }) }
    })
    rows.push(...found)
    if (until === end) return rows
    after = until
  }
}

/** The sort keys of ready cards, in this order, after the caller's own cards (work 2). */
export interface SortKey extends Pick<Candidate, 'due_date' | 'position' | 'created_at' | 'id'> {
  /** The rank of the priority, 0 for the highest. */
  readonly rank: number
  readonly unblocks: number
}

/** The position of a card among the ready ones. */
export const placeOf = ({ id, priority, due_date, position, created_at }: Omit<Candidate, 'own'>, unblocks: number) =>
  ({ id, rank: rankOf.get(priority)!, due_date, unblocks, position, created_at }) satisfies SortKey

/** Sorts by everything that does not change when cards are moved within a column. */
export const byStanding = (a: SortKey, b: SortKey): number =>
  a.rank - b.rank || byAscii(a.due_date ?? never, b.due_date ?? never) || b.unblocks - a.unblocks

/** Sorts ready cards, best first. */
export const byPlace = (a: SortKey, b: SortKey): number =>
  byStanding(a, b) || a.position - b.position || byAscii(a.created_at, b.created_at) || byAscii(a.id, b.id)

/**
 * The ids of the cards that the caller may continue or validate now, best first (work 2).
 * @param unblocks how many cards a card holds up
 */
export async function readyCards(
  steps: Steps,
  purpose: 'continue' | 'validation',
  query: CardQuery,
  unblocks: (card: string) => number,
): Promise<string[]> {
  const candidates = await inSegments(steps, (ctx, segment) =>
    ready[purpose](ctx.db, parametersOf(ctx, query, segment)),
  )
  return candidates
    .map(card => ({ own: card.own, ...placeOf(card, unblocks(card.id)) }))
    .sort((a, b) => b.own - a.own || byPlace(a, b))
    .map(card => card.id)
}

/** The cards among these that the caller may take up now: those that list_ready_cards lists (work 2, board 6). */
export async function readyAmong(
  ctx: Context,
  ids: readonly string[],
  purpose: keyof typeof readyAmongNamed = 'start',
): Promise<ReadonlySet<string>> {
  const parameters = { ...parametersOf(ctx, {}, whole), ids: JSON.stringify(ids) }
  return new Set((await readyAmongNamed[purpose](ctx.db, parameters)).map(({ id }) => id))
}

/** The number of held-back cards that are listed one by one. */
const maxReported = 5

/**
 * What holds back the cards of a stage, each counted by its first reason, and the oldest of them (work 3, crew 4.5).
 * @param hasRoom whether the column that they would be started in has room for them
 */
export async function countHeldBack(
  steps: Steps,
  purpose: 'start' | 'validation',
  query: CardQuery,
  hasRoom: boolean,
): Promise<z.output<typeof Waiting>> {
  const found = await inSegments(steps, (ctx, segment) => heldBack[purpose](ctx.db, parametersOf(ctx, query, segment)))
  const counts = {
    claimed: 0,
    reserved: 0,
    attempts: 0,
    on_hold: 0,
    dependencies: 0,
    spec_not_ready: 0,
    sprint: 0,
    separate_review: 0,
    person: 0,
    overlap: 0,
    // A board that refuses no card for a full column does not have this count.
    ...(!hasRoom && { column: 0 }),
  }
  if (purpose === 'start') found.push(...(await steps.read(ctx => heldForOverlaps(ctx, query))))
  if (!hasRoom) found.push(...(await heldForRoom(steps, query, new Set(found.map(({ id }) => id)))))
  for (const { hold } of found) counts[hold] = (counts[hold] ?? 0) + 1
  const oldest = found.sort((a, b) => byAscii(a.created_at, b.created_at) || byAscii(a.id, b.id)).slice(0, maxReported)
  const cards = await steps.read(ctx => holdersOf(ctx, oldest))
  return { ...counts, cards, more: found.length - cards.length }
}

/** The cards that could be started if they did not overlap with others' work (harness 5.5). */
async function heldForOverlaps(ctx: Context, query: CardQuery): Promise<HeldBack[]> {
  const refused = await refusedForOverlaps(ctx)
  if (refused.length === 0) return []
  const ids = JSON.stringify(refused)
  const ready = await readyAmongNamed.start(ctx.db, { ...parametersOf(ctx, query, whole), ids })
  return ready.map(({ id, created_at }) => ({ id, created_at, hold: 'overlap' }))
}

/** The other cards that could be started if their column were not full (access 4). */
async function heldForRoom(steps: Steps, query: CardQuery, others: ReadonlySet<string>): Promise<HeldBack[]> {
  const found = await inSegments(steps, (ctx, segment) => ready.start(ctx.db, parametersOf(ctx, query, segment)))
  return found
    .filter(({ id }) => !others.has(id))
    .map(({ id, created_at }) => ({ id, created_at, hold: 'column' }) as const)
}

interface Holders {
  id: string
  ref: string
  claimed: string | null
  reserved: string | null
  on_hold: string | null
  dependencies: Json<string[]>
  spec: string | null
  sprints: Json<string[]>
}

const agentName = (id: RawBuilder<unknown>) => sql`(select name from agents where agents.id = ${id})`

const holders = hot<{ ids: string; now: string }, Holders>(
  (_, param) =>
    sql<Holders>`select c.id, ${refOf('c')} as ref,
        (select agents.name from claims k join agents on agents.id = k.agent_id
          where k.card_id = c.id and ${sameBoard('k', 'c')} and k.expires_at > ${param('now')}) as claimed,
        ${agentName(sql`c.reserved_for`)} as reserved,
        ${agentName(sql`c.moved_by`)} as on_hold,
        (select ${dialect.jsonCollect(refOf('awaited'))} ${awaitedByCard}) as dependencies,
        (select ${refOf('specs')} from specs where specs.id = c.spec_id and ${sameBoard('specs', 'c')}) as spec,
        (select ${dialect.jsonCollect(refOf('sprints'))} from sprints where sprints.spec_id = c.spec_id and ${sameBoard('sprints', 'c')}
          and sprints.archived = 0 and sprints.status <> 'cancelled') as sprints
      from cards c where ${dialect.inList(sql.ref('c.id'), sql<string>`${param('ids')}`)}`,
)

/** Who or what holds cards back: names of agents, references of records. */
async function holdersOf(ctx: Context, found: readonly HeldBack[]): Promise<z.output<typeof Waiting>['cards']> {
  const rows = await holders(ctx.db, { ids: JSON.stringify(found.map(({ id }) => id)), now: ctx.now() })
  const byId = new Map(rows.map(row => [row.id, row]))
  return found.flatMap(({ id, hold }) => {
    const row = byId.get(id)
    return row === undefined ? [] : [{ ref: row.ref, why: hold, by: namesOf(row, hold) }]
  })
}

const ofNobody = ['attempts', 'separate_review', 'person', 'overlap', 'column'] as const satisfies readonly Hold[]

/** Whether neither a record nor an agent is behind a reason. */
const isOfNobody = (hold: Hold): hold is (typeof ofNobody)[number] => (ofNobody as readonly Hold[]).includes(hold)

function namesOf(row: Holders, hold: Hold): string[] {
  if (hold === 'dependencies') return parseJson(row.dependencies).toSorted(byAscii)
  if (hold === 'sprint') return parseJson(row.sprints).toSorted(byAscii)
  if (isOfNobody(hold)) return []
  const name = hold === 'spec_not_ready' ? row.spec : row[hold]
  return name === null ? [] : [name]
}
