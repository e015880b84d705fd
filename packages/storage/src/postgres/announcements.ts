import { randomUUID } from 'node:crypto'
import type { Announcement } from '../store.ts'
import { opened, sealed } from './announcement.ts'
import type { Channel } from './announcement-channel.ts'

/** Announcements within this time are sent together, ms: each notification takes a lock of the whole server. */
const gatherMs = 25

/** Maximum number of bytes of a payload; PostgreSQL refuses 8,000 for a notification. */
const maxBytes = 7_500

/**
 * Announces to other nodes what has happened, after the commit, and receives their announcements. Announcements are
 * hints: the facts are in the tables, and a node that was not connected has to read them there. They are signed;
 * anything else on the channel is ignored and counted (walls 6).
 */
export class Announcements {
  readonly #channel: Channel
  readonly #onFault: (error: unknown) => void
  /**
   * The key with which the nodes of a database sign announcements; until it is known, no announcement is sent or
   * accepted.
   */
  #key: Buffer | undefined
  /** Distinguishes this node's own announcements from others. */
  readonly #node = randomUUID()
  readonly #listeners = new Set<(names: Announcement) => void>()
  #waiting = new Set<string>()
  #sending: NodeJS.Timeout | undefined
  #ignored = 0

  constructor(channel: Channel, onFault: (error: unknown) => void) {
    this.#channel = channel
    this.#onFault = onFault
  }

  /** How many payloads were not sent by a node with the same key. */
  get ignored(): number {
    return this.#ignored
  }

  /**
   * Starts listening; a lost connection is replaced.
   * @param key the key with which the nodes of the database sign
   */
  async start(key: Buffer): Promise<void> {
    this.#key = key
    await this.#channel.start({ payload: payload => this.#hear(payload), anything: () => this.#tell('anything') })
  }

  announce(name: string): void {
    this.#waiting.add(name)
    this.#sending ??= setTimeout(() => void this.#send(), gatherMs)
  }

  /** Calls the listener with what other nodes announce; returns the function that removes it. */
  listen(listener: (names: Announcement) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Listens on a new connection: the current one may lead to a server that is no longer the primary. */
  renew(): void {
    this.#channel.renew()
  }

  /** Sends what is pending and ends the connection. */
  async close(): Promise<void> {
    if (this.#sending !== undefined) await this.#send()
    await this.#channel.close()
  }

  async #send(): Promise<void> {
    clearTimeout(this.#sending)
    this.#sending = undefined
    const [key, names] = [this.#key, [...this.#waiting]]
    this.#waiting = new Set()
    if (key === undefined) return
    try {
      for (const part of partsOf(names)) await this.#channel.send(sealed(key, { node: this.#node, names: part }))
    } catch (error) {
      this.#onFault(error)
    }
  }

  #hear(payload: string): void {
    const announcement = this.#key && opened(this.#key, payload)
    if (announcement === undefined) this.#ignored++
    else if (announcement.node !== this.#node) this.#tell(new Set(announcement.names))
  }

  #tell(names: Announcement): void {
    for (const listener of this.#listeners) listener(names)
  }
}

/** Divides names into parts that fit into a notification. */
function partsOf(names: readonly string[]): string[][] {
  const parts: string[][] = []
  let room = 0
  for (const name of names) {
    const bytes = Buffer.byteLength(JSON.stringify(name)) + 1
    if (bytes > room) {
      parts.push([])
      room = maxBytes
    }
    parts.at(-1)!.push(name)
    room -= bytes
  }
  return parts
}
