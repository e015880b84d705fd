import type { RuntimeSettingValues } from '@specboard/contract'
import type { RawBuilder } from 'kysely'
import type { Db } from '../../schema/database.ts'

/** How much a follower has yet to do, or what fails. */
export interface Backlog {
  /** The name of its metric, and the metric's description. */
  readonly metric: string
  readonly help: string
  /** Selects the number. */
  readonly count: RawBuilder<number>
  /** What is wrong with such a backlog, as a sentence without paths; undefined if nothing is. */
  readonly problem: (count: number, settings: RuntimeSettingValues) => string | undefined
}

/** The part of a service that a rebuild uses. */
export interface Rebuilder {
  /** Rebuilds the graph of a board; null if another rebuild is already running. */
  rebuild(boardId: string): Promise<{ readonly errors: readonly string[] } | null>
}

/** How derived data is rebuilt: with the database only, or with the graph of a service. Each returns what it did. */
export type Rebuild = {
  /** What it does, as in "doctor --fix builds it anew". */
  readonly does: string
} & ({ readonly inDatabase: (db: Db) => Promise<string> } | { readonly inGraph: (graph: Rebuilder) => Promise<string> })

/** What a check found. */
export interface CheckResult {
  readonly ok: boolean
  readonly says: string
  /** The rebuild that fixes it; undefined if only an operator can fix it. */
  readonly rebuild?: Rebuild
}

/**
 * A check of `specboard doctor`, which reads only the database. It returns no result, one result or several results
 * under its name.
 */
export interface Check {
  readonly name: string
  /** What a problem affects: derived data, or a configuration. */
  readonly stake: 'derived' | 'setup'
  readonly look: (db: Db) => Promise<readonly CheckResult[]>
}

/** The facts about a follower in the database, whether or not the service is running. */
export interface FollowerFacts {
  /** Its name in metrics. */
  readonly name: string
  /** Selects when the oldest of its pending work arrived; null if there is nothing to do. */
  readonly oldest?: RawBuilder<string | null>
  readonly backlog?: Backlog
  readonly checks?: readonly Check[]
}
