import type { PickerOption } from '../picker.tsx'
import { type DayRange, dayHere } from '../typed-day.ts'
import { wordsOfDay } from './words-of-day.ts'

interface Named {
  /** Its name in the address. */
  readonly name: string
  /** The label of the filter. */
  readonly label: string
}

/** One of several values; also other values, if `other` names what they are. */
export interface ChoiceField extends Named {
  readonly kind: 'choice'
  readonly options: readonly PickerOption[]
  readonly isOpen?: true
  /** The label of a value that is not an option, such as one from a hand-written address. */
  readonly wordsOf?: (value: string) => string
}

/** The first or the last listed day; the address may name an exact time instead. */
export interface DayField extends Named {
  readonly kind: 'day'
  readonly range: DayRange
  /** An exact time that is offered besides days. */
  readonly moment?: PickerOption | undefined
}

/** A condition that is either required or ignored. */
export interface MarkField extends Named {
  readonly kind: 'mark'
}

/** The filters of a page, each with one value in its address. */
export type FilterField = ChoiceField | DayField | MarkField

/** The day of a bound, which the address may give as an exact time. */
export const dayOfBound = (bound: string): string => (bound.includes('T') ? dayHere(new Date(bound)) : bound)

/** A filter value, in words. */
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

/** The filters for the first and the last day that a page lists; the first is never after the last. */
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
