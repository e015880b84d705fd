import { useChoosable, useNameOf } from '../data/boards.ts'
import { messages } from '../messages/messages.ts'
import type { Guards } from './guarded.tsx'
import { Select } from './select.tsx'

interface AssigneeProps extends Guards {
  readonly boardId: string
  readonly assigneeId: string | null
  readonly onChange: (id: string | null) => void
}

/** The assignee of a record: one of the board's people and agents, or nobody. */
export function Assignee({ boardId, assigneeId, onChange, ...guards }: AssigneeProps) {
  const { data: names } = useChoosable(boardId)
  const nameOf = useNameOf(boardId)
  const agents = new Map(names)
  // An assignee may be any name, even one that is not listed.
  if (assigneeId !== null && !agents.has(assigneeId)) agents.set(assigneeId, nameOf(assigneeId))
  return (
    <Select
      label={messages.card.assignee}
      value={assigneeId ?? ''}
      none={messages.card.nobody}
      options={[...agents].map(([id, name]) => ({ value: id, label: name }))}
      onChange={id => onChange(id === '' ? null : id)}
      {...guards}
    />
  )
}
