import type { features } from '@specboard/contract'
import { sql } from 'kysely'
import { multiStep } from '../../kernel/implement.ts'
import type { Db } from '../../schema/database.ts'
import { hot } from '../../schema/hot.ts'

interface StoredCounts {
  migrations: number
  pending: number
  failed: number
  active: number
  failing: number
}

const stored = hot<Record<never, never>, StoredCounts>(
  () =>
    sql<StoredCounts>`select (select count(*) from kysely_migration) as migrations,
      (select count(*) from kg_queue) as pending, (select count(*) from kg_dead_letters) as failed,
      (select count(*) from webhooks where active = 1) as active,
      (select count(*) from webhooks where active = 1 and failing_since is not null) as failing`,
)

const readStored = async (db: Db): Promise<StoredCounts> => (await stored(db, {}))[0]!

/** The nodes that serve a shared database, in the order in which they started. */
export const listedNodes = (db: Db) =>
  db
    .selectFrom('nodes')
    .select(['id', 'host', 'port', 'version', 'started_at', 'seen_at as last_seen_at'])
    .where('port', '!=', 0)
    .orderBy('id')
    .execute()

/** get_service_status (board 5). */
export const getServiceStatus = multiStep<(typeof features)['settings']['get_service_status']>(async (_, steps) => {
  const { version, node, condition, clock, database, backups, ciIssuers } = steps.environment
  const { migrations, pending, failed, active, failing } = await steps.read(({ db }) => readStored(db))
  const others = (await steps.read(({ db }) => listedNodes(db))).filter(({ id }) => id !== node.id)
  const started_at = new Date(node.startedAt).toISOString()
  return {
    version,
    started_at,
    degraded: [...(await condition.problems())],
    database: { ...database(), migrations },
    disk_free_bytes: await condition.diskFree(),
    backup: backups.status(),
    graph_queue: { pending, failed },
    webhooks: { active, failing },
    ci_issuers: ciIssuers.states().map(({ issuer, source, ageMs }) => ({
      issuer,
      source,
      age_s: Math.max(0, Math.round(ageMs / 1_000)),
    })),
    nodes: [
      {
        id: node.id,
        host: node.host,
        port: node.port,
        version,
        started_at,
        last_seen_at: new Date(clock()).toISOString(),
      },
      ...others,
    ],
  }
})
