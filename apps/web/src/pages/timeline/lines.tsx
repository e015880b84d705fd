import { ArrowHeads } from '../../components/arrow-heads.tsx'
import type { Range } from './days.ts'
import { firstOf, lastOf, type Plan, within } from './plan.ts'

/** px */
export const rowHeight = 36

interface LinesProps {
  readonly plan: Plan
  readonly range: Range
  readonly dayWidth: number
  /** px: where the axis begins, and how wide it is. */
  readonly left: number
  readonly width: number
}

/** Lines from the end of a row to the beginning of each row that waits for it. */
export function Lines({ plan: { rows, links }, range, dayWidth, left, width }: LinesProps) {
  const places = new Map(
    rows.map((row, index) => {
      const span = within(row.span, range)
      const y = (index + 0.5) * rowHeight
      const end = (lastOf(span) - range.first + 1) * dayWidth
      const start = (firstOf(span) - range.first) * dayWidth
      // A due card is a mark in the middle of its day.
      const middle = end - dayWidth / 2
      return [row.id, row.kind === 'card' ? { y, start: middle - 7, end: middle + 7 } : { y, start, end }]
    }),
  )
  const wayOf = (from: string, to: string): string => {
    const [a, b] = [places.get(from)!, places.get(to)!]
    const bend = Math.max(16, Math.abs(b.start - a.end) / 2)
    return `M${a.end} ${a.y}C${a.end + bend} ${a.y} ${b.start - bend} ${b.y} ${b.start - 1} ${b.y}`
  }
  return (
    <svg className="timeline-lines" aria-hidden="true" width={width} height={rows.length * rowHeight} style={{ left }}>
      <ArrowHeads prefix="timeline" kinds={['waits', 'odds']} size={7} />
      {links.map(({ from, to, isAtOdds }) => (
        <path
          key={`${from} ${to}`}
          className={isAtOdds ? 'link odds' : 'link'}
          d={wayOf(from, to)}
          markerEnd={`url(#timeline-${isAtOdds ? 'odds' : 'waits'})`}
        />
      ))}
    </svg>
  )
}
