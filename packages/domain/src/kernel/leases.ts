import { setTimeout as sleep } from 'node:timers/promises'
import { dialect } from '@specboard/storage'
import { type Expression, type SqlBool, sql } from 'kysely'
import { KeyedQueue } from '../lib/keyed-queue.ts'
import type { Database, Db } from '../schema/database.ts'
import type { NodesTable } from '../schema/tables.ts'

/** How long a node that renews nothing keeps what it works on, ms. */
const usualLeaseMs = 30_000

/** How often a node renews its lease within its length. */
const renewals = 6

/** How often whoever waits for its turn looks whether it has come, ms. */
const turnMs = 100

/** The name under which nodes tell each other that something was given back. */
export const leasesChanged = 'leases'

/** Units of work that change who holds what run one after the other. */
const lock = async () => leasesChanged

/** What a node tells the others of itself. */
export type NodeCard = Pick<NodesTable, 'host' | 'port' | 'version' | 'started_at'>

/** What leases need of a service. */
export interface LeaseParts {
  readonly database: Database
  /** What the other nodes are told of this one. */
  readonly card?: NodeCard | undefined
  /** The id of this process. */
  readonly node: string
  /** How long this node may be silent before the others take over what it works on, ms; 30 s unless said. */
  readonly leaseMs?: number | undefined
  readonly onFault: (error: unknown) => void
}

/**
 * What this node works on, so that no other one does, and what others work on. A node has one lease, which it renews
 * while it runs; what it took under a name is free again when it gives it back, or when its lease has ended. On a database
 * of its own a process takes everything at once, and writes nothing.
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
  /** How often the lease has ended before it was renewed: what was held until then is lost. */
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

  /** Gives the lease back, and with it everything that was taken. */
  async stop(): Promise<void> {
    if (this.#timer === undefined) return
    clearInterval(this.#timer)
    this.#timer = undefined
    await this.#renewing
    this.#held.clear()
    await this.#database.write(db => db.deleteFrom('nodes').where('id', '=', this.node).execute(), { lock })
    this.#database.announce(leasesChanged)
  }

  /** Whether other nodes may run beside this one. */
  get isShared(): boolean {
    return this.#database.isShared
  }

  /** How many nodes were running when the lease was renewed last, this one included. */
  get count(): number {
    return Math.max(1, this.#nodes.size)
  }

  /** Whether no other node was running when the lease was renewed last. */
  get isAlone(): boolean {
    return this.#nodes.size <= 1
  }

  /**
   * Calls the listener when a node has ended, or something was given back, so that there may be more to take; returns the
   * function that ends it.
   */
  onFree(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /**
   * Whether this node still holds what it took, for long enough to do something with it. A node that could not renew its
   * lease stops in time: by the end of the lease another one may have taken over.
   */
  holds(name: string): boolean {
    if (!this.#database.isShared) return true
    return this.#held.has(name) && performance.now() - this.#renewedAt < this.#leaseMs / 2
  }

  /** Takes something, unless another node has it; whether this one has it now. Callers of one node share it. */
  async take(name: string): Promise<boolean> {
    if (this.holds(name)) return true
    if (this.#ofOthers.has(name)) return false
    const ended = this.#ended
    const owner = await this.#database.write(db => taken(db, name, this.node), { lock: `lease ${name}` })
    if (owner === this.node && ended === this.#ended) this.#held.add(name)
    else if (owner !== undefined) this.#ofOthers.add(name)
    return this.holds(name)
  }

  /** Gives something back. */
  async release(name: string): Promise<void> {
    if (!this.#held.delete(name)) return
    await this.#database.write(
      db => db.deleteFrom('leases').where('name', '=', name).where('node_id', '=', this.node).execute(),
      { lock: `lease ${name}` },
    )
    this.#database.announce(leasesChanged)
  }

  /**
   * Does something once everything that was begun under the same name has ended, on this node and all others.
   * @throws the reason of the signal while it waits for another node
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

  /** Looks who holds what: another node has given something back. */
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

/** A process that serves nobody, such as one of a command. */
const unlisted: NodeCard = { host: '', port: 0, version: '', started_at: '' }

/** Who holds what, and which nodes run. */
interface Holding {
  readonly leases: readonly { readonly name: string; readonly node_id: string }[]
  readonly nodes: readonly string[]
}

async function holding(db: Db): Promise<Holding> {
  const leases = await db.selectFrom('leases').select(['name', 'node_id']).execute()
  const nodes = await db.selectFrom('nodes').select('id').execute()
  return { leases, nodes: nodes.map(({ id }) => id) }
}

/** Renews the lease of a node by the clock of the database, and ends those that others did not renew in time. */
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

/** Takes something for a node if nobody has it; who has it now. Undefined when the lease of the node has ended. */
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
  const held = await db.selectFrom('leases').select('node_id').where('name', '=', name).executeTakeFirst()
  return held?.node_id
}

/**
 * Whether the node that a column names has ended; also where it names none. On a database of its own a process knows of
 * no other node, so that whatever another one began is left over.
 */
export const hasEnded = (node: Expression<string | null>) =>
  sql<SqlBool>`not exists (select 1 from nodes where nodes.id = ${node})`
