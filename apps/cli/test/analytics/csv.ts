/** The rows of a CSV file (RFC 4180), cells as texts. */
export function parseCsv(text: string): string[][] {
  const rows: string[][] = [[]]
  const cell = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n|$)/y
  while (cell.lastIndex < text.length) {
    const found = cell.exec(text)
    if (found === null) throw new Error(`Not CSV: ${text.slice(0, 80)}`)
    const [, quoted, plain, end] = found
    rows.at(-1)!.push(quoted === undefined ? plain! : quoted.replaceAll('""', '"'))
    if (end === '\r\n') rows.push([])
  }
  return rows.slice(0, -1)
}

/** A value as a cell shows it. */
export function cellOf(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (typeof value === 'string') return /^[=+\-@\t\r]/.test(value) ? `'${value}` : value
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}
