import type { Connection } from './connection.ts'
import type { Db } from './db.ts'
import { bind, type Gate } from './executor.ts'
import { CollectedWrites } from './group.ts'
import { StorageError } from './storage-error.ts'

/** A group ends after this many units or milliseconds, whichever comes first. */
const groupUnits = 64
const groupMs = 20

/** A group begins after this many turns of the event loop without a new unit, or after `maxTurns`. */
const quietTurns = 3
const maxTurns = 32

/** Maximum number of units that may wait; further ones are refused with BUSY. */
const queueLimit = 4_096

interface Unit<Schema> {
  readonly run: (db: Db<Schema>) => Promise<unknown>
  readonly answer: (outcome: Outcome) => void
}

type Outcome = { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly error: unknown }

interface Entry<Schema> {
  readonly unit: Unit<Schema>
  outcome: Outcome
}

const unanswered: Outcome = { ok: false, error: undefined }

/** What a group does besides running its units. */
export interface GroupOptions {
  /** Turns the error of a failed statement or commit into the error that callers get. */
  readonly storageFault: (error: unknown) => unknown
  /** Called when a group holds the lock of writers, before its first unit. */
  readonly afterBegin: () => void
  readonly beforeCommit: () => void
  /** Called after each commit, before its units are answered. */
  readonly beforeAnswers: () => void
  /** What the next group has to wait for, if anything. */
  readonly hold: () => Promise<void> | undefined
}

/**
 * The only write path: waiting units run in one transaction. A failed unit is rolled back alone. All are answered only
 * after the commit, so an answered write is durable.
 *
 * Few units fail after they have written. When one does, the group starts over without it, each unit in a savepoint. A
 * unit may therefore run twice and must have no effects outside the database and its result. A savepoint for each unit
 * from the start would cost every write a copy of the pages that it changes.
 *
 * Values that several units of a group would overwrite are written once, before the commit (`CollectedWrites`).
 *
 * A unit may await only its database. Queries settle in microtasks, so a correct unit ends before the event loop turns,
 * unless it asks its group for a turn; any other is rolled back alone with UNIT_AWAITED.
 */
export class GroupCommit<Schema> {
  readonly #connection: Connection
  readonly #group: CollectedWrites<Schema>
  readonly #options: GroupOptions
  readonly #waiting: Unit<Schema>[] = []
  #running: Promise<void> | undefined
  /** Why nothing is accepted any more. */
  #refusal: StorageError | undefined
  /** One for all units of a turn. */
  #guard: NodeJS.Immediate | undefined
  /** Rejects the running unit. */
  #abandon: ((error: unknown) => void) | undefined
  #lastUnits = 0
  #units = 0
  #commits = 0

  constructor(connection: Connection, options: GroupOptions) {
    this.#connection = connection
    this.#group = new CollectedWrites(connection, bind<Schema>(connection, { open: true }), () => this.#turn())
    this.#options = options
  }

