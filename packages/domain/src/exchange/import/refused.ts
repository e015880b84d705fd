import { importFormats } from '@specboard/importers'
import { DomainError } from '../../kernel/errors.ts'

/** A position in a file; lines count from 1. */
export interface FilePosition {
  /** As written in the zip; null for a bare file. */
  readonly entry: string | null
  readonly line: number | null
}

/** 400: a file that cannot be imported, with the position of the fault (exchange 1). */
export const refused = (message: string, { entry, line }: Partial<FilePosition> = {}): DomainError =>
  new DomainError('VALIDATION_ERROR', `${message}${where(entry, line)}`, {
    field: 'file',
    entry: entry ?? null,
    line: line ?? null,
    details: [{ field: 'file', message }],
  })

/** 400: the content is not in the given format (exchange 2). */
export const ofOtherFormat = (message: string): DomainError =>
  refused(`${message} The formats are ${['specboard', ...importFormats].join(', ')}.`)

const where = (entry: string | null | undefined, line: number | null | undefined): string => {
  if (entry == null) return line == null ? '' : ` (line ${line})`
  return line == null ? ` (${entry})` : ` (${entry}, line ${line})`
}
