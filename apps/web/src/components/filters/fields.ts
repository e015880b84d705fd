import type { PickerOption } from '../picker.tsx'
import { type DayRange, dayHere } from '../typed-day.ts'
import { wordsOfDay } from './words-of-day.ts'

interface Named {
  /** Its name in the address. */
  readonly name: string
  /** What it is called. */
  readonly label: string
}

/** One of several values; others too, where its name says what `other` they are. */
export interface ChoiceField extends Named {
  readonly kind: 'choice'
  readonly options: readonly PickerOption[]
  readonly isOpen?: true
  /** The words for a value that is no option, such as one that an address names itself. */
  readonly wordsOf?: (value: string) => string
}

/** The first or the last day of what is listed; a value in the address may say the moment. */
export interface DayField extends Named {
  readonly kind: 'day'
  readonly range: DayRange
  /** A moment that is offered beside the days. */
  readonly moment?: PickerOption | undefined
}

/** What holds or is not asked for. */
export interface MarkField extends Named {
  readonly kind: 'mark'
}

/** By what a page may be filtered, each by one value in its address. */
export type FilterField = ChoiceField | DayField | MarkField

/** The day of a bound, which an address may say to the moment. */
export const dayOfBound = (bound: string): string => (bound.includes('T') ? dayHere(new Date(bound)) : bound)

/** What is filtered by a value, in words. */
export function wordsOfValue(field: FilterField, value: string): string {
  switch (field.kind) {
    case 'choice':
      return field.options.find(option => option.value === value)?.label ?? field.wordsOf?.(value) ?? value
    case 'day':
      return field.moment?.value === value ? field.moment.label : wordsOfDay(dayOfBound(value))
    case 'mark':
      return field.label
  }
}

interface PeriodLabels {
  readonly since: string
  readonly until: string
}

/** The first and the last day of what a page lists, of which neither passes the other. */
export function periodFields<Name extends string>(
  names: readonly [since: Name, until: Name],
  labels: PeriodLabels,
  query: Readonly<Partial<Record<Name, string>>>,
  moment?: PickerOption,
): readonly DayField[] {
  const [since, until] = names
  return [
    { kind: 'day', name: since, label: labels.since, range: rangeTo(query[until]), moment },
    { kind: 'day', name: until, label: labels.until, range: rangeFrom(query[since]) },
  ]
}

const rangeTo = (bound: string | undefined): DayRange => (bound === undefined ? {} : { max: dayOfBound(bound) })

const rangeFrom = (bound: string | undefined): DayRange => (bound === undefined ? {} : { min: dayOfBound(bound) })