  /**
   * Runs a unit of work and resolves when it is durable.
   * @throws StorageError BUSY when the queue is full, CLOSED after close, UNIT_AWAITED
   */
  write<Value>(run: (db: Db<Schema>) => Promise<Value>): Promise<Value> {
    if (this.#refusal !== undefined) throw this.#refusal
    if (this.#waiting.length >= queueLimit)
      throw new StorageError('BUSY', 'Too many writes are waiting. Try again in a second.')
    return new Promise<Value>((resolve, reject) => {
      const answer = (outcome: Outcome) => (outcome.ok ? resolve(outcome.value as Value) : reject(outcome.error))
      this.#waiting.push({ run, answer })
      this.#running ??= this.#runGroups()
    })
  }

  /** How many units were run in how many commits, and how many wait. */
  get load(): { readonly units: number; readonly commits: number; readonly waiting: number } {
    return { units: this.#units, commits: this.#commits, waiting: this.#waiting.length }
  }

  /** Finishes accepted writes; refuses later ones. */
  async close(): Promise<void> {
    this.#refusal ??= new StorageError('CLOSED', 'The database is closed.')
    await this.#running
  }

  /** Refuses pending and later writes with an error; resolves once no group is running. */
  async refuse(error: StorageError): Promise<void> {
    this.#refusal = error
    for (const { answer } of this.#waiting.splice(0)) answer({ ok: false, error })
    await this.#running
  }

  async #runGroups(): Promise<void> {
    while (this.#waiting.length > 0) {
      await this.#gathered()
      await this.#options.hold()
      await this.#runGroup()
    }
    this.#running = undefined
  }

  /**
   * Waits for writes that are about to arrive: a turn takes microseconds, a commit most of a millisecond. Stops early
   * once as many units are pending as the last group had.
   */
  async #gathered(): Promise<void> {
    for (let turn = 0, quiet = 0; turn < maxTurns && quiet < quietTurns; turn++) {
      const before = this.#waiting.length
      await new Promise(resolve => setImmediate(resolve))
      if (this.#waiting.length > before) quiet = 0
      else if (this.#waiting.length >= this.#lastUnits && this.#lastUnits > 1) return
      else quiet++
    }
  }

  async #runGroup(): Promise<void> {
    const done: Entry<Schema>[] = []
    const end = performance.now() + groupMs
    let apart = false
    try {
      this.#connection.execute('begin immediate')
      this.#options.afterBegin()
      while (this.#waiting.length > 0 && done.length < groupUnits && performance.now() < end) {
        const unit = this.#waiting.shift()!
        const writes = this.#writes
        const entry: Entry<Schema> = { unit, outcome: unanswered }
        done.push(entry)
        entry.outcome = await (apart ? this.#runApart(unit) : this.#runUnit(unit))
        if (apart || entry.outcome.ok || this.#writes === writes) continue
        // Its writes can only be rolled back together with the earlier units', which therefore run again.
        apart = true
        this.#rollback()
        this.#connection.execute('begin immediate')
        for (const earlier of done) if (earlier.outcome.ok) earlier.outcome = await this.#runApart(earlier.unit)
      }
      await this.#group.finish()
      this.#options.beforeCommit()
      this.#connection.execute('commit')
    } catch (error) {
      this.#rollback()
      const fault = this.#options.storageFault(error)
      if (done.length === 0 && this.#waiting.length > 0)
        done.push({ unit: this.#waiting.shift()!, outcome: unanswered })
      for (const { unit } of done) unit.answer({ ok: false, error: fault })
      return
    }
    this.#lastUnits = done.length
    this.#units += done.length
    this.#commits++
    this.#options.beforeAnswers()
    for (const { unit, outcome } of done) unit.answer(outcome)
  }

  async #runUnit(unit: Unit<Schema>): Promise<Outcome> {
    const gate: Gate = { open: true }
    try {
      return { ok: true, value: await this.#withinTurn(unit.run(bind<Schema>(this.#connection, gate, this.#group))) }
    } catch (error) {
      // On a full disk or an I/O error, SQLite itself rolls back the whole transaction.
      if (!this.#connection.inTransaction) throw error
      return { ok: false, error: this.#options.storageFault(error) }
    } finally {
      gate.open = false
      this.#abandon = undefined
    }
  }

  /** Runs a unit in a savepoint, so that it can be rolled back alone. */
  async #runApart(unit: Unit<Schema>): Promise<Outcome> {
    this.#connection.execute('savepoint unit')
    const outcome = await this.#runUnit(unit)
    if (outcome.ok) await this.#group.finish()
    else {
      this.#group.forget()
      this.#connection.execute('rollback to unit')
    }
    this.#connection.execute('release unit')
    return outcome
  }

  /** Resolves like the unit, or rejects if the event loop turns first. */
  #withinTurn<Value>(running: Promise<Value>): Promise<Value> {
    return new Promise<Value>((resolve, reject) => {
      this.#watchTurn(reject)
      running.then(resolve, reject)
    })
  }

  /** Calls `abandon` when the event loop turns. */
  #watchTurn(abandon: (error: unknown) => void): void {
    this.#abandon = abandon
    this.#guard ??= setImmediate(() => {
      this.#guard = undefined
      this.#abandon?.(
        new StorageError('UNIT_AWAITED', 'A unit of work may await only its database; it was rolled back.'),
      )
    })
  }

  /** Yields to the event loop without abandoning the running unit, if there is one. */
  async #turn(): Promise<void> {
    const abandon = this.#abandon
    this.#abandon = undefined
    await new Promise(resolve => setImmediate(resolve))
    if (abandon !== undefined) this.#watchTurn(abandon)
  }

  /** A count that changes whenever a unit writes something. */
  get #writes(): number {
    return this.#connection.writes + this.#group.asked
  }

  #rollback(): void {
    this.#group.forget()
    if (this.#connection.inTransaction) this.#connection.execute('rollback')
  }
}
