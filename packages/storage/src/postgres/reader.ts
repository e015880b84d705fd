import type { Db } from '../db.ts'
import type { DatabaseReader, StatementLimits } from '../store.ts'
import { Connections, defaultLimits, limitedBy, type PostgresConnection } from './connections.ts'
import { isBroken, mayRunAgain } from './faults.ts'
import { reading } from './transaction.ts'

/**
 * The settings of its connections: a query is planned once instead of for the values of each call, which saves a third
 * of the time of a short list.
 */
export const plannedOnce = `set plan_cache_mode = force_generic_plan`

/** The options of a reader. */
export interface PostgresReaderOptions {
  /** How many connections it makes. */
  readonly max: number
  /**
   * Whether its thread blocks between reads without turning the event loop, as in a thread pool: then nothing may be
   * left unsent, or a transaction would stay open.
   */
  readonly rests?: boolean
  /** Limits on how long a statement may run; by default the usual ones. */
  readonly limits?: StatementLimits | undefined
  /** Called when a connection is lost. */
  readonly onLoss?: (error: Error) => void
}

/** Reads on connections of its own. */
export class PostgresReader<Schema> implements DatabaseReader<Schema> {
  readonly #connections: Connections
  readonly #rests: boolean
  readonly #maxRuns: number

  constructor(url: string, { max, rests = false, limits = defaultLimits, onLoss = () => {} }: PostgresReaderOptions) {
    this.#connections = new Connections(url, max, onLoss, `${limitedBy(limits)}; ${plannedOnce}`)
    this.#rests = rests
    // After a migration by another node, every connection may have outdated statements, and is replaced once it reports
    // that.
    this.#maxRuns = max + 1
  }

  async read<Value>(run: (db: Db<Schema>) => Promise<Value>): Promise<Value> {
    for (let runs = 1; ; runs++) {
      try {
        return await this.#once(run)
      } catch (error) {
        if (!mayRunAgain(error) || runs === this.#maxRuns) throw error
      }
    }
  }

  #once<Value>(run: (db: Db<Schema>) => Promise<Value>): Promise<Value> {
    return this.#connections.with(connection => reading(connection, run, this.#rests ? 'now' : 'later'), isBroken)
  }

  /** Runs a single statement outside any unit of work, whose connections may all be in use. */
  beside<Value>(run: (connection: PostgresConnection) => Promise<Value>): Promise<Value> {
    return this.#connections.with(run, isBroken)
  }

  /** Drops all connections as they are returned. */
  renew(): void {
    this.#connections.renew()
  }

  get load(): Connections['load'] {
    return this.#connections.load
  }

  close(): Promise<void> {
    return this.#connections.close()
  }
}
