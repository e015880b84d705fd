/** Reads a CSV text into rows (exchange 2.5). */
import type { InPieces } from '@specboard/contract'
import Papa from 'papaparse'
import { type Place, Unreadable } from '../neutral.ts'

export interface Row {
  readonly cells: readonly string[]
  readonly place: Place
}

/** Rows read in one piece of work. */
const rowsOfAPiece = 200

const delimiters = [',', ';', '\t']

/** The delimiter that divides the first row into most cells. */
const delimiterOf = (text: string): string =>
  delimiters
    .map(delimiter => ({ delimiter, columns: firstRow(text, delimiter).length }))
    .reduce((most, other) => (other.columns > most.columns ? other : most)).delimiter

const firstRow = (text: string, delimiter: string): string[] =>
  Papa.parse<string[]>(text, { delimiter, preview: 1 }).data[0] ?? []

/** The names in the first row. */
export const headerOf = (text: string): string[] => firstRow(withoutMark(text), delimiterOf(withoutMark(text)))

const withoutMark = (text: string): string => text.replace(/^\uFEFF/, '')

/** All rows with something in them, the header first. @throws Unreadable for quotes that do not end */
export function* rowsOf(text: string, entry: string | null): InPieces<Row[]> {
  const rest = withoutMark(text)
  const delimiter = delimiterOf(rest)
  const rows: Row[] = []
  let line = 1
  let cursor = 0
  for (let piece = rest; piece !== ''; piece = piece.slice(cursor)) {
    cursor = 0
    Papa.parse<string[]>(piece, {
      delimiter,
      preview: rowsOfAPiece,
      step: ({ data, errors: [error], meta }) => {
        const place = { entry, line }
        if (error !== undefined) throw new Unreadable(`This is not CSV: ${error.message}.`, place)
        if (data.some(cell => cell.trim() !== '')) rows.push({ cells: data, place })
        line += linesIn(piece, cursor, meta.cursor)
        cursor = meta.cursor
      },
    })
    yield
  }
  return rows
}

/** The line breaks in a part of a text. */
const linesIn = (text: string, from: number, to: number): number =>
  text.slice(from, to).match(/\r\n|\n|\r/g)?.length ?? 0
