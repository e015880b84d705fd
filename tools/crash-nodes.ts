/**
 * Kills one of two nodes on one PostgreSQL with SIGKILL while clients write through both, and starts another in its place.
 * Each acknowledged write must be there afterwards, and the streams of the node that goes on must show each event of the
 * boards once, in order. The last line is a row of the table in `docs/reliability.md`.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { type Client, createClient } from '@specboard/client'
import { testServer } from '@specboard/storage/testing'
import { Follower } from './nodes/follower.ts'
import { startNodes } from './nodes/start-nodes.ts'
import { progress } from './progress.ts'
import { tableRow } from './table-row.ts'

/** Boards, each with a writer through each node. */
const boards = 4

/** Writes of a round before the kill, on average. */
const writesInRound = 60

/** How long a killed node keeps what it works on, ms. */
const leaseMs = 3_000

/** Runs the test and prints its figures; returns 1 when a write was lost, or a stream had a gap. */
export async function crashNodes(rounds: number): Promise<number> {
  const server = await testServer()
  const { nodes, key, start, stop } = await startNodes(server, 2, leaseMs)
  const acknowledged: string[] = []
  const counts = { lost: 0, gaps: 0 }
  const bar = progress('crash test', rounds, () => ({ acknowledged: acknowledged.length, lost: counts.lost }))
  try {
    const owner = createClient({ url: nodes[0]!.url, key })
    const places: string[] = []
    for (let index = 0; index < boards; index++)
      places.push((await owner.createBoard({ name: `Board ${index}`, description: '' })).id)
    for (let round = 0; round < rounds; round++) {
      const victim = round % 2
      const follower = await Follower.open(nodes[1 - victim]!.url, key, places)
      const enough = acknowledged.length + writesInRound * (0.5 + Math.random())
      let isOver = false
      const written: string[] = []
      const writing = nodes.flatMap(({ url }) =>
        places.map(board_id =>
          write(
            createClient({ url, key }),
            board_id,
            () => isOver,
            id => {
              acknowledged.push(id)
              written.push(id)
            },
          ),
        ),
      )
      while (acknowledged.length < enough) await pause(5)
      await nodes[victim]!.kill()
      // The other one goes on alone for a while.
      const before = acknowledged.length
      while (acknowledged.length < before + boards) await pause(5)
      isOver = true
      await Promise.all(writing)
      counts.gaps += await follower.gaps(written)
      nodes[victim] = await start()
      bar.step()
    }
    counts.lost = await lostOf(createClient({ url: nodes[0]!.url, key }), places, acknowledged)
  } finally {
    bar.end()
    await stop()
    await server.stop()
  }
  const figures = `${acknowledged.length} acknowledged; lost ${counts.lost}, gaps in streams ${counts.gaps}`
  console.log(figures)
  console.log(tableRow(`pnpm crash --nodes ${rounds}`, String(rounds), figures))
  return counts.lost + counts.gaps > 0 ? 1 : 0
}

/** Writes until told to end, or its node is gone. */
async function write(
  client: Client,
  board_id: string,
  isOver: () => boolean,
  acknowledge: (id: string) => void,
): Promise<void> {
  while (!isOver())
    try {
      acknowledge((await client.createIdeation({ board_id, title: 'Idea' })).id)
    } catch {
      return
    }
}

/** How many of the acknowledged records are not there. */
async function lostOf(client: Client, places: readonly string[], acknowledged: readonly string[]): Promise<number> {
  const stored = new Set<string>()
  for (const board_id of places)
    for (let offset = 0, isLast = false; !isLast; offset += 200) {
      const { items } = await client.listIdeations({ board_id, limit: 200, offset })
      for (const { id } of items) stored.add(id)
      isLast = items.length < 200
    }
  return acknowledged.filter(id => !stored.has(id)).length
}
