import { useRef, useState } from 'react'
import { Link } from 'wouter'
import { Grid } from '../../charts/grid.tsx'
import { Legend } from '../../charts/legend.tsx'
import { isLabelled, ticksTo, useRoom, wordRoom } from '../../charts/measured.ts'
import { number } from '../../messages/format.ts'

interface Column {
  readonly label: string
  /** From bottom to top, as many as there are names. */
  readonly values: readonly number[]
  /** The address of its records. */
  readonly address: string
  /** Whether its period is not over yet. */
  readonly isOpen?: boolean
}

interface StackedColumnsProps {
  readonly label: string
  readonly names: readonly string[]
  readonly columns: readonly Column[]
  /** The label of a column whose period is not over. */
  readonly openName: string
}

const top = 8
const left = 28
const foot = 24

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0)

/** Values over time, stacked by kind, on a scale; each column is linked to its records. */
export function StackedColumns({ label, names, columns, openName }: StackedColumnsProps) {
  const frame = useRef<HTMLDivElement>(null)
  const { width, height: room } = useRoom(frame)
  const height = Math.max(0, room - top - foot)
  const [hovered, setHovered] = useState<number>()
  const ticks = ticksTo(Math.max(...columns.map(({ values }) => sum(values)), 1))
  const max = ticks.at(-1)!
  const y = (value: number): number => top + height - (value / max) * height
  const slot = Math.max(0, width - left) / Math.max(1, columns.length)
  const bar = Math.min(28, slot * 0.64)
  const column = hovered === undefined ? undefined : columns[hovered]
  return (
    <div className="plot filling">
      <div ref={frame} className="plot-room">
        {width > 0 && (
          // biome-ignore lint/a11y/useSemanticElements: a fieldset would be a form's
          <svg width={width} height={room} role="group" aria-label={label}>
            <Grid ticks={ticks} y={y} left={left} width={width} />
            {columns.map(({ label: at, values, address, isOpen }, place) => {
              const x = left + place * slot + (slot - bar) / 2
              const summary = names.map((name, kind) => `${name} ${values[kind]}`).join(', ')
              return (
                <g key={at}>
                  <Link
                    href={address}
                    aria-label={`${at}: ${summary}`}
                    className={place === hovered ? 'plot-column looked' : 'plot-column'}
                    onPointerEnter={() => setHovered(place)}
                    onPointerLeave={() => setHovered(undefined)}
                    onFocus={() => setHovered(place)}
                    onBlur={() => setHovered(undefined)}
                  >
                    <rect className="plot-hit" x={left + place * slot} y={top} width={slot} height={height} />
                    {values.map((value, kind) =>
                      value === 0 ? null : (
                        <rect
                          key={names[kind]}
                          className={isOpen ? `stack-${kind} open` : `stack-${kind}`}
                          x={x}
                          y={y(sum(values.slice(0, kind + 1)))}
                          width={bar}
                          height={(value / max) * height}
                        />
                      ),
                    )}
                  </Link>
                  {isLabelled(place, columns.length, width - left) && (
                    <text x={Math.min(x + bar / 2, width - wordRoom / 2.5)} y={top + height + 18} textAnchor="middle">
                      {at}
                    </text>
                  )}
                </g>
              )
            })}
          </svg>
        )}
      </div>
      <Legend
        entries={[
          ...names.map((name, kind) => ({
            name,
            className: `stack-${kind}`,
            value: column === undefined ? undefined : number(column.values[kind]!),
          })),
          ...(columns.some(({ isOpen }) => isOpen) ? [{ name: openName, className: 'stack-0 open' }] : []),
        ]}
        at={column?.label}
      />
    </div>
  )
}
