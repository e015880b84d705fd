import { Empty } from '../empty.tsx'

interface NoMatchProps {
  readonly title: string
  /** What the button says that takes the filters away. */
  readonly clear: string
  readonly onClear: () => void
}

/** Instead of records: the filters let none through, and can be taken away. */
export const NoMatch = ({ title, clear, onClear }: NoMatchProps) => (
  <Empty title={title}>
    <button type="button" className="button" onClick={onClear}>
      {clear}
    </button>
  </Empty>
)
