import { type KeyboardEvent, useRef } from 'react'
import { Calendar } from '../../components/calendar.tsx'
import { DateInput } from '../../components/date-input.tsx'
import { usePopover } from '../../components/popover.ts'
import { messages } from '../../messages/messages.ts'
import '../../components/menu.css'

interface DuePickerProps {
  readonly count: number
  readonly anchor: HTMLElement
  /** The day that is chosen already. */
  readonly day: string
  readonly onChoose: (day: string | null) => void
  readonly onClose: () => void
}

const texts = messages.list

/** Chooses a day, typed or in the calendar, or none. */
export default function DuePicker({ count, anchor, day, onChoose, onClose }: DuePickerProps) {
  const element = useRef<HTMLDivElement>(null)
  usePopover(element, anchor, onClose, opened => opened.querySelector('input'))
  return (
    <div
      ref={element}
      popover="auto"
      role="dialog"
      aria-label={texts.due(count)}
      className="menu calendar-popover"
      onKeyDown={event => {
        event.stopPropagation()
        if (event.key === 'Escape' || (event.key === 'Enter' && isSettled(event))) onClose()
        else return
        event.preventDefault()
      }}
    >
      <div className="stack">
        <DateInput
          label={texts.dueDate}
          value={day}
          hasCalendar={false}
          onChange={chosen => onChoose(chosen === '' ? null : chosen)}
        />
        <Calendar day={day} range={{}} dir={getComputedStyle(anchor).direction} onChoose={onChoose} />
        {(day !== '' || count > 1) && (
          <button type="button" className="button quiet" onClick={() => onChoose(null)}>
            {texts.removeDate}
          </button>
        )}
      </div>
    </div>
  )
}

/** Whether Enter was pressed in the field, and what stands there is a day. */
const isSettled = ({ target, defaultPrevented }: KeyboardEvent): boolean =>
  target instanceof HTMLInputElement && !defaultPrevented
