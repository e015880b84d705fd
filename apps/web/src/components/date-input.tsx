import { type KeyboardEvent, useState } from 'react'
import { loadAhead } from '../later.ts'
import { locale } from '../messages/language.ts'
import { messages } from '../messages/messages.ts'
import { Guarded } from './guarded.tsx'
import { Icon } from './icon.tsx'
import { opening } from './part.tsx'
import { type DayRange, dayHere, formIn, inForm, typedDay, writtenDay } from './typed-day.ts'
import { type ParsedText, TypedInput, type TypedProps, useTyped } from './typed-input.tsx'
import './date-input.css'

const CalendarPopover = opening(() => import('./calendar-popover.tsx'))

const loadCalendar = () => void loadAhead(CalendarPopover)

const texts = messages.shell.date
const form = formIn(locale)
const pattern = inForm(form, part => texts.letters[part])

/** The value is a day as YYYY-MM-DD, or empty for no day. It can also be chosen in a calendar, or removed. */
export interface DateInputProps extends TypedProps, DayRange {
  /** Whether a button opens a calendar. */
  readonly hasCalendar?: boolean
}

/** A date, typed as the language writes it or chosen in a calendar; locked for people who may not choose. */
export function DateInput(props: DateInputProps) {
  const { label, min, max, needs, allowed, hasCalendar = true } = props
  const typed = useTyped(props, {
    read: text => readDay(text, { min, max }),
    write: day => writtenDay(form, day),
  })
  const [calendarAt, setCalendarAt] = useState<HTMLElement>()
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.key !== 'ArrowDown' || !hasCalendar) return
    event.preventDefault()
    setCalendarAt(event.currentTarget)
  }
  return (
    <Guarded needs={needs} allowed={allowed}>
      {closed => (
        <TypedInput
          {...props}
          typed={typed}
          closed={closed}
          className="date-input"
          placeholder={pattern}
          onFocus={loadCalendar}
          onKeyDown={onKeyDown}
        >
          {closed === undefined && (
            <span className="date-signs">
              {typed.text !== '' && (
                <button
                  type="button"
                  className="date-sign"
                  aria-label={texts.clear(label)}
                  onClick={() => typed.choose('')}
                >
                  <Icon name="close" size={14} />
                </button>
              )}
              {hasCalendar && (
                <button
                  type="button"
                  className="date-sign"
                  aria-label={texts.open(label)}
                  aria-haspopup="dialog"
                  aria-expanded={calendarAt !== undefined}
                  onFocus={loadCalendar}
                  onClick={event => setCalendarAt(event.currentTarget)}
                >
                  <Icon name="calendar" size={14} />
                </button>
              )}
            </span>
          )}
          {calendarAt !== undefined && (
            <CalendarPopover
              label={label}
              anchor={calendarAt}
              at={typed.input.current!}
              day={typed.value}
              range={{ min, max }}
              onChoose={chosen => {
                setCalendarAt(undefined)
                typed.choose(chosen)
              }}
              onClose={() => setCalendarAt(undefined)}
            />
          )}
        </TypedInput>
      )}
    </Guarded>
  )
}

/** What was typed, as a day within its range; an empty text means no day. */
function readDay(text: string, { min, max }: DayRange): ParsedText {
  const today = dayHere(new Date())
  if (text.trim() === '') return { value: '' }
  const day = typedDay(form, text, today)
  if (day === undefined) return { fault: texts.unknown(writtenDay(form, today)) }
  if (min !== undefined && day < min) return { fault: texts.tooEarly(writtenDay(form, min)) }
  if (max !== undefined && day > max) return { fault: texts.tooLate(writtenDay(form, max)) }
  return { value: day }
}
