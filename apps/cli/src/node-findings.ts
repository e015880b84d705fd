import { type DatabasePlace, listedNodes, readWithoutLock } from '@specboard/domain'
import type { Finding } from './finding.ts'

type Nodes = Awaited<ReturnType<typeof listedNodes>>

/**
 * The nodes on a shared database; empty if they cannot be read, or are of another version, which is reported elsewhere.
 */
export const nodesOf = (place: DatabasePlace): Promise<Nodes> => readWithoutLock(place, listedNodes).catch(() => [])

/** The nodes on a shared database: where each listens, and when it was heard from last (exchange 3). */
export const nodeFindings = (nodes: Nodes): Finding[] =>
  nodes.map(({ host, port, version, started_at, last_seen_at }) => ({
    name: 'node',
    ok: true,
    says: `${host.includes(':') ? `[${host}]` : host}:${port}, version ${version}, since ${started_at}, last heard from ${last_seen_at}`,
  }))
