/**
 * Measures webhooks: how long after the answer of its write an event is at the socket of a receiver that answers at once,
 * for one webhook and for sixteen of one board (work 6).
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { type Client, createClient } from '@specboard/client'
import { p50, percentile } from './bench/percentiles.ts'
import { startProduct } from './bench/processes.ts'

/** Receivers of one board: as many as messages may be open at once. */
const most = 16

/** Writes that are measured, one after the other. */
const writes = 100

/** Between two writes, ms: time for the messages of the one before, which else would be waited for too. */
const pauseMs = 100

/** Between two looks at what has arrived, ms. */
const lookMs = 10

/** How long the last events are waited for, ms. */
const patienceMs = 10_000

/** Measures and prints the figures. */
export async function benchWebhooks(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'specboard-webhooks-'))
  const receiver = await Arrivals.start()
  const server = await startProduct(folder, { SPECBOARD_WEBHOOK_ALLOWED_HOSTS: '127.0.0.1' })
  try {
    const client = createClient({ url: server.url, key: server.key! })
    for (const webhooks of [1, most]) {
      const late = await lateness(client, receiver, webhooks)
      console.log(
        `${webhooks} webhooks: ${late.length} of ${writes * webhooks} events arrived; after the answer of their write: ` +
          `p50 ${p50(late).toFixed(1)} ms, p99 ${percentile(late, 0.99).toFixed(1)} ms, last ${Math.max(...late).toFixed(1)} ms (goal 200 ms)`,
      )
    }
  } finally {
    await server.stop()
    receiver.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** How late each message of a new board with so many webhooks was, ms. */
async function lateness(client: Client, receiver: Arrivals, webhooks: number): Promise<number[]> {
  const { id: board_id } = await client.createBoard({ name: 'Sent', description: '' })
  for (let count = 0; count < webhooks; count++)
    await client.createWebhook({ board_id, url: receiver.url, events: ['ideation_created'] })
  // The first message loads what sends.
  await client.createIdeation({ board_id, title: 'First' })
  await receiver.came(webhooks)
  receiver.clear()
  const answered = new Map<string, number>()
  for (let count = 0; count < writes; count++) {
    const { id } = await client.createIdeation({ board_id, title: `Idea ${count}` })
    answered.set(id, performance.now())
    await pause(pauseMs)
  }
  await receiver.came(writes * webhooks)
  return receiver.clear().map(({ id, at }) => Math.max(0, at - answered.get(id)!))
}

/** A message, and when its request was there. */
interface Arrival {
  readonly id: string
  readonly at: number
}

/** A receiver that answers at once. */
class Arrivals {
  readonly #server = createServer((request, response) => {
    const at = performance.now()
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => {
      response.writeHead(204).end()
      this.#arrived.push({ id: JSON.parse(Buffer.concat(parts).toString()).data.entity_id, at })
    })
  })
  #arrived: Arrival[] = []

  static async start(): Promise<Arrivals> {
    const arrivals = new Arrivals()
    await new Promise<void>(resolve => arrivals.#server.listen(0, '127.0.0.1', resolve))
    return arrivals
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/`
  }

  /** Waits until so many messages are there, or for as long as the patience lasts. */
  async came(count: number): Promise<void> {
    const until = performance.now() + patienceMs
    while (this.#arrived.length < count && performance.now() < until) await pause(lookMs)
  }

  clear(): Arrival[] {
    return this.#arrived.splice(0)
  }

  stop(): void {
    this.#server.close()
    this.#server.closeAllConnections()
  }
}
