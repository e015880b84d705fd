import { type ReactNode, useState } from 'react'
import { IconButton } from '../../components/icon-button.tsx'
import { messages } from '../../messages/messages.ts'

interface FigureProps {
  readonly title: string
  readonly lead?: string
  readonly chart: ReactNode
  readonly table: ReactNode
}

/** A chart with its figures in a table behind a switch. */
export function Figure({ title, lead, chart, table }: FigureProps) {
  const [isTable, setTable] = useState(false)
  const says = isTable ? messages.analytics.asChart : messages.analytics.asTable
  return (
    <section className="figure" aria-label={title}>
      <header className="row">
        <h2>{title}</h2>
        <span className="figure-lead truncate grow">{lead}</span>
        <IconButton
          icon={isTable ? 'chart' : 'list'}
          label={`${says}: ${title}`}
          title={says}
          onClick={() => setTable(!isTable)}
        />
      </header>
      {isTable ? table : chart}
    </section>
  )
}
