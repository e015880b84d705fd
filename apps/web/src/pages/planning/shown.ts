import type { BoardListItem } from '../../data/boards.ts'
import type { PlanKind, PlanRecord } from '../../data/planning.ts'

/** A record as its page shows it. */
export interface ShownPlan {
  readonly board: BoardListItem
  readonly kind: PlanKind
  readonly record: PlanRecord
  /** The tag of the record as it is shown, for edits. */
  readonly tag: string
}

/** Changes fields of a record that stand alone, so that they need no merging. */
export type Change = (fields: Readonly<Record<string, unknown>>) => Promise<unknown>
