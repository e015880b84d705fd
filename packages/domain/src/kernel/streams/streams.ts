import type { Database } from '../../schema/database.ts'
import { BoardSignals } from './board-signals.ts'
import { SharedReads } from './shared-reads.ts'
import { StreamCounter } from './stream-counter.ts'

/** The shortest time between two notifications of a board's events, ms: half of what an event may take (work 5). */
const restMs = 25

/** What all event streams of a service share. */
export class Streams {
  /** The open streams. */
  readonly open = new StreamCounter()
  /** The calls that wait for a first event. */
  readonly waiting = new StreamCounter()
  readonly shared: SharedReads
  /** Notified of every entry of the event log, once it is durable. */
  readonly entries = new BoardSignals(restMs)

  constructor(database: Database) {
    this.shared = new SharedReads(database)
  }
}
