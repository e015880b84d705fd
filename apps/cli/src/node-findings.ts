import { type DatabasePlace, listedNodes, readWithoutLock } from '@specboard/domain'
import type { Finding } from './finding.ts'

/** The nodes on a shared database: where each listens, and when it was heard from last (exchange 3). */
export async function nodeFindings(place: DatabasePlace): Promise<Finding[]> {
  // A database that cannot be read, or is of another version, is reported elsewhere.
  const nodes = await readWithoutLock(place, listedNodes).catch(() => [])
  return nodes.map(({ host, port, version, started_at, last_seen_at }) => ({
    name: 'node',
    ok: true,
    says: `${host.includes(':') ? `[${host}]` : host}:${port}, version ${version}, since ${started_at}, last heard from ${last_seen_at}`,
  }))
}
