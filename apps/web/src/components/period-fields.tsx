import { DateField } from './field.tsx'
import { dayHere } from './typed-day.ts'

interface PeriodFieldsProps {
  readonly labels: { readonly since: string; readonly until: string }
  readonly filters: { readonly since?: string; readonly until?: string }
  readonly set: (name: 'since' | 'until', day: string) => void
}

/** The day of a bound, which an address may say to the moment. */
const dayOfBound = (bound: string): string => (bound.includes('T') ? dayHere(new Date(bound)) : bound)

/** The first and the last day of what a page lists; neither passes the other. */
export const PeriodFields = ({ labels, filters: { since = '', until = '' }, set }: PeriodFieldsProps) => (
  <>
    <DateField
      label={labels.since}
      value={dayOfBound(since)}
      max={dayOfBound(until) || undefined}
      onChange={day => set('since', day)}
    />
    <DateField
      label={labels.until}
      value={dayOfBound(until)}
      min={dayOfBound(since) || undefined}
      onChange={day => set('until', day)}
    />
  </>
)
