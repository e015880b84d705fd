import { createClient } from '@specboard/client'
import { latencies } from '../bench/latencies.ts'
import type { Load } from '../bench/load.ts'
import { p50, percentile } from '../bench/percentiles.ts'
import { startProduct } from '../bench/processes.ts'
import { progress } from '../progress.ts'
import type { SeededBoard } from './seed.ts'

/** The requests of an agent or two, beside the load of many that send as fast as they are answered. */
const pacedPerSecond = 200

const secondsEach = 2

/**
 * How long `get_ideation` takes while a backfill of some 5,000 records runs, against the same load while the
 * backfill is paused: in turn, from its first record to its last.
 */
export async function reportBackfill({ folder, key, board_id }: SeededBoard): Promise<void> {
  const server = await startProduct(folder)
  const client = createClient({ url: server.url, key })
  const { id } = await client.createIdeation({ board_id, title: 'Measured' })
  const load: Load = { url: `${server.url}/api/v1/ideations/${id}`, headers: { authorization: `Bearer ${key}` } }
  const setRunning = (consolidation_enabled: boolean) => client.putBoardKgSettings({ board_id, consolidation_enabled })
  await latencies(load, 2 * secondsEach)
  await client.deleteBoardKg({ board_id })
  await setRunning(false)
  await client.startKgBackfill({ board_id })
  const { total } = await client.getKgBackfillProgress({ board_id })

  const measured = [undefined, pacedPerSecond].map(rate => ({ rate, quiet: [] as number[], during: [] as number[] }))
  const bar = progress('backfill', total)
  for (let done = 0; done < total; ) {
    for (const { rate, quiet, during } of measured) {
      quiet.push(...(await latencies(load, secondsEach, rate)))
      await setRunning(true)
      during.push(...(await latencies(load, secondsEach, rate)))
      await setRunning(false)
    }
    const { progress: now } = await client.getKgBackfillProgress({ board_id })
    bar.step(now - done)
    done = now
  }
  bar.end()
  await server.stop()

  console.log(
    `\nget_ideation while a backfill of ${total} records runs, against the same while it is paused (goal p99 ≤ 2 ×)`,
  )
  for (const { rate, quiet, during } of measured) {
    const times = (all: readonly number[]) => `p50 ${p50(all).toFixed(2)} p99 ${percentile(all, 0.99).toFixed(2)} ms`
    const ratio = percentile(during, 0.99) / percentile(quiet, 0.99)
    const name = rate === undefined ? '16 connections' : `${rate} a second`
    console.log(`${name.padEnd(16)} quiet ${times(quiet)}, backfill ${times(during)}, p99 ${ratio.toFixed(2)} ×`)
  }
}
