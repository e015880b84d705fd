import { dialect, settledUpTo } from '@specboard/storage'
import { sql } from 'kysely'
import type { Flag } from '../schema/columns.ts'
import type { Db } from '../schema/database.ts'
import { hot } from '../schema/hot.ts'
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
