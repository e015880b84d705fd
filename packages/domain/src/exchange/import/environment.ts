import type { ClosedBoards } from './closed-boards.ts'

declare module '../../kernel/context.ts' {
  interface Environment {
    /** What closes a board on all nodes while an import is put in place. */
    readonly closedBoards: ClosedBoards
  }
}
