import type { BoardListItem } from '../../data/boards.ts'
import type { PlanKind, PlanRecord } from '../../data/planning.ts'

/** A record as its page shows it. */
export interface ShownPlan {
  readonly board: BoardListItem
  readonly kind: PlanKind
  readonly record: PlanRecord
  /** The ETag of the record as shown, for edits. */
  readonly tag: string
}

/** Changes fields of a record that are independent, so that no merge is needed. */
export type Change = (fields: Readonly<Record<string, unknown>>) => Promise<unknown>
