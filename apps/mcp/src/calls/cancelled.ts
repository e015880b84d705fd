import type { Outcome } from './results.ts'

/** Why a call ends that its caller gave up: nothing of it was stored, and nobody hears its answer. */
export class Cancelled extends Error {}

/** What the log shows of a cancelled call. */
export const cancelledOutcome: Outcome = {
  ok: false,
  error: { status: 499, detail: { error: 'CANCELLED', message: 'The caller gave up; nothing was changed.' } },
}
