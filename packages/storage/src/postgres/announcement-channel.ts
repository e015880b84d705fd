/** How nodes send announcements to one another. */
import { Client } from 'pg'
import { clientConfig } from './client-config.ts'
import type { Connections } from './connections.ts'
import { isBroken } from './faults.ts'

/** The server's name for the connection on which a node listens to the others: there is one for each node. */
export const listenerName = 'specboard listener'

const notifications = 'specboard'

/** The delay before trying to connect again, ms: at first, and at most. */
const firstWaitMs = 100
const maxWaitMs = 5_000

/** Callbacks of a channel. */
export interface ChannelListener {
  /** Called with the payload of an announcement, from any sender. */
  readonly payload: (payload: string) => void
  /** Called after a time in which no announcements could be received. */
  readonly anything: () => void
}

/** What a channel needs. */
export interface ChannelParts {
  readonly url: string
  /** The connections that it sends on. */
  readonly connections: Connections
  readonly onFault: (error: unknown) => void
}

/** Delivers payloads to all nodes of a database. A lost connection is replaced. */
export abstract class Channel {
  protected readonly parts: ChannelParts
  #heard: ChannelListener = { payload: () => {}, anything: () => {} }
  #client: Client | undefined
  #retry: NodeJS.Timeout | undefined
  #waitMs = firstWaitMs
  /** Whether the reason why no new connection is to be had was reported since the last loss. */
  #isReasonReported = false
  #isClosed = false

  constructor(parts: ChannelParts) {
    this.parts = parts
  }

  /** Sends a payload to all nodes. */
  abstract send(payload: string): Promise<void>

  /** Begins to listen on a connection. */
  protected abstract begin(client: Client): Promise<void>

  /** Starts listening. */
  async start(heard: ChannelListener): Promise<void> {
    this.#heard = heard
    await this.#connect()
  }

  /** Listens on a new connection: the current one may lead to a server that is no longer the primary. */
  renew(): void {
    // Its end is handled like any other loss.
    this.#client?.end().catch(this.parts.onFault)
  }

  async close(): Promise<void> {
    this.#isClosed = true
    clearTimeout(this.#retry)
    await this.#client?.end().catch(this.parts.onFault)
  }

  protected hear(payload: string): void {
    this.#heard.payload(payload)
  }

  /** Whether a connection is the one to listen on. */
  protected isCurrent(client: Client): boolean {
    return this.#client === client && !this.#isClosed
  }

  async #connect(): Promise<void> {
    const client = new Client({ ...clientConfig(this.parts.url), keepAlive: true, application_name: listenerName })
    this.#client = client
    client.on('error', error => this.#lost(client, error))
    client.on('end', () => this.#lost(client))
    await client.connect()
    await this.begin(client)
    this.#waitMs = firstWaitMs
    this.#isReasonReported = false
  }

  #lost(client: Client, error?: Error): void {
    if (this.#isClosed || this.#client !== client) return
    this.#client = undefined
    if (error !== undefined) this.parts.onFault(error)
    this.#retry = setTimeout(() => void this.#again(), this.#waitMs)
    this.#waitMs = Math.min(2 * this.#waitMs, maxWaitMs)
  }

  async #again(): Promise<void> {
    try {
      await this.#connect()
      this.#heard.anything()
    } catch (error) {
      // The client ends, which is a loss like any other: it is retried.
      if (this.#isReasonReported || this.#isClosed) return
      this.#isReasonReported = true
      this.parts.onFault(error)
    }
  }
}

/** Announces by NOTIFY. */
export class NotifyChannel extends Channel {
  async send(payload: string): Promise<void> {
    await this.parts.connections.with(
      connection => connection.run('select pg_notify($1, $2)', [notifications, payload]),
      isBroken,
    )
  }

  protected async begin(client: Client): Promise<void> {
    client.on('notification', message => this.hear(message.payload ?? ''))
    await client.query(`listen ${notifications}`)
  }
}
