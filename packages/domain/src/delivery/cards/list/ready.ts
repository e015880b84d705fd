import { CardPriority, type Waiting } from '@specboard/contract'
import { dialect, type Param } from '@specboard/storage'
import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { z } from 'zod'
import type { Context } from '../../../kernel/context.ts'
import type { Steps } from '../../../kernel/implement.ts'
import { byAscii } from '../../../lib/text-order.ts'
import { turn } from '../../../lib/turn.ts'
import { workOn } from '../../../planning/review/participants.ts'
import { hot } from '../../../schema/hot.ts'
import type { CardsTable } from '../../../schema/tables.ts'
import { openSpecStatuses } from '../gates/gates.ts'
import { type CardFilter, type CardQuery, filterOf, isOpen, matchesFilter, waits } from './filters.ts'

/** What a caller wants to take up (work 2). */
export type Purpose = 'start' | 'continue' | 'validation'

/** What keeps a card from being ready, in the order in which cards are counted by it (work 3). */
type Hold = keyof z.output<typeof Waiting>

interface Parameters extends CardFilter {
  board: string
  agent: string
  /** The agent's name. */
  name: string
  now: string
  /** Only open cards with later ids, up to the second one. */
  after: string
  until: string
}

type Condition = (param: Param<Parameters>) => RawBuilder<SqlBool>

const liveClaims = (param: Param<Parameters>, whose: '=' | '<>') =>
  sql`select card_id from claims where board_id = ${param('board')} and expires_at > ${param('now')}
    and agent_id ${sql.raw(whose)} ${param('agent')}`

const own: Condition = param => sql`c.id in (${liveClaims(param, '=')})`

const specsIn = (param: Param<Parameters>, statuses: readonly string[]) =>
  sql`select id from specs where board_id = ${param('board')} and status in (${sql.join(statuses.map(sql.lit))})`

const sprintsIn = (param: Param<Parameters>, column: 'id' | 'spec_id', condition: RawBuilder<unknown>) =>
  sql`select ${sql.ref(column)} from sprints where board_id = ${param('board')} and ${condition}`

/** The condition for cards `c` whose work an agent took part in: where review is separate, it may not validate them (work 4). */
export const tookPart = (agent: unknown): RawBuilder<SqlBool> =>
  sql<SqlBool>`${agent} in (select agent_id from ${workOn(sql`select c.id`)} work)`

/** The condition for cards `c` that are to be validated. */
export const awaitsValidation: RawBuilder<SqlBool> = sql<SqlBool>`(c.status = 'validation' and c.card_type <> 'test'
  and not exists (select 1 from task_validations v where v.card_id = c.id and v.stay = c.validation_stay))`

/** What holds a card back, each as the gate of a move or the refusal of a validation says it (cards 4.3, work 4). */
const held = {
  claimed: param => sql`c.id in (${liveClaims(param, '<>')})`,
  dependencies: () => waits,
  spec_not_ready: param => sql`(c.spec_id is not null and case when c.card_type = 'test'
    then c.spec_id not in (${specsIn(param, openSpecStatuses('test'))})
    else c.spec_id not in (${specsIn(param, openSpecStatuses('normal'))}) end)`,
  sprint:
    param => sql`(c.spec_id is not null and c.spec_id in (${sprintsIn(param, 'spec_id', sql`archived = 0 and status <> 'cancelled'`)})
    and (c.sprint_id is null or c.sprint_id not in (${sprintsIn(param, 'id', sql`status = 'active'`)})))`,
  separate_review: param => sql`(exists (select 1 from boards where id = ${param('board')}
      and ${dialect.jsonFlag(sql.ref<string>('settings'), 'require_separate_reviewer')})
    and ${tookPart(param('agent'))})`,
} as const satisfies Partial<Record<Hold, Condition>>

interface Stage {
  /** The cards of the stage. */
  readonly cards: Condition
  readonly holds: readonly (readonly [Hold, Condition])[]
  /** Whether the caller's own cards come first. */
  readonly ownFirst: boolean
}

