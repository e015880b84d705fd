import { StorageError } from '@specboard/storage'
import type { Database } from '../../schema/database.ts'
import type { Follower, Wants } from '../followers/follower.ts'
import { BoardSignals } from './board-signals.ts'
import { CheckBudget } from './check-budget.ts'
import { OwnMessages } from './own-messages.ts'
import { SharedReads } from './shared-reads.ts'
import { StreamCounter } from './stream-counter.ts'

/**
 * The shortest time between two notifications of a board's events, ms: half of the permitted delay of an event (work
 * 5).
 */
const restMs = 25

/** The key in `entries` that is notified when boards may have become visible to somebody, or ceased to be. */
export const visibilitySignal = 'sight'

/** What all event streams of a service share. */
export class Streams implements Follower {
  readonly wants: Wants = {
    access: () => this.entries.notify(visibilitySignal),
    events: boards => this.entries.notifyEach(boards),
    calls: boards => this.entries.notifyEach(boards),
    inboxes: agents => {
      for (const agentId of agents) this.#inboxTouched(agentId)
    },
  }
  /** The open streams, and the calls that wait for a first event. */
  readonly open = new StreamCounter()
  readonly shared: SharedReads
  /** The budget that waiting calls share for checking again. */
  readonly looks = new CheckBudget()
  /**
   * Notified of every entry of the event log under its board, once it is durable; of a message to an agent under the
   * agent's id; and under `visibilitySignal` of whatever may change which boards somebody sees.
   */
  readonly entries = new BoardSignals(restMs)
  /** Messages to the streams of one agent, such as the progress of an import. */
  readonly own = new OwnMessages(agentId => this.entries.notify(agentId))

  readonly #database: Database
  readonly #notifyInbox: (agentId: string) => void
  /** The functions to call when an agent's inbox has changed, by agent id. */
  readonly #inboxes = new Map<string, Set<() => void>>()

  /** @param notifyInbox notifies all nodes, including this one, that an agent's inbox changed without a log entry */
  constructor(database: Database, notifyInbox: (agentId: string) => void) {
    this.#database = database
    this.#notifyInbox = notifyInbox
    this.shared = new SharedReads(database)
  }

  /** Call when the inbox of an agent changed without a log entry, once the change is durable. */
  inboxChanged(agentId: string): void {
    this.#notifyInbox(agentId)
  }

  /** Calls a function whenever an agent's inbox changes without a log entry; returns the function that ends this. */
  onInbox(agentId: string, touch: () => void): () => void {
    const touched = this.#inboxes.get(agentId) ?? new Set()
    this.#inboxes.set(agentId, touched.add(touch))
    return () => {
      if (touched.delete(touch) && touched.size === 0) this.#inboxes.delete(agentId)
    }
  }

  #inboxTouched(agentId: string): void {
    for (const touch of this.#inboxes.get(agentId) ?? []) touch()
    this.entries.notify(agentId)
  }

  /** Wakes everything that waits, so that it notices that the service is stopping. */
  stop(): void {
    this.entries.notifyAll()
  }

  /** Whether a read failed because the database could not be reached, so that it may succeed later. */
  isUnreachable(error: unknown): boolean {
    const fault = this.#database.faultOf(error)
    return fault instanceof StorageError && (fault.code === 'UNREACHABLE' || fault.code === 'BUSY')
  }
}
