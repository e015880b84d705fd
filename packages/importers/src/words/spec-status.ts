import type { NeutralCard, NeutralSpec } from '../neutral.ts'

/** The status of a spec, from the status of a card in its source. */
export const specStatuses: Readonly<Record<NeutralCard['status'], NeutralSpec['status']>> = {
  not_started: 'draft',
  started: 'in_progress',
  in_progress: 'in_progress',
  validation: 'in_progress',
  on_hold: 'in_progress',
  done: 'done',
  cancelled: 'cancelled',
}
