import { useState } from 'react'
import { Link } from 'wouter'
import { number } from '../messages/format.ts'
import { messages } from '../messages/messages.ts'
import './charts.css'

/** A value with its name. */
export interface Bar {
  /** Required if labels may repeat. */
  readonly id?: string
  readonly label: string
  readonly value: number
  /** The address of its records. */
  readonly address?: string
}

interface BarsProps {
  readonly bars: readonly Bar[]
  /** The value of a full bar; by default the greatest value. */
  readonly whole?: number
  readonly format?: (value: number) => string
}

/** How many bars the chart shows; the table shows all. */
const max = 12

/** Values side by side, as bars. */
export function Bars({ bars, whole = Math.max(1, ...bars.map(({ value }) => value)), format = number }: BarsProps) {
  const [isWhole, setWhole] = useState(false)
  const visible = isWhole ? bars : bars.slice(0, max)
  return (
    <>
      <dl className="bars">
        {visible.map(({ id, label, value, address }) => (
          <div key={id ?? label}>
            <dt title={label} dir="auto">
              {address === undefined ? label : <Link href={address}>{label}</Link>}
            </dt>
            <dd>
              <svg viewBox="0 0 100 4" preserveAspectRatio="none" aria-hidden="true">
                <rect className="bar-ground" width="100" height="4" />
                <rect className="bar-value" width={(100 * value) / whole} height="4" />
              </svg>
              <span className="numbers">{format(value)}</span>
            </dd>
          </div>
        ))}
      </dl>
      {visible.length < bars.length && (
        <div className="row">
          <button type="button" className="button quiet" onClick={() => setWhole(true)}>
            {messages.analytics.more(bars.length - visible.length)}
          </button>
        </div>
      )}
    </>
  )
}
