/** A time of day as the language writes it: 19:30 in German, 7:30 PM in the English of the United States. */
export function writtenTime(locale: string, time: string): string {
  const formatter = new Intl.DateTimeFormat(locale, { timeStyle: 'short', timeZone: 'UTC', numberingSystem: 'latn' })
  // Some languages put a narrow space there, which nobody types.
  return formatter.format(new Date(`1970-01-01T${time}Z`)).replaceAll('\u202f', ' ')
}

/** The words that may appear next to the numbers, in any language. */
const words = new Map<string, 'am' | 'pm' | 'day'>([
  ['', 'day'],
  ['a', 'am'],
  ['am', 'am'],
  ['p', 'pm'],
  ['pm', 'pm'],
  ['h', 'day'],
  ['uhr', 'day'],
])

/**
 * The time that was typed, as HH:MM: on a 24-hour clock, or on a 12-hour clock with am or pm; with any separators
 * between hours and minutes, or without. Whole hours need no minutes. Undefined if it is not a time.
 */
export function typedTime(text: string): string | undefined {
  const half = words.get(text.toLowerCase().replace(/[^\p{L}]/gu, ''))
  const [hours, minutes = '00', ...others] = numbersIn(text)
  if (half === undefined || hours === undefined || others.length > 0) return undefined
  const hour = half === 'day' ? Number(hours) : hourOfHalf(Number(hours), half)
  const isTime = hours.length <= 2 && hour < 24 && minutes.length === 2 && Number(minutes) < 60
  return isTime ? `${String(hour).padStart(2, '0')}:${minutes}` : undefined
}

/** Hours and minutes; three or four digits without a separator hold both. */
function numbersIn(text: string): readonly string[] {
  const numbers = text.split(/\D/).filter(digits => digits !== '')
  const [together = ''] = numbers
  return numbers.length === 1 && together.length > 2 ? [together.slice(0, -2), together.slice(-2)] : numbers
}

/** The hour of the day; NaN for an hour that a 12-hour clock does not have. */
function hourOfHalf(hour: number, half: 'am' | 'pm'): number {
  if (hour < 1 || hour > 12) return Number.NaN
  return (hour % 12) + (half === 'pm' ? 12 : 0)
}
