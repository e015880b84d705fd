import type { RecordedEvent } from '../events.ts'
import type { Call } from './call.ts'

/** An in-process listener for event log entries, called once they are durable. */
export type Listener = (events: readonly RecordedEvent[]) => void

/** The fields of an event log entry that say which records were written, on any node. */
export type WrittenEntry = Pick<RecordedEvent, 'boardId' | 'entity' | 'cardId' | 'activity'>

/** A listener for what other nodes wrote; without entries, for changes of who may see and do what. */
export type RemoteListener = (entries: readonly WrittenEntry[], sight: boolean) => void

/** An in-process listener for calls that may have changed something, called once their writes are durable. */
export type Watcher = (call: Call) => void

/** The last stage of a call: notifies listeners in this process of writes, by this and other nodes. */
export class Announcements {
  readonly #listeners = new Set<Listener>()
  readonly #elsewhere = new Set<RemoteListener>()
  readonly #watchers = new Set<Watcher>()

  /** Listens to writes from now on; returns the function that removes the listener. */
  readonly listen = (listener: Listener): (() => void) => added(this.#listeners, listener)

  /** Listens to writes of other nodes on the same database; returns the function that removes the listener. */
  readonly listenElsewhere = (listener: RemoteListener): (() => void) => added(this.#elsewhere, listener)

  /** Adds a listener for calls that may have changed something; returns the function that removes it. */
  readonly watch = (watcher: Watcher): (() => void) => added(this.#watchers, watcher)

  /** Notifies the listeners of entries that are durable. */
  recorded(events: readonly RecordedEvent[]): void {
    if (events.length > 0) for (const listener of this.#listeners) listener(events)
  }

  /** Notifies the listeners of writes by other nodes. */
  elsewhere(...args: Parameters<RemoteListener>): void {
    for (const listener of this.#elsewhere) listener(...args)
  }

  /** Notifies the watchers of a call that may have changed something. */
  performed(call: Call): void {
    for (const watcher of this.#watchers) watcher(call)
  }
}

function added<Item>(set: Set<Item>, item: Item): () => void {
  set.add(item)
  return () => set.delete(item)
}
