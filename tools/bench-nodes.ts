/**
 * Measures nodes that share a PostgreSQL: 16 writers on 16 boards through one node and through two, then 50 agents that
 * claim and finish cards through both; a create beside a board that many write to. The server is that of `SPECBOARD_TEST_DATABASE_URL`, else one of its own.
 */
import { createClient } from '@specboard/client'
import { testServer } from '@specboard/storage/testing'
import { optionOf } from './bench/options.ts'
import { reportCrowd } from './bench-work/crowd.ts'
import { reportHotBoard } from './bench-work/hot-board.ts'
import { reportWriters } from './bench-work/writers.ts'
import { startNodes } from './nodes/start-nodes.ts'

/** What is measured. */
export interface NodeOptions {
  /** How many cards the agents work on. */
  readonly cards: number
  /** `hot-board` measures that alone. */
  readonly part?: string | undefined
}

/** What is measured, from the command line. */
export const nodeOptions = (words: readonly string[]): NodeOptions => ({
  cards: Number(optionOf(words, 'cards') ?? 2_000),
  part: optionOf(words, 'part'),
})

/** Measures all of it, or a part, and prints the figures. */
export async function benchNodes({ cards, part }: NodeOptions): Promise<void> {
  const server = await testServer()
  try {
    const { nodes, key, stop } = await startNodes(server, 2)
    try {
      const urls = nodes.map(({ url }) => url)
      const owner = createClient({ url: urls[0]!, key })
      for (let round = 0; round < 3; round++) await reportHotBoard(urls[0]!, owner, key)
      if (part === 'hot-board') return
      for (const through of [urls.slice(0, 1), urls, urls.slice(0, 1), urls])
        await reportWriters(through, owner, key, 16)
      await reportCrowd(urls, owner, { agents: 50, cards })
    } finally {
      await stop()
    }
  } finally {
    await server.stop()
  }
}
