import { number } from '../messages/format.ts'

interface GridProps {
  readonly ticks: readonly number[]
  readonly y: (value: number) => number
  readonly left: number
  readonly width: number
  readonly format?: (tick: number) => string
}

/** The grid lines of a scale, each labelled with its value. */
export const Grid = ({ ticks, y, left, width, format = number }: GridProps) =>
  ticks.map(tick => (
    <g key={tick}>
      <line className={tick === 0 ? 'axis-base' : 'axis-line'} x1={left} x2={width} y1={y(tick)} y2={y(tick)} />
      <text x={left - 8} y={y(tick) + 4} textAnchor="end">
        {format(tick)}
      </text>
    </g>
  ))
