/**
 * Measures nodes that share a PostgreSQL database: a create while many write to another board; 16 writers on 16 boards
 * through one node and through two; then 50 agents that claim and finish cards through both.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { type Client, createClient } from '@specboard/client'
import type { Report } from '../harness/report.ts'
import { scenario } from '../harness/scenario.ts'
import { p50, percentile, ratio, timed, times } from '../harness/statistics.ts'
import { reportCrowd } from '../load/crowd.ts'

export default scenario({
  summary: 'writers and agents through one node and through two on the same PostgreSQL',
  engines: ['postgres'],
  options: { cards: 2_000, agents: 50, boards: 16, seconds: 8, rounds: 3, part: '' },
  short: { cards: 20, agents: 4, boards: 4, seconds: 1, rounds: 1 },
  run: async (lab, { cards, agents, boards, seconds, rounds, part }) => {
    const { nodes, key, client } = await lab.nodes(2)
    const urls = nodes.map(({ url }) => url)
    const owner = client()
    const clientOf = (url: string) => createClient({ url, key })
    for (let round = 0; round < rounds; round++) await reportHotBoard(lab.report, owner, () => clientOf(urls[0]!))
    if (part === 'hot-board') return
    for (const through of [urls.slice(0, 1), urls, urls.slice(0, 1), urls])
      await reportWriters(lab.report, owner, through.map(clientOf), boards, seconds)
    await reportCrowd(lab.report, urls, owner, { agents, cards })
  },
})

/** Makes a board with a spec, where cards can be made. */
async function makePlace(owner: Client, name: string): Promise<{ board_id: string; spec_id: string }> {
  const { id: board_id } = await owner.createBoard({ name, description: '' })
  const { id: spec_id } = await owner.createSpec({ board_id, status: 'in_progress', title: 'Spec' })
  return { board_id, spec_id }
}

/** How many write to one board at once, and how many cards are made on another board, one after the other. */
const [crowd, creates] = [32, 100]

/** How long a create takes on a board that nobody else uses: alone, and while many write to another board of the node. */
async function reportHotBoard(report: Report, owner: Client, clientOf: () => Client): Promise<void> {
  const [hot, beside] = [await makePlace(owner, 'Hot'), await makePlace(owner, 'Beside')]
  const createTimes = (client = clientOf()) => times(creates, () => client.createCard({ ...beside, title: 'Card' }))
  await createTimes()
  const alone = await createTimes()
  let isWriting = true
  let writes = 0
  const writers = Array.from({ length: crowd }, async () => {
    const client = clientOf()
    for (; isWriting; writes++) await client.createCard({ ...hot, title: 'Card' })
  })
  const began = performance.now()
  const crowded = await createTimes()
  const rate = (writes * 1_000) / (performance.now() - began)
  isWriting = false
  await Promise.all(writers)
  report.times('a create on a board of its own, alone', alone)
  report.times(`… beside ${crowd} writers of one board`, crowded, {
    'times as long': ratio(p50(crowded), p50(alone)),
    'cards a second of the writers': rate,
  })
}

/** Writers on separate boards, each through one of the nodes: writes per second, and their latency. */
async function reportWriters(
  report: Report,
  owner: Client,
  through: readonly Client[],
  boards: number,
  seconds: number,
): Promise<void> {
  const places = await Promise.all(Array.from({ length: boards }, (_, index) => makePlace(owner, `Writer ${index}`)))
  const took: number[] = []
  let isOver = false
  const writing = places.map(async (place, index) => {
    while (!isOver)
      took.push(await timed(() => through[index % through.length]!.createCard({ ...place, title: 'Card' })))
  })
  await pause(seconds * 1_000)
  isOver = true
  await Promise.all(writing)
  report.figure(`${boards} writers on ${boards} boards through ${through.length} nodes`, {
    'cards a second': took.length / seconds,
    'p50 ms': p50(took),
    'p99 ms': percentile(took, 0.99),
  })
}
