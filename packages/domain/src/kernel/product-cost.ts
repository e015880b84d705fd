import { issueItem } from '@specboard/contract'
import { InvalidInput } from './errors.ts'

/** Maximum number of steps that lists sent by callers may cost in combination (walls 3, rule 4). */
export const maxSteps = 1_000_000

/**
 * Refuses work on each pair of items of two lists when that would take too many steps.
 * @param loc the part of the call that can reduce it
 * @param instead what the caller can do
 * @throws InvalidInput
 */
export function refuseProduct(
  loc: readonly (string | number)[],
  [some, others]: readonly [some: number, others: number],
  instead: string,
): void {
  if (some * others <= maxSteps) return
  const message = `This would take ${some} × ${others} steps, and at most ${maxSteps} are allowed. ${instead}`
  throw new InvalidInput([issueItem([...loc], 'too_long', message, { max_length: maxSteps })])
}
