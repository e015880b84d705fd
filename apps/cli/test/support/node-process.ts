/** Nodes of one service, each a process of its own. */
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import type { Settings } from '../../src/mod.ts'

/** A running node. */
export interface NodeProcess {
  readonly url: string
  /** The owner's key, if this start made it. */
  readonly ownerKey: string | undefined
  readonly child: ChildProcess
  /** Ends it as an operator would. */
  stop(): Promise<void>
  /** Ends it without a word. */
  kill(): Promise<void>
}

/** What a node prints when it is ready. */
export type Ready = Pick<NodeProcess, 'url' | 'ownerKey'>

/**
 * The programs that serve a node: this version, or a stand-in for a later one, whose newest migration adds to every
 * table.
 */
const scripts = {
  present: fileURLToPath(new URL('serve-node.ts', import.meta.url)),
  later: fileURLToPath(new URL('serve-later-node.ts', import.meta.url)),
} as const

/**
 * Starts a node in a folder of its own, which is removed when the node ends.
 * @throws Error with its error output if it does not start
 */
export async function startNode(
  settings: Partial<Settings>,
  version: keyof typeof scripts = 'present',
): Promise<NodeProcess> {
  const folder = await mkdtemp(join(tmpdir(), 'specboard-node-'))
  const child = spawn(process.execPath, [scripts[version], folder, JSON.stringify(settings)], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const errors: string[] = []
  child.stderr.on('data', part => errors.push(String(part)))
  const ended = new Promise<void>(resolve => child.once('exit', () => resolve()))
  const end = async (signal: 'SIGTERM' | 'SIGKILL') => {
    child.kill(signal)
    await ended
    await rm(folder, { recursive: true, force: true })
  }
  for await (const line of createInterface({ input: child.stdout })) {
    const ready = JSON.parse(line) as Ready
    return { ...ready, child, stop: () => end('SIGTERM'), kill: () => end('SIGKILL') }
  }
  await end('SIGKILL')
  throw new Error(errors.join(''))
}
