import { cardStatuses } from '../data/cards.ts'
import { statusWords } from '../messages/status-words.ts'
import { isPlanStatus, PlanStatusBadge } from './plan-status.tsx'
import { Status } from './status.tsx'

interface RecordStatusProps {
  readonly isCard: boolean
  readonly status: string | null
}

/** The status of a record of any kind; renders nothing for a kind without a status. */
export function RecordStatus({ isCard, status }: RecordStatusProps) {
  const ofCard = isCard ? cardStatuses.find(one => one === status) : undefined
  if (ofCard !== undefined) return <Status status={ofCard} />
  if (status === null) return null
  if (isPlanStatus(status)) return <PlanStatusBadge status={status} />
  return <span className="badge">{statusWords(status)}</span>
}
