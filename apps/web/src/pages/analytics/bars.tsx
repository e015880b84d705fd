/** A value with its name. */
export interface Bar {
  readonly label: string
  readonly value: number
}

interface BarsProps {
  readonly bars: readonly Bar[]
  /** What a whole bar stands for; by default the greatest value. */
  readonly whole?: number
  readonly format?: (value: number) => string
}

/** Values side by side, as bars. */
export function Bars({ bars, whole = Math.max(1, ...bars.map(({ value }) => value)), format = String }: BarsProps) {
  return (
    <dl className="bars">
      {bars.map(({ label, value }) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>
            <svg viewBox="0 0 100 4" preserveAspectRatio="none" aria-hidden="true">
              <rect className="bar-ground" width="100" height="4" />
              <rect className="bar" width={(100 * value) / whole} height="4" />
            </svg>
            <span className="numbers">{format(value)}</span>
          </dd>
        </div>
      ))}
    </dl>
  )
}
