import { StorageError } from '@specboard/storage'
import type { Callers } from '../../kernel/followers/callers.ts'
import type { Leases } from '../../kernel/leases.ts'
import type { RuntimeSettings } from '../../kernel/runtime-settings.ts'
import type { KgQueueTable } from '../../schema/tables.ts'
import { consolidate, type GraphResources } from '../consolidation/consolidate.ts'
import {
  claimNext,
  claimNextOf,
  failClaim,
  finishClaim,
  leftClaims,
  nextRetryAt,
  type QueueClaim,
  readClaim,
  releaseClaim,
  timedOutClaims,
} from '../queue/claims.ts'
import { ClaimTimeout, ProcessEnded } from '../queue/failure.ts'
import { DepthAlarm } from './depth-alarm.ts'

/** The longest rest between two checks of the queue, ms. */
const restMs = 30_000

/** The shortest rest, ms: a due entry that cannot be claimed because its board is busy must not cause a busy loop. */
const shortestRestMs = 200

/**
 * The minimum time after a check that found nothing until the next one, unless an entry was finished in between, ms.
 */
const emptyCheckMs = 25

/** How long an entry is deferred if its record changed while it was processed, ms. */
const hotMs = 500

/** How long a lane continues with further entries of its board before another board gets a turn, ms. */
const sliceMs = 100

/** How often the worker looks for claims past their timeout, ms. */
const sweepMs = 60_000

/** The period covered by the figures of the queue's health, ms. */
const memoryMs = 300_000

/** Options of the worker. */
export interface WorkerOptions {
  readonly settings: RuntimeSettings
  readonly leases: Leases
  /** The callers, which take precedence over the worker. */
  readonly callers: Callers
  /** Called with each board whose graph or queue changed. */
  readonly onChange: (boardId: string) => void
  /** Whether failed attempts keep their stack traces. */
  readonly withTrace: boolean
}

/** One of the worker's slots; each processes one entry at a time. */
interface Lane {
  busy: boolean
  /** When it may claim again, ms of `performance.now`. */
  readyAt: number
}

/**
 * Processes the queue: as many entries at once as the setting allows, but only one per board. Each runs in units of
 * work of its own, so that calls can run in between. While there are no callers, a lane takes one entry of its board
 * after the other; as soon as there are, it pauses after each as configured (knowledge-graph 4.3).
 */
export class QueueWorker {
  readonly #resources: GraphResources
  readonly #options: WorkerOptions
  readonly #lanes: Lane[] = []
  readonly #running = new Set<Promise<void>>()
  readonly #stopping = new AbortController()
  readonly #claims: { readonly at: number; readonly boardId: string }[] = []
  readonly #lockRetries: number[] = []
  readonly #unlisten: () => void
  readonly #alarm: DepthAlarm
  #timer: NodeJS.Timeout | undefined
  #sweeper: NodeJS.Timeout | undefined
  #pumping: Promise<void> | undefined
  #again = false
  #started = false
  /** Boards that were being processed when nothing else was due; null when that is unknown. */
  #exhaustedBeside: ReadonlySet<string> | null = null
  readonly #activeBoards = new Set<string>()
  /** Entries whose record changed while they were processed, each with the timer that ends its rest. */
  readonly #hot = new Map<string, NodeJS.Timeout>()
  #emptyCheckAt = Number.NEGATIVE_INFINITY

