import { setTimeout as sleep } from 'node:timers/promises'
import { dialect } from '@specboard/storage'
import { type Expression, type SqlBool, sql } from 'kysely'
import { KeyedQueue } from '../lib/keyed-queue.ts'
import type { Database, Db } from '../schema/database.ts'
import type { NodesTable } from '../schema/tables.ts'

/** How long a node that has stopped renewing its lease keeps what it works on, ms. */
const usualLeaseMs = 30_000

/** How many times a node renews its lease within the lease's length. */
const renewals = 6

/** How often a waiting caller checks whether its turn has come, ms. */
const turnMs = 100

/** The channel on which nodes announce that something was released. */
export const leasesChanged = 'leases'

/** Units of work that change who holds what run one after the other. */
const lock = async () => leasesChanged

/** What a node publishes about itself. */
export type NodeCard = Pick<NodesTable, 'host' | 'port' | 'version' | 'started_at'>

/** The parts of a service that leases need. */
export interface LeaseParts {
  readonly database: Database
  /** What this node publishes to the other nodes. */
  readonly card?: NodeCard | undefined
  /** The id of this process. */
  readonly node: string
  /** How long this node may be silent before others take over its work, ms; default 30 s. */
  readonly leaseMs?: number | undefined
  readonly onFault: (error: unknown) => void
}

/**
 * Tracks what this node works on exclusively, and what other nodes work on. A node has one lease, which it renews while
 * it runs; whatever it took under a name is free again when it releases it, or when its lease has expired. A process
 * with a database of its own gets everything immediately, and writes nothing.
 */
export class Leases {
  readonly node: string
  readonly #database: Database
  readonly #card: NodeCard
  readonly #leaseMs: number
  readonly #onFault: (error: unknown) => void
  readonly #listeners = new Set<() => void>()
  readonly #turns = new KeyedQueue()
  #held = new Set<string>()
  #ofOthers = new Set<string>()
  #nodes: ReadonlySet<string> = new Set()
  /** How many times the lease has expired before it was renewed: what was held until then is lost. */
  #ended = 0
  #renewedAt = Number.NEGATIVE_INFINITY
  #timer: NodeJS.Timeout | undefined
  #renewing: Promise<void> | undefined

  constructor({ database, card = unlisted, node, leaseMs = usualLeaseMs, onFault }: LeaseParts) {
    this.#database = database
    this.#card = card
    this.node = node
    this.#leaseMs = leaseMs
    this.#onFault = onFault
  }

