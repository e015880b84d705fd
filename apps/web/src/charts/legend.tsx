import type { ReactNode } from 'react'

interface LegendProps {
  readonly entries: readonly {
    readonly name: string
    readonly className: string
    readonly value?: string | undefined
  }[]
  /** The selected point, such as a day. */
  readonly at?: ReactNode
}

/** The meaning of a chart's colours, with the values at the selected point. */
export const Legend = ({ entries, at }: LegendProps) => (
  <ul className="plain legend">
    {entries.map(({ name, className, value }) => (
      <li key={name} className="row">
        <svg width="10" height="10" aria-hidden="true">
          <rect className={className} x="0.5" y="0.5" width="9" height="9" rx="2" />
        </svg>
        <span className="legend-name">{name}</span>{' '}
        {value !== undefined && <strong className="numbers">{value}</strong>}
      </li>
    ))}
    {at !== undefined && <li className="plot-at">{at}</li>}
  </ul>
)
