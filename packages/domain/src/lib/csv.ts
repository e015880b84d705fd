/** The value of a cell; objects and lists are written as JSON. */
export type Cell = unknown

/** Texts that a spreadsheet would read as formulas, even after white space or with full-width signs (trust 4). */
const formula = /^(?:\s*[=+\-@＝＋－＠]|[\t\r])/

/** The text of a cell: null is empty, and an apostrophe before a text keeps it from being read as a formula. */
function textOf(value: Cell): string {
  if (value === null || value === undefined) return ''
  if (typeof value === 'string') return formula.test(value) ? `'${value}` : value
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

const quoted = (text: string): string => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)

/** A row as in RFC 4180, including its line break. */
export const csvRow = (cells: readonly Cell[]): string => `${cells.map(cell => quoted(textOf(cell))).join(',')}\r\n`

/** The empty row between two sections. */
export const emptyRow = '\r\n'

/** A section: a header, then rows. */
export const csvSection = (header: readonly string[], rows: readonly (readonly Cell[])[]): string =>
  [header, ...rows].map(csvRow).join('')

/** A section of records: `columns` maps each header to the property listed under it. */
export const csvRecords = <Row extends object>(columns: Readonly<Record<string, keyof Row>>, rows: readonly Row[]) =>
  csvSection(
    Object.keys(columns),
    rows.map(row => Object.values(columns).map(name => row[name])),
  )
