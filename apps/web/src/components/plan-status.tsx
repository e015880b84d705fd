import type { CardStatus } from '../data/cards.ts'
import type { PlanStatus } from '../data/planning.ts'
import { messages } from '../messages/messages.ts'
import { StatusSign } from './status.tsx'
import './plan-status.css'

/** The clock icon of each status, by the card status with the same icon. */
const clocks = {
  draft: 'not_started',
  review: 'started',
  approved: 'started',
  evaluating: 'in_progress',
  validated: 'in_progress',
  in_progress: 'in_progress',
  active: 'in_progress',
  closed: 'done',
  done: 'done',
  cancelled: 'cancelled',
} as const satisfies Readonly<Record<PlanStatus, CardStatus>>

export const isPlanStatus = (status: string | null): status is PlanStatus =>
  status !== null && Object.hasOwn(clocks, status)

/** The status of an ideation, refinement, spec or sprint as a clock icon that fills. */
export const PlanStatusSign = ({ status }: { readonly status: PlanStatus }) => <StatusSign status={clocks[status]} />

/** The status of an ideation, refinement, spec or sprint, in words with its icon. */
export const PlanStatusBadge = ({ status }: { readonly status: PlanStatus }) => (
  <span className={`plan-status row status ${status}`}>
    <PlanStatusSign status={status} />
    {messages.planning.statuses[status]}
  </span>
)
