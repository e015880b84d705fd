import { type ChevronProps, DayPicker, type Matcher } from 'react-day-picker'
import { dates } from '../messages/format.ts'
import { locale } from '../messages/language.ts'
import { messages } from '../messages/messages.ts'
import { Icon } from './icon.tsx'
import { type DayRange, dayHere, midnightOf } from './typed-day.ts'
import './calendar.css'

const texts = messages.shell.date

const month = dates({ month: 'long', year: 'numeric' })
const weekday = dates({ weekday: 'long' })
const shortWeekday = dates({ weekday: 'short' })
const full = dates({ dateStyle: 'full' })

const weekdays = [0, 1, 2, 3, 4, 5, 6] as const

/** The first day of the week in the person's language; Monday if the browser does not know it. */
function firstWeekday() {
  const { firstDay } = new Intl.Locale(locale).getWeekInfo?.() ?? { firstDay: 1 }
  return weekdays[firstDay % weekdays.length] ?? 1
}

/** An arrow to the previous or next month; the styles mirror it in right-to-left languages. */
const Chevron = ({ orientation = 'left' }: ChevronProps) => (
  <span className={`calendar-chevron ${orientation}`}>
    <Icon name="chevron" />
  </span>
)

const components = { Chevron }

const formatters = {
  formatCaption: (at: Date) => month.format(at),
  formatWeekdayName: (at: Date) => shortWeekday.format(at),
}

const labels = {
  labelNav: () => texts.months,
  labelPrevious: () => texts.previous,
  labelNext: () => texts.next,
  labelGrid: (at: Date) => month.format(at),
  labelWeekday: (at: Date) => weekday.format(at),
  labelDayButton: (at: Date, { today = false, selected = false }: Readonly<Record<string, boolean>>) =>
    texts.day(full.format(at), { today, selected }),
}

/** The days outside a range, as midnights in the person's time zone. */
const outside = ({ min, max }: DayRange): Matcher[] => [
  ...(min === undefined ? [] : [{ before: midnightOf(min) }]),
  ...(max === undefined ? [] : [{ after: midnightOf(max) }]),
]

interface CalendarProps {
  /** The day that is chosen; empty if no day is chosen. */
  readonly day: string
  readonly range: DayRange
  readonly dir: string
  readonly onChoose: (day: string) => void
}

/** The day at which the arrow keys start. */
export const firstDayIn = (calendar: HTMLElement): HTMLElement | null =>
  calendar.querySelector<HTMLElement>('[role="grid"] button[tabindex="0"]')

/** A month to choose a day from, by pointer or by the keys of a grid. */
export function Calendar({ day, range, dir, onChoose }: CalendarProps) {
  const chosen = day === '' ? undefined : midnightOf(day)
  const month = chosen ?? nearestIn(range)
  return (
    <DayPicker
      className="calendar"
      mode="single"
      required
      selected={chosen}
      defaultMonth={month}
      disabled={outside(range)}
      onSelect={at => onChoose(dayHere(at))}
      weekStartsOn={firstWeekday()}
      showOutsideDays
      fixedWeeks
      dir={dir}
      lang={locale}
      formatters={formatters}
      labels={labels}
      components={components}
    />
  )
}

/** Today, or the nearest day within the range. */
function nearestIn({ min = '', max }: DayRange): Date {
  const today = dayHere(new Date())
  if (today < min) return midnightOf(min)
  return midnightOf(max !== undefined && today > max ? max : today)
}
