import type { Call } from './kernel/service/call.ts'

/** The longest page of a list that is still read at once. */
const maxPageLength = 500

/**
 * Whether a call reads a lot when a lot is stored: a whole board, or a list with a high limit or none.
 * @param inSteps whether it is implemented in steps; those of a list await nothing but the database
 */
export function isWideRead({ operation, input }: Call, inSteps: boolean): boolean {
  // A call that may wait for something to do is implemented in steps, and reads at once if it does not wait.
  if (operation.reads === 'board') return !inSteps || input.query.wait_ms === 0
  if (operation.reads !== 'page') return false
  const { limit } = input.query
  return typeof limit !== 'number' || limit > maxPageLength
}
