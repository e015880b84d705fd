import { DateField } from './field.tsx'

interface PeriodFieldsProps {
  readonly labels: { readonly since: string; readonly until: string }
  readonly filters: { readonly since?: string; readonly until?: string }
  readonly set: (name: 'since' | 'until', day: string) => void
}

/** The first and the last day of what a page lists; neither passes the other. */
export const PeriodFields = ({ labels, filters: { since = '', until = '' }, set }: PeriodFieldsProps) => (
  <>
    <DateField label={labels.since} value={since} max={until || undefined} onChange={day => set('since', day)} />
    <DateField label={labels.until} value={until} min={since || undefined} onChange={day => set('until', day)} />
  </>
)
