import { setTimeout as sleep } from 'node:timers/promises'
import type { Db } from '../db.ts'
import { StorageError } from '../storage-error.ts'
import type { ReplicaPlace, ReplicaStatus, StatementLimits } from '../store.ts'
import { Connections, type PostgresConnection } from './connections.ts'
import type { PostgresReader } from './reader.ts'
import { identityOf, NotReplica, replayedPlace, writtenPlace } from './replica-place.ts'
import { maxWaitMs, ReplicaReads } from './replica-reads.ts'
import { settledReplica } from './suitability.ts'

/** How often the replica is looked at, ms: usually, and while it is late. */
const lookMs = 2_000
const soonMs = 250

/** How long it may take to answer a look, ms. */
const answerMs = 3_000

/** The number of times that it is asked within the time that a read would wait for it. */
const looksAtOnce = 5

/** How far behind the replica may be before the service counts as degraded, s. */
const maxLag = 30

/** How many places of the primary are remembered until the replica reaches them. */
const maxMarks = 1_000

/** Why the primary answers what the replica should. */
const unreachable = 'the read replica does not answer: the primary answers for it, and "specboard doctor" says why'
const foreign = 'the server of SPECBOARD_DATABASE_READ_URL is not a standby of the database: the primary answers for it'
const late = (seconds: number) => `the read replica is ${seconds} s behind: the primary answers for it`

/** Where the primary was at a time. */
interface Mark {
  readonly at: number
  readonly place: number
}

/** What a replica needs. */
export interface ReplicaOptions<Schema> {
  /** The address of the replica. */
  readonly url: string
  readonly primary: PostgresReader<Schema>
  /** How many connections it makes for reading. */
  readonly max: number
  readonly limits: StatementLimits
  /** Called with why the replica cannot be used, when that begins. */
  readonly onFault: (error: unknown) => void
}

/**
 * A server that follows the primary, and answers reads for it. It is looked at regularly: reads go to it while it can
 * be reached, is a copy of the primary, and keeps up; otherwise the primary answers, so that no read fails.
 */
export class Replica<Schema> {
  readonly #options: ReplicaOptions<Schema>
  readonly #reads: ReplicaReads<Schema>
  /** Its address with the TLS mode that it accepts. */
  #settled: string | undefined
  /** A connection for looking, separate from those for reads, which may all be in use. */
  #looks: Connections | undefined
  #identity: string | undefined
  #isUsable = false
  /** Why it is not used, apart from being late. */
  #fault: string | undefined
  #lag: { readonly bytes: number; readonly seconds: number } | undefined
  /** Places of the primary that the replica has not reached, from the oldest to the newest. */
  #marks: readonly Mark[] = []
  #timer: NodeJS.Timeout | undefined
  #looking: Promise<void> | undefined
  #isClosed = false

