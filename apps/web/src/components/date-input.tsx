import { type KeyboardEvent, Suspense, useEffect, useId, useLayoutEffect, useRef, useState } from 'react'
import { later, loadAhead } from '../later.ts'
import { locale } from '../messages/language.ts'
import { messages } from '../messages/messages.ts'
import { useDrafted } from './drafted.ts'
import { Guarded, type Guards } from './guarded.tsx'
import { Icon } from './icon.tsx'
import { type DayRange, dayHere, formIn, inForm, typedDay, writtenDay } from './typed-day.ts'
import './date-input.css'

const CalendarPopover = later(() => import('./calendar-popover.tsx'))

const loadCalendar = () => void loadAhead(CalendarPopover)

const texts = messages.shell.date
const form = formIn(locale)
const pattern = inForm(form, part => texts.letters[part])

export interface DateInputProps extends Guards, DayRange {
  /** For screen readers, where there is no visible label. */
  readonly label: string
  readonly id?: string
  /** A day as YYYY-MM-DD; empty for none. */
  readonly value?: string
  /** The day at first, in a form that is read when it is sent. */
  readonly defaultValue?: string
  /** The name of the field in its form. */
  readonly name?: string
  /** Called once a day is typed in full and the field is left, or a day is chosen or removed. */
  readonly onChange?: (day: string) => void
  /** Whether a button opens a calendar. */
  readonly hasCalendar?: boolean
}

/** A date, typed as the language writes it or chosen in a calendar; locked for people who may not choose. */
export function DateInput(props: DateInputProps) {
  const { label, id, name, min, max, needs, allowed, hasCalendar = true } = props
  const { day, read, text, fault, type, choose, settle, refuse } = useTypedDay(props)
  const [calendarAt, setCalendarAt] = useState<HTMLElement>()
  const input = useRef<HTMLInputElement>(null)
  const faultId = useId()
  useLayoutEffect(() => input.current!.setCustomValidity('fault' in read ? read.fault : ''))
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.key === 'Enter' && !settle()) event.preventDefault()
    else if (event.key === 'ArrowDown' && hasCalendar) {
      event.preventDefault()
      setCalendarAt(event.currentTarget)
    }
  }
  return (
    <Guarded needs={needs} allowed={allowed}>
      {closed => (
        <div className="date-input">
          <input
            ref={input}
            id={id}
            className="input"
            autoComplete="off"
            aria-label={id === undefined ? label : undefined}
            aria-invalid={fault === undefined ? undefined : true}
            aria-describedby={fault === undefined ? undefined : faultId}
            placeholder={pattern}
            maxLength={24}
            value={text}
            onChange={event => type(event.target.value)}
            onFocus={loadCalendar}
            onBlur={settle}
            onKeyDown={onKeyDown}
            onInvalid={event => {
              // In our own words below the field, not in a bubble of the browser.
              event.preventDefault()
              event.currentTarget.focus()
              refuse()
            }}
            {...closed}
          />
          {name !== undefined && <SentDay name={name} day={'fault' in read ? '' : read.day} />}
          {closed === undefined && (
            <span className="date-signs">
              {text !== '' && (
                <button type="button" className="date-sign" aria-label={texts.clear(label)} onClick={() => choose('')}>
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
          {fault !== undefined && (
            <span id={faultId} className="date-fault" role="alert">
              {fault}
            </span>
          )}
          {calendarAt !== undefined && (
            <Suspense>
              <CalendarPopover
                label={label}
                anchor={calendarAt}
                at={input.current!}
                day={day}
                range={{ min, max }}
                onChoose={chosen => {
                  setCalendarAt(undefined)
                  choose(chosen)
                }}
                onClose={() => setCalendarAt(undefined)}
              />
            </Suspense>
          )}
        </div>
      )}
    </Guarded>
  )
}

type Read = { readonly day: string } | { readonly fault: string }

/** What was typed, as a day within its range; nothing typed is no day. */
function readDay(text: string, { min, max }: DayRange): Read {
  const today = dayHere(new Date())
  if (text.trim() === '') return { day: '' }
  const day = typedDay(form, text, today)
  if (day === undefined) return { fault: texts.unknown(writtenDay(form, today)) }
  if (min !== undefined && day < min) return { fault: texts.tooEarly(writtenDay(form, min)) }
  if (max !== undefined && day > max) return { fault: texts.tooLate(writtenDay(form, max)) }
  return { day }
}

/** The day of a field, and what is typed until it is one. */
function useTypedDay({ value, defaultValue = '', name, min, max, onChange }: DateInputProps) {
  const [drafted] = useDrafted(name) ?? []
  const [own, setOwn] = useState(drafted ?? defaultValue)
  const [typed, setTyped] = useState<string>()
  const [isRefused, setRefused] = useState(false)
  const day = value ?? own
  const read: Read = typed === undefined ? { day } : readDay(typed, { min, max })
  const choose = (next: string) => {
    setOwn(next)
    setTyped(undefined)
    setRefused(false)
    if (next !== day) onChange?.(next)
  }
  const settle = (): boolean => {
    if ('fault' in read) setRefused(true)
    else if (typed !== undefined) choose(read.day)
    return 'day' in read
  }
  return {
    day,
    read,
    text: typed ?? (day === '' ? '' : writtenDay(form, day)),
    fault: isRefused && 'fault' in read ? read.fault : undefined,
    type: setTyped,
    choose,
    settle,
    refuse: () => setRefused(true),
  }
}

/** The day as its form sends it, and keeps it as a draft. */
function SentDay({ name, day }: { readonly name: string; readonly day: string }) {
  const field = useRef<HTMLInputElement>(null)
  const before = useRef(day)
  useEffect(() => {
    if (before.current === day) return
    before.current = day
    field.current!.dispatchEvent(new Event('input', { bubbles: true }))
  }, [day])
  return <input ref={field} name={name} value={day} readOnly hidden />
}
