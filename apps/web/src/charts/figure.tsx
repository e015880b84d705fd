import { type ReactNode, useRef, useState } from 'react'
import { ActionMenu } from '../components/action-menu.tsx'
import { IconButton } from '../components/icon-button.tsx'
import { MenuItem } from '../components/menu.tsx'
import { type Column, Table } from '../components/table.tsx'
import { messages } from '../messages/messages.ts'
import { csvLines } from '../table/csv.ts'
import { pictureOf } from './picture.ts'
import { PictureItems, saveAs } from './picture-items.tsx'
import './charts.css'

/** A column of a figure's table; `text` is the exported value of a cell that is not plain text. */
export interface FigureColumn<Row> extends Column<Row> {
  readonly text?: (row: Row) => string
}

interface FigureProps<Row> {
  readonly title: string
  readonly lead?: string | undefined
  /** The base name of saved files. */
  readonly file: string
  readonly chart: ReactNode
  /** Shown next to the title. */
  readonly tools?: ReactNode
  /** Whether the chart is one drawing, which can be saved as a picture. */
  readonly isDrawn?: boolean
  readonly isWide?: boolean
  /** Whether the figure has only the table, without a chart. */
  readonly isTableOnly?: boolean
  /** The first column is the row header. */
  readonly columns: readonly FigureColumn<Row>[]
  readonly rows: readonly Row[]
  readonly keyOf: (row: Row) => string
}

/** A chart that can be switched to a table of its values; the chart can be saved as a picture, the table as a file. */
export function Figure<Row>({
  title,
  lead,
  file,
  chart,
  tools,
  isDrawn = false,
  isWide = false,
  isTableOnly = false,
  columns,
  rows,
  keyOf,
}: FigureProps<Row>) {
  const [isTable, setTable] = useState(false)
  const root = useRef<HTMLElement>(null)
  const texts = messages.analytics
  const says = isTable ? texts.asChart : texts.asTable
  const picture = () => root.current && pictureOf(root.current, title)
  const lines = () => [
    columns.map(({ label }) => label),
    ...rows.map(row => columns.map(({ text, cell }) => text?.(row) ?? String(cell(row) ?? ''))),
  ]
  return (
    <section ref={root} className={isWide ? 'figure wide' : 'figure'} aria-label={title}>
      <header className="row">
        <h2>{title}</h2>
        <span className="figure-lead truncate grow">{lead}</span>
        {tools}
        {!isTableOnly && (
          <IconButton
            icon={isTable ? 'chart' : 'list'}
            label={`${says}: ${title}`}
            title={says}
            onClick={() => setTable(!isTable)}
          />
        )}
        <ActionMenu label={texts.save(title)}>
          {choose => (
            <>
              {isDrawn && !isTable && <PictureItems {...{ picture, file, choose }} />}
              <MenuItem onSelect={choose(() => void saveAs(csvLines(lines()), `${file}.csv`, 'text/csv'))}>
                {texts.saveCsv}
              </MenuItem>
            </>
          )}
        </ActionMenu>
      </header>
      {isTable ? <Table caption={title} columns={columns} rows={rows} keyOf={keyOf} /> : chart}
    </section>
  )
}
