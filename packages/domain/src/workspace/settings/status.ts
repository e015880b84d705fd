import { statfs } from 'node:fs/promises'
import type { features } from '@specboard/contract'
import { sql } from 'kysely'
import { inSteps } from '../../kernel/implement.ts'
import type { Db } from '../../schema/database.ts'
import { hot } from '../../schema/hot.ts'

/** With less room than this on its disk the service counts as degraded, bytes. */
const leastFree = 100 << 20

interface Stored {
  migrations: number
  pending: number
  failed: number
  active: number
  failing: number
}

const stored = hot<Record<never, never>, Stored>(
  () =>
    sql<Stored>`select (select count(*) from kysely_migration) as migrations,
      (select count(*) from kg_queue) as pending, (select count(*) from kg_dead_letters) as failed,
      (select count(*) from webhooks where active = 1) as active,
      (select count(*) from webhooks where active = 1 and failing_since is not null) as failing`,
)

const readStored = async (db: Db): Promise<Stored> => (await stored(db, {}))[0]!

/** get_service_status (board 5). */
export const getServiceStatus = inSteps<(typeof features)['settings']['get_service_status']>(async (_, steps) => {
  const { version, node, faults, folder, clock, database, backups } = steps.environment
  const { migrations, pending, failed, active, failing } = await steps.read(({ db }) => readStored(db))
  const { bavail, bsize } = await statfs(folder)
  const free = bavail * bsize
  const started_at = new Date(node.startedAt).toISOString()
  return {
    version,
    started_at,
    degraded: [
      ...faults(),
      ...(free < leastFree ? [`the disk of the data folder has ${free >> 20} MiB left: make room`] : []),
    ],
    database: { ...database(), migrations },
    disk_free_bytes: free,
    backup: backups.status(),
    graph_queue: { pending, failed },
    webhooks: { active, failing },
    nodes: [{ id: node.id, started_at, last_seen_at: new Date(clock()).toISOString() }],
  }
})
