import { useState } from 'react'
import { Link } from 'wouter'
import { addressOn } from '../../address.ts'
import { Button } from '../../components/button.tsx'
import { isPlanStatus, PlanStatusBadge } from '../../components/plan-status.tsx'
import { useNow } from '../../components/time.tsx'
import type { BoardListItem } from '../../data/boards.ts'
import { changing } from '../../data/needs.ts'
import { messages } from '../../messages/messages.ts'
import { type DatedRow, useDateChange } from './date-change.ts'
import { DatesDialog } from './dates-dialog.tsx'
import { todayOf } from './days.ts'
import { rowOf, type Span, type TimedSprint } from './plan.ts'

const texts = messages.timeline

interface UndatedProps {
  readonly board: BoardListItem
  readonly sprints: readonly TimedSprint[]
}

const unsettled: Span = { start: null, end: null }

/** Sprints without dates, which are not on the axis. */
export function Undated({ board, sprints }: UndatedProps) {
  const [dated, setDated] = useState<DatedRow>()
  const dating = useDateChange(board.id, todayOf(useNow()))
  if (sprints.length === 0) return null
  return (
    <section aria-labelledby="undated">
      <h2 id="undated" className="timeline-title">
        {texts.undated} <span className="muted numbers">{sprints.length}</span>
      </h2>
      <p className="muted timeline-lead">{texts.undatedLead}</p>
      <ul className="plain lines">
        {sprints.map(sprint => (
          <li key={sprint.id} className="line">
            <span className="ref">{sprint.ref}</span>
            <Link className="truncate grow" href={addressOn(board.key, 'sprint', sprint.ref)} dir="auto">
              {sprint.title}
            </Link>
            {isPlanStatus(sprint.status) && <PlanStatusBadge status={sprint.status} />}
            <Button
              needs={changing('sprint', sprint.status, 'start_date')}
              aria-label={texts.setDatesOf(sprint.ref)}
              onClick={() =>
                setDated({ kind: 'sprint', id: rowOf('sprint', sprint.id), ref: sprint.ref, span: unsettled })
              }
            >
              {texts.setDates}
            </Button>
          </li>
        ))}
      </ul>
      {dated !== undefined && (
        <DatesDialog
          of={dated}
          onSend={span => dating.mutateAsync({ of: dated, span })}
          onClose={() => setDated(undefined)}
        />
      )}
    </section>
  )
}
