import { useNames } from '../data/boards.ts'
import { messages } from '../messages/messages.ts'
import { Guarded, type Guards } from './guarded.tsx'

interface AssigneeProps extends Guards {
  readonly boardId: string
  readonly assigneeId: string | null
  readonly onChange: (id: string | null) => void
}

/** Who has a record: one of the board's people and agents, or nobody. */
export function Assignee({ boardId, assigneeId, onChange, ...guards }: AssigneeProps) {
  const { data: names } = useNames(boardId)
  const agents = new Map(names)
  // An assignee may be anybody's name.
  if (assigneeId !== null && !agents.has(assigneeId)) agents.set(assigneeId, assigneeId)
  return (
    <Guarded {...guards}>
      {closed => (
        <select
          className="input"
          aria-label={messages.card.assignee}
          value={assigneeId ?? ''}
          onChange={event => onChange(event.target.value === '' ? null : event.target.value)}
          {...closed}
        >
          <option value="">{messages.card.nobody}</option>
          {[...agents].map(([id, name]) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </select>
      )}
    </Guarded>
  )
}
