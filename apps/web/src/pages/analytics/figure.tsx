import { type ReactNode, useState } from 'react'
import { messages } from '../../messages/messages.ts'

interface FigureProps {
  readonly title: string
  readonly lead?: string
  readonly chart: ReactNode
  readonly table: ReactNode
}

/** A chart with its figures as a table behind a switch. */
export function Figure({ title, lead, chart, table }: FigureProps) {
  const [isTable, setTable] = useState(false)
  return (
    <section className="figure" aria-label={title}>
      <header className="row wrap">
        <h2>{title}</h2>
        <span className="muted grow">{lead}</span>
        <button
          type="button"
          className="button quiet"
          aria-label={`${isTable ? messages.analytics.asChart : messages.analytics.asTable}: ${title}`}
          onClick={() => setTable(!isTable)}
        >
          {isTable ? messages.analytics.asChart : messages.analytics.asTable}
        </button>
      </header>
      {isTable ? table : chart}
    </section>
  )
}
