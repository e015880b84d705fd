import type { Call } from './kernel/service/call.ts'

/** The longest page of a list that is still read at once. */
const longestPage = 500

/**
 * Whether a call reads much when much is stored: a whole board, or a list without a limit to speak of.
 * @param inSteps whether it is implemented in steps; those of a list await nothing but the database
 */
export function isWideRead({ operation, input }: Call, inSteps: boolean): boolean {
  // A call that may wait for something to do is one in steps, and reads at once where it does not wait.
  if (operation.reads === 'board') return !inSteps || input.query.wait_ms === 0
  if (operation.reads !== 'page') return false
  const { limit } = input.query
  return typeof limit !== 'number' || limit > longestPage
}
