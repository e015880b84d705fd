/** What velocities count, read within their window (B.1, B.2). Archived records are left out. */
import { type RawBuilder, sql } from 'kysely'
import { parseJson } from '../json.ts'
import { dialect } from '../storage/dialect.ts'
import type { Db } from '../storage/executor.ts'
import { hot } from '../storage/hot.ts'
import { type Window, windowBounds } from './periods.ts'
import { type Happening, seriesOf } from './velocity.ts'

interface Parameters {
  readonly ids: string
  readonly from: string
  readonly to: string
}

/** A card that is done, and when it came to be. */
export interface Completion {
  readonly card_type: string
  readonly created_at: string
  readonly at: string
}

type CardColumn = 'board_id' | 'sprint_id'
type Named = (name: keyof Parameters) => unknown

const perColumn = <Row>(query: (column: string, param: Named) => RawBuilder<Row>) => {
  const of = (column: CardColumn) =>
    hot<Parameters, Row>((db, param) => ({ compile: () => query(column, param).compile(db) }))
  return { board_id: of('board_id'), sprint_id: of('sprint_id') }
}

const isIn = (column: string, param: Named) => dialect.inList(sql.ref(column), param('ids') as string)

const completed = perColumn(
  (column, param) => sql<Completion>`select c.card_type, c.created_at, c.moved_at as at from cards c
    where ${isIn(`c.${column}`, param)} and c.archived = 0 and c.status = 'done'
      and c.moved_at >= ${param('from')} and c.moved_at <= ${param('to')}`,
)

const bounced = perColumn(
  (column, param) => sql<{ at: string }>`select v.created_at as at from cards c
    join task_validations v on v.card_id = c.id
    where ${isIn(`c.${column}`, param)} and c.archived = 0 and v.outcome = 'failed'
      and v.created_at >= ${param('from')} and v.created_at <= ${param('to')}`,
)

const moves = (table: 'specs' | 'sprints', entity: string) =>
  hot<Parameters, { changes: string; at: string }>((db, param) => ({
    compile: () =>
      sql<{ changes: string; at: string }>`select e.changes, e.created_at as at from ${sql.table(table)} r
        join events e on e.entity_type = ${sql.lit(entity)} and e.entity_id = r.id
        where ${isIn('r.board_id', param)} and r.archived = 0 and e.history_action = 'status_changed'
          and e.created_at >= ${param('from')} and e.created_at <= ${param('to')}`.compile(db),
  }))

const specMoves = moves('specs', 'spec')
const sprintMoves = moves('sprints', 'sprint')

const parametersOf = (ids: readonly string[], window: Window): Parameters => ({
  ids: JSON.stringify(ids),
  ...windowBounds(window),
})

/** The cards that came to be done in a window and still are. */
export const readCompletions = (
  db: Db,
  column: CardColumn,
  ids: readonly string[],
  window: Window,
): Promise<Completion[]> => completed[column](db, parametersOf(ids, window))

/** Completed cards as what a velocity counts. */
export const completionHappenings = (completions: readonly Completion[]): Happening[] =>
  completions.map(({ card_type, at }) => ({ series: seriesOf(card_type), at }))

/** The failed task validations of a window. */
export async function readBounces(
  db: Db,
  column: CardColumn,
  ids: readonly string[],
  window: Window,
): Promise<Happening[]> {
  const rows = await bounced[column](db, parametersOf(ids, window))
  return rows.map(({ at }) => ({ series: 'validation_bounce', at }))
}

const into = (status: string, rows: readonly { changes: string; at: string }[]) =>
  rows.filter(({ changes }) =>
    parseJson<{ field: string; new?: unknown }[]>(changes).some(
      change => change.field === 'status' && change.new === status,
    ),
  )

/** What came to its end in a window on boards: specs moved to `done`, sprints to `closed`; each move counts. */
export async function readClosings(db: Db, boardIds: readonly string[], window: Window): Promise<Happening[]> {
  const parameters = parametersOf(boardIds, window)
  const specs = into('done', await specMoves(db, parameters))
  const sprints = into('closed', await sprintMoves(db, parameters))
  return [
    ...specs.map(({ at }): Happening => ({ series: 'spec_done', at })),
    ...sprints.map(({ at }): Happening => ({ series: 'sprint_done', at })),
  ]
}

/** Everything that the velocity of boards counts in a window. */
export async function readHappenings(
  db: Db,
  boardIds: readonly string[],
  window: Window,
): Promise<{ readonly completions: Completion[]; readonly happenings: Happening[] }> {
  const completions = await readCompletions(db, 'board_id', boardIds, window)
  const bounces = await readBounces(db, 'board_id', boardIds, window)
  const closings = await readClosings(db, boardIds, window)
  return { completions, happenings: [...completionHappenings(completions), ...bounces, ...closings] }
}
