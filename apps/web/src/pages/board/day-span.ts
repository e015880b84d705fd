/** A filter for days: before `to`, after `from`, or from `from` to `to` inclusive. */
export interface DaySpan {
  readonly kind: 'before' | 'after' | 'between'
  /** YYYY-MM-DD; '' if it is not chosen, or not used by this kind of span. */
  readonly from: string
  readonly to: string
}

const open = /^(before|after)-(\d{4}-\d{2}-\d{2})$/
const closed = /^(\d{4}-\d{2}-\d{2})\.\.(\d{4}-\d{2}-\d{2})$/

/** Parses a span from a value in the address; undefined for any other value, such as `overdue`. */
export function spanOf(value: string): DaySpan | undefined {
  const [, kind, day = ''] = open.exec(value) ?? []
  if (kind === 'before') return { kind, from: '', to: day }
  if (kind === 'after') return { kind, from: day, to: '' }
  const [, from, to] = closed.exec(value) ?? []
  return from === undefined || to === undefined ? undefined : { kind: 'between', from, to }
}

/** The value of a span in an address; undefined if one of its days is not chosen yet, or it ends before it begins. */
export function valueOfSpan({ kind, from, to }: DaySpan): string | undefined {
  if (kind === 'before') return to === '' ? undefined : `before-${to}`
  if (kind === 'after') return from === '' ? undefined : `after-${from}`
  return from === '' || to === '' || to < from ? undefined : `${from}..${to}`
}

/** Whether a day is in a span. */
export function isInSpan({ kind, from, to }: DaySpan, day: string): boolean {
  if (kind === 'before') return day < to
  return kind === 'after' ? day > from : day >= from && day <= to
}
