import { StorageError } from '@specboard/storage'
import type { Database } from '../../schema/database.ts'
import { BoardSignals } from './board-signals.ts'
import { LookBudget } from './look-budget.ts'
import { OwnMessages } from './own-messages.ts'
import { SharedReads } from './shared-reads.ts'
import { StreamCounter } from './stream-counter.ts'

/** The shortest time between two notifications of a board's events, ms: half of what an event may take (work 5). */
const restMs = 25

/** What `entries` is notified of when boards may have come into somebody's sight or gone from it. */
export const sightSignal = 'sight'

/** What all event streams of a service share. */
export class Streams {
  /** The streams, and the calls that wait for a first event, that are open. */
  readonly open = new StreamCounter()
  readonly shared: SharedReads
  /** What calls that wait spend on looking again. */
  readonly looks = new LookBudget()
  /**
   * Notified of every entry of the event log under its board, once it is durable; of a message to an agent under the
   * agent's id; and under `sightSignal` of what may change which boards somebody sees.
   */
  readonly entries = new BoardSignals(restMs)
  /** Messages to the streams of one agent, such as the progress of an import. */
  readonly own = new OwnMessages(agentId => this.entries.notify(agentId))

  readonly #database: Database

  constructor(database: Database) {
    this.#database = database
    this.shared = new SharedReads(database)
  }

  /** Whether a read failed because the database could not be reached, so that it may succeed later. */
  isUnreachable(error: unknown): boolean {
    const fault = this.#database.faultOf(error)
    return fault instanceof StorageError && (fault.code === 'UNREACHABLE' || fault.code === 'BUSY')
  }
}
