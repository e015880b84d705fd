import { memo, useState } from 'react'
import { Icon } from '../../components/icon.tsx'
import type { CardStatus } from '../../data/cards.ts'
import { messages } from '../../messages/messages.ts'
import { Column } from './column.tsx'
import type { DragState } from './drag.ts'
import type { Lane } from './lanes.ts'

interface LaneViewProps {
  readonly lane: Lane
  /** Undefined if the board has only one lane. */
  readonly title: string | undefined
  readonly statuses: readonly CardStatus[]
  readonly folded: ReadonlySet<CardStatus>
  readonly drag: DragState
  readonly selected: ReadonlySet<string>
}

/** A row of columns. */
export const LaneView = memo(function LaneView({ lane, title, statuses, folded, drag, selected }: LaneViewProps) {
  const [isFolded, setFolded] = useState(false)
  return (
    <section className="lane" aria-label={title}>
      {title !== undefined && (
        <h3 className="lane-title">
          <button type="button" className="lane-fold" aria-expanded={!isFolded} onClick={() => setFolded(!isFolded)}>
            <span className={isFolded ? 'fold' : 'fold open'}>
              <Icon name="chevron" />
            </span>
            <span className="truncate" dir="auto">
              {title}
            </span>
            <span className="muted numbers">{messages.board.cardCount(lane.count)}</span>
          </button>
        </h3>
      )}
      {!isFolded && (
        <div className="columns">
          {statuses.map(status => (
            <Column
              key={status}
              status={status}
              cards={lane.columns.get(status) ?? noCards}
              isInLane={title !== undefined}
              isFolded={folded.has(status)}
              drag={drag}
              selected={selected}
            />
          ))}
        </div>
      )}
    </section>
  )
})

const noCards: readonly never[] = []
