import { type DatabasePlace, listedNodes, readWithoutLock } from '@specboard/domain'
import type { Finding } from './finding.ts'

/** The nodes on a shared database; none where they cannot be read, or are of another version, which is reported elsewhere. */
export const nodesOf = (place: DatabasePlace): ReturnType<typeof listedNodes> =>
  readWithoutLock(place, listedNodes).catch(() => [])

/** The nodes on a shared database: where each listens, and when it was heard from last (exchange 3). */
export async function nodeFindings(place: DatabasePlace): Promise<Finding[]> {
  const nodes = await nodesOf(place)
  return nodes.map(({ host, port, version, started_at, last_seen_at }) => ({
    name: 'node',
    ok: true,
    says: `${host.includes(':') ? `[${host}]` : host}:${port}, version ${version}, since ${started_at}, last heard from ${last_seen_at}`,
  }))
}
