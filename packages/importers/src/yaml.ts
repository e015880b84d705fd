import { isMap, isScalar, LineCounter, parseDocument, visit } from 'yaml'
import { type SourcePlace, Unreadable } from './neutral.ts'

/** A YAML text with fields. Values are texts as written, lists and objects of them, or null. */
export interface YamlFields {
  readonly values: Readonly<Record<string, unknown>>
  /** The line of a field in the file. */
  lineOf(name: string): number
}

/**
 * The fields of a YAML text; undefined if it contains something else.
 * @param at where the text begins in its file
 * @throws Unreadable for aliases, which can make a small text huge, and for invalid YAML
 */
export function yamlFields(text: string, at: SourcePlace & { line: number }): YamlFields | undefined {
  const counter = new LineCounter()
  const lineAt = (offset: number): number => at.line + counter.linePos(offset).line - 1
  const document = parseDocument(text, { lineCounter: counter })
  // A value such as `@someone` without quotes is invalid YAML, but people write names like that.
  const [error] = document.errors.filter(({ code }) => code !== 'BAD_SCALAR_START')
  if (error !== undefined)
    throw new Unreadable(`This is not YAML: ${error.code}.`, { ...at, line: lineAt(error.pos[0]) })
  visit(document, {
    Alias: (_, { range }) => {
      throw new Unreadable('YAML aliases are not read.', { ...at, line: lineAt(range?.[0] ?? 0) })
    },
    Scalar: (_, scalar) => {
      if (scalar.value !== null && typeof scalar.value !== 'string')
        scalar.value = scalar.source ?? String(scalar.value)
    },
  })
  if (!isMap(document.contents)) return undefined
  const lines = new Map(
    document.contents.items.map(({ key }) =>
      isScalar(key) ? ([String(key.value), lineAt(key.range?.[0] ?? 0)] as const) : (['', at.line] as const),
    ),
  )
  return { values: document.toJS() as Record<string, unknown>, lineOf: name => lines.get(name) ?? at.line }
}
