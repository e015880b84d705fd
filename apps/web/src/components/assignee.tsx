import { useNames } from '../data/boards.ts'
import { messages } from '../messages/messages.ts'

interface AssigneeProps {
  readonly boardId: string
  readonly assigneeId: string | null
  readonly onChange: (id: string | null) => void
}

/** Who has a record: one of the board's people and agents, or nobody. */
export function Assignee({ boardId, assigneeId, onChange }: AssigneeProps) {
  const { data: names } = useNames(boardId)
  const agents = new Map(names)
  // An assignee may be anybody's name.
  if (assigneeId !== null && !agents.has(assigneeId)) agents.set(assigneeId, assigneeId)
  return (
    <select
      className="input"
      aria-label={messages.card.assignee}
      value={assigneeId ?? ''}
      onChange={event => onChange(event.target.value === '' ? null : event.target.value)}
    >
      <option value="">{messages.card.nobody}</option>
      {[...agents].map(([id, name]) => (
        <option key={id} value={id}>
          {name}
        </option>
      ))}
    </select>
  )
}
