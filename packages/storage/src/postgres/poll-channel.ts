import { randomUUID } from 'node:crypto'
import type { Client } from 'pg'
import { Channel } from './announcement-channel.ts'
import { isBroken } from './faults.ts'

/** The shortest and the longest pause between two looks at the table, ms: the shortest after something was found. */
const shortestPauseMs = 50
const maxPauseMs = 400

/** How long after the time in a row the row may still be committed, ms: later looks search that far back. */
const overlapMs = 3_000

/**
 * How long announcements are kept, ms, and how often old ones are removed: a node that has received nothing for longer
 * looks anyway.
 */
const keptMs = 60_000
const cleaningMs = 30_000

/** Made by the first node that polls. Times are those of the database, ms. */
const table = `create table if not exists specboard_announcements (
  at bigint not null, id text not null, node text not null, payload text not null, primary key (at, id))`

const now = '(extract(epoch from clock_timestamp()) * 1000)::bigint'

/** The rows of other nodes, and a last row with the time of the look. */
const recent = `select at, id, payload from specboard_announcements where at >= $1 and node <> $2
  union all select ${now}, '', '' order by 1, 2`

interface Row {
  /** `pg` returns large numbers as text. */
  readonly at: string
  readonly id: string
  readonly payload: string
}

/** Announces by rows of a table that all nodes look at, where the database has no NOTIFY. */
export class PollChannel extends Channel {
  /** Distinguishes this node's own rows from others. */
  readonly #node = randomUUID()
  /** How many rows this node has sent: rows of the same millisecond are received in this order. */
  #sent = 0
  /** The time up to which everything was received, by the clock of the database; undefined before the first look. */
  #heardTo: number | undefined
  /** The rows received since then, with their times. */
  readonly #seen = new Map<string, number>()
  #timer: NodeJS.Timeout | undefined
  #cleanedAt = Number.NEGATIVE_INFINITY

  async send(payload: string): Promise<void> {
    const insert = `insert into specboard_announcements (at, id, node, payload) values (${now}, $1, $2, $3)`
    const id = `${String(++this.#sent).padStart(12, '0')} ${this.#node}`
    await this.parts.connections.with(connection => connection.run(insert, [id, this.#node, payload]), isBroken)
  }

  override async close(): Promise<void> {
    clearTimeout(this.#timer)
    await super.close()
  }

  protected async begin(client: Client): Promise<void> {
    // Two nodes that make it at once hinder each other.
    await client.query(table).catch(() => client.query(table))
    await this.#look(client)
    this.#lookIn(client, shortestPauseMs)
  }

  #lookIn(client: Client, pauseMs: number): void {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => {
      if (!this.isCurrent(client)) return
      this.#look(client).then(
        found => this.#lookIn(client, found ? shortestPauseMs : Math.min(2 * pauseMs, maxPauseMs)),
        error => {
          if (!this.isCurrent(client)) return
          this.parts.onFault(error)
          this.renew()
        },
      )
    }, pauseMs)
  }

  /** Receives what others have announced; returns whether there was something. */
  async #look(client: Client): Promise<boolean> {
    const isFirst = this.#heardTo === undefined
    const from = (this.#heardTo ?? 0) - overlapMs
    const { rows } = await client.query<Row>({ name: 'announced', text: recent, values: [from, this.#node] })
    const time = Number(rows.find(({ id }) => id === '')!.at)
    const found = rows.filter(({ id }) => id !== '' && !this.#seen.has(id))
    for (const { id, at } of found) this.#seen.set(id, Number(at))
    // Announcements from before this node started do not concern it.
    if (!isFirst) for (const { payload } of found) this.hear(payload)
    this.#heardTo = time
    for (const [id, at] of this.#seen) if (at < time - 2 * overlapMs) this.#seen.delete(id)
    await this.#clean(client, time)
    return !isFirst && found.length > 0
  }

  async #clean(client: Client, time: number): Promise<void> {
    if (performance.now() - this.#cleanedAt < cleaningMs) return
    this.#cleanedAt = performance.now()
    await client.query('delete from specboard_announcements where at < $1', [time - keptMs])
  }
}
