import { type CardSummary, isOpen } from '../../data/card-list.ts'
import type { Dependency } from '../../data/dependencies.ts'
import { dayOfDate, type Range } from './days.ts'

/** A sprint, as far as it is drawn. */
export interface TimedSprint {
  readonly id: string
  readonly ref: string
  readonly spec_id: string
  readonly title: string
  readonly status: string
  readonly start_date: string | null
  readonly end_date: string | null
  readonly cards_total: number
  readonly cards_done: number
}

export interface TimedSpec {
  readonly id: string
  readonly ref: string
  readonly title: string
  readonly status: string
}

/** The first and last day of something; one of them may be unknown. */
export interface Span {
  readonly start: number | null
  readonly end: number | null
}

interface Bar {
  /** Unique among the rows. */
  readonly id: string
  readonly ref: string
  readonly title: string
  readonly status: string
  readonly span: Span
  /** Whether it is still open after its end. */
  readonly isLate: boolean
}

export type Row =
  | (Bar & { readonly kind: 'spec'; readonly rows: number })
  | (Bar & { readonly kind: 'sprint'; readonly done: number; readonly total: number })
  | (Bar & { readonly kind: 'card' })

/** A row that waits for another; out of order if it ends before the other. */
export interface RowLink {
  readonly from: string
  readonly to: string
  readonly isAtOdds: boolean
}

export interface Plan {
  readonly rows: readonly Row[]
  readonly links: readonly RowLink[]
  /** Sprints that have neither a start nor an end. */
  readonly undated: readonly TimedSprint[]
  readonly range: Range
}

interface Sources {
  readonly specs: readonly TimedSpec[]
  readonly sprints: readonly TimedSprint[]
  readonly cards: readonly CardSummary[]
  readonly links: readonly Dependency[]
}

interface TimelineView {
  readonly today: number
  readonly withDone: boolean
  /** The specs whose rows are folded. */
  readonly folded: ReadonlySet<string>
}

/** The row of cards that belong to no spec. */
export const withoutSpec = 'without-spec'

/** The number of days shown before the first day and after the last one. */
const margin = 14

/** How far from today the axis extends, in days: a mistyped date may be centuries away. */
const farthest = { back: 730, ahead: 1_825 }

const dayOrNull = (date: string | null): number | null => (date === null ? null : dayOfDate(date))

/** The id of a row, unique across kinds of record. */
export const rowOf = (kind: Row['kind'], id: string): string => `${kind} ${id}`

const isEnded = (status: string): boolean => status === 'closed' || status === 'cancelled' || status === 'done'

/** Everything with a date, by spec: its sprints in order, then its due cards. */
export function planOf({ specs, sprints, cards, links }: Sources, { today, withDone, folded }: TimelineView): Plan {
  const dated = sprints.filter(
    sprint => (withDone || !isEnded(sprint.status)) && (sprint.start_date ?? sprint.end_date) !== null,
  )
  const due = cards.filter(card => card.due_date !== null && (withDone || isOpen(card)))
  const sprintRows = Map.groupBy(dated.map(sprintRow(today)), ({ specId }) => specId)
  const cardRows = Map.groupBy(due.map(cardRow(today)), ({ specId }) => specId)
  const places = [
    ...specs.map(spec => ({ ...spec, key: spec.id })),
    { id: withoutSpec, key: withoutSpec, ref: '', title: '', status: '' },
  ]
  const groups = places.flatMap(({ key, id, ref, title, status }) => {
    const own = [...(sprintRows.get(key) ?? []).toSorted(bySpan), ...(cardRows.get(key) ?? []).toSorted(bySpan)].map(
      ({ row }) => row,
    )
    if (own.length === 0) return []
    const head: Row = {
      kind: 'spec',
      id: rowOf('spec', id),
      ref,
      title,
      status,
      span: around(own),
      isLate: false,
      rows: own.length,
    }
    return [{ head, own }]
  })
  const ordered = groups.toSorted((a, b) => firstOf(a.head.span) - firstOf(b.head.span))
  const rows = ordered.flatMap(({ head, own }) => [head, ...(folded.has(head.id) ? [] : own)])
  return {
    rows,
    links: linksBetween(rows, cards, links),
    undated: sprints.filter(
      sprint => !isEnded(sprint.status) && sprint.start_date === null && sprint.end_date === null,
    ),
    range: rangeOf(rows, today),
  }
}

