import type { Settings } from '../../../kernel/board-settings.ts'
import { blocked, type DomainError } from '../../../kernel/errors.ts'
import type { Db } from '../../../schema/database.ts'
import { hot } from '../../../schema/hot.ts'
import type { Status } from '../../card-record/record.ts'

/** A column that holds the maximum number of cards of its board (access 4). */
export interface FullColumn {
  readonly status: Status
  readonly limit: number
  readonly count: number
}

const counted = hot<{ board: string }, { status: string; count: number }>((db, param) =>
  db
    .selectFrom('list_counts')
    .select(({ fn }) => ['status', fn.sum<number>('count').as('count')])
    .where('board_id', '=', param('board'))
    .where('kind', '=', 'card')
    .where('archived', '=', 0)
    .groupBy('status'),
)

type Limits = Pick<Settings, 'column_limits' | 'over_column_limit'>

/** The limit of a column beyond which its board refuses cards; undefined if it has none, or the board only warns. */
export const limitOf = ({ column_limits, over_column_limit }: Limits, status: Status): number | undefined =>
  over_column_limit === 'refuse' ? (column_limits as Readonly<Partial<Record<Status, number>>>)[status] : undefined

/** The full columns of a board; nothing is read if no column has a limit (access 4). */
export async function fullColumns(db: Db, boardId: string, settings: Limits): Promise<readonly FullColumn[]> {
  if (settings.over_column_limit !== 'refuse' || Object.keys(settings.column_limits).length === 0) return []
  return (await counted(db, { board: boardId })).flatMap(row => {
    const [status, count] = [row.status as Status, Number(row.count)]
    const limit = limitOf(settings, status)
    return limit === undefined || count < limit ? [] : [{ status, limit, count }]
  })
}

/** The refusal of a card in a full column; null while there is room (access 4). */
export function columnFull(full: readonly FullColumn[], to: Status, boardId: string): DomainError | null {
  const column = full.find(({ status }) => status === to)
  if (column === undefined) return null
  const { limit, count } = column
  return blocked(
    'COLUMN_FULL',
    `The column ${to} has ${count} ${count === 1 ? 'card' : 'cards'}, and this board allows at most ${limit}. Finish one or move it on first.`,
    { board_id: boardId, status: to, limit, count },
  )
}
