/**
 * Measures the knowledge graph: memory with many streams open while backfills pass, calls while a backfill runs, and
 * search among 100,000 nodes.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { makeBoard } from '../data/boards.ts'
import { fastGraph, graphBuilt } from '../data/graph-built.ts'
import type { Lab } from '../harness/lab.ts'
import { progress } from '../harness/progress.ts'
import { scenario } from '../harness/scenario.ts'
import { p50, percentile, ratio } from '../harness/statistics.ts'
import { latencies } from '../load/autocannon.ts'
import { reportGraphSearch } from '../load/graph-search.ts'
import { reportGraphStreams } from '../load/graph-streams.ts'

export default scenario({
  summary: 'calls during a backfill, memory of 200 event streams, search among 100,000 nodes',
  options: { specs: 450, agents: 10, seconds: 2, nodes: 100_000, cutAfter: 35 },
  short: { specs: 6, agents: 2, seconds: 1, nodes: 500, cutAfter: 5 },
  run: async (lab, { specs, agents, seconds, nodes, cutAfter }) => {
    const board_id = await lab.with(
      'board',
      async ({ client }) => {
        const { board_id } = await makeBoard(client, specs)
        await graphBuilt(client)
        return board_id
      },
      fastGraph,
    )
    await reportGraphStreams(lab, 'board', board_id, { agents, cutAfter })
    await reportBackfill(lab, 'board', board_id, seconds)
    await reportGraphSearch(lab, 'search', nodes)
  },
})

/** The request rate of an agent or two, in addition to the load of many that send as fast as they are answered. */
const pacedPerSecond = 200

/** Pausing and resuming a backfill changes each of its entries; how long measuring pauses after that, ms. */
const settleMs = 700

/** Latencies while the backfill was paused, and right afterwards while it ran, ms. */
interface Pair {
  readonly quiet: readonly number[]
  readonly during: readonly number[]
}

const p99 = (times: readonly number[]): number => percentile(times, 0.99)

/**
 * How long `get_ideation` takes while a backfill runs, compared with the same load while the backfill is paused; measured
 * in turn from its first record to its last.
 */
async function reportBackfill(lab: Lab, name: string, board_id: string, seconds: number): Promise<void> {
  const server = await lab.start(name)
  const { client, url, headers } = server
  const { id } = await client.createIdeation({ board_id, title: 'Measured' })
  const load = { url: `${url}/api/v1/ideations/${id}`, headers }
  const setRunning = async (consolidation_enabled: boolean) => {
    await client.putBoardKgSettings({ board_id, consolidation_enabled })
    await pause(settleMs)
  }
  await latencies(load, 2 * seconds)
  await client.deleteBoardKg({ board_id })
  await setRunning(false)
  await client.startKgBackfill({ board_id })
  const { total } = await client.getKgBackfillProgress({ board_id })
  const measured = [undefined, pacedPerSecond].map(rate => ({ rate, pairs: [] as Pair[] }))
  const bar = progress('backfill', total)
  for (let done = 0; done < total; ) {
    for (const { rate, pairs } of measured) {
      const quiet = await latencies(load, seconds, rate)
      await setRunning(true)
      pairs.push({ quiet, during: await latencies(load, seconds, rate) })
      await setRunning(false)
    }
    const { progress: now } = await client.getKgBackfillProgress({ board_id })
    bar.step(now - done)
    done = now
  }
  bar.end()
  await server.stop()
  lab.report.say(`\nget_ideation while a backfill of ${total} records runs, compared with the same while it is paused`)
  for (const { rate, pairs } of measured) {
    const [quiet, during] = [pairs.flatMap(pair => pair.quiet), pairs.flatMap(pair => pair.during)]
    const by = rate === undefined ? '16 connections' : `${rate} a second`
    lab.report.times(`${by}, paused`, quiet)
    lab.report.times(`${by}, running`, during, {
      'p99 of paused': ratio(p99(during), p99(quiet), 2),
      [`median of ${pairs.length} pairs`]: `${p50(pairs.map(pair => p99(pair.during) / p99(pair.quiet))).toFixed(2)} ×`,
      goal: 'p99 ≤ 2 ×',
    })
  }
}