interface PlacedRow {
  readonly specId: string
  readonly row: Row
}

const sprintRow =
  (today: number) =>
  (sprint: TimedSprint): PlacedRow => {
    const span = { start: dayOrNull(sprint.start_date), end: dayOrNull(sprint.end_date) }
    const { id, ref, title, status, cards_done: done, cards_total: total } = sprint
    const isLate = !isEnded(status) && span.end !== null && span.end < today
    return {
      specId: sprint.spec_id,
      row: { kind: 'sprint', id: rowOf('sprint', id), ref, title, status, span, isLate, done, total },
    }
  }

const cardRow =
  (today: number) =>
  (card: CardSummary): PlacedRow => {
    const day = dayOfDate(card.due_date!)
    const { id, ref, title, status } = card
    return {
      specId: card.spec_id ?? withoutSpec,
      row: {
        kind: 'card',
        id: rowOf('card', id),
        ref,
        title,
        status,
        span: { start: null, end: day },
        isLate: isOpen(card) && day < today,
      },
    }
  }

export const firstOf = ({ start, end }: Span): number => start ?? end ?? 0
export const lastOf = ({ start, end }: Span): number => end ?? start ?? 0

const bySpan = (a: PlacedRow, b: PlacedRow): number =>
  firstOf(a.row.span) - firstOf(b.row.span) || lastOf(a.row.span) - lastOf(b.row.span)

const around = (rows: readonly Row[]): Span => ({
  start: rows.reduce((first, { span }) => Math.min(first, firstOf(span)), Number.POSITIVE_INFINITY),
  end: rows.reduce((last, { span }) => Math.max(last, lastOf(span)), Number.NEGATIVE_INFINITY),
})

function rangeOf(rows: readonly Row[], today: number): Range {
  const { start, end } = around(rows)
  return {
    first: Math.max(Math.min(start!, today) - margin, today - farthest.back),
    last: Math.min(Math.max(end!, today) + margin * 2, today + farthest.ahead),
  }
}

/** Which rows wait for which: a card without a date of its own counts as its sprint. */
function linksBetween(rows: readonly Row[], cards: readonly CardSummary[], links: readonly Dependency[]): RowLink[] {
  const rowsById = new Map(rows.map(row => [row.id, row]))
  const byId = new Map(cards.map(card => [card.id, card]))
  const rowOfCard = (id: string): Row | undefined => {
    const card = byId.get(id)
    if (card === undefined) return undefined
    return (
      rowsById.get(rowOf('card', id)) ??
      (card.sprint_id === null || !isOpen(card) ? undefined : rowsById.get(rowOf('sprint', card.sprint_id)))
    )
  }
  const found = new Map<string, RowLink>()
  for (const { card_id, depends_on_id } of links) {
    const [waiting, awaited] = [rowOfCard(card_id), rowOfCard(depends_on_id)]
    if (waiting === undefined || awaited === undefined || waiting === awaited) continue
    const isAtOdds = isBefore(waiting, awaited)
    const key = `${awaited.id} ${waiting.id}`
    found.set(key, { from: awaited.id, to: waiting.id, isAtOdds })
  }
  return [...found.values()]
}

/** Whether a row ends before the one that it waits for. */
const isBefore = (waiting: Row, awaited: Row): boolean => lastOf(waiting.span) < lastOf(awaited.span)

/** A span clamped to the range of an axis. */
export function within({ start, end }: Span, { first, last }: Range): Span {
  const clamp = (day: number | null) => (day === null ? null : Math.min(Math.max(day, first), last))
  return { start: clamp(start), end: clamp(end) }
}

/** A span moved by a number of days. */
export const moved = ({ start, end }: Span, days: number): Span => ({
  start: start === null ? null : start + days,
  end: end === null ? null : end + days,
})

export function stretched({ start, end }: Span, edge: 'start' | 'end', days: number): Span {
  if (edge === 'start') return { start: Math.min((start ?? end!) + days, end ?? Number.POSITIVE_INFINITY), end }
  return { start, end: Math.max((end ?? start!) + days, start ?? Number.NEGATIVE_INFINITY) }
}
