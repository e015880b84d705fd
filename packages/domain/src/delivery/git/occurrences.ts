/** What happened to changes that are linked to cards, and who is notified (git 7). */
import type { Context } from '../../kernel/context.ts'
import type { ChangesTable, RepositoriesTable } from '../../schema/tables.ts'

/** Something that happened to a change. */
export type Occurrence =
  /** A commit or branch was linked to a card; a link made by hand does not move the card. */
  | { readonly what: 'linked'; readonly change: ChangesTable; readonly card: string; readonly byHand?: true }
  /** A pull request was opened, or is no longer a draft. */
  | { readonly what: 'opened'; readonly change: ChangesTable }
  | { readonly what: 'merged'; readonly change: ChangesTable }

/** The source of changes. */
export type ChangeSource =
  | { readonly delivery_id: string }
  /** `agent` is whose work it is if no author is named; null for a pipeline. */
  | { readonly recorded_by: string; readonly agent: string | null }

/** What happened to changes of a repository by one event or call. */
export interface ChangesHappened {
  readonly repository: RepositoriesTable
  readonly occurrences: readonly Occurrence[]
  readonly source: ChangeSource
}

declare module '../../kernel/context.ts' {
  interface Environment {
    /** Called with what happened to changes, in the same transaction. */
    readonly onChanges: (ctx: Context, happened: ChangesHappened) => Promise<void>
  }
}
