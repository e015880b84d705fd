import type { ChangeNotice } from './change-notice.ts'

/** What a follower does about each kind of happening that it wants to know of. A rejected promise is reported. */
export type Wants = {
  readonly [Kind in keyof ChangeNotice]?: (what: NonNullable<ChangeNotice[Kind]>) => unknown
}

/**
 * A part of the service that works in the background: it follows what happens, or does something from time to time.
 * What it has yet to do is stored, so that it continues after a crash.
 */
export interface Follower {
  /** What it wants to know of, also before it is started. */
  readonly wants?: Wants
  /** Whether it also works in a process without workers, such as that of a command. */
  readonly isInEveryProcess?: boolean
  /** Begins with what is left from before. */
  start?(): void | Promise<void>
  /** What is wrong with it, as sentences without paths. */
  faults?(): readonly string[]
  /** Ends its work; resolves when nothing of it runs any more. */
  stop?(): void | Promise<void>
}
