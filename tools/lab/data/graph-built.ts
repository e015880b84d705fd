import type { Client } from '@specboard/client'
import { progress } from '../harness/progress.ts'

/**
 * Makes the graph's worker take the next entry at once; normally it pauses between entries so as not to slow down
 * calls.
 */
export const fastGraph = { SPECBOARD_KG_QUEUE_MIN_INTERVAL_MS: '0' } as const

/** How often the queue is checked, ms. */
const lookEveryMs = 200

/**
 * Waits until no record is queued for a graph.
 * @throws Error when a record could not be added
 */
export async function graphBuilt(client: Client): Promise<void> {
  const waiting = async () => {
    const { queue_depth, claimed_count, dead_letter_count } = await client.getKgQueueHealth()
    if (dead_letter_count > 0) throw new Error(`${dead_letter_count} records could not be added to the graph.`)
    return queue_depth + claimed_count
  }
  let remaining = await waiting()
  const bar = progress('graph', remaining)
  while (remaining > 0) {
    await new Promise(resolve => setTimeout(resolve, lookEveryMs))
    const now = await waiting()
    bar.step(Math.max(0, remaining - now))
    remaining = now
  }
  bar.end()
}
