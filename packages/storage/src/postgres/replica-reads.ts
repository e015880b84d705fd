import { setTimeout as sleep } from 'node:timers/promises'
import type { Db } from '../db.ts'
import { StorageError } from '../storage-error.ts'
import type { ReplicaPlace, StatementLimits } from '../store.ts'
import { Connections, defaultLimits, limitedBy, type PostgresConnection } from './connections.ts'
import { isBroken as isBrokenBy, isLost } from './faults.ts'
import { type PostgresReader, plannedOnce } from './reader.ts'
import { coalesced, NotReplica, refuseOther, replayedPlace, replayedQuery, writtenPlace } from './replica-place.ts'
import { reading } from './transaction.ts'

/** How long a read waits for the replica to reach what the primary has on disk, ms; then the primary answers. */
export const maxWaitMs = 50

/** How long the replica may take to report its position, ms; after that it counts as not answering. */
const answerMs = 1_000

/** The longest pause between two looks at how far it is, ms. */
const maxPauseMs = 8

/** The outcome of a read: its value or its error. */
type Outcome<Value> = { readonly value: Value } | { readonly thrown: unknown }

/** The replica does not answer: its pending reads are abandoned. */
class ReplicaAbandoned extends StorageError {
  constructor() {
    super('UNREACHABLE', 'The read replica does not answer.')
  }
}

/** Whether a connection cannot be used again. */
const isBroken = (error: unknown): boolean => error instanceof ReplicaAbandoned || isBrokenBy(error)

/** The options for reads on a replica. */
export interface ReplicaReadsOptions<Schema> {
  readonly primary: PostgresReader<Schema>
  /** Where the replica is; undefined while it cannot be used. */
  readonly place: () => ReplicaPlace | undefined
  /** How many connections it makes. */
  readonly max: number
  /** Whether its thread rests between reads without a turn of the event loop. */
  readonly rests?: boolean
  readonly limits?: StatementLimits | undefined
  /** Called when the replica does not catch up in time, or fails. */
  readonly onSetback?: (error: unknown) => void
}

/**
 * Reads on a replica everything that was committed on the primary before the read began, by any node: each read
 * compares how far the primary's log is on disk with how far the replica has replayed it. If the replica is behind, the
 * read waits for a moment; if it fails or stays behind, the primary answers.
 */
export class ReplicaReads<Schema> {
  readonly #options: ReplicaReadsOptions<Schema>
  readonly #written: () => Promise<number>
  readonly #replayed: () => Promise<number>
  #connections: Connections | undefined
  #url: string | undefined
  readonly #closing: Promise<void>[] = []
  /** Rejected when the replica is given up. */
  #given = pending()
  /** How many reads the replica answered, and how many the primary did although a replica is set up. */
  #here = 0
  #elsewhere = 0

  constructor(options: ReplicaReadsOptions<Schema>) {
    this.#options = options
    this.#written = coalesced(() => options.primary.beside(writtenPlace))
    this.#replayed = coalesced(() => this.#connections!.with(replayedPlace, isBroken))
  }

  /** How many reads each of the two answered. */
  get counts(): { readonly replica: number; readonly primary: number } {
    return { replica: this.#here, primary: this.#elsewhere }
  }

  get load(): Connections['load'] {
    return this.#connections?.load ?? { open: 0, idle: 0, waiting: 0 }
  }

  /** Runs reads that see a single state, with everything that was committed before. */
  async read<Value>(run: (db: Db<Schema>) => Promise<Value>): Promise<Value> {
    const outcome = await this.#onReplica(run)
    if (outcome === undefined) {
      this.#elsewhere++
      return this.#options.primary.read(run)
    }
    this.#here++
    if ('thrown' in outcome) throw outcome.thrown
    return outcome.value
  }

  /** Lets the primary answer the pending reads of the replica, and drops the connections to the replica. */
  giveUp(): void {
    this.#given.reject(new ReplicaAbandoned())
    this.#given = pending()
    this.#connections?.renew()
  }

  async close(): Promise<void> {
    await Promise.all([...this.#closing, this.#connections?.close()])
  }

  /** The outcome of a read on the replica; undefined if the primary has to answer. */
  async #onReplica<Value>(run: (db: Db<Schema>) => Promise<Value>): Promise<Outcome<Value> | undefined> {
    if (this.#options.place() === undefined) return undefined
    const required = this.#written()
    required.catch(() => {})
    try {
      const early = await this.#attempt(run, required)
      if (early !== undefined) return early
      if (await this.#reaches(await required)) return await this.#attempt(run, required)
      this.#options.onSetback?.(undefined)
    } catch (error) {
      this.#options.onSetback?.(error)
    }
    return undefined
  }

  /** Reads at once while checking whether the replica was far enough; undefined if it was not. */
  async #attempt<Value>(
    run: (db: Db<Schema>) => Promise<Value>,
    required: Promise<number>,
  ): Promise<Outcome<Value> | undefined> {
    const abandoned = this.#given.promise
    const late = pending()
    const timer = setTimeout(() => late.reject(new ReplicaAbandoned()), answerMs)
    const attempt = this.#connected().with(async connection => {
      const looking = connection.run<{ place: number | null }>(replayedQuery)
      looking.catch(() => {})
      // The read's snapshot is taken after this, by its own transaction.
      connection.complete()
      const reading = this.#outcomeOf(connection, run)
      reading.catch(() => {})
      const { place } = (await Promise.race([looking, late.promise])).rows[0]!
      clearTimeout(timer)
      if (place === null) throw new NotReplica()
      const outcome = await Promise.race([reading, abandoned])
      return place < (await required) ? undefined : outcome
    }, isBroken)
    try {
      // A caller does not wait longer for a connection, either.
      return await Promise.race([attempt, late.promise])
    } finally {
      clearTimeout(timer)
    }
  }

  async #outcomeOf<Value>(
    connection: PostgresConnection,
    run: (db: Db<Schema>) => Promise<Value>,
  ): Promise<Outcome<Value>> {
    try {
      return { value: await reading(connection, run, this.#options.rests ? 'now' : 'later') }
    } catch (thrown) {
      if (connection.failure !== undefined) throw connection.failure
      if (isLost(thrown)) throw thrown
      return { thrown }
    }
  }

  /** Whether the replica reaches a place within the time that a read may wait. */
  async #reaches(place: number): Promise<boolean> {
    const end = performance.now() + maxWaitMs
    for (let pauseMs = 1; performance.now() < end; pauseMs = Math.min(2 * pauseMs, maxPauseMs)) {
      await sleep(pauseMs)
      if ((await Promise.race([this.#replayed(), sleep(maxWaitMs, 0)])) >= place) return true
    }
    return false
  }

  /** The connections to where the replica is now. */
  #connected(): Connections {
    const { place, max, limits = defaultLimits } = this.#options
    const url = place()?.url ?? this.#url
    if (this.#connections !== undefined && url === this.#url) return this.#connections
    if (url === undefined) throw new ReplicaAbandoned()
    if (this.#connections !== undefined) this.#closing.push(this.#connections.close().catch(() => {}))
    const settings = `${limitedBy(limits)}; ${plannedOnce}`
    this.#url = url
    this.#connections = new Connections(
      url,
      max,
      () => {},
      settings,
      refuseOther(() => place()?.identity),
    )
    return this.#connections
  }
}

/** A promise that is only ever rejected. */
function pending(): { readonly promise: Promise<never>; readonly reject: (reason: unknown) => void } {
  const { promise, reject } = Promise.withResolvers<never>()
  promise.catch(() => {})
  return { promise, reject }
}
