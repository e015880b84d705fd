import type { Json } from '@specboard/storage'
import { parseJson, toJson } from '../../lib/json.ts'
import type { Attempt } from '../../schema/contents.ts'

/** The error of a claim that took too long. */
export class ClaimTimeout extends Error {
  constructor() {
    super('The claim was not ended in time.')
    this.name = 'ClaimTimeout'
  }
}

/** The error of a claim whose process ended before the claim did. */
export class ProcessEnded extends Error {
  constructor() {
    super('The process ended while it worked on this record.')
    this.name = 'ProcessEnded'
  }
}

/**
 * Maximum number of processes that may end while they process an entry; after the last of them, the entry becomes a
 * dead letter (walls 3, rule 3).
 */
const maxEndedProcesses = 2

/** Maximum wait before the next attempt, seconds. */
const maxWait = 300

/** The wait before the next attempt, ms (knowledge-graph 4.3). */
export const backoffMs = (attempts: number): number => Math.min(2 ** attempts, maxWait) * 1_000

/** A failed attempt, as stored. */
export function attemptOf(error: unknown, attempt: number, now: string, withTrace: boolean): Attempt {
  const { name, message, stack } = error instanceof Error ? error : new Error(String(error))
  return {
    attempt,
    occurred_at: now,
    error_type: name.slice(0, 80),
    message: message.slice(0, 500),
    traceback: withTrace ? (stack?.slice(0, 2_000) ?? null) : null,
  }
}

/** The state of an entry after a failed attempt: it waits, or it becomes a dead letter. */
export type AfterFailure =
  | {
      readonly dead: false
      readonly attempts: number
      readonly errors: Json<Attempt[]>
      readonly last_error: string
      readonly next_retry_at: string
    }
  | { readonly dead: true; readonly attempts: number; readonly errors: Json<Attempt[]>; readonly last_error: string }

/** Decides what happens to an entry after a failed attempt. */
export function afterFailure(
  entry: { readonly attempts: number; readonly errors: Json<Attempt[]> },
  error: unknown,
  {
    nowMs,
    maxAttempts,
    withTrace,
  }: { readonly nowMs: number; readonly maxAttempts: number; readonly withTrace: boolean },
): AfterFailure {
  const attempts = entry.attempts + 1
  const attempt = attemptOf(error, attempts, new Date(nowMs).toISOString(), withTrace)
  const all = [...parseJson(entry.errors), attempt]
  const ended = all.filter(({ error_type }) => error_type === ProcessEnded.name).length
  const failed = {
    attempts,
    errors: toJson(all),
    last_error: `${attempt.error_type}: ${attempt.message}`,
  }
  if (attempts >= maxAttempts || ended >= maxEndedProcesses) return { dead: true, ...failed }
  return { dead: false, ...failed, next_retry_at: new Date(nowMs + backoffMs(attempts)).toISOString() }
}
