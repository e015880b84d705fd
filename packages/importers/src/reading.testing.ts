/** Reads samples in tests. */
import { atOnce } from '@specboard/contract'
import type {
  ImportFormat,
  NeutralRecord,
  NeutralType,
  Problem,
  ReadOptions,
  Source,
  SourceContent,
} from './neutral.ts'
import { Unreadable } from './neutral.ts'
import { read } from './read.ts'

/** Files by name. */
export const folder = (files: Readonly<Record<string, string | null>>, filename: string | null = null): Source => ({
  filename,
  entries: Object.entries(files).map(([name, text]) => ({ name, text })),
})

export const bareFile = (text: string, filename: string | null = null): Source => ({
  filename,
  entries: [{ name: null, text }],
})

export const readingOf = (source: Source, options: ReadOptions = {}, format?: ImportFormat): SourceContent =>
  atOnce(read(format, source, options))

/** The records of a type. */
export const ofType = <Type extends NeutralType>(type: Type, { records }: SourceContent) =>
  records.filter((record): record is Extract<NeutralRecord, { type: Type }> => record.type === type)

/** The record with an id. */
export function recordOf<Type extends NeutralType>(type: Type, id: string, reading: SourceContent) {
  const found = ofType(type, reading).find(record => record.id === id)
  if (found === undefined)
    throw new Error(`There is no ${type} ${id} among ${ofType(type, reading).map(record => record.id)}`)
  return found
}

/** The text of the entry "Imported fields" of a record. */
export const importedFieldsOf = (id: string, reading: SourceContent): string =>
  recordOf('knowledge', `${id}#imported-fields`, reading).content

/** The links as `a>b`. */
export const linksIn = (reading: SourceContent): string[] => ofType('dependency', reading).map(({ id }) => id)

/** The problems of a severity, each as its place, id and reason. */
export const problemsOf = (severity: Problem['severity'], { problems }: SourceContent): string[] =>
  problems
    .filter(problem => problem.severity === severity)
    .map(({ entry, line, id, reason }) => `${entry ?? ''}:${line ?? ''} ${id ?? ''} ${reason}`)

/** Why a source is refused, with its place. */
export function refusalOf(source: Source, options: ReadOptions = {}, format?: ImportFormat) {
  try {
    readingOf(source, options, format)
  } catch (error) {
    if (error instanceof Unreadable) return { message: error.message, entry: error.entry, line: error.line }
    throw error
  }
  return null
}
