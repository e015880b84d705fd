import type { Client } from '@specboard/client'
import { HealthWatch } from '../attack/health-watch.ts'
import { measure } from '../bench/measure.ts'
import type { ServerProcess } from '../bench/processes.ts'

/** What a call may take at the median, ms (work 2). */
const goals = { list: 25, claim: 30 } as const

/** The list of ready cards and the claim of the next one, and how long `/health` waited at most meanwhile. */
export async function reportReady(server: ServerProcess, client: Client, board_id: string): Promise<void> {
  const watch = new HealthWatch(server.url)
  const board = { board_id }
  const list = (query: object) => () => client.listReadyCards({ ...board, ...query })
  // The modules of the cards are loaded with their first call.
  const { id: empty } = await client.createBoard({ name: 'Empty', description: '' })
  await client.listReadyCards({ board_id: empty, limit: 1 })
  await watch.times()
  const started = performance.now()
  await client.listReadyCards({ ...board, limit: 20 })
  const first = performance.now() - started
  console.log(`first list_ready_cards: ${first.toFixed(0)} ms, /health ${(await watch.times()).slowest.toFixed(0)} ms`)
  await measure('list_ready_cards, 20 of them', server, list({ limit: 20 }), { goal: goals.list })
  await measure('list_ready_cards, all', server, list({}))
  await measure('list_cards, 20 that wait for none', server, () =>
    client.listCards({ ...board, blocked: false, limit: 20 }),
  )
  let card_id = ''
  await measure(
    'claim_next_card',
    server,
    async () => {
      card_id = (await client.claimNextCard(board)).claim!.card_id
    },
    { goal: goals.claim, undo: () => client.releaseClaim({ card_id }) },
  )
  await measure('claim_next_card with start', server, () => client.claimNextCard({ ...board, start: true }))
  console.log(`/health meanwhile: ${(await watch.times()).slowest.toFixed(0)} ms at most (goal: 50 ms)`)
  await watch.stop()
}