  /** Takes the lease of this node, and renews it from now on. */
  async start(): Promise<void> {
    if (!this.#database.isShared) return
    await this.#renew()
    this.#timer = setInterval(() => {
      this.#renewing ??= this.#renew()
        .catch(this.#onFault)
        .finally(() => {
          this.#renewing = undefined
        })
    }, this.#leaseMs / renewals).unref()
  }

  /** Releases the lease, and with it everything that was taken. */
  async stop(): Promise<void> {
    if (this.#timer === undefined) return
    clearInterval(this.#timer)
    this.#timer = undefined
    await this.#renewing
    this.#held.clear()
    await this.#database.write(db => db.deleteFrom('nodes').where('id', '=', this.node).execute(), { lock })
    this.#database.announce(leasesChanged)
  }

  /** Whether other nodes may run alongside this one. */
  get isShared(): boolean {
    return this.#database.isShared
  }

  /** The number of nodes that were running at the last renewal of the lease, including this one. */
  get count(): number {
    return Math.max(1, this.#nodes.size)
  }

  /** Whether no other node was running at the last renewal of the lease. */
  get isAlone(): boolean {
    return this.#nodes.size <= 1
  }

  /**
   * Calls the listener when a node has ended or released something, so that there may be more to take; returns the
   * function that removes the listener.
   */
  onFree(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /**
   * Whether this node still holds what it took, for long enough to act on it. A node that could not renew its lease
   * stops in time: once the lease has expired another node may have taken over.
   */
  holds(name: string): boolean {
    if (!this.#database.isShared) return true
    return this.#held.has(name) && performance.now() - this.#renewedAt < this.#leaseMs / 2
  }

  /**
   * Takes something unless another node has it; returns whether this node has it now. Callers within one node share it.
   */
  async take(name: string): Promise<boolean> {
    if (this.holds(name)) return true
    if (this.#ofOthers.has(name)) return false
    const ended = this.#ended
    const owner = await this.#database.write(db => taken(db, name, this.node), { lock: `lease ${name}` })
    if (owner === this.node && ended === this.#ended) this.#held.add(name)
    else if (owner !== undefined) this.#ofOthers.add(name)
    return this.holds(name)
  }

  /** Releases something. */
  async release(name: string): Promise<void> {
    if (!this.#held.delete(name)) return
    await this.#database.write(
      db => db.deleteFrom('leases').where('name', '=', name).where('node_id', '=', this.node).execute(),
      { lock: `lease ${name}` },
    )
    this.#database.announce(leasesChanged)
  }

  /**
   * Runs an action once everything begun earlier under the same name has ended, on this node and all others.
   * @throws the reason of the signal, while waiting for another node
   */
  inTurn<Value>(name: string, act: () => Promise<Value>, signal?: AbortSignal): Promise<Value> {
    return this.#turns.run(name, async () => {
      while (!(await this.take(name))) await sleep(turnMs, undefined, { signal })
      try {
        return await act()
      } finally {
        await this.release(name).catch(this.#onFault)
      }
    })
  }

  /** Reads again who holds what, because another node has released something. */
  async look(): Promise<void> {
    if (this.#database.isShared) this.#see(await this.#database.read(holding))
  }

  async #renew(): Promise<void> {
    const began = performance.now()
    const { isNew, ...holding } = await this.#database.write(
      db => renewed(db, { id: this.node, ...this.#card }, this.#leaseMs),
      {
        lock,
      },
    )
    if (isNew) {
      this.#held.clear()
      this.#ended++
    }
    this.#renewedAt = began
    this.#see(holding)
  }

  #see({ leases, nodes }: Holding): void {
    const before = { names: this.#ofOthers, nodes: this.#nodes }
    this.#ofOthers = new Set(leases.filter(({ node_id }) => node_id !== this.node).map(({ name }) => name))
    this.#nodes = new Set(nodes)
    const isFreed = !before.names.isSubsetOf(this.#ofOthers) || !before.nodes.isSubsetOf(this.#nodes)
    if (isFreed) for (const listener of this.#listeners) listener()
  }
}

/** A process that serves nobody, such as that of a command. */
const unlisted: NodeCard = { host: '', port: 0, version: '', started_at: '' }

/** Who holds what, and which nodes are running. */
interface Holding {
  readonly leases: readonly { readonly name: string; readonly node_id: string }[]
  readonly nodes: readonly string[]
}

async function holding(db: Db): Promise<Holding> {
  const leases = await db.selectFrom('leases').select(['name', 'node_id']).execute()
  const nodes = await db.selectFrom('nodes').select('id').execute()
  return { leases, nodes: nodes.map(({ id }) => id) }
}

/** Renews the lease of a node by the clock of the database, and ends those leases that others did not renew in time. */
async function renewed(
  db: Db,
  { id, ...card }: NodeCard & { readonly id: string },
  leaseMs: number,
): Promise<Holding & { readonly isNew: boolean }> {
  const times = { leased_until: dialect.timeIn(leaseMs), seen_at: dialect.timeIn(0) }
  const { numUpdatedRows } = await db.updateTable('nodes').set(times).where('id', '=', id).executeTakeFirstOrThrow()
  const isNew = numUpdatedRows === 0n
  if (isNew)
    await db
      .insertInto('nodes')
      .values({ id, ...card, ...times })
      .execute()
  await db.deleteFrom('nodes').where('leased_until', '<', dialect.timeIn(0)).execute()
  return { isNew, ...(await holding(db)) }
}

/** Takes something for a node if nobody has it; returns who has it now. Undefined when the node's lease has expired. */
async function taken(db: Db, name: string, node: string): Promise<string | undefined> {
  await db
    .insertInto('leases')
    .columns(['name', 'node_id'])
    .expression(eb =>
      eb
        .selectFrom('nodes')
        .select([dialect.text(name).as('name'), 'id'])
        .where('id', '=', node),
    )
    .onConflict(conflict => conflict.column('name').doNothing())
    .execute()
  const lease = await db.selectFrom('leases').select('node_id').where('name', '=', name).executeTakeFirst()
  return lease?.node_id
}

/**
 * Whether the node named by a column has ended; true if it names none. With a database of its own a process knows of no
 * other node, so whatever another one began was left over.
 */
export const hasEnded = (node: Expression<string | null>) =>
  sql<SqlBool>`not exists (select 1 from nodes where nodes.id = ${node})`
