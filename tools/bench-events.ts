/**
 * Measures the streams of a board's events: how long after the answer of its write an event is at each of 200 readers,
 * and the memory that the streams take (work 5).
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { get, type IncomingMessage } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createClient } from '@specboard/client'
import { residentMiB, startProduct } from './bench/processes.ts'

const agents = 10
const streamsEach = 20
const writes = 100

/** Between two writes, ms: longer than an event may take. */
const pauseMs = 60

const pause = () => new Promise(resolve => setTimeout(resolve, pauseMs))

/** Measures and prints the figures. */
export async function benchEvents(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'specboard-events-'))
  const server = await startProduct(folder)
  try {
    const client = createClient({ url: server.url, key: server.key! })
    const { id: board_id } = await client.createBoard({ name: 'Events', description: '' })
    const preset = (await client.listPresets()).items.find(({ name }) => name === 'Full Control')!
    const arrivals = new Map<string, number[]>()
    const streams: IncomingMessage[] = []
    const write = async (title: string) => {
      const { id } = await client.createIdeation({ board_id, title })
      return { id, at: performance.now() }
    }
    for (let count = 0; count < writes; count++) await write('Before the streams')
    const quiet = residentMiB(server.child)
    for (let count = 0; count < writes; count++) {
      await write('Without streams')
      await pause()
    }
    const before = residentMiB(server.child)
    for (let agent = 0; agent < agents; agent++) {
      const { id, api_key } = await client.createAgent({ name: `reader ${agent}`, preset_id: preset.id })
      await client.grantBoardAccess({ agent_id: id, board_id })
      for (let stream = 0; stream < streamsEach; stream++)
        streams.push(await openStream(`${server.url}/api/v1/boards/${board_id}/events/stream`, api_key!, arrivals))
    }
    const opened = residentMiB(server.child)
    const late: number[] = []
    for (let count = 0; count < writes; count++) {
      const { id, at } = await write(`Idea ${count}`)
      await pause()
      for (const arrived of arrivals.get(id) ?? []) late.push(Math.max(0, arrived - at))
    }
    const after = residentMiB(server.child)
    late.sort((a, b) => a - b)
    const at = (share: number) => late[Math.ceil(share * late.length) - 1]!.toFixed(1)
    console.log(
      `${late.length} of ${writes * streams.length} events arrived before the next write; after the answer of their own:`,
    )
    console.log(`p50 ${at(0.5)} ms, p99 ${at(0.99)} ms, last ${at(1)} ms (goal: 50 ms)`)
    console.log(
      `${streams.length} streams: ${before} MiB before, ${opened} opened, ${after} after ${writes} events (goal: 30 more)`,
    )
    console.log(`the same ${writes} writes without streams: ${before - quiet} MiB`)
    for (const stream of streams) stream.destroy()
  } finally {
    await server.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Opens a stream that notes when the events of each record arrive. */
function openStream(url: string, key: string, arrivals: Map<string, number[]>): Promise<IncomingMessage> {
  const headers = { authorization: `Bearer ${key}`, accept: 'text/event-stream' }
  return new Promise((resolve, reject) => {
    const request = get(url, { headers, agent: false }, response => {
      response.on('error', () => {})
      response.setEncoding('utf8').on('data', (text: string) => {
        for (const [, id] of text.matchAll(/"entity_id":"([^"]+)"/g))
          arrivals.set(id!, [...(arrivals.get(id!) ?? []), performance.now()])
      })
      resolve(response)
    })
    request.on('error', reject)
  })
}
