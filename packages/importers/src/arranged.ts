/** A source in the normalised form that all readers see, however it was packed (imports 2). */
import type { InPieces } from '@specboard/contract'
import { type Entry, type Source, Unreadable } from './neutral.ts'

/** Maximum number of lines of a source. */
const maxLines = 1_000_000

/** Characters processed in one step. */
const charactersOfAPiece = 4 << 20

/** Files that operating systems create. */
const leftBehind: ReadonlySet<string> = new Set(['.ds_store', 'thumbs.db', 'desktop.ini'])

const isLeftBehind = (name: string): boolean =>
  name.split('/').some(part => part === '__MACOSX' || part.startsWith('._') || leftBehind.has(part.toLowerCase()))

/**
 * The source with its entries sorted, without files that operating systems create; every line ends with `\n`.
 * @throws Unreadable for more than a million lines
 */
export function* arranged({ filename, entries }: Source): InPieces<Source> {
  const files = entries.filter(({ name }) => name === null || !isLeftBehind(name))
  const sorted = files.toSorted((a, b) => compared(a.name ?? '', b.name ?? ''))
  const plain = sorted.map(withPlainLines)
  yield* checkLines(plain)
  return { filename, entries: plain }
}

/** By code units, so that the order does not depend on the machine's language. */
const compared = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

function withPlainLines(entry: Entry): Entry {
  if (entry.text === null) return entry
  const unmarked = entry.text.startsWith('\uFEFF') ? entry.text.slice(1) : entry.text
  const text = unmarked.includes('\r') ? unmarked.replaceAll('\r\n', '\n').replaceAll('\r', '\n') : unmarked
  return text === entry.text ? entry : { ...entry, text }
}

function* checkLines(entries: readonly Entry[]): InPieces<void> {
  let lines = 0
  for (const { name, text } of entries)
    for (let from = 0; from < (text?.length ?? 0); from += charactersOfAPiece) {
      lines += text!.slice(from, from + charactersOfAPiece).match(/\n/g)?.length ?? 0
      if (lines > maxLines)
        throw new Unreadable(`There are more than ${maxLines} lines. Divide the source.`, { entry: name, line: null })
      yield
    }
}
