import { messages } from '../../messages/messages.ts'
import { daysOf, isWeekend, type Range, ticksOf, type Zoom, zooms } from './days.ts'

interface AxisProps {
  readonly range: Range
  readonly zoom: Zoom
  readonly today: number
  /** px: the column of the names, and the rows below. */
  readonly labelWidth: number
  readonly height: number
}

/** px: a line for the upper labels, one for the lower labels, and one for today, which covers neither. */
const headHeight = 64

/** px: the approximate width of a letter of the upper labels. */
const letterWidth = 7

/** The axis, which stays above the rows; behind the rows are its lines, the weekends and today. */
export function Axis({ range, zoom, today, labelWidth, height }: AxisProps) {
  const { above, below } = ticksOf(range, zoom)
  const dayWidth = zooms[zoom]
  const x = (day: number): number => (day - range.first) * dayWidth
  const weekends = zoom === 'days' || zoom === 'weeks' ? daysOf(range).filter(isWeekend) : []
  return (
    <>
      <div className="timeline-axis" aria-hidden="true" style={{ height: headHeight }}>
        <span className="timeline-corner" style={{ width: labelWidth }} />
        {above.map(({ day, label }, index) => {
          const width = x(above[index + 1]?.day ?? range.last + 1) - x(day)
          return (
            <span key={day} className="timeline-above" style={{ left: labelWidth + x(day), width }}>
              {/* It stays in view as long as any part of its span is. A few days of a month have no room for its name. */}
              <span style={{ left: labelWidth + 8 }}>{width < label.length * letterWidth ? '' : label}</span>
            </span>
          )
        })}
        {below.map(({ day, label }) => (
          <span key={day} className="timeline-below" style={{ left: labelWidth + x(day) }}>
            {label}
          </span>
        ))}
        <span className="timeline-today-name" style={{ left: labelWidth + x(today) + dayWidth / 2 }}>
          {messages.timeline.today}
        </span>
      </div>
      <svg
        className="timeline-lines behind"
        aria-hidden="true"
        width={x(range.last + 1)}
        height={height}
        style={{ left: labelWidth, top: headHeight }}
      >
        {weekends.map(day => (
          <rect key={day} className="weekend" x={x(day)} width={dayWidth} height={height} />
        ))}
        <path className="tick" d={below.map(({ day }) => `M${x(day) + 0.5} 0v${height}`).join('')} />
        <path className="month" d={above.map(({ day }) => `M${x(day) + 0.5} 0v${height}`).join('')} />
        <path className="today" d={`M${x(today) + dayWidth / 2} 0v${height}`} />
      </svg>
    </>
  )
}
