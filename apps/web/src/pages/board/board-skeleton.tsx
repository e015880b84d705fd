import { StatusSign } from '../../components/status.tsx'
import { cardStatuses } from '../../data/cards.ts'
import { messages } from '../../messages/messages.ts'

/** Placeholder columns, until the cards are read. */
export const BoardSkeleton = () => (
  <div className="lanes single" aria-busy="true">
    <span className="hidden">{messages.shell.loading}</span>
    <div className="columns" aria-hidden="true">
      {cardStatuses.slice(0, 5).map((status, column) => (
        <div key={status} className="column">
          <div className="column-head">
            <StatusSign status={status} />
            <span className="column-title">{messages.board.statuses[status]}</span>
          </div>
          {Array.from({ length: 3 - (column % 3) }, (_, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: nothing moves here
            <div key={index} className="tile tile-skeleton">
              <span className="skeleton" />
              <span className="skeleton" />
              <span className="skeleton" />
            </div>
          ))}
        </div>
      ))}
    </div>
  </div>
)