const stages: Readonly<Record<Purpose, Stage>> = {
  start: {
    cards: () => sql`c.status = 'not_started'`,
    holds: (['claimed', 'dependencies', 'spec_not_ready', 'sprint'] as const).map(hold => [hold, held[hold]]),
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
    holds: (['claimed', 'separate_review'] as const).map(hold => [hold, held[hold]]),
    ownFirst: true,
  },
}

/** Which open cards are looked at, as a table of their ids. */
type Looked<P extends Parameters> = (param: Param<P>) => RawBuilder<unknown>

const inStretch: Looked<Parameters> = param => sql`(select id as open_id from cards
  where board_id = ${param('board')} and id > ${param('after')} and id <= ${param('until')} and ${isOpen('cards')})`

interface Named extends Parameters {
  /** A JSON array of ids. */
  ids: string
}

const named: Looked<Named> = param =>
  sql`(select value as open_id from ${dialect.jsonElements(sql`${param('ids')}`)} as named)`

/** The cards of a stage. A cross join keeps SQLite to this order: from the ids to indexes alone where the stage has one. */
const cardsOf = <P extends Parameters>(stage: Stage, looked: Looked<P>, param: Param<P>): RawBuilder<unknown> =>
  sql`from ${looked(param)} open cross join cards c
    where c.board_id = ${param('board')} and c.id = open_id and ${isOpen('c')} and ${stage.cards(param)}
      and ${matchesFilter(param)}`

const unheld = ({ holds }: Stage, param: Param<Parameters>): RawBuilder<unknown> =>
  sql.join(
    holds.map(([, holdsBack]) => sql`and not ${holdsBack(param)}`),
    sql` `,
  )

type Candidate = Pick<CardsTable, 'id' | 'priority' | 'due_date' | 'position' | 'created_at'> & { own: number }

const readyFor = <P extends Parameters>(stage: Stage, looked: Looked<P>) =>
  hot<P, Candidate>(
    (_, param) =>
      sql<Candidate>`select c.id, c.priority, c.due_date, c.position, c.created_at,
          ${stage.ownFirst ? own(param) : sql`0`} as own
        ${cardsOf(stage, looked, param)} ${unheld(stage, param)}`,
  )

const heldBackOf = (stage: Stage) =>
  hot<Parameters, { hold: Hold; cards: number }>(
    (_, param) =>
      sql<{ hold: Hold; cards: number }>`select hold, count(*) as cards from (
          select case ${sql.join(
            stage.holds.map(([hold, holds]) => sql`when ${holds(param)} then ${sql.lit(hold)}`),
            sql` `,
          )} end as hold ${cardsOf(stage, inStretch, param)}) held
        where hold is not null group by hold`,
  )

const ready = {
  start: readyFor(stages.start, inStretch),
  continue: readyFor(stages.continue, inStretch),
  validation: readyFor(stages.validation, inStretch),
}

const readyAmongNamed = {
  start: readyFor(stages.start, named),
  validation: readyFor(stages.validation, named),
}

const heldBack = { start: heldBackOf(stages.start), validation: heldBackOf(stages.validation) }

/** After every id. */
const end = '~'

const whole = { after: '', until: end }

const parametersOf = (ctx: Context, query: CardQuery, stretch: Stretch): Parameters => ({
  ...filterOf(query, ctx.caller),
  ...stretch,
  board: ctx.boardId,
  agent: ctx.caller.id,
  name: ctx.caller.name,
  now: ctx.now(),
})

const rankOf = new Map<string, number>(CardPriority.options.map((priority, rank) => [priority, rank]))

/** After every time. */
const never = '~'

/** Open cards by their ids. */
type Stretch = Pick<Parameters, 'after' | 'until'>

/** So many cards are judged at once, in 10 ms; in between other calls get their turn. */
const cardsAtOnce = 4_000

const lastOfStretch = hot<{ board: string; after: string }, { id: string }>(
  (_, param) =>
    sql<{ id: string }>`select id from cards where board_id = ${param('board')} and id > ${param('after')}
      and ${isOpen('cards')} order by id limit 1 offset ${sql.lit(cardsAtOnce - 1)}`,
)

