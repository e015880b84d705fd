import type { IncomingMessage } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { fastGraph, graphBuilt } from '../data/graph-built.ts'
import type { Lab } from '../harness/lab.ts'
import { createBoardAgent, openStream } from './event-reader.ts'

const streamsEach = 20

/** Streams of each agent that are never read. */
const slowEach = 2

/** Enough that unread events fill the buffers of the sockets; later ones show what the first left behind. */
const backfills = 3

/** A small page cache, so that pages of the graph are not mistaken for memory that streams hold. */
const environment = { ...fastGraph, SPECBOARD_PAGE_CACHE_MB: '8' }

/** The longest wait for a condition, s. */
const patience = 30

/** A stream of events as its reader sees it. */
class Reader {
  readonly response: IncomingMessage
  events = 0
  isCut = false

  constructor(response: IncomingMessage) {
    this.response = response.on('close', () => {
      this.isCut = true
    })
  }

  /** Reads and counts the events. */
  read(): this {
    let last = ''
    this.response.setEncoding('latin1').on('data', (chunk: string) => {
      const lines = (last + chunk).split('\n')
      last = lines.pop()!
      this.events += lines.filter(line => line.startsWith('id: ')).length
    })
    return this
  }
}

/**
 * Resident memory with many streams: before they open, when they are open, at most while the events of backfills pass
 * through, and afterwards, when the service should have disconnected those that are never read.
 * @param cutAfter the time after which the service has disconnected a reader that reads nothing, s
 */
export async function reportGraphStreams(
  lab: Lab,
  name: string,
  board_id: string,
  { agents, cutAfter }: { readonly agents: number; readonly cutAfter: number },
): Promise<void> {
  const server = await lab.start(name, environment)
  const { client, url } = server
  await client.deleteBoardKg({ board_id })
  const memory: Record<string, number | string> = { 'before MiB': server.residentMiB }
  const [readers, slow]: [Reader[], Reader[]] = [[], []]
  for (let agent = 0; agent < agents; agent++) {
    const key = await createBoardAgent(client, board_id, `reader ${agent}`)
    for (let stream = 0; stream < streamsEach; stream++) {
      const reader = new Reader(await openStream(`${url}/api/v1/kg/boards/${board_id}/events`, key))
      if (stream < slowEach) slow.push(reader)
      else readers.push(reader.read())
    }
  }
  memory['opened MiB'] = server.residentMiB
  let records = 0
  for (let pass = 0; pass < backfills; pass++) {
    if (pass > 0) await client.deleteBoardKg({ board_id })
    const { most, ms } = await server.taken(async () => {
      await client.startKgBackfill({ board_id })
      await graphBuilt(client)
    })
    memory[`at most in a backfill of ${(ms / 1_000).toFixed(0)} s, ${pass + 1} MiB`] = most
    records += (await client.getKgBackfillProgress({ board_id })).total
  }
  await until(() => readers.every(({ events }) => events >= records))
  await pause(1_000 * cutAfter)
  // A reader that reads nothing does not notice the end either.
  for (const { response } of slow) response.resume()
  await until(() => slow.every(({ isCut }) => isCut))
  memory['after MiB'] = server.residentMiB
  const cut = (all: readonly Reader[]) => `${all.filter(({ isCut }) => isCut).length} of ${all.length}`
  const [readersCut, slowCut] = [cut(readers), cut(slow)]
  for (const { response } of [...readers, ...slow]) response.destroy()
  await server.stop()
  lab.report.figure(`${agents * streamsEach} streams`, { ...memory, goal: 'no growth with events' })
  lab.report.figure(`${records} records entered the graph`, {
    'fewest events of a reader': Math.min(...readers.map(({ events }) => events)),
    'readers that were cut': readersCut,
    'cut of those that never read': slowCut,
  })
}

/** Waits until a condition holds, or the time is up. */
async function until(isSo: () => boolean): Promise<void> {
  const end = performance.now() + 1_000 * patience
  while (!isSo() && performance.now() < end) await pause(100)
}
