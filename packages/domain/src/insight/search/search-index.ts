import { setTimeout as sleep } from 'node:timers/promises'
import { StorageError } from '@specboard/storage'
import { sql } from 'kysely'
import type { Callers } from '../../kernel/followers/callers.ts'
import type { Follower, Wants } from '../../kernel/followers/follower.ts'
import { Lane, type LaneWork, type Next } from '../../kernel/followers/lane.ts'
import type { Db, ReadWrite } from '../../schema/database.ts'
import { hot } from '../../schema/hot.ts'
import { indexSome } from './indexing.ts'

/** How long the background pauses before it indexes, and between two steps while there are callers, ms. */
const restMs = 250

/** How long a search waits for writes in progress on rows queued before it: how often, and how long each time, ms. */
const maxWaits = 20
const waitMs = 5

/** One node at a time writes the index; writers of records are not held up. */
const lock = { lock: 'search' }

/** The oldest and the newest queued change; null when there is none. */
const notes = hot<Record<never, never>, { oldest: number | null; newest: number | null }>(
  () =>
    sql<{ oldest: number | null; newest: number | null }>`select (select min(change) from search_changes) as oldest,
      (select max(change) from search_changes) as newest`,
)

const notesIn = async (db: Db) => (await notes(db, {}))[0]!

/**
 * Keeps the search index up to date (board 4). A write only queues what it changed, in its own transaction; a search
 * first indexes what was queued before it, and the background does so while there are no callers, both in small units
 * of work.
 */
export class SearchIndex implements Follower {
  readonly wants: Wants = { events: () => this.changed() }
  readonly #database: ReadWrite
  readonly #callers: Callers
  readonly #onFault: (error: unknown) => void
  readonly #stopping = new AbortController()
  readonly #lane: Lane<LaneWork>
  #isStarted = false

  constructor(database: ReadWrite, callers: Callers, onFault: (error: unknown) => void) {
    this.#database = database
    this.#callers = callers
    this.#onFault = onFault
    const clock = () => performance.now()
    // No other node works on it at the same time, because the lock lets only one node at a time write the index.
    const work = { take: async () => true, step: () => this.#stepOfLane() }
    this.#lane = new Lane(work, { clock, onFault, stop: this.#stopping.signal })
  }

  /** Starts indexing in the background: what is already queued, and later changes as soon as `changed` is called. */
  start(): void {
    this.#isStarted = true
    this.changed()
  }

  /** Call when something was written. */
  changed(): void {
    if (this.#isStarted) this.#lane.wakeIn(restMs)
  }

  /** Stops the background, after its current step. */
  stop(): Promise<void> {
    this.#stopping.abort()
    return this.#lane.stopped()
  }

  /**
   * Indexes everything queued so far. With a full disk a search finds what is already indexed, as other reads also
   * continue.
   */
  async catchUp(): Promise<void> {
    const { newest } = await this.#database.read(notesIn)
    if (newest === null) return
    try {
      let waits = maxWaits
      for (let oldest: number | null = newest; oldest !== null && oldest <= newest && waits > 0; ) {
        await this.#database.write(indexSome, lock)
        const before: number = oldest
        oldest = (await this.#database.read(notesIn)).oldest
        // Somebody is writing that row: it cannot be read yet.
        if (oldest === before && waits-- > 0) await sleep(waitMs)
      }
    } catch (error) {
      if (!(error instanceof StorageError && error.code === 'STORAGE_FULL')) throw error
    }
  }

  async #stepOfLane(): Promise<Next> {
    const more = await this.step()
    return { until: more ? performance.now() + (this.#callers.areQuiet ? 0 : restMs) : undefined }
  }

  /** Indexes some rows; returns whether there are more. If the storage refuses, the next writer gets the error. */
  async step(): Promise<boolean> {
    try {
      return await this.#database.write(indexSome, lock)
    } catch (error) {
      if (!(error instanceof StorageError)) this.#onFault(error)
      return false
    }
  }
}
