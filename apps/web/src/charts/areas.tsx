import { useRef, useState } from 'react'
import { number } from '../messages/format.ts'
import { type Point, TimeColumns } from './columns-of-time.tsx'
import { Grid } from './grid.tsx'
import { Legend } from './legend.tsx'
import { isLabelled, ticksTo, useWidth } from './measured.ts'
import { rove } from './roving.ts'

/** One of the values that are stacked. */
interface Layer {
  readonly name: string
  readonly className: string
  /** One value per point. */
  readonly values: readonly number[]
}

interface AreasProps {
  readonly label: string
  /** From bottom to top. */
  readonly layers: readonly Layer[]
  readonly points: readonly Point[]
}

const height = 196
const top = 8
const left = 36
const foot = 24

/** Values over time as stacked areas; each point in time links to its records. */
export function Areas({ label, layers, points }: AreasProps) {
  const frame = useRef<HTMLDivElement>(null)
  const width = useWidth(frame)
  const [looked, setLooked] = useState<number>()
  const sums = [points.map(() => 0)]
  for (const { values } of layers) sums.push(sums.at(-1)!.map((sum, place) => sum + values[place]!))
  const ticks = ticksTo(Math.max(1, ...sums.at(-1)!))
  const max = ticks.at(-1)!
  const slot = Math.max(0, width - left - 8) / Math.max(1, points.length - 1)
  const x = (place: number): number => left + place * slot
  const y = (value: number): number => top + height - (value / max) * height
  const line = (values: readonly number[]) => values.map((value, place) => `${x(place)} ${y(value)}`)
  return (
    <div ref={frame} className="plot">
      {width > 0 && (
        // biome-ignore lint/a11y/useSemanticElements: a fieldset would be a form's
        <svg width={width} height={top + height + foot} role="group" aria-label={label} onKeyDown={rove}>
          <Grid ticks={ticks} y={y} left={left} width={width} />
          {layers.map(({ name, className }, layer) => (
            <path
              key={name}
              className={`area ${className}`}
              d={`M${[...line(sums[layer + 1]!), ...line(sums[layer]!).toReversed()].join('L')}Z`}
            />
          ))}
          {points.map(
            ({ label: at }, place) =>
              isLabelled(place, points.length, width - left) && (
                <text key={at} x={Math.min(x(place), width - 2)} y={top + height + 18} textAnchor="end">
                  {at}
                </text>
              ),
          )}
          <TimeColumns
            points={points.map((point, place) => ({
              ...point,
              says: `${point.label}: ${layers.map(({ name, values }) => `${name} ${number(values[place]!)}`).join(', ')}`,
            }))}
            {...{ x, top, height, slot, looked }}
            onLook={setLooked}
          />
        </svg>
      )}
      <Legend
        entries={layers.toReversed().map(({ name, className, values }) => ({
          name,
          className,
          value: looked === undefined ? undefined : number(values[looked]!),
        }))}
        at={looked === undefined ? undefined : points[looked]!.label}
      />
    </div>
  )
}
