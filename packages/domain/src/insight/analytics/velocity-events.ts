/**
 * Reads the events that velocities count within their window (B.1, B.2). Archived records and imported events are left
 * out.
 */

import { dialect, type Json } from '@specboard/storage'
import { type RawBuilder, sql } from 'kysely'
import { parseJson } from '../../lib/json.ts'
import type { Change } from '../../schema/contents.ts'
import type { Db } from '../../schema/database.ts'
import { hot } from '../../schema/hot.ts'
import { sameBoard } from '../../schema/same-board.ts'
import { isDoneHere, isSubmitted } from './imported.ts'
import { middleOf, type Window, windowBounds } from './periods.ts'
import { among } from './population.ts'
import { type Completions, seriesOf, type VelocityEvent } from './velocity.ts'

interface Parameters {
  readonly ids: string
  readonly from: string
  readonly to: string
  readonly middle: string
}

type CardColumn = 'board_id' | 'sprint_id'
type Placeholder = (name: keyof Parameters) => unknown

const perColumn = <Row>(query: (column: string, param: Placeholder) => RawBuilder<Row>) => {
  const of = (column: CardColumn) => hot<Parameters, Row>((_, param) => query(column, param))
  return { board_id: of('board_id'), sprint_id: of('sprint_id') }
}

/** The day of a time: events of one day are counted together, at the time of the latest. */
const dayOf = (column: string) => sql`substr(${sql.ref(column)}, 1, 10)`

interface Bounces {
  readonly at: string
  readonly count: number
}

const completed = perColumn(
  (column, param) => sql<Completions>`select c.card_type, max(c.moved_at) as at, count(*) as cards,
      sum(${dialect.millisecondsBetween(sql.ref('c.created_at'), sql.ref('c.moved_at'))}) as milliseconds
    from cards c
    where ${among(`c.${column}`, param)} and c.archived = 0 and ${isDoneHere('c')}
      and c.moved_at >= ${param('from')} and c.moved_at <= ${param('to')}
    group by c.card_type, ${dayOf('c.moved_at')}, case when c.moved_at < ${param('middle')} then 1 else 2 end`,
)

const bounced = perColumn(
  (column, param) => sql<Bounces>`select max(v.created_at) as at, count(*) as count from task_validations v
    join cards c on c.id = v.card_id and ${sameBoard('c', 'v')}
    where ${among(column === 'board_id' ? 'v.board_id' : 'c.sprint_id', param)} and c.archived = 0 and v.outcome = 'failed'
      and ${isSubmitted('v')}
      and v.created_at >= ${param('from')} and v.created_at <= ${param('to')}
    group by ${dayOf('v.created_at')}`,
)

const moves = (table: 'specs' | 'sprints', entity: string) =>
  hot<Parameters, { changes: Json<Change[]>; at: string }>(
    (_, param) =>
      sql<{ changes: Json<Change[]>; at: string }>`select e.changes, e.created_at as at from ${sql.table(table)} r
        join events e on e.entity_type = ${sql.lit(entity)} and e.entity_id = r.id
        where ${among('r.board_id', param)} and r.archived = 0 and e.history_action = 'status_changed' and e.imported = 0
          and e.created_at >= ${param('from')} and e.created_at <= ${param('to')}`,
  )

const specMoves = moves('specs', 'spec')
const sprintMoves = moves('sprints', 'sprint')

const parametersOf = (ids: readonly string[], window: Window): Parameters => ({
  ids: JSON.stringify(ids),
  ...windowBounds(window),
  middle: middleOf(window),
})

/** The cards that were done here in a window and still are, by type, day and half of the window. */
export const readCompletions = (
  db: Db,
  column: CardColumn,
  ids: readonly string[],
  window: Window,
): Promise<Completions[]> => completed[column](db, parametersOf(ids, window))

/** Completed cards as events of a velocity. */
export const completionEvents = (completions: readonly Completions[]): VelocityEvent[] =>
  completions.map(({ card_type, at, cards }) => ({ series: seriesOf(card_type), at, count: cards }))

/** The failed task validations of a window. */
export async function readBounces(
  db: Db,
  column: CardColumn,
  ids: readonly string[],
  window: Window,
): Promise<VelocityEvent[]> {
  const rows = await bounced[column](db, parametersOf(ids, window))
  return rows.map(({ at, count }) => ({ series: 'validation_bounce', at, count }))
}

const into = (status: string, rows: readonly { changes: Json<Change[]>; at: string }[]) =>
  rows.filter(({ changes }) => parseJson(changes).some(change => change.field === 'status' && change.new === status))

/** The moves of specs to `done` and of sprints to `closed` in a window; each move counts. */
async function readClosings(db: Db, boardIds: readonly string[], window: Window): Promise<VelocityEvent[]> {
  const parameters = parametersOf(boardIds, window)
  const specs = into('done', await specMoves(db, parameters))
  const sprints = into('closed', await sprintMoves(db, parameters))
  return [
    ...specs.map(({ at }): VelocityEvent => ({ series: 'spec_done', at, count: 1 })),
    ...sprints.map(({ at }): VelocityEvent => ({ series: 'sprint_done', at, count: 1 })),
  ]
}

/** All events that the velocity of boards counts in a window. */
export async function readVelocityEvents(
  db: Db,
  boardIds: readonly string[],
  window: Window,
): Promise<{ readonly completions: Completions[]; readonly events: VelocityEvent[] }> {
  const completions = await readCompletions(db, 'board_id', boardIds, window)
  const bounces = await readBounces(db, 'board_id', boardIds, window)
  const closings = await readClosings(db, boardIds, window)
  return { completions, events: [...completionEvents(completions), ...bounces, ...closings] }
}
