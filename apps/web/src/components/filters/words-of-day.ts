import { dates } from '../../messages/format.ts'

/** A day with its year; it does not depend on the person's time zone. */
const wholeDay = dates({ day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' })

/** A day in words; empty for no day. */
export const wordsOfDay = (day: string): string => (day === '' ? '' : wholeDay.format(Date.parse(day)))
