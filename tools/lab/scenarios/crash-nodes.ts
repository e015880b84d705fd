/**
 * Kills one of two nodes on one PostgreSQL with SIGKILL while clients write through both, and starts another in its
 * place. Each acknowledged write must exist afterwards, and the streams of the surviving node must show each event of
 * the boards once, in order. The last line is a row of the table in `docs/reliability.md`.
 */
import { setTimeout as pause } from 'node:timers/promises'
import type { Client } from '@specboard/client'
import { progress } from '../harness/progress.ts'
import { scenario } from '../harness/scenario.ts'
import { StreamFollower } from '../load/stream-follower.ts'

/** Boards, each with a writer through each node. */
const boards = 4

/** Writes of a round before the kill, on average. */
const writesInRound = 60

/** How long a killed node keeps its leases, ms. */
const leaseMs = 3_000

export default scenario({
  summary: 'kill -9 of one of two nodes on one PostgreSQL: nothing acknowledged is lost, no stream has a gap',
  engines: ['postgres'],
  options: { rounds: 20 },
  word: 'rounds',
  short: { rounds: 2 },
  run: async (lab, { rounds }) => {
    const { nodes, key, start, client } = await lab.nodes(2, leaseMs)
    const acknowledged: string[] = []
    let gaps = 0
    const bar = progress('crash test', rounds, () => ({ acknowledged: acknowledged.length, gaps }))
    const places: string[] = []
    while (places.length < boards)
      places.push((await client().createBoard({ name: `Board ${places.length}`, description: '' })).id)
    for (let round = 0; round < rounds; round++) {
      const victim = round % 2
      const follower = await StreamFollower.open(nodes[1 - victim]!.url, key, places)
      const enough = acknowledged.length + writesInRound * (0.5 + Math.random())
      const before = acknowledged.length
      let isOver = false
      const writing = nodes.flatMap(node =>
        places.map(board_id => write(client(node), board_id, () => isOver, acknowledged)),
      )
      while (acknowledged.length < enough) await pause(5)
      await nodes[victim]!.kill()
      // The other node runs alone for a while.
      const alone = acknowledged.length
      while (acknowledged.length < alone + boards) await pause(5)
      isOver = true
      await Promise.all(writing)
      gaps += await follower.gaps(acknowledged.slice(before))
      nodes[victim] = await start()
      bar.step()
    }
    bar.end()
    const lost = await lostOf(client(), places, acknowledged)
    lab.report.run('pnpm crash --nodes', rounds, [
      `${acknowledged.length} acknowledged`,
      `lost ${lost}, gaps in streams ${gaps}`,
    ])
    lab.report.expect(lost === 0, `${lost} acknowledged writes are lost`)
    lab.report.expect(gaps === 0, `streams have ${gaps} gaps`)
  },
})

/** Writes until told to end, or its node is gone. */
async function write(client: Client, board_id: string, isOver: () => boolean, acknowledged: string[]): Promise<void> {
  while (!isOver())
    try {
      acknowledged.push((await client.createIdeation({ board_id, title: 'Idea' })).id)
    } catch {
      return
    }
}

/** How many of the acknowledged records are missing. */
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
