import type { KeyboardEvent } from 'react'
import { Calendar } from '../../components/calendar.tsx'
import { CalendarDialog } from '../../components/calendar-dialog.tsx'
import { DateInput } from '../../components/date-input.tsx'
import { messages } from '../../messages/messages.ts'

interface DuePickerProps {
  readonly count: number
  readonly anchor: HTMLElement
  /** The day that is chosen already. */
  readonly day: string
  readonly onChoose: (day: string | null) => void
  readonly onClose: () => void
}

const texts = messages.list

/** Chooses a day, by typing or in the calendar, or no day. */
export default function DuePicker({ count, anchor, day, onChoose, onClose }: DuePickerProps) {
  return (
    <CalendarDialog
      label={texts.due(count)}
      anchor={anchor}
      first={opened => opened.querySelector('input')}
      closesOn={isSettled}
      onClose={onClose}
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
    </CalendarDialog>
  )
}

/** Whether Enter was pressed in the field while it contains a day. */
const isSettled = ({ key, target, defaultPrevented }: KeyboardEvent): boolean =>
  key === 'Enter' && target instanceof HTMLInputElement && !defaultPrevented
