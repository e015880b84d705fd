import type { Caller, Context } from '../kernel/context.ts'
import type { LookBudget } from '../kernel/streams/look-budget.ts'
import { longestTimerMs } from '../lib/woken-loop.ts'
import type { Db } from '../schema/database.ts'
import { ChannelLane, type ChannelParts, leaseOf } from './channel-lane.ts'
import { keepLook, lookAt } from './looks.ts'
import { restMs } from './rules.ts'
import { channelsOf } from './store.ts'

/** How long a watch pauses after a fault of the service itself, ms. */
const faultRestMs = 5_000

/** Runs work for a person once it is its turn. */
export type InTurn = <Value>(personId: string, work: () => Promise<Value>) => Promise<Value>

/** Shared by the watches of a service. */
export interface WatchParts extends ChannelParts {
  /** The budget for checks. */
  readonly looks: LookBudget
  /**
   * Run a few at once: after a start, thousands of watches would keep every call waiting for the database. Each throws once
   * the service stops.
   */
  readonly openInTurn: InTurn
  readonly checkInTurn: InTurn
  /** The caller for a person; undefined when the person is deleted or inactive. */
  readonly callerOf: (db: Db, personId: string) => Promise<Caller | undefined>
  /** Reads on behalf of a caller. */
  readonly readAs: <Value>(caller: Caller, run: (ctx: Context) => Promise<Value>) => Promise<Value>
}

/**
 * Watches the inbox of one person with channels: checks it when the boards that the person sees have changed, or at
 * certain times, and wakes the channels. One node watches a person.
 */
export class PersonWatch {
  readonly #id: string
  readonly #parts: WatchParts
  readonly #onEnd: () => void
  readonly #lanes = new Map<string, ChannelLane>()
  #boards: ReadonlySet<string> | undefined
  #running: Promise<void> | undefined
  #isWoken = false
  /** Whether something may have come into the inbox since the last check. */
  #isStale = true
  #lastAt: string | undefined
  #timer: NodeJS.Timeout | undefined
  #soon: NodeJS.Timeout | undefined

  /** @param onEnd called when the person no longer has a channel */
  constructor(id: string, parts: WatchParts, onEnd: () => void) {
    this.#id = id
    this.#parts = parts
    this.#onEnd = onEnd
  }

  /** Whether the person sees one of some boards, as far as is known. */
  sees(boards: ReadonlySet<string>): boolean {
    return this.#boards === undefined || !this.#boards.isDisjointFrom(boards)
  }

  /** Call when something may have come into the inbox: it is checked after a short rest. */
  touch(): void {
    this.#isStale = true
    this.#soon ??= setTimeout(() => {
      this.#soon = undefined
      this.wake()
    }, restMs).unref()
  }

  /** Call when channels or settings were changed, or something has to be sent. */
  changed(): void {
    this.#isStale = true
    this.wake()
  }

  /** Checks for pending work. */
  wake(): void {
    this.#isWoken = true
    this.#running ??= this.#run().finally(() => {
      this.#running = undefined
      if (this.#isWoken && !this.#parts.stop.aborted) this.wake()
    })
  }

  /** Waits until the current run has ended; call it after the signal has fired. */
  async stopped(): Promise<void> {
    clearTimeout(this.#timer)
    clearTimeout(this.#soon)
    await this.#running
    await Promise.all([...this.#lanes.values()].map(lane => lane.stopped()))
  }

  async #run(): Promise<void> {
    while (this.#isWoken && !this.#parts.stop.aborted) {
      this.#isWoken = false
      try {
        await this.#work()
      } catch (error) {
        if (this.#parts.stop.aborted) return
        this.#isStale = true
        this.#parts.onFault(error)
        this.#wakeIn(faultRestMs)
      }
    }
  }

  #wakeIn(ms: number): void {
    clearTimeout(this.#timer)
    const due = () => {
      this.#isStale = true
      this.wake()
    }
    this.#timer = setTimeout(due, Math.min(Math.max(ms, 0), longestTimerMs)).unref()
  }

  async #work(): Promise<void> {
    const { database, leases, openInTurn } = this.#parts
    const { channels, isOurs } = await openInTurn(this.#id, async () => {
      const found = await database.read(db => channelsOf(db, this.#id))
      return { channels: found, isOurs: found.length > 0 && (await leases.take(leaseOf(this.#id))) }
    })
    if (channels.length === 0) return this.#end()
    // Another node notifies this person; a node that releases a lease, or ends, wakes the others.
    if (!isOurs) return
    const isTold = channels.some(({ active, verified }) => active === 1 && verified === 1)
    if (isTold && this.#isStale) await this.#parts.checkInTurn(this.#id, () => this.#look())
    for (const id of this.#lanes.keys()) if (!channels.some(one => one.id === id)) this.#lanes.delete(id)
    for (const { id } of channels) {
      const lane = this.#lanes.get(id) ?? new ChannelLane(id, this.#id, this.#parts)
      this.#lanes.set(id, lane)
      lane.wake()
    }
  }

  async #look(): Promise<void> {
    const { looks, clock, stop, database, newId } = this.#parts
    const found = await looks.run(stop, () => this.#lookNow())
    if (found === undefined) return
    const { look, read, at } = found
    this.#boards = new Set(look.boards)
    // Outside the budget, which is for the processor: this waits for the disk, and only where something changed.
    const now = () => new Date(clock()).toISOString()
    await keepLook(this.#id, look, read, { database, newId, now }, this.#lastAt)
    this.#lastAt = at
    clearTimeout(this.#timer)
    if (look.nextAt !== null) this.#wakeIn(Date.parse(look.nextAt) - clock() + 1)
  }

  /** What there is for the person at a time; undefined when the service stops, or the person is gone. */
  async #lookNow() {
    const { database, callerOf, readAs, clock, stop } = this.#parts
    if (stop.aborted) return undefined
    const caller = await database.read(db => callerOf(db, this.#id))
    if (caller === undefined) return undefined
    const at = new Date(clock()).toISOString()
    this.#isStale = false
    const read = <Value>(run: (ctx: Context) => Promise<Value>): Promise<Value> => readAs(caller, run)
    return { look: await lookAt(read), read, at }
  }

  async #end(): Promise<void> {
    this.#onEnd()
    clearTimeout(this.#timer)
    clearTimeout(this.#soon)
    await this.#parts.leases.release(leaseOf(this.#id))
  }
}
