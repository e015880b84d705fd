/**
 * Measures work on one board: list_ready_cards and claim_next_card with 10,000 open cards and 20,000 dependencies, the
 * longest time in which no other call was answered meanwhile, and 50 agents that claim and finish 2,000 cards at once.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createClient } from '@specboard/client'
import { startProduct } from './bench/processes.ts'
import { reportCrowd } from './bench-work/crowd.ts'
import { reportReady } from './bench-work/ready.ts'
import { seedOpenCards } from './bench-work/seed.ts'

/** Measures all of it and prints the figures. */
export async function benchWork(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'specboard-work-'))
  try {
    const board = await seedOpenCards(folder, { cards: 10_000, dependencies: 20_000 })
    const server = await startProduct(folder)
    try {
      const client = createClient({ url: server.url, key: board.key })
      await reportReady(server, client, board.board_id)
      await reportCrowd([server.url], client, { agents: 50, cards: 2_000 })
    } finally {
      await server.stop()
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
