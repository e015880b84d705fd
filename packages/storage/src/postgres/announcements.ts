import { randomUUID } from 'node:crypto'
import { Client } from 'pg'
import type { Announced } from '../store.ts'
import { opened, sealed } from './announcement.ts'
import { clientConfig } from './client-config.ts'
import type { Connections } from './connections.ts'
import { isBroken } from './faults.ts'

const channel = 'specboard'

/** The server's name for the connection with which a node listens: there is one for each node. */
export const listenerName = 'specboard listener'

/** Announcements within this time are sent together, ms: each notification takes a lock of the whole server. */
const gatherMs = 25

/** The most bytes of a notification; PostgreSQL refuses 8,000. */
const mostBytes = 7_500

/** The delay before trying to listen again, ms: at first, and at most. */
const firstWaitMs = 100
const longestWaitMs = 5_000

/**
 * Tells other nodes what has happened, after the commit, and hears what happened on them. Announcements are hints: the
 * facts are in the tables, and a node that was not connected is told to look there. They are signed; anything else on
 * the channel is ignored and counted (walls 6).
 */
export class Announcements {
  readonly #url: string
  readonly #connections: Connections
  readonly #onFault: (error: unknown) => void
  /** The key with which the nodes of a database sign announcements; until it is known, none is sent or heard. */
  #key: Buffer | undefined
  /** Distinguishes this node's own announcements from others. */
  readonly #node = randomUUID()
  readonly #listeners = new Set<(names: Announced) => void>()
  #waiting = new Set<string>()
  #sending: NodeJS.Timeout | undefined
  #client: Client | undefined
  #retry: NodeJS.Timeout | undefined
  #waitMs = firstWaitMs
  #isClosed = false
  #ignored = 0

  constructor(url: string, connections: Connections, onFault: (error: unknown) => void) {
    this.#url = url
    this.#connections = connections
    this.#onFault = onFault
  }

  /** How many notifications were not sent by a node with the same key. */
  get ignored(): number {
    return this.#ignored
  }

  /**
   * Starts listening; a lost connection is replaced.
   * @param key the key with which the nodes of the database sign
   */
  async start(key: Buffer): Promise<void> {
    this.#key = key
    await this.#connect()
  }

  async #connect(): Promise<void> {
    const client = new Client({ ...clientConfig(this.#url), keepAlive: true, application_name: listenerName })
    this.#client = client
    client.on('error', error => this.#lost(client, error))
    client.on('end', () => this.#lost(client))
    client.on('notification', ({ payload }) => this.#hear(payload ?? ''))
    await client.connect()
    await client.query(`listen ${channel}`)
    this.#waitMs = firstWaitMs
  }

  announce(name: string): void {
    this.#waiting.add(name)
    this.#sending ??= setTimeout(() => void this.#send(), gatherMs)
  }

  /** Calls the listener with what other nodes announce; returns the function that removes it. */
  listen(listener: (names: Announced) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Listens on a new connection: the current one may lead to a server that is no longer the primary. */
  renew(): void {
    // Its end is handled like any other loss.
    this.#client?.end().catch(this.#onFault)
  }

  /** Sends what is pending and ends the connection. */
  async close(): Promise<void> {
    this.#isClosed = true
    clearTimeout(this.#retry)
    if (this.#sending !== undefined) await this.#send()
    await this.#client?.end().catch(this.#onFault)
  }

  async #send(): Promise<void> {
    clearTimeout(this.#sending)
    this.#sending = undefined
    const [key, names] = [this.#key, [...this.#waiting]]
    this.#waiting = new Set()
    if (key === undefined) return
    try {
      for (const part of partsOf(names)) {
        const payload = sealed(key, { node: this.#node, names: part })
        await this.#connections.with(
          connection => connection.run('select pg_notify($1, $2)', [channel, payload]),
          isBroken,
        )
      }
    } catch (error) {
      this.#onFault(error)
    }
  }

  #hear(payload: string): void {
    const announcement = this.#key && opened(this.#key, payload)
    if (announcement === undefined) this.#ignored++
    else if (announcement.node !== this.#node) this.#tell(new Set(announcement.names))
  }

  #tell(names: Announced): void {
    for (const listener of this.#listeners) listener(names)
  }

  #lost(client: Client, error?: Error): void {
    if (this.#isClosed || this.#client !== client) return
    this.#client = undefined
    if (error !== undefined) this.#onFault(error)
    this.#retry = setTimeout(() => void this.#again(), this.#waitMs)
    this.#waitMs = Math.min(2 * this.#waitMs, longestWaitMs)
  }

  async #again(): Promise<void> {
    try {
      await this.#connect()
      this.#tell('anything')
    } catch {
      // The client has reported the loss and its reason: it is retried.
    }
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
      room = mostBytes
    }
    parts.at(-1)!.push(name)
    room -= bytes
  }
  return parts
}
