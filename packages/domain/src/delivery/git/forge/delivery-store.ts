/** Forge events as they are stored (git 2). */
import { sql } from 'kysely'
import { whileDue } from '../../../kernel/followers/while-due.ts'
import type { Db, ReadWrite } from '../../../schema/database.ts'
import { hot } from '../../../schema/hot.ts'
import { type OnBoard, onBoard, onBoardOf } from '../../../schema/same-board.ts'
import type { ForgeDeliveriesTable } from '../../../schema/tables.ts'

const byForge = hot<OnBoard & { delivery: string }, ForgeDeliveriesTable>((db, param) =>
  db
    .selectFrom('forge_deliveries')
    .selectAll()
    .where('repository_id', '=', param('id'))
    .where(onBoard('forge_deliveries', param('board_id')))
    .where('delivery_id', '=', param('delivery')),
)

/** A delivery by the forge's id; undefined if unknown. */
export const deliveryOfForge = async (
  db: Db,
  { id, board_id }: OnBoard,
  delivery: string,
): Promise<ForgeDeliveriesTable | undefined> => (await byForge(db, { id, board_id, delivery }))[0]

const nextQueued = hot<{ repository: string }, ForgeDeliveriesTable>((db, param) =>
  db
    .selectFrom('forge_deliveries')
    .selectAll()
    .where('repository_id', '=', param('repository'))
    .where(onBoardOf('forge_deliveries', 'repositories', param('repository')))
    .where('status', '=', sql.lit('queued'))
    .orderBy('received_at')
    .orderBy('id')
    .limit(1),
)

/** The next delivery of a repository to process; undefined if none is pending. */
export const nextDelivery = async (db: Db, repository: string): Promise<ForgeDeliveriesTable | undefined> =>
  (await nextQueued(db, { repository }))[0]

const waiting = hot<OnBoard, { count: number }>((db, param) =>
  db
    .selectFrom('forge_deliveries')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('repository_id', '=', param('id'))
    .where(onBoard('forge_deliveries', param('board_id')))
    .where('status', '=', sql.lit('queued')),
)

/** How many deliveries of a repository are pending. */
export const waitingOf = async (db: Db, repository: OnBoard): Promise<number> =>
  Number((await waiting(db, repository))[0]?.count ?? 0)

/** The repositories with pending deliveries. */
export const repositoriesWaiting = async (db: Db): Promise<string[]> =>
  (
    await db
      .selectFrom('forge_deliveries')
      .select('repository_id')
      .distinct()
      .where('status', '=', sql.lit('queued'))
      .execute()
  ).map(({ repository_id }) => repository_id)

const dayMs = 86_400_000

/** Days for which a delivery is kept, and the payload of a failed one. */
const keptDays = { delivery: 30, failedText: 7 } as const

/** The time since when something is kept. */
export const keptSince = (now: string, kind: keyof typeof keptDays): string =>
  new Date(Date.parse(now) - keptDays[kind] * dayMs).toISOString()

const stillWaiting = hot<{ id: string }, Pick<ForgeDeliveriesTable, 'id'>>((db, param) =>
  db.selectFrom('forge_deliveries').select('id').where('id', '=', param('id')).where('status', '=', sql.lit('queued')),
)

/** Whether a delivery is still pending. */
export const isStillQueued = async (db: Db, id: string): Promise<boolean> => (await stillWaiting(db, { id })).length > 0

/** Deliveries removed, and payloads of failed ones, in one unit of work. */
const removedAtOnce = 100

/** Removes expired deliveries of all repositories, and expired payloads of failed ones. */
export async function removeOldDeliveries(database: ReadWrite, time: number): Promise<void> {
  const now = new Date(time).toISOString()
  const ofDeliveries = (db: Db, limit: number) => expired(db, keptSince(now, 'delivery'), limit)
  const ofPayloads = (db: Db, limit: number) =>
    expired(db, keptSince(now, 'failedText'), limit)
      .where('status', '=', sql.lit('failed'))
      .where('payload', 'is not', null)
  await removeFrom(database, ofDeliveries, (db, ids) =>
    db.deleteFrom('forge_deliveries').where('id', 'in', ids).execute(),
  )
  await removeFrom(database, ofPayloads, (db, ids) =>
    db.updateTable('forge_deliveries').set({ payload: null }).where('id', 'in', ids).execute(),
  )
}

const expired = (db: Db, since: string, limit: number) =>
  db
    .selectFrom('forge_deliveries')
    .select('id')
    .where('received_at', '<', since)
    .where('status', '<>', 'queued')
    .orderBy('received_at')
    .limit(limit)

/** Runs a removal for all deliveries that a query finds. */
const removeFrom = (
  database: ReadWrite,
  find: (db: Db, limit: number) => ReturnType<typeof expired>,
  remove: (db: Db, ids: readonly string[]) => Promise<unknown>,
): Promise<void> =>
  whileDue(database, {
    atOnce: removedAtOnce,
    isAnyDue: async db => (await find(db, 1).execute()).length > 0,
    act: async db => {
      const ids = (await find(db, removedAtOnce).execute()).map(({ id }) => id)
      if (ids.length > 0) await remove(db, ids)
      return ids.length
    },
  })
