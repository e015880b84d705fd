import type { Caller, Context } from '../kernel/context.ts'
import type { LookBudget } from '../kernel/streams/look-budget.ts'
import { longestTimerMs } from '../lib/woken-loop.ts'
import type { Db } from '../schema/database.ts'
import { ChannelLane, type ChannelParts, leaseOf } from './channel-lane.ts'
import { keepLook, lookAt } from './looks.ts'
import { restMs } from './rules.ts'
import { channelsOf } from './store.ts'

/** How long a watch rests after a fault of the service's own, ms. */
const faultRestMs = 5_000

/** What the watches of a service share. */
export interface WatchParts extends ChannelParts {
  /** What looks may spend. */
  readonly looks: LookBudget
  /** The caller that a person is; undefined when it is deleted or inactive. */
  readonly callerOf: (db: Db, personId: string) => Promise<Caller | undefined>
  /** Reads in the name of a caller. */
  readonly readAs: <Value>(caller: Caller, run: (ctx: Context) => Promise<Value>) => Promise<Value>
}

/**
 * Watches the inbox of one person who has channels: looks when the boards that it sees have changed, or the clock says
 * so, and wakes the channels. One node watches a person.
 */
export class PersonWatch {
  readonly #id: string
  readonly #parts: WatchParts
  readonly #onEnd: () => void
  readonly #lanes = new Map<string, ChannelLane>()
  #boards: ReadonlySet<string> | undefined
  #running: Promise<void> | undefined
  #isWoken = false
  /** Whether something may have come into the inbox since the last look. */
  #isStale = true
  #lastAt: string | undefined
  #timer: NodeJS.Timeout | undefined
  #soon: NodeJS.Timeout | undefined

  /** @param onEnd called when the person has no channel any more */
  constructor(id: string, parts: WatchParts, onEnd: () => void) {
    this.#id = id
    this.#parts = parts
    this.#onEnd = onEnd
  }

  /** Whether the person sees one of some boards, as far as that is known. */
  sees(boards: ReadonlySet<string>): boolean {
    return this.#boards === undefined || !this.#boards.isDisjointFrom(boards)
  }

  /** Told that something may have come into the inbox: it is looked at once that has rested. */
  touch(): void {
    this.#isStale = true
    this.#soon ??= setTimeout(() => {
      this.#soon = undefined
      this.wake()
    }, restMs).unref()
  }

  /** Told that channels or settings were changed, or that something is to be sent. */
  changed(): void {
    this.#isStale = true
    this.wake()
  }

  /** Looks at what there is to do. */
  wake(): void {
    this.#isWoken = true
    this.#running ??= this.#run().finally(() => {
      this.#running = undefined
      if (this.#isWoken && !this.#parts.stop.aborted) this.wake()
    })
  }

  /** Waits until what is being done has ended; the signal of the parts has fired. */
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
    const { database, leases } = this.#parts
    const channels = await database.read(db => channelsOf(db, this.#id))
    if (channels.length === 0) return this.#end()
    // Another node tells this person; whoever gives a lease back, or ends, wakes the others.
    if (!(await leases.take(leaseOf(this.#id)))) return
    const isTold = channels.some(({ active, verified }) => active === 1 && verified === 1)
    if (isTold && this.#isStale) await this.#look()
    for (const id of this.#lanes.keys()) if (!channels.some(one => one.id === id)) this.#lanes.delete(id)
    for (const { id } of channels) {
      const lane = this.#lanes.get(id) ?? new ChannelLane(id, this.#id, this.#parts)
      this.#lanes.set(id, lane)
      lane.wake()
    }
  }

  async #look(): Promise<void> {
    const { database, callerOf, readAs, looks, clock, stop, newId } = this.#parts
    const caller = await database.read(db => callerOf(db, this.#id))
    if (caller === undefined) return
    await looks.turn(stop)
    if (stop.aborted) return
    const began = performance.now()
    const now = () => new Date(clock()).toISOString()
    const at = now()
    this.#isStale = false
    const read = <Value>(run: (ctx: Context) => Promise<Value>): Promise<Value> => readAs(caller, run)
    const look = await lookAt(read)
    this.#boards = new Set(look.boards)
    await keepLook(this.#id, look, read, { database, newId, now }, this.#lastAt)
    this.#lastAt = at
    looks.spent(performance.now() - began)
    clearTimeout(this.#timer)
    if (look.nextAt !== null) this.#wakeIn(Date.parse(look.nextAt) - clock() + 1)
  }

  async #end(): Promise<void> {
    this.#onEnd()
    clearTimeout(this.#timer)
    clearTimeout(this.#soon)
    await this.#parts.leases.release(leaseOf(this.#id))
  }
}
