/** A value of a cell; objects and lists are written as JSON. */
export type Cell = unknown

/** What a spreadsheet would take for a formula, behind white space too, or in full-width signs (trust 4). */
const formula = /^(?:\s*[=+\-@＝＋－＠]|[\t\r])/

/** A value as the text of a cell: null is empty, a text that could be a formula is disarmed by an apostrophe. */
function textOf(value: Cell): string {
  if (value === null || value === undefined) return ''
  if (typeof value === 'string') return formula.test(value) ? `'${value}` : value
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

const quoted = (text: string): string => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)

/** One row of RFC 4180, its line break included. */
export const csvRow = (cells: readonly Cell[]): string => `${cells.map(cell => quoted(textOf(cell))).join(',')}\r\n`

/** The row between two sections. */
export const emptyRow = '\r\n'

/** A section: a header, then rows. */
export const csvSection = (header: readonly string[], rows: readonly (readonly Cell[])[]): string =>
  [header, ...rows].map(csvRow).join('')

/** Columns that are taken from records by name, under a header of their own. */
export const csvRecords = <Row extends object>(columns: Readonly<Record<string, keyof Row>>, rows: readonly Row[]) =>
  csvSection(
    Object.keys(columns),
    rows.map(row => Object.values(columns).map(name => row[name])),
  )
