/**
 * Measures what memory the service keeps: after its start, after 200,000 ideations were created, when the knowledge graph
 * has taken them in, and after a time without a call.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createClient } from '@specboard/client'
import { optionOf } from './bench/options.ts'
import { residentMiB, startProduct } from './bench/processes.ts'
import { graphBuilt, hastyGraph } from './graph-built.ts'
import { inParallel } from './in-parallel.ts'
import { progress } from './progress.ts'

const boards = 10
const connections = 16

/** What is created, and for how long the service is left alone then. */
export interface MemoryOptions {
  readonly creates: number
  readonly idleMinutes: number
}

/** Reads `--creates=200000` and `--idle=60` (minutes); each has its default. */
export function memoryOptions(args: readonly string[]): MemoryOptions {
  return { creates: Number(optionOf(args, 'creates') ?? 200_000), idleMinutes: Number(optionOf(args, 'idle') ?? 60) }
}

/** Measures and prints each figure as soon as it is known. */
export async function benchMemory({ creates, idleMinutes }: MemoryOptions): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'specboard-memory-'))
  const server = await startProduct(folder, hastyGraph)
  const tell = (what: string) => console.log(`${what.padEnd(40)} ${residentMiB(server.child)} MiB`)
  try {
    const client = createClient({ url: server.url, key: server.key! })
    const ids: string[] = []
    for (let index = 0; index < boards; index++)
      ids.push((await client.createBoard({ name: `Board ${index}`, description: '' })).id)
    tell('after the start')
    const bar = progress('creates', creates)
    await inParallel(
      Array.from({ length: creates }, (_, index) => index),
      connections,
      async index => {
        const board_id = ids[index % boards]!
        await client.createIdeation({ board_id, title: `Measured ${index}`, description: 'What is to be built.' })
        bar.step()
      },
    )
    bar.end()
    tell(`after ${creates.toLocaleString('en')} creates`)
    await graphBuilt(client)
    tell('when all of them are in the graph')
    await new Promise(resolve => setTimeout(resolve, idleMinutes * 60_000))
    tell(`after ${idleMinutes} minutes without a call`)
  } finally {
    await server.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}
