/**
 * Measures nodes that share a PostgreSQL: 16 writers on 16 boards through one node and through two, then 50 agents that
 * claim and finish cards through both. The server is that of `SPECBOARD_TEST_DATABASE_URL`, else one of its own.
 */
import { createClient } from '@specboard/client'
import { testServer } from '@specboard/storage/testing'
import { optionOf } from './bench/options.ts'
import { reportCrowd } from './bench-work/crowd.ts'
import { reportWriters } from './bench-work/writers.ts'
import { startNodes } from './nodes/start-nodes.ts'

/** How many cards the agents work on, from the command line. */
export const nodeOptions = (words: readonly string[]): { readonly cards: number } => ({
  cards: Number(optionOf(words, 'cards') ?? 2_000),
})

/**
 * Measures all of it and prints the figures.
 * @param cards how many the agents work on
 */
export async function benchNodes({ cards }: { readonly cards: number }): Promise<void> {
  const server = await testServer()
  try {
    const { nodes, key, stop } = await startNodes(server, 2)
    try {
      const urls = nodes.map(({ url }) => url)
      const owner = createClient({ url: urls[0]!, key })
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
