import { messages } from '../../messages/messages.ts'
import { Empty } from '../empty.tsx'

interface NoMatchProps {
  readonly title: string
  readonly onClear: () => void
}

/** Shown when no record passes the filters, with a button that clears them. */
export const NoMatch = ({ title, onClear }: NoMatchProps) => (
  <Empty title={title}>
    <button type="button" className="button" onClick={onClear}>
      {messages.board.filters.clear}
    </button>
  </Empty>
)
