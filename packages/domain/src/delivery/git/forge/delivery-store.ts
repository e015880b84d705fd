/** Forge events as they are stored (git 2). */
import { sql } from 'kysely'
import type { Db } from '../../../schema/database.ts'
import { hot } from '../../../schema/hot.ts'
import type { ForgeDeliveriesTable } from '../../../schema/tables.ts'

const byForge = hot<{ repository: string; delivery: string }, ForgeDeliveriesTable>((db, param) =>
  db
    .selectFrom('forge_deliveries')
    .selectAll()
    .where('repository_id', '=', param('repository'))
    .where('delivery_id', '=', param('delivery')),
)

/** A delivery by the forge's id; undefined if unknown. */
export const deliveryOfForge = async (
  db: Db,
  repository: string,
  delivery: string,
): Promise<ForgeDeliveriesTable | undefined> => (await byForge(db, { repository, delivery }))[0]

const nextQueued = hot<{ repository: string }, ForgeDeliveriesTable>((db, param) =>
  db
    .selectFrom('forge_deliveries')
    .selectAll()
    .where('repository_id', '=', param('repository'))
    .where('status', '=', sql.lit('queued'))
    .orderBy('received_at')
    .orderBy('id')
    .limit(1),
)

/** The next delivery of a repository to process; undefined if none is pending. */
export const nextDelivery = async (db: Db, repository: string): Promise<ForgeDeliveriesTable | undefined> =>
  (await nextQueued(db, { repository }))[0]

const waiting = hot<{ repository: string }, { count: number }>((db, param) =>
  db
    .selectFrom('forge_deliveries')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('repository_id', '=', param('repository'))
    .where('status', '=', sql.lit('queued')),
)

/** How many deliveries of a repository are pending. */
export const waitingOf = async (db: Db, repository: string): Promise<number> =>
  Number((await waiting(db, { repository }))[0]?.count ?? 0)

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
export const keptSince = (now: string, what: keyof typeof keptDays): string =>
  new Date(Date.parse(now) - keptDays[what] * dayMs).toISOString()

/** Deliveries removed at a time. */
const removedAtOnce = 500

/** Removes expired deliveries of any repository, a limited number at a time. */
export async function removeOldDeliveries(db: Db, now: string): Promise<void> {
  const old = (since: string) =>
    db
      .selectFrom('forge_deliveries')
      .select('id')
      .where('received_at', '<', since)
      .orderBy('received_at')
      .limit(removedAtOnce)
  await db
    .deleteFrom('forge_deliveries')
    .where('id', 'in', old(keptSince(now, 'delivery')).where('status', '<>', 'queued'))
    .execute()
  await db
    .updateTable('forge_deliveries')
    .set({ payload: null })
    .where(
      'id',
      'in',
      old(keptSince(now, 'failedText')).where('status', '=', sql.lit('failed')).where('payload', 'is not', null),
    )
    .execute()
}