/** Reads something of all open cards of a board, a stretch at a time. */
async function inStretches<Row>(
  steps: Steps,
  read: (ctx: Context, stretch: Stretch) => Promise<Row[]>,
): Promise<Row[]> {
  const rows: Row[] = []
  for (let after = ''; ; await turn()) {
    const { until, found } = await steps.read(async ctx => {
      const [last] = await lastOfStretch(ctx.db, { board: ctx.boardId, after })
      const until = last?.id ?? end
      return { until, found: await read(ctx, { after, until }) }
    })
    rows.push(...found)
    if (until === end) return rows
    after = until
  }
}

/** Reads the candidates among some cards, so many at a time. */
async function amongNamed(
  steps: Steps,
  ids: readonly string[],
  read: (ctx: Context, ids: string) => Promise<Candidate[]>,
): Promise<Candidate[]> {
  const candidates: Candidate[] = []
  for (let at = 0; at < ids.length; at += cardsAtOnce) {
    if (at > 0) await turn()
    const piece = JSON.stringify(ids.slice(at, at + cardsAtOnce))
    for (const candidate of await steps.read(ctx => read(ctx, piece))) candidates.push(candidate)
  }
  return candidates
}

/** Which open cards of a board wait for others. */
export interface Waits {
  /** How many open cards wait for each card, directly or through others; those that hold up none are left out. */
  readonly unblocks: ReadonlyMap<string, number>
  /** The open cards that wait for none; undefined where that changed meanwhile. */
  readonly free: readonly string[] | undefined
}

/** What candidates are ordered by, in this order. */
interface Placed extends Candidate {
  readonly rank: number
  readonly unblocks: number
}

const byPlace = (a: Placed, b: Placed): number =>
  b.own - a.own ||
  a.rank - b.rank ||
  byAscii(a.due_date ?? never, b.due_date ?? never) ||
  b.unblocks - a.unblocks ||
  a.position - b.position ||
  byAscii(a.created_at, b.created_at) ||
  byAscii(a.id, b.id)

/**
 * The ids of the cards that the caller may take up now, best first (work 2). What may be started is looked for among the
 * cards that wait for no other, where they are known: most of a large board waits.
 */
export async function readyCards(
  steps: Steps,
  purpose: Purpose,
  query: CardQuery,
  { unblocks, free }: Waits,
): Promise<string[]> {
  const candidates =
    purpose === 'start' && free !== undefined
      ? await amongNamed(steps, free, (ctx, ids) =>
          readyAmongNamed.start(ctx.db, { ...parametersOf(ctx, query, whole), ids }),
        )
      : await inStretches(steps, (ctx, stretch) => ready[purpose](ctx.db, parametersOf(ctx, query, stretch)))
  return candidates
    .map(card => ({ ...card, rank: rankOf.get(card.priority)!, unblocks: unblocks.get(card.id) ?? 0 }))
    .sort(byPlace)
    .map(card => card.id)
}

/** Which of these cards the caller may take up now: those that list_ready_cards lists (work 2, board 6). */
export async function readyAmong(
  ctx: Context,
  ids: readonly string[],
  purpose: keyof typeof readyAmongNamed = 'start',
): Promise<ReadonlySet<string>> {
  const parameters = { ...parametersOf(ctx, {}, whole), ids: JSON.stringify(ids) }
  return new Set((await readyAmongNamed[purpose](ctx.db, parameters)).map(({ id }) => id))
}

/** How many cards of a stage are held back, each counted by the first reason. */
export async function countHeldBack(
  steps: Steps,
  purpose: 'start' | 'validation',
  query: CardQuery,
): Promise<z.output<typeof Waiting>> {
  const rows = await inStretches(steps, (ctx, stretch) => heldBack[purpose](ctx.db, parametersOf(ctx, query, stretch)))
  const counts = { claimed: 0, dependencies: 0, spec_not_ready: 0, sprint: 0, separate_review: 0 }
  for (const { hold, cards } of rows) counts[hold] += cards
  return counts
}
