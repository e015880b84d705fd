import type { AnyOperation, Permission } from '@specboard/contract'
import type { Database, ReadWrite } from '../../schema/database.ts'
import type { Context } from '../context.ts'
import type { Runner } from '../implement.ts'

/** What a service needs from its database. */
export type ServiceDatabase = ReadWrite &
  Pick<Database, 'faultOf' | 'readTogether' | 'watchedVersion' | 'versionWithin' | 'announce' | 'onAnnounced'>

/** Finds the implementations of operations; the composition root supplies it. */
export interface Runners {
  /** The implementation of an operation, loaded on first use. */
  readonly runnerOf: (operation: AnyOperation) => Runner | Promise<Runner>
  /** The implementation of an operation that is already loaded; for units of work, which cannot wait for a load. */
  readonly loadedRunner: (operation: AnyOperation) => Runner
}

/** Refuses what the caller of an operation cannot see. */
export type VisibilityCheck = (ctx: Context, id: string, operation: AnyOperation) => Promise<void>

/** The parameters, query and body of a call. */
export interface CallParts {
  readonly params: Readonly<Record<string, unknown>>
  readonly query: Readonly<Record<string, unknown>>
  readonly body: unknown
}

/** Looks up the records that a call names besides those of its path; throws NOT_FOUND for a missing one. */
export type Finder = (ctx: Context, named: CallParts) => Promise<unknown>

/**
 * Says which permissions a call does not need after all, because of the record that it addresses; called only if the
 * caller lacks one.
 */
export type Opening = (ctx: Context, named: CallParts, isRepeated: boolean) => Promise<readonly Permission[]>

/** The permission that a call needs because it concerns others than its caller; null if it concerns the caller alone. */
export type ForOthers = (ctx: Context, named: CallParts) => Permission | null

/** The statuses that lead from one to another, ending with the latter; undefined if there is no such path. */
export type FindStatusPath = (from: string, to: string) => readonly string[] | undefined

/** The features' checks for records without a board, and for records that a call names outside its path. */
export interface Visibility {
  /** Checks for the records without a board in a path, by parameter. */
  readonly ownVisibility: Readonly<Record<string, VisibilityCheck>>
  /** Finders, by operation. */
  readonly finders: Readonly<Record<string, Finder>>
  /** What admits callers without all of an operation's permissions, by operation. */
  readonly openings: Readonly<Record<string, Opening>>
  /** What calls that concern others need, by operation that is otherwise open to every person. */
  readonly forOthers: Readonly<Record<string, ForOthers>>
  /** The paths of moves that pass through several statuses, by operation. */
  readonly ways: Readonly<Record<string, FindStatusPath>>
}
