import { dialect, settledUpTo } from '@specboard/storage'
import { sql } from 'kysely'
import type { Flag } from '../schema/columns.ts'
import type { Db } from '../schema/database.ts'
import { hot } from '../schema/hot.ts'
import type { EventsTable } from '../schema/tables.ts'
import { logPosition } from './events.ts'

/** The place up to which the log can be read: no entry comes later that has it or an earlier one. */
const readablePlace = settledUpTo(logPosition, 'events')

/** Asks for the last place, which an index tells: PostgreSQL cannot foresee how few are behind `place`, and would read all. */
const lastPlace = hot<Record<never, never>, { value: number; held: Flag }>(
  () =>
    sql<{ value: number; held: Flag }>`select place as value, ${dialect.flag(
      sql`coalesce((select max(position) from events where position is not null) > place, false)`,
    )} as held from (select ${readablePlace} as place) places`,
)

/** The place up to which the log can be read, and whether there are entries behind it that wait for earlier ones. */
export const readableLog = async (db: Db): Promise<{ readonly value: number; readonly held: Flag }> =>
  (await lastPlace(db, {}))[0]!

/** The place of the log's last entry among those of all boards, of those that can be read. */
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
 * The entries behind a place that can be read, in their order: how far they go, whether there are more, and whether
 * later ones wait for earlier ones.
 */
export async function entriesAfter(db: Db, after: number, limit: number) {
  const { value, held } = await readableLog(db)
  const rows = await entriesBetween(db, { after, last: value, limit })
  return { rows, position: rows.at(-1)?.position ?? after, more: rows.length === limit, held: held === 1 }
}
