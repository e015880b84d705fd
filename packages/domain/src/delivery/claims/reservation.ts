import { sql } from 'kysely'
import type { Context } from '../../kernel/context.ts'
import type { Db } from '../../schema/database.ts'
import { hot } from '../../schema/hot.ts'
import { updateRow } from '../../schema/rows.ts'
import type { CardRecord } from '../card-record/record.ts'

/** The agent that alone may take up a failed card for a while (crew 4.4). */
export interface Reservation {
  readonly agent_id: string
  readonly agent_name: string
  readonly stage: 'reserved'
  readonly expires_at: string
}

/** The reservation of a card that is in force; null if there is none. */
export const reservationOf = (
  { reserved_for, reserved_until }: Pick<CardRecord, 'reserved_for' | 'reserved_until'>,
  name: string | null,
  now: string,
): Reservation | null =>
  reserved_for !== null && reserved_until !== null && reserved_until > now
    ? { agent_id: reserved_for, agent_name: name ?? reserved_for, stage: 'reserved', expires_at: reserved_until }
    : null

/** The columns of a card without a reservation. */
export const unreserved = { reserved_for: null, reserved_until: null } as const

const onBoard = hot<{ agent: string; board: string }, { id: string }>(
  (_, param) =>
    sql<{
      id: string
    }>`select a.id from agents a where a.id = ${param('agent')} and a.is_active = 1 and a.deleted_at is null
      and (exists (select 1 from boards b where b.id = ${param('board')} and b.owner_id = a.id)
        or exists (select 1 from grants g where g.board_id = ${param('board')} and g.agent_id = a.id)
        or exists (select 1 from shares s where s.board_id = ${param('board')} and s.user_id = a.id))`,
)

/** Whether an agent is active and sees a board. */
export const canWorkOn = async ({ db }: Pick<Context, 'db'>, board: string, agent: string): Promise<boolean> =>
  (await onBoard(db, { agent, board })).length > 0

/** Ends the reservation of a card: somebody has taken it up. */
export async function endReservation(
  { db }: Pick<Context, 'db'>,
  card: Pick<CardRecord, 'id' | 'reserved_for'>,
): Promise<void> {
  if (card.reserved_for !== null) await updateRow(db, 'cards', card.id, unreserved)
}

/** Ends all reservations of an agent, of cards and of paths: it was deactivated, or lost access to the board. */
export async function endReservationsOf(db: Db, agent: string, board?: string): Promise<void> {
  let ended = db.updateTable('cards').set(unreserved).where('reserved_for', '=', agent)
  if (board !== undefined) ended = ended.where('board_id', '=', board)
  await ended.execute()
  let released = db.deleteFrom('path_reservations').where('agent_id', '=', agent)
  if (board !== undefined) released = released.where('board_id', '=', board)
  await released.execute()
}
