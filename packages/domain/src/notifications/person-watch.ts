import type { Caller, Context } from '../kernel/context.ts'
import type { InTurn } from '../kernel/followers/fair-turns.ts'
import type { LaneWork, Next } from '../kernel/followers/lane.ts'
import type { CheckBudget } from '../kernel/streams/check-budget.ts'
import type { Db } from '../schema/database.ts'
import { type ChannelParts, leaseOf } from './channel-lane.ts'
import { checkInbox, storeCheck } from './inbox-check.ts'
import { type ChannelRow, channelsOf } from './store.ts'

/** Shared by the watches of a service. */
export interface WatchParts extends ChannelParts {
  /** The budget for checks. */
  readonly looks: CheckBudget
  /**
   * Both run a few at a time: after a start, thousands of watches would keep every call waiting for the database. Each
   * throws once the service stops.
   */
  readonly openInTurn: InTurn
  readonly checkInTurn: InTurn
  /** The caller for a person; undefined when the person is deleted or inactive. */
  readonly callerOf: (db: Db, personId: string) => Promise<Caller | undefined>
  /** Wakes the lanes of a person's channels. */
  readonly wakeChannels: (personId: string, channels: readonly ChannelRow[]) => void
  /** Ends all work, because the service stops. */
  readonly stop: AbortSignal
  /** Reads on behalf of a caller. */
  readonly readAs: <Value>(caller: Caller, run: (ctx: Context) => Promise<Value>) => Promise<Value>
}

/**
 * Watches the inbox of one person with channels: checks it when the boards that the person sees have changed, or at
 * certain times, and wakes the channels. One node watches a person.
 */
export class PersonWatch implements LaneWork {
  readonly #id: string
  readonly #parts: WatchParts
  #channels: readonly ChannelRow[] = []
  #boards: ReadonlySet<string> | undefined
  /** Whether something may have come into the inbox since the last check. */
  #isStale = true
  /** When an item next enters the inbox through the passage of time, ms. */
  #nextAt: number | undefined
  #lastAt: string | undefined

  constructor(id: string, parts: WatchParts) {
    this.#id = id
    this.#parts = parts
  }

  /** Whether the person sees one of some boards, as far as is known. */
  sees(boards: ReadonlySet<string>): boolean {
    return this.#boards === undefined || !this.#boards.isDisjointFrom(boards)
  }

  /** Call when something may have come into the inbox, or channels or settings were changed. */
  changed(): void {
    this.#isStale = true
  }

  /** Whether this node watches the person; nobody watches one without channels. */
  take(): Promise<boolean> {
    const { database, leases, openInTurn } = this.#parts
    return openInTurn(this.#id, async () => {
      this.#channels = await database.read(db => channelsOf(db, this.#id))
      return this.#channels.length === 0 || leases.take(leaseOf(this.#id))
    })
  }

  release(): Promise<void> {
    return this.#parts.leases.release(leaseOf(this.#id))
  }

  async step(): Promise<Next> {
    const { checkInTurn, clock, wakeChannels } = this.#parts
    const isTold = this.#channels.some(({ active, verified }) => active === 1 && verified === 1)
    if (this.#nextAt !== undefined && this.#nextAt <= clock()) {
      this.#isStale = true
      this.#nextAt = undefined
    }
    if (isTold && this.#isStale)
      await checkInTurn(this.#id, () => this.#look()).catch(error => {
        this.#isStale = true
        throw error
      })
    wakeChannels(this.#id, this.#channels)
    return this.#channels.length === 0 ? 'end' : { until: this.#nextAt }
  }

  async #look(): Promise<void> {
    const { looks, clock, stop, database, newId } = this.#parts
    const found = await looks.run(stop, () => this.#lookNow())
    if (found === undefined) return
    const { look, read, at } = found
    this.#boards = new Set(look.boards)
    // Not part of the budget, which limits processor time: this waits for the disk, and only if something changed.
    const now = () => new Date(clock()).toISOString()
    await storeCheck(this.#id, look, read, { database, newId, now }, this.#lastAt)
    this.#lastAt = at
    if (look.nextAt !== null) this.#nextAt = Date.parse(look.nextAt) + 1
  }

  /** The current contents of the person's inbox; undefined if the service stops, or the person is gone. */
  async #lookNow() {
    const { database, callerOf, readAs, clock, stop } = this.#parts
    if (stop.aborted) return undefined
    const caller = await database.read(db => callerOf(db, this.#id))
    if (caller === undefined) return undefined
    const at = new Date(clock()).toISOString()
    this.#isStale = false
    const read = <Value>(run: (ctx: Context) => Promise<Value>): Promise<Value> => readAs(caller, run)
    return { look: await checkInbox(read), read, at }
  }
}
