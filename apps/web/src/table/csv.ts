import type { TableColumn, TableRow } from './model.ts'

/** Values that a spreadsheet would take for a formula. */
const formula = /^[=+\-@\t\r]/

/** A value as a CSV field: quoted if necessary, and never a formula. */
function fieldOf(value: string): string {
  const plain = formula.test(value) ? `'${value}` : value
  return /[",\r\n]/.test(plain) ? `"${plain.replaceAll('"', '""')}"` : plain
}

/**
 * Lines of fields as comma-separated values (RFC 4180), with a byte order mark that tells spreadsheets that it is
 * UTF-8.
 */
export const csvLines = (lines: readonly (readonly string[])[]): string =>
  `\uFEFF${lines.map(line => line.map(fieldOf).join(',')).join('\r\n')}\r\n`

/** Rows of a table as comma-separated values. */
export const csvOf = <Row extends TableRow>(columns: readonly TableColumn<Row>[], rows: readonly Row[]): string =>
  csvLines([columns.map(({ heading }) => heading), ...rows.map(row => columns.map(({ text }) => text(row)))])