  constructor(options: ReplicaOptions<Schema>) {
    const { primary, max, limits } = options
    this.#options = options
    this.#reads = new ReplicaReads<Schema>({
      primary,
      max,
      limits,
      place: () => this.place,
      onSetback: () => this.#suspend(),
    })
  }

  /** Where threads find it; undefined while it is not used. */
  get place(): ReplicaPlace | undefined {
    return this.#isUsable ? { url: this.#settled!, identity: this.#identity! } : undefined
  }

  get status(): ReplicaStatus {
    const { replica, primary } = this.#reads.counts
    return {
      isUsed: this.#isUsable,
      problem: this.#problem,
      lagBytes: this.#lag?.bytes,
      lagSeconds: this.#lag?.seconds,
      replicaReads: replica,
      primaryReads: primary,
    }
  }

  get load(): Connections['load'] {
    return this.#reads.load
  }

  /** Looks at the replica for the first time, and regularly from then on. */
  async start(): Promise<void> {
    await this.#look()
  }

  read<Value>(run: (db: Db<Schema>) => Promise<Value>): Promise<Value> {
    return this.#reads.read(run)
  }

  async close(): Promise<void> {
    this.#isClosed = true
    clearTimeout(this.#timer)
    await this.#looking
    await Promise.all([this.#looks?.close(), this.#reads.close()])
  }

  get #problem(): string | undefined {
    if (this.#fault !== undefined) return this.#fault
    const seconds = Math.round(this.#lag?.seconds ?? 0)
    return seconds > maxLag ? late(seconds) : undefined
  }

  /** Reads go to the primary until a look finds that the replica has caught up. */
  #suspend(): void {
    if (!this.#isUsable) return
    this.#isUsable = false
    this.#lookIn(soonMs)
  }

  #lookIn(ms: number): void {
    clearTimeout(this.#timer)
    if (this.#isClosed) return
    this.#timer = setTimeout(() => void this.#look(), ms).unref()
  }

  #look(): Promise<void> {
    this.#looking ??= this.#found().finally(() => {
      this.#looking = undefined
      this.#lookIn(this.#isUsable || this.#fault !== undefined ? lookMs : soonMs)
    })
    return this.#looking
  }

  async #found(): Promise<void> {
    const here = await this.#options.primary
      .beside(async connection => ({ place: await writtenPlace(connection), identity: await identityOf(connection) }))
      .catch(() => undefined)
    // Without the primary, nothing can be compared, so nothing can be said about the replica.
    if (here === undefined) return this.#given(this.#fault)
    this.#marks = [...this.#marks, { at: performance.now(), place: here.place }].slice(0, maxMarks)
    try {
      const there = await this.#there()
      this.#measure(there.place, here.place)
      this.#identity = here.identity
      if (there.identity !== here.identity) throw new NotReplica()
      this.#given(undefined, there.place >= here.place || (await this.#reaches(here.place)))
    } catch (error) {
      const fault = error instanceof NotReplica ? foreign : unreachable
      if (fault === unreachable) this.#lag = undefined
      if (this.#fault !== fault) this.#options.onFault(error)
      this.#given(fault)
    }
  }

  #given(fault: string | undefined, isUsable = false): void {
    this.#fault = fault
    if (fault !== undefined) this.#reads.giveUp()
    this.#isUsable = isUsable
  }

  /** The place and identity that the replica reports. */
  async #there(): Promise<{ readonly place: number; readonly identity: string }> {
    this.#settled ??= await settledReplica(this.#options.url)
    this.#looks ??= new Connections(this.#settled, 1, () => {})
    const looking = async (connection: PostgresConnection) => ({
      identity: await identityOf(connection),
      place: await replayedPlace(connection),
    })
    return this.#asked(looking)
  }

  /** Whether the replica reaches a place within the time that a read would wait. */
  async #reaches(place: number): Promise<boolean> {
    for (let look = 0; look < looksAtOnce; look++) {
      await sleep(maxWaitMs / looksAtOnce)
      if ((await this.#asked(replayedPlace)) >= place) return true
    }
    return false
  }

  /** Asks the replica something; a connection on which it does not answer is closed. */
  #asked<Value>(ask: (connection: PostgresConnection) => Promise<Value>): Promise<Value> {
    return this.#looks!.with(
      async connection => {
        const asking = ask(connection)
        asking.catch(() => {})
        const end = new AbortController()
        const late = sleep(answerMs, undefined, { signal: end.signal }).then(() => {
          throw new StorageError('UNREACHABLE', 'The read replica does not answer.')
        })
        late.catch(() => {})
        try {
          return await Promise.race([asking, late])
        } finally {
          end.abort()
        }
      },
      () => true,
    )
  }

  /** How long ago the primary was where the replica is now. */
  #measure(place: number, primary: number): void {
    this.#marks = this.#marks.filter(mark => mark.place > place)
    const oldest = this.#marks[0]
    this.#lag = {
      bytes: Math.max(0, primary - place),
      seconds: oldest === undefined ? 0 : (performance.now() - oldest.at) / 1_000,
    }
  }
}
