/**
 * Measures the memory of the service: after its start, after 200,000 ideations were created, when the knowledge graph
 * has processed them, and after a while without calls.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { fastGraph, graphBuilt } from '../data/graph-built.ts'
import { inParallel } from '../harness/in-parallel.ts'
import { progress } from '../harness/progress.ts'
import { scenario } from '../harness/scenario.ts'

const boards = 10

export default scenario({
  summary: 'memory after many writes, when the graph has taken them in, and after a time without a call',
  options: { creates: 200_000, idle: 60 },
  short: { creates: 500, idle: 0.05 },
  run: async (lab, { creates, idle }) => {
    const server = await lab.start('data', fastGraph)
    const tell = (label: string) => lab.report.figure(label, { MiB: server.residentMiB })
    const ids: string[] = []
    for (let index = 0; index < boards; index++)
      ids.push((await server.client.createBoard({ name: `Board ${index}`, description: '' })).id)
    tell('after the start')
    const bar = progress('creates', creates)
    await inParallel(Array.from({ length: creates }), 16, async (_, index) => {
      const described = { title: `Measured ${index}`, description: 'What is to be built.' }
      await server.client.createIdeation({ board_id: ids[index % boards]!, ...described })
      bar.step()
    })
    bar.end()
    tell(`after ${creates.toLocaleString('en')} creates`)
    await graphBuilt(server.client)
    tell('when all of them are in the graph')
    await pause(idle * 60_000)
    tell(`after ${idle} minutes without a call`)
  },
})
