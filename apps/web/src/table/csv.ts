import type { TableColumn, TableRow } from './model.ts'

/** What a spreadsheet would take for a formula. */
const formula = /^[=+\-@\t\r]/

/** A value as a field of a file: quoted where it must be, and never a formula, whoever wrote it. */
function fieldOf(value: string): string {
  const plain = formula.test(value) ? `'${value}` : value
  return /[",\r\n]/.test(plain) ? `"${plain.replaceAll('"', '""')}"` : plain
}

/** Lines of fields as comma-separated values (RFC 4180), with a mark by which spreadsheets know that it is UTF-8. */
export const csvLines = (lines: readonly (readonly string[])[]): string =>
  `\uFEFF${lines.map(line => line.map(fieldOf).join(',')).join('\r\n')}\r\n`

/** Rows of a table as comma-separated values. */
export const csvOf = <Row extends TableRow>(columns: readonly TableColumn<Row>[], rows: readonly Row[]): string =>
  csvLines([columns.map(({ heading }) => heading), ...rows.map(row => columns.map(({ text }) => text(row)))])
