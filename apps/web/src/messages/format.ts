import { locale } from './language.ts'

/*
 * Formats numbers and days, and sorts, in the person's language. Files and addresses use formats that are the same everywhere.
 */

const wholes = new Intl.NumberFormat(locale)
const differences = new Intl.NumberFormat(locale, { signDisplay: 'exceptZero' })
const fixes = new Map<number, Intl.NumberFormat>()
const collator = new Intl.Collator(locale, { numeric: true, sensitivity: 'base' })

/** A number: 1,234. */
export const number = (value: number): string => wholes.format(value)

/** A difference, with its sign: +12. */
export const signed = (value: number): string => differences.format(value)

/** A number with a fixed number of decimals: 2.50. */
export function fixed(value: number, digits: number): string {
  let format = fixes.get(digits)
  if (format === undefined) {
    format = new Intl.NumberFormat(locale, { minimumFractionDigits: digits, maximumFractionDigits: digits })
    fixes.set(digits, format)
  }
  return format.format(value)
}

const series = new Intl.ListFormat(locale)

/** Names in a sentence: Ada, Grace, and Linus. */
export const listed = (names: readonly string[]): string => series.format(names)

/** Formats of dates. */
export const dates = (options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat =>
  new Intl.DateTimeFormat(locale, options)

/** Compares two names in natural order: A2 before A10, ä next to a. */
export const byName = (a: string, b: string): number => collator.compare(a, b)
