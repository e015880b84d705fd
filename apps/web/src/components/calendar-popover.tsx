import { useRef } from 'react'
import { messages } from '../messages/messages.ts'
import { Calendar, firstDayIn } from './calendar.tsx'
import { usePopover } from './popover.ts'
import { type DayRange, dayHere } from './typed-day.ts'
import './menu.css'

const texts = messages.shell.date

interface CalendarPopoverProps {
  /** What is chosen here. */
  readonly label: string
  /** What opened it, where the focus returns. */
  readonly anchor: HTMLElement
  /** The field that it stands below. */
  readonly at: HTMLElement
  readonly day: string
  readonly range: DayRange
  readonly onChoose: (day: string) => void
  readonly onClose: () => void
}

/** A calendar below its field; Escape, a press outside and leaving it close it. */
export default function CalendarPopover({ label, anchor, at, day, range, onChoose, onClose }: CalendarPopoverProps) {
  const element = useRef<HTMLDivElement>(null)
  usePopover(element, anchor, onClose, firstDayIn, at)
  const today = dayHere(new Date())
  const isTodayIn = (range.min ?? today) <= today && today <= (range.max ?? today)
  return (
    <div
      ref={element}
      popover="auto"
      role="dialog"
      aria-label={label}
      className="menu calendar-popover"
      onKeyDown={event => {
        event.stopPropagation()
        if (event.key !== 'Escape') return
        event.preventDefault()
        onClose()
      }}
      onBlur={({ currentTarget, relatedTarget }) => {
        if (relatedTarget !== null && !currentTarget.contains(relatedTarget)) onClose()
      }}
    >
      <Calendar day={day} range={range} dir={getComputedStyle(at).direction} onChoose={onChoose} />
      <div className="calendar-foot">
        {isTodayIn && (
          <button type="button" className="button quiet" onClick={() => onChoose(today)}>
            {texts.today}
          </button>
        )}
        {day !== '' && (
          <button type="button" className="button quiet" onClick={() => onChoose('')}>
            {texts.remove}
          </button>
        )}
      </div>
    </div>
  )
}