  constructor(resources: GraphResources, options: WorkerOptions) {
    this.#resources = resources
    this.#options = options
    this.#alarm = new DepthAlarm(
      resources.database,
      () => options.settings.values.kg_queue_alert_threshold,
      resources.onFault,
    )
    this.#unlisten = options.settings.onChange(() => this.wake())
  }

  /** Recovers the claims of a process that died, then works whenever it is woken. */
  async start(): Promise<void> {
    this.#started = true
    await this.recover()
    this.#sweeper = setInterval(() => this.#inBackground(this.#sweep()), sweepMs).unref()
    this.wake()
  }

  /** Call when another node may have ended: its claims are recovered. */
  nodeEnded(): void {
    if (this.#isRunning) this.#inBackground(this.recover())
  }

  /** Counts claims left by a dead process as failed attempts. */
  async recover(): Promise<void> {
    await this.#fail(await this.#resources.database.read(leftClaims), new ProcessEnded())
  }

  /**
   * Checks the queue soon, because records of these boards, or of any board, were queued. Boards that are being processed
   * are checked again when they are done.
   */
  wake(boardIds?: ReadonlySet<string>): void {
    this.#alarm.changed(boardIds)
    if (!this.#started || this.#stopping.signal.aborted) return
    if (boardIds?.isSubsetOf(this.#activeBoards)) return
    this.#exhaustedBeside = null
    this.#pump()
  }

  get #isRunning(): boolean {
    return this.#started && !this.#stopping.signal.aborted
  }

  /** Whether it was started and has stopped. */
  get hasStopped(): boolean {
    return this.#started && !this.#isRunning
  }

  /** Stops: finishes entries in progress, and releases those that wait for something outside the database. */
  async stop(): Promise<void> {
    this.#unlisten()
    clearTimeout(this.#timer)
    clearInterval(this.#sweeper)
    for (const timer of this.#hot.values()) clearTimeout(timer)
    this.#alarm.stop()
    this.#stopping.abort(new Stopped())
    await this.#pumping
    await Promise.all(this.#running)
  }

  /** Processes everything that is due, in order, whether started or not; returns how many entries. */
  async drain({ signal, onEntry }: { signal?: AbortSignal | undefined; onEntry?: () => void } = {}): Promise<number> {
    for (let count = 0; ; count++) {
      signal?.throwIfAborted()
      const entry = await this.#claim()
      if (entry === undefined) return count
      await this.#work(entry, () => false)
      onEntry?.()
    }
  }

  /** The figures of this process (knowledge-graph 4.8), for the boards that a caller can see. */
  stats(sees: (boardId: string) => boolean) {
    const now = performance.now()
    const claims = this.#claims.filter(({ boardId }) => sees(boardId))
    const within = (ms: number) => claims.filter(({ at }) => now - at <= ms).length
    const max = this.#maxLanes
    const active = this.#lanes.filter(({ busy }) => busy).length
    return {
      claims_per_min_1m: within(60_000),
      claims_per_min_5m: Math.round(within(memoryMs) / 5),
      workers_active: active,
      workers_idle: this.#started ? Math.max(0, max - active) : 0,
      workers_draining_count: Math.max(0, active - max),
      alert_fired_total: this.#alarm.fired,
      lock_retries_5m: this.#lockRetries.filter(at => now - at <= memoryMs).length,
    }
  }

  get #maxLanes(): number {
    return this.#options.settings.values.kg_queue_max_concurrent_workers
  }

  #inBackground(work: Promise<void>): void {
    const settled = work
      .catch(error => {
        if (!(error instanceof StorageError && error.code === 'CLOSED')) this.#resources.onFault(error)
      })
      .finally(() => this.#running.delete(settled))
    this.#running.add(settled)
  }

  /** Fills the free lanes; only one pump runs at a time. */
  #pump(): void {
    this.#again = true
    if (this.#pumping !== undefined) return
    const pumping = this.#fillLanes()
      .catch(error => this.#resources.onFault(error))
      .finally(() => {
        this.#pumping = undefined
        if (this.#again && !this.#stopping.signal.aborted) this.#pump()
      })
    this.#pumping = pumping
  }

  async #fillLanes(): Promise<void> {
    this.#again = false
    clearTimeout(this.#timer)
    if (this.#started) await this.#alarm.check()
    while (!this.#stopping.signal.aborted) {
      const lane = this.#freeLane()
      if (lane === undefined || this.#isExhausted()) break
      const wait = Math.max(lane.readyAt, this.#emptyCheckAt + emptyCheckMs) - performance.now()
      if (wait > 0) return this.#wakeIn(wait)
      const beside = new Set(this.#activeBoards)
      const entry = await this.#claim([...this.#hot.keys()])
      if (entry === undefined) {
        this.#emptyCheckAt = performance.now()
        // This claim may have missed an entry that was queued meanwhile.
        this.#exhaustedBeside = this.#again ? null : beside
        break
      }
      lane.busy = true
      lane.readyAt = performance.now() + this.#options.settings.values.kg_queue_min_interval_ms
      this.#activeBoards.add(entry.board_id)
      this.#inBackground(
        this.#workOn(entry).finally(() => {
          lane.busy = false
          this.#activeBoards.delete(entry.board_id)
          // Further entries of this board can be claimed only now.
          this.#emptyCheckAt = Number.NEGATIVE_INFINITY
          this.#pump()
        }),
      )
    }
    if (this.#started && this.#activeBoards.size === 0 && !this.#stopping.signal.aborted) await this.#rest()
  }

  /** The free lane that may claim first; undefined when all are busy. */
  #freeLane(): Lane | undefined {
    const active = this.#lanes.filter(({ busy }) => busy).length
    if (active >= this.#maxLanes) return undefined
    while (this.#lanes.length < this.#maxLanes) this.#lanes.push({ busy: false, readyAt: 0 })
    return this.#lanes.filter(({ busy }) => !busy).sort((a, b) => a.readyAt - b.readyAt)[0]
  }

  /** Whether only boards that are still being processed had due entries, and nothing was queued since. */
  #isExhausted(): boolean {
    const beside = this.#exhaustedBeside
    return beside !== null && [...beside].every(board => this.#activeBoards.has(board))
  }

  #wakeIn(ms: number): void {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(
      () => {
        this.#exhaustedBeside = null
        this.#pump()
      },
      Math.max(1, Math.ceil(ms)),
    ).unref()
  }

  /** Rests until the next retry is due, at most 30 s. */
  async #rest(): Promise<void> {
    const at = await this.#resources.database.read(nextRetryAt)
    const wait = at === null ? restMs : Date.parse(at) - this.#resources.clock()
    this.#wakeIn(Math.min(restMs, Math.max(shortestRestMs, wait)))
  }

  /** Claims the next entry, skipping those with the ids in `except`. */
  async #claim(except: readonly string[] = []): Promise<KgQueueTable | undefined> {
    const { database, clock, newId } = this.#resources
    const entry = await this.#retryWhileBusy(() =>
      database.write(db => claimNext(db, { nowMs: clock(), newId }, this.#claiming(except)), {
        lock: `claims of ${this.#options.leases.node}`,
      }),
    )
    if (entry !== undefined) this.#remember(entry.board_id)
    return entry
  }

  #claiming(except: readonly string[]): QueueClaim {
    const { settings, leases } = this.#options
    return { node: leases.node, timeoutSeconds: settings.values.kg_queue_claim_timeout_s, except }
  }

  #remember(boardId: string): void {
    const at = performance.now()
    this.#claims.push({ at, boardId })
    while (this.#claims[0] !== undefined && at - this.#claims[0].at > memoryMs) this.#claims.shift()
    this.#changed(boardId)
  }

  #changed(boardId: string): void {
    this.#alarm.changed(new Set([boardId]))
    this.#options.onChange(boardId)
  }

  /** Repeats a write while the write queue is full, so that callers go first. */
  async #retryWhileBusy<Value>(write: () => Promise<Value>): Promise<Value> {
    for (;;) {
      try {
        return await write()
      } catch (error) {
        if (!(error instanceof StorageError && error.code === 'BUSY')) throw error
        this.#lockRetries.push(performance.now())
        if (this.#lockRetries.length > 10_000) this.#lockRetries.shift()
        await new Promise(resolve => setTimeout(resolve, 20))
      }
    }
  }

  /** Processes an entry, and then further ones of its board for a while, as long as there are no callers. */
  async #workOn(entry: KgQueueTable): Promise<void> {
    const end = performance.now() + sliceMs
    const goesOn = () => !this.#stopping.signal.aborted && performance.now() < end && this.#options.callers.areQuiet
    for (let next: KgQueueTable | undefined = entry; next !== undefined; ) next = await this.#work(next, goesOn)
  }

  /**
   * Processes a claimed entry. If `goesOn` then says so, claims the next one of its board in the transaction that ends
   * this claim, and returns it.
   */
  async #work(entry: KgQueueTable, goesOn: () => boolean): Promise<KgQueueTable | undefined> {
    const { clock, newId, database } = this.#resources
    let next: KgQueueTable | undefined
    try {
      const outcome = await this.#retryWhileBusy(() =>
        consolidate(this.#resources, {
          artifact: { boardId: entry.board_id, type: entry.artifact_type, id: entry.artifact_id },
          sessionId: entry.claimed_by_session_id!,
          compareHash: entry.source !== 'migrate_schema',
          signal: this.#stopping.signal,
          isWanted: async db => {
            next = undefined
            return (await readClaim(db, entry)) !== undefined
          },
          done: async db => {
            const current = await readClaim(db, entry)
            if (current === undefined) return
            const unit = { nowMs: clock(), newId }
            await finishClaim(db, unit, current)
            if (current.changed === 1) this.#letOthersFirst(entry)
            if (goesOn()) next = await claimNextOf(db, unit, entry.board_id, this.#claiming([...this.#hot.keys()]))
          },
        }),
      )
      if (outcome !== 'unwanted') this.#changed(entry.board_id)
    } catch (error) {
      if (error instanceof Stopped) await database.write(db => releaseClaim(db, entry), lockOf(entry))
      else await this.#fail([entry], error)
      return undefined
    }
    if (next !== undefined) this.#remember(next.board_id)
    return next
  }

  /** Defers an entry: a record that is written again and again would otherwise keep all others of its board waiting. */
  #letOthersFirst({ id }: KgQueueTable): void {
    clearTimeout(this.#hot.get(id))
    const timer = setTimeout(() => {
      this.#hot.delete(id)
      this.wake()
    }, hotMs).unref()
    this.#hot.set(id, timer)
  }

  async #sweep(): Promise<void> {
    const { database, clock } = this.#resources
    await this.#fail(await database.read(db => timedOutClaims(db, clock())), new ClaimTimeout())
  }

  async #fail(entries: readonly KgQueueTable[], error: unknown): Promise<void> {
    const { database, clock, newId, onFault } = this.#resources
    const { withTrace, settings } = this.#options
    if (entries.length > 0 && !(error instanceof ClaimTimeout || error instanceof ProcessEnded)) onFault(error)
    for (const entry of entries) {
      await this.#retryWhileBusy(() =>
        database.write(async db => {
          const current = await readClaim(db, entry)
          if (current === undefined) return
          const maxAttempts = settings.values.kg_queue_max_attempts
          await failClaim(db, { nowMs: clock(), newId }, current, error, { maxAttempts, withTrace })
        }, lockOf(entry)),
      )
      this.#changed(entry.board_id)
    }
    if (entries.length > 0) this.wake()
  }
}

/** Writes about an entry hold the lock of its board, so that no call changes the board meanwhile. */
const lockOf = ({ board_id }: KgQueueTable) => ({ lock: board_id })

/** Thrown when the worker stops while an entry waits for something outside the database. */
class Stopped extends Error {}
