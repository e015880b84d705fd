import type { Records } from './records.ts'

/** A time range, both ends inclusive. */
export interface Range {
  readonly from: string
  readonly to: string
}

/** The range that contains every time. */
export const always: Range = { from: '', to: '9999' }

/** Whether something was created in a range. */
export const isIn =
  ({ from, to }: Range) =>
  ({ created_at }: { readonly created_at: string }): boolean =>
    created_at >= from && created_at <= to

/** The records of a board that were created in a range. */
export const within = (records: Records, range: Range): Records => ({
  ...records,
  ideations: records.ideations.filter(isIn(range)),
  refinements: records.refinements.filter(isIn(range)),
  specs: records.specs.filter(isIn(range)),
  sprints: records.sprints.filter(isIn(range)),
  cards: records.cards.filter(isIn(range)),
})
