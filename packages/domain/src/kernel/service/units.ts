import { StorageError, type WriteOptions } from '@specboard/storage'
import type { Db } from '../../schema/database.ts'
import type { Schema } from '../../schema/tables.ts'
import { boardInPath, boardOfPath } from '../access/records.ts'
import type { Context, Environment } from '../context.ts'
import { PrerequisiteWork } from '../prerequisite-work.ts'
import type { Announcements } from './announcements.ts'
import type { Call } from './call.ts'
import type { ServiceDatabase } from './composition.ts'

/** Maximum number of attempts for a unit of work whose preparation others keep undoing. */
const maxAttempts = 8

/** The parts that are needed to commit units of work. */
export interface UnitParts {
  readonly database: ServiceDatabase
  /** Its leases are used when a unit of work takes a turn: reading threads have none. */
  readonly environment: Pick<Environment, 'leases'>
  readonly announcements: Announcements
  /** Fires when the service stops. */
  readonly ending: AbortSignal
  /** Called with failures of actions that run after a commit. */
  readonly onFault: (error: unknown) => void
}

/** Runs units of work: the writes of one call, in a transaction that succeeds or fails alone. */
export class Units {
  readonly #parts: UnitParts

  constructor(parts: UnitParts) {
    this.#parts = parts
  }

  /**
   * Commits a unit of work of a call, or of the service itself; then notifies the listeners and runs what was deferred
   * until it is durable.
   * @param options with the board that all changes belong to as `lock`, if the path of the call names none
   */
  async commit<Value>(
    settle: (db: Db) => Promise<Context>,
    run: (ctx: Context) => Promise<Value>,
    call?: Call,
    options: WriteOptions<Schema> = {},
  ): Promise<Value> {
    const { database, announcements, onFault } = this.#parts
    const { ctx, value } = await this.#write(
      async db => {
        const settled = await settle(db)
        return { ctx: settled, value: await run(settled) }
      },
      { ...(call !== undefined && { lock: lockOf(call) }), ...options },
    )
    announcements.recorded(ctx.recorded)
    for (const act of ctx.afterCommit) {
      try {
        await act(database)
      } catch (error) {
        onFault(error)
      }
    }
    return value
  }

  /** Runs an action while nobody else runs one under the same name, on any node. */
  inTurn<Value>(name: string, act: () => Promise<Value>): Promise<Value> {
    return this.#parts.environment.leases.inTurn(name, act, this.#parts.ending)
  }

  /** Runs a unit of work, after any preparatory work that it asks for. */
  async #write<Value>(run: (db: Db) => Promise<Value>, options: WriteOptions<Schema>): Promise<Value> {
    try {
      return await this.#parts.database.write(run, options)
    } catch (error) {
      if (!(error instanceof PrerequisiteWork)) throw error
      return this.inTurn(error.name, () => this.#writeAfterwards(run, options))
    }
  }

  /** The same, in turn with others that need the same preparation, so that none of them undoes it. */
  async #writeAfterwards<Value>(run: (db: Db) => Promise<Value>, options: WriteOptions<Schema>): Promise<Value> {
    for (let attempt = 1; attempt <= maxAttempts; attempt++) {
      try {
        return await this.#parts.database.write(run, options)
      } catch (error) {
        if (!(error instanceof PrerequisiteWork)) throw error
        await error.run(this.#parts.database)
      }
    }
    throw new StorageError('BUSY', 'Other writes keep getting in the way of this one. Try again in a second.')
  }
}

/** The board that a call locks, if its path names it; otherwise how to find it. */
const lockOf = ({ operation, input: { params } }: Call): NonNullable<WriteOptions<Schema>['lock']> =>
  boardInPath(operation, params) ?? (db => boardOfPath(db, operation, params))
