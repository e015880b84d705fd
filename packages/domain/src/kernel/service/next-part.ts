import { isReading } from '@specboard/contract'
import { Context, type Environment } from '../context.ts'
import { DomainError } from '../errors.ts'
import type { Answer, Call, NextPartOf } from './call.ts'
import type { ServiceDatabase } from './composition.ts'
import { nowhere } from './nobody.ts'

/** What is needed to find who acts next after a call. */
export interface NextPartParts {
  readonly database: ServiceDatabase
  readonly environment: Environment
  /** Loads the implementation, on first use. */
  readonly nextParts: () => Promise<NextPartOf>
  readonly onFault: (error: unknown) => void
}

/**
 * Adds to an answer who acts next, where that is called for: over MCP, and for a judged card (crew 4.1, 4.4). The write
 * is not undone, whatever happens to its record in the meantime.
 */
export async function withNextPart(parts: NextPartParts, call: Call, answer: Answer): Promise<Answer> {
  const { database, environment, nextParts, onFault } = parts
  const { caller, operation, input, within, origin = 'http' } = call
  const inBody = operation.name === 'submit_task_validation'
  if (caller === null || isReading(operation) || (origin !== 'mcp' && !inBody)) return answer
  const { mayHandOver, nextPart } = await nextParts()
  if (!mayHandOver(call)) return answer
  try {
    const next = await database.read(async db =>
      nextPart(new Context(db, caller, nowhere, environment, { origin, within }), { operation, input }, answer.body),
    )
    if (next === null) return answer
    const body = inBody ? { ...(answer.body as object), next: next.next } : answer.body
    return { ...answer, next, ...(body !== undefined && { body }) }
  } catch (error) {
    if (!(error instanceof DomainError)) onFault(error)
    return answer
  }
}
