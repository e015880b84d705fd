import { useRef, useState } from 'react'
import { Link } from 'wouter'
import { dayOf } from '../components/time.tsx'
import { number } from '../messages/format.ts'
import { messages } from '../messages/messages.ts'
import { Grid } from './grid.tsx'
import { isLabelled, timeTicksTo, useWidth } from './measured.ts'
import { rove } from './roving.ts'

/** A record at the time it ended, with how long it took. */
export interface Dot {
  readonly id: string
  readonly ref: string
  readonly title: string
  readonly address: string
  readonly at: string
  readonly hours: number
  readonly className: string
}

interface ScatterProps {
  readonly label: string
  /** Oldest first. */
  readonly dots: readonly Dot[]
  /** Numbers of hours that are marked by a line, each with its label. */
  readonly marks: readonly { readonly hours: number; readonly says: string }[]
  /** The first and the last day. */
  readonly from: string
  readonly to: string
}

const height = 196
const top = 12
const left = 52
const foot = 24
const dayMs = 86_400_000

/** The minimum distance between the labels of two lines, px. */
const lineRoom = 12

/** When records ended and how long they took; each dot links to its record. */
export function Scatter({ label, dots, marks, from, to }: ScatterProps) {
  const texts = messages.analytics
  const frame = useRef<HTMLDivElement>(null)
  const width = useWidth(frame)
  const [looked, setLooked] = useState<number>()
  const { unit, hours, ticks } = timeTicksTo(Math.max(...dots.map(dot => dot.hours), 0))
  const max = ticks.at(-1)! * hours
  const [begin, end] = [Date.parse(from), Date.parse(to) + dayMs]
  const days = Math.round((end - begin) / dayMs)
  const x = (time: number): number => left + 6 + ((time - begin) / (end - begin)) * Math.max(0, width - left - 12)
  const y = (value: number): number => top + height - (value / max) * height
  const current = looked === undefined ? undefined : dots[looked]
  let before = Number.POSITIVE_INFINITY
  return (
    <div ref={frame} className="plot">
      {width > 0 && (
        // biome-ignore lint/a11y/useSemanticElements: a fieldset would be a form's
        <svg width={width} height={top + height + foot} role="group" aria-label={label} onKeyDown={rove}>
          <Grid
            ticks={ticks}
            y={tick => y(tick * hours)}
            left={left}
            width={width}
            format={tick => texts.units[unit](number(tick))}
          />
          {Array.from({ length: days }, (_, day) => new Date(begin + day * dayMs).toISOString()).map(
            (at, day) =>
              isLabelled(day, days, width - left) && (
                <text
                  key={at}
                  x={Math.min(x(Date.parse(at) + dayMs / 2), width - 2)}
                  y={top + height + 18}
                  textAnchor="end"
                >
                  {dayOf(at)}
                </text>
              ),
          )}
          {dots.map((dot, place) => (
            <Link
              key={dot.id}
              href={dot.address}
              aria-label={texts.ageing.mark(dot.ref, dot.title, texts.duration(dot.hours))}
              tabIndex={place === (looked ?? dots.length - 1) ? 0 : -1}
              className="plot-mark"
              onPointerEnter={() => setLooked(place)}
              onPointerLeave={() => setLooked(undefined)}
              onFocus={() => setLooked(place)}
              onBlur={() => setLooked(undefined)}
            >
              <circle className={`dot ${dot.className}`} cx={x(Date.parse(dot.at))} cy={y(dot.hours)} r="4" />
            </Link>
          ))}
          {marks.map(({ hours: value, says }) => {
            before = Math.min(y(value) - 5, before - lineRoom)
            return (
              <g key={says} className="plot-share">
                <line x1={left} x2={width} y1={y(value)} y2={y(value)} />
                <text x={width - 2} y={Math.max(before, 10)} textAnchor="end">
                  {says}
                </text>
              </g>
            )
          })}
        </svg>
      )}
      <p className="legend">
        {current === undefined ? (
          texts.ageing.hint
        ) : (
          <>
            <span className="ref">{current.ref}</span> <bdi>{current.title}</bdi>{' '}
            <strong className="numbers">{texts.duration(current.hours)}</strong>
            <span className="plot-at">{dayOf(current.at)}</span>
          </>
        )}
      </p>
    </div>
  )
}
