import type { BoardRemovals } from './removals.ts'

declare module '../../kernel/context.ts' {
  interface Environment {
    /** Removes deleted boards in the background. */
    readonly removals: BoardRemovals
  }
}
