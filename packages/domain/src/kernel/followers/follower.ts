import type { ChangeNotice } from './change-notice.ts'

/** A follower's handlers for the kinds of notice that it wants. A rejected promise is reported. */
export type Wants = {
  readonly [Kind in keyof ChangeNotice]?: (notice: NonNullable<ChangeNotice[Kind]>) => unknown
}

/**
 * A part of the service that works in the background: it reacts to what happens, or does something from time to time.
 * Its pending work is stored, so that it continues after a crash.
 */
export interface Follower {
  /** The notices that it wants, even before it is started. */
  readonly wants?: Wants
  /** Whether it also works in a process without workers, such as that of a command. */
  readonly isInEveryProcess?: boolean
  /** Begins with the work left from before. */
  start?(): void | Promise<void>
  /** What is wrong with it, as sentences without paths. */
  faults?(): readonly string[]
  /** Ends its work; resolves once nothing is running. */
  stop?(): void | Promise<void>
}
