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
