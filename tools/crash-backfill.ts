/**
 * Kills the server with SIGKILL at random moments of a backfill and starts it again, until it finally lets the
 * backfill end. Then compares the graph with that of an undisturbed rebuild on a copy of the same records.
 */
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Client, createClient } from '@specboard/client'
import { inspectDatabase, openService } from '@specboard/domain'
import { killAfter, startProduct } from './bench/processes.ts'
import { makeChains } from './crash-backfill/records.ts'
import { countLeft, differences, type Graph, readGraph } from './crash-backfill/stored-graph.ts'
import { graphBuilt, hastyGraph } from './graph-built.ts'
import { progress } from './progress.ts'

/** Chains of some twelve records each. */
const chains = 250

/** Runs the test and prints its figures; returns 1 when the graphs differ or anything is damaged. */
export async function crashBackfill(rounds: number): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'specboard-crash-'))
  const data = join(folder, 'data')
  try {
    const { key, board_id } = await makeRecords(data)
    cpSync(data, join(folder, 'undisturbed'), { recursive: true })
    const { killed, total } = await killRepeatedly(data, key, board_id, rounds)
    await complete(data, key, board_id)

    const crashed = await readGraph(data, board_id)
    const undisturbed = await rebuilt(join(folder, 'undisturbed'), board_id)
    const different = differences(crashed, undisturbed)
    for (const line of different.slice(0, 20)) console.error(line)
    const left = await countLeft(data, board_id)
    const { integrity, staleIndexes, brokenReferences } = await inspectDatabase(data)
    console.log(
      `rounds ${rounds}, killed during the backfill ${killed}, records ${total}, nodes ${crashed.nodes.length}, ` +
        `edges ${crashed.edges.length}, left in the queue ${left}, integrity_check ${integrity}, ` +
        `differences ${different.length}`,
    )
    return different.length + left + brokenReferences.total + staleIndexes.length > 0 ||
      integrity !== 'ok' ||
      killed === 0
      ? 1
      : 0
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Creates records of every kind on a board that has no graph yet. */
async function makeRecords(folder: string): Promise<{ key: string; board_id: string }> {
  const server = await startProduct(folder)
  const client = createClient({ url: server.url, key: server.key! })
  const { id: board_id } = await client.createBoard({ name: 'Crash', description: '' })
  await client.putBoardKgSettings({ board_id, consolidation_enabled: false })
  await makeChains(client, board_id, chains)
  await client.deleteBoardKg({ board_id })
  await client.putBoardKgSettings({ board_id, consolidation_enabled: true })
  await server.stop()
  return { key: server.key!, board_id }
}

/** Starts the backfill and kills the server repeatedly; returns how often there was work left. */
async function killRepeatedly(folder: string, key: string, board_id: string, rounds: number) {
  let killed = 0
  let done = 0
  let total = 0
  const bar = progress('crash test', rounds, () => ({ records: `${done}/${total}` }))
  for (let round = 0; round < rounds; round++) {
    const server = await startProduct(folder, hastyGraph)
    const client = createClient({ url: server.url, key })
    if (round === 0) await client.startKgBackfill({ board_id })
    ;({ progress: done, total } = await client.getKgBackfillProgress({ board_id }))
    await killAfter(Math.random() * 600, server)
    if ((await countLeft(folder, board_id)) > 0) killed++
    bar.step()
  }
  bar.end()
  return { killed, total }
}

/** Lets the backfill end. */
async function complete(folder: string, key: string, board_id: string): Promise<void> {
  const server = await startProduct(folder, hastyGraph)
  const client: Client = createClient({ url: server.url, key })
  await graphBuilt(client)
  const { status } = await client.getKgBackfillProgress({ board_id })
  await server.stop()
  if (status !== 'completed') throw new Error(`The backfill ended as ${status}.`)
}

/** The graph that an undisturbed rebuild in this process makes. */
async function rebuilt(folder: string, board_id: string): Promise<Graph> {
  const { graph, close } = await openService({ folder, version: 'crash', workers: false })
  const { errors } = (await graph.rebuild(board_id))!
  await close()
  if (errors.length > 0) throw new Error(errors.join('\n'))
  return readGraph(folder, board_id)
}
