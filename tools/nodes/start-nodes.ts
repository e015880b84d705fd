import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestServer } from '@specboard/storage/testing'
import { type NodeProcess, startNode } from '../../apps/cli/test/support/node-process.ts'

/** Nodes on a database of their own. */
export interface Nodes {
  readonly nodes: NodeProcess[]
  /** The owner's key. */
  readonly key: string
  /** Starts another one. */
  start(): Promise<NodeProcess>
  /** Ends those that run, and removes the database. */
  stop(): Promise<void>
}

/**
 * Starts nodes that share a new database.
 * @param leaseMs how long a silent one keeps what it works on; as long as usual unless said
 */
export async function startNodes(server: TestServer, count: number, leaseMs?: number): Promise<Nodes> {
  const folder = mkdtempSync(join(tmpdir(), 'specboard-nodes-'))
  const secretKeyFile = join(folder, 'secret')
  writeFileSync(secretKeyFile, randomBytes(32))
  const databaseUrl = await server.database()
  const start = () => startNode({ databaseUrl, secretKeyFile, leaseMs, pinned: {} })
  const nodes = [await start()]
  const key = nodes[0]!.ownerKey!
  while (nodes.length < count) nodes.push(await start())
  const stop = async () => {
    for (const node of nodes) await node.stop()
    await server.drop(databaseUrl)
    rmSync(folder, { recursive: true, force: true })
  }
  return { nodes, key, start, stop }
}
