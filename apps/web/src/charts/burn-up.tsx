import { useRef, useState } from 'react'
import { number } from '../messages/format.ts'
import { messages } from '../messages/messages.ts'
import { type Point, TimeColumns } from './columns-of-time.tsx'
import { Grid } from './grid.tsx'
import { Legend } from './legend.tsx'
import { isLabelled, ticksTo, useWidth } from './measured.ts'
import { rove } from './roving.ts'

/** The scope at a point in time, and how much of it was done. */
export interface BurnUpPoint extends Point {
  readonly scope: number
  readonly done: number
}

interface BurnUpProps {
  readonly label: string
  readonly points: readonly BurnUpPoint[]
  /** The points in time up to the planned end; empty if there is no planned end. */
  readonly ahead?: readonly string[] | undefined
  /** Whether a line shows the even pace from the first point to the last planned one. */
  readonly hasPace?: boolean
}

const height = 196
const top = 8
const left = 36
const foot = 24

/** The scope and the completed work over time. */
export function BurnUp({ label, points, ahead = [], hasPace = false }: BurnUpProps) {
  const texts = messages.analytics.burnUp
  const frame = useRef<HTMLDivElement>(null)
  const width = useWidth(frame)
  const [looked, setLooked] = useState<number>()
  const labels = [...points.map(point => point.label), ...ahead]
  const ticks = ticksTo(Math.max(1, ...points.map(({ scope, done }) => Math.max(scope, done))))
  const max = ticks.at(-1)!
  const slot = Math.max(0, width - left - 8) / Math.max(1, labels.length - 1)
  const x = (place: number): number => left + place * slot
  const y = (value: number): number => top + height - (value / max) * height
  const line = (values: readonly number[]) => values.map((value, place) => `${x(place)} ${y(value)}`).join('L')
  const done = points.map(point => point.done)
  const scope = points.map(point => point.scope)
  const current = looked === undefined ? undefined : points[looked]
  return (
    <div ref={frame} className="plot">
      {width > 0 && (
        // biome-ignore lint/a11y/useSemanticElements: a fieldset would be a form's
        <svg width={width} height={top + height + foot} role="group" aria-label={label} onKeyDown={rove}>
          <Grid ticks={ticks} y={y} left={left} width={width} />
          <path className="burn-area" d={`M${line(done)}L${x(points.length - 1)} ${y(0)}L${x(0)} ${y(0)}Z`} />
          {hasPace && (
            <line className="burn-pace" x1={x(0)} y1={y(0)} x2={x(labels.length - 1)} y2={y(scope.at(-1)!)} />
          )}
          <path className="burn-scope" d={`M${line(scope)}`} />
          <path className="burn-done" d={`M${line(done)}`} />
          {points.length === 1 && <circle className="burn-dot" cx={x(0)} cy={y(done[0]!)} r="3" />}
          {labels.map(
            (at, place) =>
              isLabelled(place, labels.length, width - left) && (
                <text key={at} x={Math.min(x(place), width - 2)} y={top + height + 18} textAnchor="end">
                  {at}
                </text>
              ),
          )}
          <TimeColumns
            points={points.map(point => ({ ...point, says: texts.at(point.label, point.done, point.scope) }))}
            {...{ x, top, height, slot, looked }}
            onLook={setLooked}
          />
        </svg>
      )}
      <Legend
        entries={[
          { name: texts.scope, className: 'burn-sign-scope', value: current && number(current.scope) },
          { name: texts.done, className: 'burn-sign-done', value: current && number(current.done) },
          ...(hasPace ? [{ name: texts.pace, className: 'burn-sign-pace' }] : []),
        ]}
        at={current?.label}
      />
    </div>
  )
}
