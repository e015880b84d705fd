/** Reads a CSV text into rows (exchange 2.5). */
import type { InPieces } from '@specboard/contract'
import Papa from 'papaparse'
import { type SourcePlace, Unreadable } from '../neutral.ts'

export interface Row {
  readonly cells: readonly string[]
  readonly place: SourcePlace
}

/** A text whose first row has been read. */
export interface Header {
  readonly columns: readonly string[]
  readonly delimiter: string
  /** The offset and line of the first row. */
  readonly from: number
  readonly line: number
}

export interface Rows {
  readonly rows: readonly Row[]
  /** Rows with invalid quotes. */
  readonly broken: readonly { readonly place: SourcePlace; readonly reason: string }[]
}

/** In order of preference, if nothing else decides. */
const delimiters = [',', ';', '\t', '|']

/** Maximum number of characters of a header. */
const maxHeaderLength = 1 << 18

/** Characters read at once, if a row ends within them. */
const windowSize = 1 << 18

/** Characters read after a row with invalid quotes, as there may be more of those. */
const windowBehindBroken = 1 << 10

/** Maximum number of characters that are read twice because of invalid quotes: this many, or this many times the text. */
const maxReadTwice = 1 << 23
const maxReadings = 2

const sepLine = /^"?sep=(.)"?[ \t]*(?:\n|$)/i

/**
 * The first row of a text that is not blank; the delimiter is the one in a line `sep=;`, otherwise the one that yields
 * a title column, otherwise the one with the most columns.
 */
export function headerOf(text: string, hasTitle: (columns: readonly string[]) => boolean): Header {
  const match = sepLine.exec(text.slice(0, 20))
  let from = match?.[0].length ?? 0
  let line = match === null ? 1 : 2
  for (
    let end = text.indexOf('\n', from);
    end !== -1 && text.slice(from, end).trim() === '';
    end = text.indexOf('\n', from)
  ) {
    from = end + 1
    line++
  }
  const start = text.slice(from, from + maxHeaderLength)
  const [best] = (match === null ? delimiters : [match[1]!])
    .map(delimiter => ({ delimiter, ...firstRow(start, delimiter) }))
    .toSorted(
      (a, b) => Number(hasTitle(b.columns)) - Number(hasTitle(a.columns)) || b.columns.length - a.columns.length,
    )
  const { delimiter, columns, length } = best!
  return { columns, delimiter, from: from + length, line: line + linesIn(text, from, from + length) }
}

function firstRow(text: string, delimiter: string): { columns: string[]; length: number } {
  const { data, meta } = Papa.parse<string[]>(text, { delimiter, newline: '\n', preview: 1, fastMode: false })
  return { columns: data[0] ?? [], length: meta.cursor }
}

/**
 * The non-empty rows below a header. Only a row with invalid quotes is skipped: reading continues at the next line.
 * @throws Unreadable for a file with many of them
 */
export function* rowsBelow(text: string, { delimiter, from, line }: Header, entry: string | null): InPieces<Rows> {
  const rows: Row[] = []
  const broken: Rows['broken'][number][] = []
  const end = from + text.slice(from).trimEnd().length
  let at = from
  let size = windowSize
  let readTwice = 0
  let lineAt = line
  while (at < end) {
    const isLast = at + size >= end
    const piece = text.slice(at, Math.min(at + size, end))
    const { rows: pieceRows, wrong } = rowsIn(piece, delimiter, isLast)
    let cursor = 0
    for (const row of pieceRows) {
      const place = { entry, line: lineAt }
      if (row.cells.some(cell => cell.trim() !== '')) rows.push({ cells: row.cells, place })
      lineAt += linesIn(piece, cursor, row.end)
      cursor = row.end
    }
    if (wrong !== undefined) {
      broken.push({ place: { entry, line: lineAt }, reason: wrong })
      readTwice += piece.length - cursor
      if (readTwice > maxReadTwice + maxReadings * text.length)
        throw new Unreadable(`The quotes of this CSV do not match: ${wrong}.`, { entry, line: lineAt })
      const next = piece.indexOf('\n', cursor)
      cursor = next === -1 ? piece.length : next + 1
      lineAt++
    }
    size = wrong !== undefined ? windowBehindBroken : cursor === 0 ? size * 2 : Math.min(size * 2, windowSize)
    at += cursor
    yield
  }
  return { rows, broken }
}

interface TakenRow {
  readonly cells: readonly string[]
  /** Its end offset in the piece. */
  readonly end: number
}

/** The complete rows of a piece, up to the first one with invalid quotes. */
function rowsIn(piece: string, delimiter: string, isLast: boolean): { rows: TakenRow[]; wrong: string | undefined } {
  const rows: TakenRow[] = []
  let wrong: string | undefined
  Papa.parse<string[]>(piece, {
    delimiter,
    newline: '\n',
    step: ({ data, errors: [error], meta }, parser) => {
      if (!isLast && meta.cursor >= piece.length) return
      if (error === undefined) rows.push({ cells: data, end: meta.cursor })
      else {
        wrong = error.message
        parser.abort()
      }
    },
  })
  return { rows, wrong }
}

/** The line breaks in a part of a text. */
function linesIn(text: string, from: number, to: number): number {
  let lines = 0
  for (let at = text.indexOf('\n', from); at !== -1 && at < to; at = text.indexOf('\n', at + 1)) lines++
  return lines
}
