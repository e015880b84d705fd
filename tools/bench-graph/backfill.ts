import { createClient } from '@specboard/client'
import { latencies } from '../bench/latencies.ts'
import { p50, percentile } from '../bench/percentiles.ts'
import { startProduct } from '../bench/processes.ts'
import type { Load } from '../bench/request.ts'
import { progress } from '../progress.ts'
import type { SeededBoard } from './seed.ts'

/** The request rate of an agent or two, in addition to the load of many that send as fast as they are answered. */
const pacedPerSecond = 200

const secondsEach = 2

/** Pausing and resuming a backfill changes each of its entries; this long after it nothing is measured, ms. */
const settleMs = 700

/**
 * How long `get_ideation` takes while a backfill of some 5,000 records runs, compared with the same load while the
 * backfill is paused; measured in turn from its first record to its last.
 */
export async function reportBackfill({ folder, key, board_id }: SeededBoard): Promise<void> {
  const server = await startProduct(folder)
  const client = createClient({ url: server.url, key })
  const { id } = await client.createIdeation({ board_id, title: 'Measured' })
  const load: Load = { url: `${server.url}/api/v1/ideations/${id}`, headers: { authorization: `Bearer ${key}` } }
  const setRunning = async (consolidation_enabled: boolean) => {
    await client.putBoardKgSettings({ board_id, consolidation_enabled })
    await new Promise(resolve => setTimeout(resolve, settleMs))
  }
  await latencies(load, 2 * secondsEach)
  await client.deleteBoardKg({ board_id })
  await setRunning(false)
  await client.startKgBackfill({ board_id })
  const { total } = await client.getKgBackfillProgress({ board_id })

  const measured = [undefined, pacedPerSecond].map(rate => ({ rate, pairs: [] as Pair[] }))
  const bar = progress('backfill', total)
  for (let done = 0; done < total; ) {
    for (const { rate, pairs } of measured) {
      const quiet = await latencies(load, secondsEach, rate)
      await setRunning(true)
      pairs.push({ quiet, during: await latencies(load, secondsEach, rate) })
      await setRunning(false)
    }
    const { progress: now } = await client.getKgBackfillProgress({ board_id })
    bar.step(now - done)
    done = now
  }
  bar.end()
  await server.stop()

  console.log(
    `\nget_ideation while a backfill of ${total} records runs, compared with the same while it is paused (goal p99 ≤ 2 ×)`,
  )
  for (const { rate, pairs } of measured) {
    const [quiet, during] = [pairs.flatMap(pair => pair.quiet), pairs.flatMap(pair => pair.during)]
    const times = (all: readonly number[]) => `p50 ${p50(all).toFixed(2)} p99 ${p99(all).toFixed(2)} ms`
    const name = rate === undefined ? '16 connections' : `${rate} a second`
    console.log(
      `${name.padEnd(16)} paused ${times(quiet)}, running ${times(during)}: p99 ${(p99(during) / p99(quiet)).toFixed(2)} ×, ` +
        `${p50(pairs.map(pair => p99(pair.during) / p99(pair.quiet))).toFixed(2)} × as the median of ${pairs.length} pairs`,
    )
  }
}

/** Latencies while the backfill was paused, and right afterwards while it ran, ms. */
interface Pair {
  readonly quiet: readonly number[]
  readonly during: readonly number[]
}

const p99 = (times: readonly number[]): number => percentile(times, 0.99)
