import { dialect, settledUpTo } from '@specboard/storage'
import { sql } from 'kysely'
import type { Flag } from '../schema/columns.ts'
import type { Db } from '../schema/database.ts'
import { hot } from '../schema/hot.ts'
import type { EventsTable } from '../schema/tables.ts'
import { logPosition } from './events.ts'

/** The position up to which the log can be read: no later entry will have this position or an earlier one. */
const readablePlace = settledUpTo(logPosition, 'events')

/**
 * Reads the last position from an index: PostgreSQL cannot estimate how few entries follow `place`, and would read them
 * all.
 */
const lastPlace = hot<Record<never, never>, { value: number; held: Flag }>(
  () =>
    sql<{ value: number; held: Flag }>`select place as value, ${dialect.flag(
      sql`coalesce((select max(position) from events where position is not null) > place, false)`,
    )} as held from (select ${readablePlace} as place) places`,
)

/** The position up to which the log can be read, and whether entries after it are waiting for earlier ones. */
export const readableLog = async (db: Db): Promise<{ readonly value: number; readonly held: Flag }> =>
  (await lastPlace(db, {}))[0]!

/** The position of the log's last readable entry, among those of all boards. */
export const lastPosition = async (db: Db): Promise<number> => (await readableLog(db)).value

const entriesBetween = hot<
  { after: number; last: number; limit: number },
  Pick<
    EventsTable,
    'id' | 'board_id' | 'entity_type' | 'entity_id' | 'card_id' | 'actor_id' | 'action' | 'details' | 'position'
  >
>((db, param) =>
  db
    .selectFrom('events')
    .select(['id', 'board_id', 'entity_type', 'entity_id', 'card_id', 'actor_id', 'action', 'details', 'position'])
    .where('position', '>', param('after'))
    .where('position', '<=', param('last'))
    .orderBy('position')
    .limit(param('limit')),
)

/**
 * The readable entries after a position, in order: how far they reach, whether there are more, and whether later ones
 * are waiting for earlier ones.
 */
export async function entriesAfter(db: Db, after: number, limit: number) {
  const { value, held } = await readableLog(db)
  const rows = await entriesBetween(db, { after, last: value, limit })
  return { rows, position: rows.at(-1)?.position ?? after, more: rows.length === limit, held: held === 1 }
}
