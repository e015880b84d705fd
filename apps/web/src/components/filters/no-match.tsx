import { messages } from '../../messages/messages.ts'
import { Empty } from '../empty.tsx'

interface NoMatchProps {
  readonly title: string
  readonly onClear: () => void
}

/** Instead of records: the filters let none through, and can be taken away. */
export const NoMatch = ({ title, onClear }: NoMatchProps) => (
  <Empty title={title}>
    <button type="button" className="button" onClick={onClear}>
      {messages.board.filters.clear}
    </button>
  </Empty>
)
