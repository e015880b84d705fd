import type { PlanSummary } from '../../data/planning.ts'

/** The filters of a list, kept in the address. */
export interface PlanFilters {
  readonly q: string
  readonly status: string
  readonly label: string
  readonly archived: boolean
}

export const readPlanFilters = (query: URLSearchParams): PlanFilters => ({
  q: query.get('q') ?? '',
  status: query.get('status') ?? '',
  label: query.get('label') ?? '',
  archived: query.get('archived') === '1',
})

/** The address without the filters; the display options of the table are kept. */
export function withoutPlanFilters(query: URLSearchParams): URLSearchParams {
  const next = new URLSearchParams(query)
  for (const name of ['q', 'status', 'label', 'archived']) next.delete(name)
  return next
}

type FilteredPlan = Pick<PlanSummary, 'ref' | 'title' | 'status' | 'labels' | 'parent'>

/**
 * Whether every word of the text is in a record's reference, title, labels or parent, and it passes the other filters.
 */
export function matches(record: FilteredPlan, { q, status, label }: PlanFilters): boolean {
  if (status !== '' && record.status !== status) return false
  if (label !== '' && !record.labels.includes(label)) return false
  const { ref, title, labels, parent } = record
  const text = [ref, title, ...labels, parent?.ref, parent?.title].join(' ').toLowerCase()
  return q
    .toLowerCase()
    .split(/\s+/)
    .every(word => text.includes(word))
}
