import type { Client } from '@specboard/client'
import { HealthWatch } from '../attack/health-watch.ts'
import { p50, percentile } from '../bench/percentiles.ts'

const rounds = 60

/** What a call may take at the median, ms (work 2). */
const goals = { list: 25, claim: 30 } as const

/** How long each call of `run` took, ms. */
async function timesOf(run: () => Promise<unknown>): Promise<number[]> {
  const times: number[] = []
  for (let round = 0; round < rounds; round++) {
    const started = performance.now()
    await run()
    times.push(performance.now() - started)
  }
  return times
}

const line = (what: string, times: readonly number[], goal?: number): void =>
  console.log(
    `${what.padEnd(52)} p50 ${p50(times).toFixed(1).padStart(6)} ms  p95 ${percentile(times, 0.95).toFixed(1).padStart(6)} ms` +
      (goal === undefined ? '' : `  goal ${goal}`),
  )

/** The list of ready cards and the claim of the next one, and how long `/health` waited at most meanwhile. */
export async function reportReady(url: string, client: Client, board_id: string): Promise<void> {
  const watch = new HealthWatch(url)
  const board = { board_id }
  await client.listReadyCards({ ...board, limit: 1 })
  await watch.times()
  line('list_ready_cards, 20 of them', await timesOf(() => client.listReadyCards({ ...board, limit: 20 })), goals.list)
  line('list_ready_cards, all', await timesOf(() => client.listReadyCards(board)))
  line(
    'list_cards, 20 that wait for none',
    await timesOf(() => client.listCards({ ...board, blocked: false, limit: 20 })),
  )
  const claimed: number[] = []
  for (let round = 0; round < rounds; round++) {
    const started = performance.now()
    const { claim } = await client.claimNextCard(board)
    claimed.push(performance.now() - started)
    await client.releaseClaim({ card_id: claim!.card_id })
  }
  line('claim_next_card', claimed, goals.claim)
  line('claim_next_card with start', await timesOf(() => client.claimNextCard({ ...board, start: true })))
  const { slowest } = await watch.times()
  console.log(`/health meanwhile: ${slowest.toFixed(0)} ms at most`)
  await watch.stop()
}
