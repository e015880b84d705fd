/**
 * Measures the streams of a board's events: how long after the answer to its write an event reaches each of 200
 * readers, and the memory that the streams take (work 5).
 */
import { setTimeout as pause } from 'node:timers/promises'
import { scenario } from '../harness/scenario.ts'
import { createBoardAgent, openStream } from '../load/event-reader.ts'

/** Between two writes, ms: longer than an event may take. */
const pauseMs = 60

export default scenario({
  summary: 'when an event reaches each of many streams, and the memory of the streams',
  options: { agents: 10, streamsEach: 20, writes: 100 },
  short: { agents: 2, writes: 10 },
  run: async (lab, { agents, streamsEach, writes }) => {
    const server = await lab.start()
    const { client, url } = server
    const { id: board_id } = await client.createBoard({ name: 'Events', description: '' })
    const arrivals = new Map<string, number[]>()
    const write = async (title: string) => {
      const { id } = await client.createIdeation({ board_id, title })
      return { id, at: performance.now() }
    }
    for (let count = 0; count < writes; count++) await write('Before the streams')
    const quiet = server.residentMiB
    for (let count = 0; count < writes; count++) {
      await write('Without streams')
      await pause(pauseMs)
    }
    const before = server.residentMiB
    for (let agent = 0; agent < agents; agent++) {
      const key = await createBoardAgent(client, board_id, `reader ${agent}`)
      for (let stream = 0; stream < streamsEach; stream++) {
        const reader = await openStream(`${url}/api/v1/boards/${board_id}/events/stream`, key)
        lab.atEnd(() => reader.destroy())
        reader.setEncoding('utf8').on('data', (text: string) => {
          for (const [, id] of text.matchAll(/"entity_id":"([^"]+)"/g))
            arrivals.set(id!, [...(arrivals.get(id!) ?? []), performance.now()])
        })
      }
    }
    const opened = server.residentMiB
    const late: number[] = []
    for (let count = 0; count < writes; count++) {
      const { id, at } = await write(`Idea ${count}`)
      await pause(pauseMs)
      for (const arrived of arrivals.get(id) ?? []) late.push(Math.max(0, arrived - at))
    }
    const streams = agents * streamsEach
    lab.report.times('event at a stream after the answer of its write', late, {
      'arrived before the next write': `${late.length} of ${writes * streams}`,
      goal: '≤ 50',
    })
    lab.report.figure(`memory with ${streams} streams`, {
      'before MiB': before,
      'opened MiB': opened,
      [`after ${writes} events MiB`]: server.residentMiB,
      [`more by ${writes} writes without streams MiB`]: before - quiet,
      goal: '≤ 30 more',
    })
  },
})
