/** The form in which days are typed and shown in a language. A day is YYYY-MM-DD, as records have it. */
export interface DayForm {
  /** The parts of a date in their order. */
  readonly order: readonly Part[]
  /** The text between and after them. */
  readonly separators: readonly string[]
}

export type Part = 'year' | 'month' | 'day'

/** The first and the last day that may be chosen. */
export interface DayRange {
  readonly min?: string | undefined
  readonly max?: string | undefined
}

const isPart = (type: string): type is Part => type === 'year' || type === 'month' || type === 'day'

const options = {
  year: 'numeric',
  month: '2-digit',
  day: '2-digit',
  timeZone: 'UTC',
  calendar: 'gregory',
  numberingSystem: 'latn',
} as const

/** The form of a language: 31.12.2026 in German, 12/31/2026 in the English of the United States. */
export function formIn(locale: string): DayForm {
  const parts = new Intl.DateTimeFormat(locale, options).formatToParts(0)
  const order = parts.flatMap(({ type }) => (isPart(type) ? [type] : []))
  const separators = parts.filter(({ type }) => type === 'literal').map(({ value }) => value)
  return { order, separators }
}

const lengths = { year: 4, month: 2, day: 2 } as const

/** A text for each part, put together in the form of the language. */
export const inForm = ({ order, separators }: DayForm, textOf: (part: Part) => string): string =>
  order.map((part, index) => textOf(part) + (separators[index] ?? '')).join('')

/** A day in the form of the language. */
export function writtenDay(form: DayForm, day: string): string {
  const [year = '', month = '', dayOfMonth = ''] = day.split('-')
  const parts = { year, month, day: dayOfMonth }
  return inForm(form, part => parts[part])
}

/**
 * The day that was typed: in the form of the language with any signs between its parts, or as YYYY-MM-DD. A year may
 * have two digits, or be left out, which means the current year. Undefined if it is not a day.
 */
export function typedDay({ order }: DayForm, text: string, today: string): string | undefined {
  const numbers = text.split(/\D/).filter(digits => digits !== '')
  const isYearFirst = numbers[0]?.length === lengths.year
  const named = isYearFirst ? (['year', 'month', 'day'] as const) : order.filter(withYear(numbers.length))
  if (numbers.length !== named.length || /\p{L}/u.test(text)) return undefined
  const numberOf = (part: Part): string | undefined => numbers[named.indexOf(part)]
  const year = fullYear(numberOf('year') ?? today.slice(0, lengths.year), today)
  const [month = '', day = ''] = [numberOf('month'), numberOf('day')].map(digits => digits?.padStart(2, '0'))
  return existing(`${year}-${month}-${day}`)
}

const withYear =
  (count: number) =>
  (part: Part): boolean =>
    part !== 'year' || count > 2

const fullYear = (digits: string, today: string): string => (digits.length === 2 ? today.slice(0, 2) + digits : digits)

/** The day itself, if the calendar has it: no 30 February. */
function existing(day: string): string | undefined {
  const at = new Date(`${day}T00:00:00Z`)
  return day.length === 10 && !Number.isNaN(at.getTime()) && at.toISOString().startsWith(day) ? day : undefined
}

/** The current day in the person's time zone. */
export const dayHere = (at: Date): string =>
  [at.getFullYear(), at.getMonth() + 1, at.getDate()].map(part => String(part).padStart(2, '0')).join('-')

/** Midnight of a day in the person's time zone. */
export function midnightOf(day: string): Date {
  const [year = 0, month = 1, dayOfMonth = 1] = day.split('-').map(Number)
  return new Date(year, month - 1, dayOfMonth)
}
