import type { Client } from '@specboard/client'
import { isEvent } from '@specboard/contract'
import { isSignedWith, Receiver } from '../../../packages/domain/test/receiver.ts'
import type { Lab } from '../harness/lab.ts'

/** What the receiver of a webhook got, compared with the board's log. */
export interface Outcome {
  /** The events in the log. */
  readonly events: number
  /** Kills while events were waiting to be sent. */
  readonly kills: number
  /** Received messages, including repeats. */
  readonly messages: number
  /** Events that never arrived. */
  readonly lost: number
  /** Messages that arrived before one that is earlier in the log. */
  readonly disordered: number
  /** Messages that were repeated although a later one had arrived. */
  readonly repeatedLate: number
  /** Repeated messages with another webhook-id, and messages that are not signed. */
  readonly wrong: number
}

const writers = 4

/**
 * Maximum time that the receiver takes to answer, ms: events are then waiting for each other when the server is killed.
 */
const answerMs = 8

/**
 * Kills a server with SIGKILL while it sends the events of a board to a webhook, starts it again, and compares the
 * received messages with the log.
 * @param onKill called after each kill
 */
export async function killWhileSending(
  lab: Lab,
  { events, kills }: { readonly events: number; readonly kills: number },
  onKill: () => void = () => {},
): Promise<Outcome> {
  const receiver = await Receiver.start()
  receiver.answer = response => setTimeout(() => response.writeHead(204).end(), Math.random() * answerMs)
  const start = () => lab.start('data', { SPECBOARD_WEBHOOK_ALLOWED_HOSTS: '127.0.0.1' })
  let server = await start()
  try {
    const { id: board_id } = await server.client.createBoard({ name: 'Crash', description: '' })
    const { secret } = await server.client.createWebhook({ board_id, url: receiver.url, events: ['ideation_created'] })
    let midway = 0
    for (let round = 0; round < kills; round++) {
      const before = receiver.received.length
      const writing = write(server.client, board_id, Math.ceil(events / kills))
      await receiver.came(before + 1 + Math.floor((Math.random() * events) / kills / 2))
      await server.kill()
      const acknowledged = await writing
      if (receiver.received.length - before < acknowledged) midway++
      onKill()
      server = await start()
    }
    await write(server.client, board_id, Math.max(0, events - (await logOf(server.client, board_id)).length))
    const log = await logOf(server.client, board_id)
    await server.client.updateBoard({ board_id, description: 'The last event: all before it have been passed.' })
    const last = log.at(-1)!
    while (!receiver.received.some(({ body }) => body.data.sequence === last))
      await receiver.came(receiver.received.length + 1)
    return { events: log.length, kills: midway, ...judge(log, receiver, secret!) }
  } finally {
    await receiver.stop()
  }
}

/** Writes ideations concurrently until there are enough, or the server is gone; returns how many were acknowledged. */
async function write(client: Client, board_id: string, count: number): Promise<number> {
  let attempts = 0
  let acknowledged = 0
  const writer = async () => {
    while (attempts < count) {
      await client.createIdeation({ board_id, title: `Idea ${++attempts}` })
      acknowledged++
    }
  }
  // A writer ends when its connection breaks.
  await Promise.allSettled(Array.from({ length: writers }, writer))
  return acknowledged
}

/** The sequences of the events that the webhook takes, as the log has them. */
async function logOf(client: Client, board_id: string): Promise<number[]> {
  const sequences: number[] = []
  for (let after = 0, more = true; more; ) {
    const page = await client.listBoardEvents({ board_id, action: 'ideation_created', after, limit: 500 })
    sequences.push(...page.events.filter(isEvent).map(({ sequence }) => sequence))
    after = page.last_sequence
    more = page.more
  }
  return sequences
}

/** Compares the received messages with the log. */
function judge(log: readonly number[], { received }: Receiver, secret: string) {
  const idOf = new Map<number, unknown>()
  let [latest, next, disordered, repeatedLate, wrong] = [Number.NaN, 0, 0, 0, 0]
  for (const message of received) {
    const sequence: number = message.body.data.sequence
    const id = message.headers['webhook-id']
    if ((idOf.get(sequence) ?? id) !== id || !isSignedWith(secret, message)) wrong++
    if (!idOf.has(sequence)) {
      if (sequence !== log[next]) disordered++
      next++
    } else if (sequence !== latest) repeatedLate++
    idOf.set(sequence, id)
    latest = sequence
  }
  const lost = log.filter(sequence => !idOf.has(sequence)).length
  return { messages: received.length, lost, disordered, repeatedLate, wrong }
}
