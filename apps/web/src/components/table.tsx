import { type ReactNode, useRef } from 'react'
import { useStrip } from './strip.ts'
import './table.css'

/** A column of a table. */
export interface Column<Row> {
  readonly label: string
  readonly cell: (row: Row) => ReactNode
  readonly isNumber?: boolean
  /** Whether it is shown next to the row header when the rows are a list on a phone, as for the actions on a row. */
  readonly isAside?: boolean
  /**
   * Whether its cell has only the usual value of most rows: it is then left out when the rows are a list on a phone.
   */
  readonly isUsual?: (row: Row) => boolean
}

interface TableProps<Row> {
  readonly caption: string
  /** The first column is the row header. */
  readonly columns: readonly Column<Row>[]
  readonly rows: readonly Row[]
  readonly keyOf: (row: Row) => string
  /** Whether it is a list on a phone although it has few columns: some are wide. */
  readonly isWide?: boolean
}

/**
 * A table with at least this many columns becomes a list on a phone: each cell is on a line of its own, with its label.
 */
const manyColumns = 5

/** A table that scrolls horizontally if it is too wide. */
export function Table<Row>({ caption, columns: [head, ...others], rows, keyOf, isWide = false }: TableProps<Row>) {
  const strip = useRef<HTMLElement>(null)
  useStrip(strip)
  const classOf = ({ isNumber, isAside, isUsual }: Column<Row>, row?: Row): string | undefined => {
    const isLeftOut = row !== undefined && isUsual?.(row) === true
    const names = [isNumber && 'number', isAside && 'aside', isLeftOut && 'usual'].filter(Boolean)
    return names.length === 0 ? undefined : names.join(' ')
  }
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so it must take the focus
    <section ref={strip} className="table-scroll" tabIndex={0} aria-label={caption}>
      <table className={isWide || others.length + 1 >= manyColumns ? 'table many' : 'table'}>
        <caption className="hidden">{caption}</caption>
        <thead>
          <tr>
            {[head!, ...others].map(column => (
              <th key={column.label} scope="col" className={classOf(column)}>
                {column.label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(row => (
            <tr key={keyOf(row)}>
              <th scope="row">{head!.cell(row)}</th>
              {others.map(column => (
                <td key={column.label} data-label={column.label} className={classOf(column, row)}>
                  {column.cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
