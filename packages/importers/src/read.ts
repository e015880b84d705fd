import type { InPieces } from '@specboard/contract'
import { backlogFiles } from './backlog-md/folder.ts'
import { readBacklog } from './backlog-md/read.ts'
import { looksLikeIssues } from './beads/issue.ts'
import { readBeads } from './beads/read.ts'
import { csvFile, readCsv } from './csv/read.ts'
import {
  type ImportFormat,
  importFormats,
  type Reader,
  type Reading,
  type ReadOptions,
  type Source,
  Unreadable,
} from './neutral.ts'
import { projectIn } from './spec-kit/folder.ts'
import { readSpecKit } from './spec-kit/read.ts'
import { readTaskMaster, taskMasterFile } from './task-master.ts'

interface Format {
  /** Whether a source is of the format, told from a look at its content. */
  recognises(source: Source, options: ReadOptions): boolean
  readonly read: Reader
}

/** In the order in which they are tried: a folder may hold files of the later ones. */
const formats: Readonly<Record<ImportFormat, Format>> = {
  'backlog-md': { recognises: source => backlogFiles(source) !== undefined, read: readBacklog },
  'spec-kit': { recognises: source => projectIn(source) !== undefined, read: readSpecKit },
  'task-master': { recognises: source => taskMasterFile(source) !== undefined, read: readTaskMaster },
  beads: { recognises: ({ entries }) => entries.some(looksLikeIssues), read: readBeads },
  csv: { recognises: (source, options) => csvFile(source, options) !== undefined, read: readCsv },
}

/** The most lines of a source. */
const mostLines = 1_000_000

/** Characters looked through in one piece of work. */
const charactersOfAPiece = 4 << 20

/** The format of a source, told from its content; undefined if it has none of them. */
export const detectFormat = (source: Source, options: ReadOptions = {}): ImportFormat | undefined =>
  (Object.keys(formats) as ImportFormat[]).find(format => formats[format].recognises(source, options))

/**
 * Reads a source (exchange 2).
 * @param format told from the content if undefined
 * @throws Unreadable where the source is not of the format, or cannot be read
 */
export function* read(
  format: ImportFormat | undefined,
  source: Source,
  options: ReadOptions = {},
): InPieces<Reading & { readonly format: ImportFormat }> {
  yield* checkLines(source)
  const found = format === undefined || !formats[format].recognises(source, options) ? undefined : format
  const chosen = format === undefined ? detectFormat(source, options) : found
  if (chosen === undefined) {
    const known = ['specboard', ...importFormats].join(', ')
    throw new Unreadable(
      format === undefined
        ? `This is of no format that can be imported: ${known}.`
        : `This is not of the format ${format}. Formats are ${known}.`,
    )
  }
  return { format: chosen, ...(yield* formats[chosen].read(source, options)) }
}

function* checkLines({ entries }: Source): InPieces<void> {
  let lines = 0
  for (const { name, text } of entries)
    for (let from = 0; from < (text?.length ?? 0); from += charactersOfAPiece) {
      lines += text!.slice(from, from + charactersOfAPiece).match(/\n/g)?.length ?? 0
      if (lines > mostLines)
        throw new Unreadable(`There are more than ${mostLines} lines.`, { entry: name, line: null })
      yield
    }
}
