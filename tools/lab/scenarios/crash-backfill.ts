/**
 * Kills the server with SIGKILL at random moments of a backfill and starts it again, until it finally lets the
 * backfill end. Then compares the graph with that of an undisturbed rebuild on a copy of the same records.
 */
import { cpSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { inspectDatabase, openService } from '@specboard/domain'
import { makeChains } from '../data/chains.ts'
import { fastGraph, graphBuilt } from '../data/graph-built.ts'
import { countUnprocessed, differences, type Graph, readGraph } from '../graph/stored-graph.ts'
import type { Lab } from '../harness/lab.ts'
import { progress } from '../harness/progress.ts'
import { scenario } from '../harness/scenario.ts'

export default scenario({
  summary: 'kill -9 during a backfill: the graph equals an undisturbed rebuild',
  options: { rounds: 20, chains: 250 },
  word: 'rounds',
  short: { rounds: 3, chains: 30 },
  run: async (lab, { rounds, chains }) => {
    const data = lab.path('data')
    const board_id = await makeRecords(lab, chains)
    cpSync(data, lab.path('undisturbed'), { recursive: true })
    const { killed, total } = await killRepeatedly(lab, board_id, rounds)
    await lab.with('data', server => graphBuilt(server.client), fastGraph)
    const { status } = await lab.with('data', server => server.client.getKgBackfillProgress({ board_id }))
    const crashed = await readGraph(data, board_id)
    const different = differences(crashed, await rebuilt(lab.path('undisturbed'), board_id))
    for (const line of different.slice(0, 20)) lab.report.say(line)
    const unprocessed = await countUnprocessed(data, board_id)
    const { integrity, staleIndexes, brokenReferences } = await inspectDatabase(data)
    lab.report.run('pnpm crash --backfill', rounds, [
      `killed during the backfill ${killed}, records ${total}`,
      `nodes ${crashed.nodes.length}, edges ${crashed.edges.length}, left in the queue ${unprocessed}`,
      `integrity_check ${integrity}, differences ${different.length}`,
    ])
    lab.report.expect(status === 'completed', `the backfill ended as ${status}`)
    lab.report.expect(different.length + unprocessed === 0, 'the graph is not that of a rebuild')
    const damaged = integrity !== 'ok' || brokenReferences.total + staleIndexes.length > 0
    lab.report.expect(!damaged, 'the database is damaged')
    lab.report.expect(killed > 0, 'no kill came in the backfill')
  },
})

/** Creates records of every kind on a board that has no graph yet; returns its id. */
const makeRecords = (lab: Lab, chains: number): Promise<string> =>
  lab.with('data', async ({ client }) => {
    const { id: board_id } = await client.createBoard({ name: 'Crash', description: '' })
    await client.putBoardKgSettings({ board_id, consolidation_enabled: false })
    await makeChains(client, board_id, chains)
    await client.deleteBoardKg({ board_id })
    await client.putBoardKgSettings({ board_id, consolidation_enabled: true })
    return board_id
  })

/** Starts the backfill and kills the server repeatedly; returns how often work was left. */
async function killRepeatedly(lab: Lab, board_id: string, rounds: number) {
  let [killed, done, total] = [0, 0, 0]
  const bar = progress('crash test', rounds, () => ({ records: `${done}/${total}` }))
  for (let round = 0; round < rounds; round++) {
    const server = await lab.start('data', fastGraph)
    if (round === 0) await server.client.startKgBackfill({ board_id })
    ;({ progress: done, total } = await server.client.getKgBackfillProgress({ board_id }))
    await pause(Math.random() * 600)
    await server.kill()
    if ((await countUnprocessed(lab.path('data'), board_id)) > 0) killed++
    bar.step()
  }
  bar.end()
  return { killed, total }
}

/** The graph that an undisturbed rebuild in this process makes. */
async function rebuilt(folder: string, board_id: string): Promise<Graph> {
  const { graph, close } = await openService({ folder, version: 'crash', workers: false })
  const { errors } = (await graph.rebuild(board_id))!
  await close()
  if (errors.length > 0) throw new Error(errors.join('\n'))
  return readGraph(folder, board_id)
}
