import type { PlanStatus } from '../data/planning.ts'
import { messages } from '../messages/messages.ts'
import './plan-status.css'

/** How a status looks: not begun, being worked on, settled, or given up. */
const colours = {
  draft: 'grey',
  review: 'purple',
  approved: 'blue',
  evaluating: 'purple',
  validated: 'blue',
  in_progress: 'blue',
  active: 'blue',
  closed: 'green',
  done: 'green',
  cancelled: 'grey',
} as const satisfies Readonly<Record<PlanStatus, string>>

export const isPlanStatus = (status: string | null): status is PlanStatus =>
  status !== null && Object.hasOwn(colours, status)

/** The status of an ideation, refinement, spec or sprint, in words. */
export const PlanStatusBadge = ({ status }: { readonly status: PlanStatus }) => (
  <span className={`badge plan-status ${colours[status]} ${status}`}>{messages.planning.statuses[status]}</span>
)
