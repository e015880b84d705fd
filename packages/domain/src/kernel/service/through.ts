/** Moves through several statuses in one call (crew 4.7). */
import { DomainError } from '../errors.ts'
import type { Answer, Call } from './call.ts'
import type { FindStatusPath } from './composition.ts'

/** The body of a move that may go through several statuses. */
interface MoveBody {
  readonly status: string
  readonly through?: boolean
}

/** Whether a call moves through several statuses. */
export const goesThrough = ({ input }: Call): boolean => (input.body as MoveBody | undefined)?.through === true

/**
 * The calls that a move consists of, one for each status on its path; the move itself, without `through`, if no path
 * leads there. The state that the caller started from is compared before the first step, and an Idempotency-Key stores
 * the answer of the last.
 */
export function stepsOf(call: Call, way: FindStatusPath, from: string | null): Call[] {
  const { through: _, ...body } = call.input.body as MoveBody
  const statuses = (from === null ? undefined : way(from, body.status)) ?? [body.status]
  return statuses.map((status, index) => ({
    ...call,
    input: { ...call.input, body: { ...body, status } } as Call['input'],
    ...(index > 0 && { ifMatch: undefined, expectedRev: undefined }),
    ...(index < statuses.length - 1 && { idempotency: undefined }),
  }))
}

/**
 * Performs the steps of a move in order.
 * @throws DomainError of the first step that is refused, with `reached` if an earlier one succeeded
 */
export async function performSteps(steps: readonly Call[], perform: (step: Call) => Promise<Answer>): Promise<Answer> {
  let answer: Answer | undefined
  let reached: string | undefined
  for (const step of steps) {
    try {
      answer = await perform(step)
    } catch (error) {
      if (reached === undefined || !(error instanceof DomainError)) throw error
      throw new DomainError(error.code, error.message, { ...error.extra, reached })
    }
    reached = (step.input.body as MoveBody).status
  }
  return answer!
}
