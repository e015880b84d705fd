import { messages } from '../messages/messages.ts'
import { Calendar, firstDayIn } from './calendar.tsx'
import { CalendarDialog } from './calendar-dialog.tsx'
import { type DayRange, dayHere } from './typed-day.ts'

const texts = messages.shell.date

interface CalendarPopoverProps {
  /** Names what is chosen here. */
  readonly label: string
  /** The element that opened it, to which the focus returns. */
  readonly anchor: HTMLElement
  /** The field below which it is shown. */
  readonly at: HTMLElement
  readonly day: string
  readonly range: DayRange
  readonly onChoose: (day: string) => void
  readonly onClose: () => void
}

/** A calendar below its field. Escape, a click outside and moving the focus out of it close it. */
export default function CalendarPopover({ label, anchor, at, day, range, onChoose, onClose }: CalendarPopoverProps) {
  const today = dayHere(new Date())
  const isTodayIn = (range.min ?? today) <= today && today <= (range.max ?? today)
  return (
    <CalendarDialog
      label={label}
      anchor={anchor}
      at={at}
      first={firstDayIn}
      onClose={onClose}
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
    </CalendarDialog>
  )
}
