import { inspectServer } from '@specboard/domain'
import { connectionsOfNode } from '@specboard/storage'
import type { PostgresInspection } from '@specboard/storage/postgres'
import { explain } from './explain.ts'
import type { Finding } from './finding.ts'

/** The tolerance for the difference from the server's clock, ms. */
const clockToleranceMs = 60_000

/** How the nodes use the server. */
interface ServerUse {
  readonly isNotified: boolean
  /** The connections that a node reads with, if that is set. */
  readonly pool: number | undefined
}

/** Checks the PostgreSQL server and the database, and how many nodes serve it. */
export async function serverFindings(
  url: string,
  { isNotified, pool }: ServerUse,
): Promise<{ readonly findings: readonly Finding[]; readonly nodes: number }> {
  try {
    const inspection = await inspectServer(url, isNotified)
    return { findings: findingsOf(inspection, pool, Date.now()), nodes: inspection.nodes }
  } catch (error) {
    return { findings: [{ name: 'PostgreSQL', ok: false, says: explain(error) }], nodes: 0 }
  }
}

const rule = (name: string, ok: boolean, right: string, wrong: string): Finding => ({
  name,
  ok,
  says: ok ? right : wrong,
})

function findingsOf(inspection: PostgresInspection, pool: number | undefined, now: number): Finding[] {
  const { version, encoding, tls, unsafe, connections, nodes, announces, pendingMigrations } = inspection
  const free = connections.max - connections.used
  const used = `${connections.used} of ${connections.max} in use`
  return [
    { name: 'PostgreSQL', ok: true, says: `${version}, ${encoding}, ${tls ?? 'without TLS'}` },
    rule(
      'durability',
      unsafe.length === 0,
      'commits are on disk before they are answered',
      `${unsafe.join(', ')}: the server may lose what was acknowledged; set it back in postgresql.conf`,
    ),
    rule(
      'connections',
      free >= connectionsOfNode(pool),
      used,
      `${used}; a node opens up to ${connectionsOfNode(pool)}: raise max_connections, or set a smaller SPECBOARD_DATABASE_POOL`,
    ),
    rule(
      'announcements',
      announces ?? true,
      announces === undefined ? 'are rows of a table that each node polls' : 'arrive',
      'are lost between connections: name the server itself, not a pooler in transaction mode',
    ),
    rule(
      'who may connect',
      !inspection.isOpenToAll,
      'roles that were granted it',
      'every role of the server, which may then notify the nodes and fill its disk: revoke connect on database … from public',
    ),
    rule(
      'temporary files',
      inspection.mayLimitFiles,
      'limited for each query',
      'the role may not limit them, so that large graph queries are refused by their plan: grant set on parameter temp_file_limit to it',
    ),
    { name: 'nodes', ok: true, says: nodes === 0 ? 'none is serving this database' : `${nodes} serving this database` },
    rule(
      'clock of the database',
      Math.abs(inspection.clock - now) <= clockToleranceMs,
      'agrees with this machine',
      `says ${new Date(inspection.clock).toISOString()}, this machine ${new Date(now).toISOString()}: set both by NTP`,
    ),
    {
      name: 'schema',
      ok: true,
      says:
        pendingMigrations.length === 0
          ? 'up to date'
          : `${pendingMigrations.length} migrations pending; the next start runs them`,
    },
    ...Object.entries(inspection.rows).map(([table, count]) => ({ name: table, ok: true, says: String(count) })),
    {
      name: 'backup',
      ok: true,
      says: 'not known here: those of PostgreSQL are made with pg_basebackup or pg_dump (docs/deployment.md)',
    },
  ]
}
