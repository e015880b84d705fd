import { get, type IncomingMessage } from 'node:http'
import { type Client, createClient } from '@specboard/client'
import { residentMiB, type ServerProcess, startProduct } from '../bench/processes.ts'
import { graphBuilt, hastyGraph } from '../graph-built.ts'
import type { SeededBoard } from './seed.ts'

const agents = 10
const streamsEach = 20

/** Streams of each agent that are never read. */
const slowEach = 2

/** Enough that unread events fill the buffers of the sockets; later ones show what the first left behind. */
const backfills = 3

/** A small page cache, so that pages of the graph are not mistaken for memory that streams hold. */
const environment = { ...hastyGraph, SPECBOARD_PAGE_CACHE_MB: '8' }

/** By then the service cuts a reader that reads nothing, s. */
const cutAfter = 35

/** The longest wait for a condition, s. */
const patience = 30

/** A stream of events as its reader sees it. */
interface Reader {
  readonly response: IncomingMessage
  events: number
  isCut: boolean
}

/**
 * Resident memory with 200 streams: before they open, when they are open, at most while the events of backfills pass
 * through, and afterwards, when the service should have cut those that are never read.
 */
export async function reportStreams({ folder, key, board_id }: SeededBoard): Promise<void> {
  const server = await startProduct(folder, environment)
  const client = createClient({ url: server.url, key })
  await client.deleteBoardKg({ board_id })
  const before = residentMiB(server.child)
  const readers: Reader[] = []
  const slow: Reader[] = []
  for (let agent = 0; agent < agents; agent++) {
    const agentKey = await letIn(client, board_id, agent)
    for (let stream = 0; stream < streamsEach; stream++) {
      const isSlow = stream < slowEach
      const reader = await openStream(`${server.url}/api/v1/kg/boards/${board_id}/events`, agentKey, isSlow)
      if (isSlow) slow.push(reader)
      else readers.push(reader)
    }
  }
  const opened = residentMiB(server.child)
  const passes: { readonly most: number; readonly seconds: number }[] = []
  let records = 0
  for (let pass = 0; pass < backfills; pass++) {
    if (pass > 0) await client.deleteBoardKg({ board_id })
    const started = performance.now()
    const most = await mostResident(server, async () => {
      await client.startKgBackfill({ board_id })
      await graphBuilt(client)
    })
    passes.push({ most, seconds: (performance.now() - started) / 1000 })
    records += (await client.getKgBackfillProgress({ board_id })).total
  }
  await until(() => readers.every(({ events }) => events >= records), patience)
  await new Promise(resolve => setTimeout(resolve, 1000 * cutAfter))
  // A reader that reads nothing does not notice the end either.
  for (const { response } of slow) response.resume()
  await until(() => slow.every(({ isCut }) => isCut), patience)
  const after = residentMiB(server.child)
  const cut = (all: readonly Reader[]) => all.filter(({ isCut }) => isCut).length
  const [readersCut, slowCut] = [cut(readers), cut(slow)]
  for (const { response } of [...readers, ...slow]) response.destroy()
  await server.stop()

  const fewest = Math.min(...readers.map(({ events }) => events))
  const memory = passes
    .map(({ most, seconds }) => `at most ${most} in a backfill of ${seconds.toFixed(0)} s`)
    .join(', ')
  console.log(
    `\n${agents * streamsEach} streams: ${before} MiB before, ${opened} opened, ${memory}, ${after} after ` +
      '(goal: no growth with events)',
  )
  console.log(
    `${records} records entered the graph; each of ${readers.length} readers got at least ${fewest} events, ${readersCut} ` +
      `of them were cut; of ${slow.length} that never read, ${slowCut} were cut`,
  )
}

/** The server's highest resident memory during some work, MiB. */
async function mostResident({ child }: ServerProcess, run: () => Promise<void>): Promise<number> {
  let most = 0
  const sampler = setInterval(() => {
    most = Math.max(most, residentMiB(child))
  }, 250)
  await run()
  clearInterval(sampler)
  return most
}

/** Creates an agent that may read the board; returns its key. */
async function letIn(client: Client, board_id: string, number: number): Promise<string> {
  const { items } = await client.listPresets()
  const preset = items.find(({ name }) => name === 'Full Control')!
  const agent = await client.createAgent({ name: `reader ${number}`, preset_id: preset.id })
  await client.grantBoardAccess({ agent_id: agent.id, board_id })
  return agent.api_key!
}

function openStream(url: string, key: string, isSlow: boolean): Promise<Reader> {
  const headers = { authorization: `Bearer ${key}`, accept: 'text/event-stream' }
  return new Promise((resolve, reject) => {
    const request = get(url, { headers, agent: false }, response => {
      const reader: Reader = { response, events: 0, isCut: false }
      response.on('close', () => {
        reader.isCut = true
      })
      response.on('error', () => {})
      if (!isSlow) {
        let last = ''
        response.setEncoding('latin1').on('data', (chunk: string) => {
          const lines = (last + chunk).split('\n')
          last = lines.pop()!
          for (const line of lines) if (line.startsWith('id: ')) reader.events++
        })
      }
      resolve(reader)
    })
    request.on('error', reject)
  })
}

/** Waits until a condition holds, for a limited number of seconds. */
async function until(isSo: () => boolean, seconds: number): Promise<void> {
  const end = performance.now() + 1000 * seconds
  while (!isSo() && performance.now() < end) await new Promise(resolve => setTimeout(resolve, 100))
}
