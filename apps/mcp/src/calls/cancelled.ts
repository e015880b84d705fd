import type { Outcome } from './results.ts'

/** Why the caller's abort ended the call: nothing was stored, and nobody waits for the answer. */
export class CancelledError extends Error {}

/** The outcome that the log shows for a cancelled call. */
export const cancelledOutcome: Outcome = {
  ok: false,
  error: { status: 499, detail: { error: 'CANCELLED', message: 'The caller cancelled; nothing was changed.' } },
}
