import { setTimeout as sleep } from 'node:timers/promises'
import { briefly } from './brief.ts'
import { Connections } from './connections.ts'
import { identityOf, replayedPlace, writtenPlace } from './replica-place.ts'
import { settledReplica } from './suitability.ts'

/** How long a replica is given to reach what the primary has on disk, ms, and the pause between two looks. */
const patienceMs = 2_000
const pauseMs = 50

/** How a replica compares with its primary. */
export interface ReplicaInspection {
  /** Whether it is a copy of the same database. */
  readonly isCopy: boolean
  /** How much of what the primary had on disk the replica had not replayed 2 s later, bytes. */
  readonly missing: number
}

/**
 * Compares a replica with the primary that it should follow.
 * @throws StorageError UNREACHABLE, DATABASE_REFUSED; NotReplica for a server that is not a standby
 */
export const inspectReplica = (url: string, readUrl: string): Promise<ReplicaInspection> =>
  briefly(url, async ({ connection: primary }) => {
    const replica = new Connections(await settledReplica(readUrl), 1, () => {})
    try {
      return await replica.with(
        async connection => {
          const place = await writtenPlace(primary)
          const isCopy = (await identityOf(connection)) === (await identityOf(primary))
          const end = performance.now() + patienceMs
          let reached = await replayedPlace(connection)
          while (isCopy && reached < place && performance.now() < end) {
            await sleep(pauseMs)
            reached = await replayedPlace(connection)
          }
          return { isCopy, missing: Math.max(0, place - reached) }
        },
        () => true,
      )
    } finally {
      await replica.close()
    }
  })
