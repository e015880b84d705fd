/** Edits JSON files of a project that others write too: what is not ours stays, including comments. */
import { applyEdits, type JSONPath, modify, type ParseError, parse } from 'jsonc-parser'
import { UsageError } from '../frame/usage-error.ts'

/** The JSON value of a text; an empty object if the text is empty; undefined if it is not JSON. */
export function jsonIn(text: string): unknown {
  const faults: ParseError[] = []
  const value = parse(text || '{}', faults, { allowTrailingComma: true })
  return faults.length > 0 ? undefined : value
}

/**
 * The value of a file's text.
 * @throws UsageError for a text that is not JSON
 */
export function readJson(path: string, text: string): unknown {
  const value = jsonIn(text)
  if (value === undefined)
    throw new UsageError(`${path} is not valid JSON, so nothing was created. Fix it, then run "specboard init" again.`)
  return value
}

/** A text with the value at a place replaced, keeping its line endings; undefined removes the value. */
export const edited = (text: string, place: JSONPath, value: unknown, isArrayInsertion = false): string =>
  applyEdits(text, modify(text, place, value, { formattingOptions: formattingOf(text), isArrayInsertion }))

const formattingOf = (text: string) => ({ insertSpaces: true, tabSize: 2, eol: endOfLine(text) })

/** How the lines of a text end. */
export const endOfLine = (text: string): string => (text.includes('\r\n') ? '\r\n' : '\n')
