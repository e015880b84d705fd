import type { RuntimeSettingValues } from '@specboard/contract'
import type { RawBuilder } from 'kysely'
import type { Db } from '../../schema/database.ts'

/** How much a follower has yet to do, or what fails. */
export interface Backlog {
  /** The metric of it, and its description. */
  readonly metric: string
  readonly help: string
  /** Selects the number. */
  readonly count: RawBuilder<number>
  /** What is wrong with such a backlog, as a sentence without paths; undefined if nothing is. */
  readonly problem: (count: number, settings: RuntimeSettingValues) => string | undefined
}

/** What a rebuild uses of a service. */
export interface Rebuilder {
  /** Rebuilds the graph of a board; null if somebody else does. */
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
  /** What puts it right; undefined if nobody but an operator can. */
  readonly rebuild?: Rebuild
}

/** A check of `specboard doctor`, which reads the database alone. It finds nothing, one thing or several of its name. */
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
  /** Selects when the oldest that it has yet to do arrived; null where there is nothing to do. */
  readonly oldest?: RawBuilder<string | null>
  readonly backlog?: Backlog
  readonly checks?: readonly Check[]
}
