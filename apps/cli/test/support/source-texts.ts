import jsTokens from 'js-tokens'

/** A comment or string in a source. */
export interface SourceText {
  /** The line on which it begins, counted from 1. */
  readonly line: number
  /** The text without comment marks or quotes. */
  readonly text: string
}

const lines = (text: string) => text.split('\n').length - 1

const textOf = (token: string) =>
  token
    .replace(/^\/\/|^\/\*+|\*+\/$/g, '')
    .replace(/\n\s*\*?/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()

/** The comments of a source, each on one line. Successive `//` comments are one, because sentences run over them. */
export function commentsOf(source: string): SourceText[] {
  const comments: SourceText[] = []
  let line = 1
  let goesOn = false
  for (const { type, value } of jsTokens(source)) {
    if (type === 'SingleLineComment' && goesOn) {
      const before = comments.pop()!
      comments.push({ line: before.line, text: `${before.text} ${textOf(value)}` })
    } else if (type === 'SingleLineComment' || type === 'MultiLineComment') {
      comments.push({ line, text: textOf(value) })
    }
    goesOn = type === 'SingleLineComment' || (goesOn && /^(WhiteSpace|LineTerminatorSequence)$/.test(type))
    line += lines(value)
  }
  return comments
}

/** The quoted strings of a source, such as the names of tests. */
export function stringsOf(source: string): SourceText[] {
  const strings: SourceText[] = []
  let line = 1
  for (const { type, value } of jsTokens(source)) {
    if (type === 'StringLiteral' || type === 'NoSubstitutionTemplate') strings.push({ line, text: value.slice(1, -1) })
    line += lines(value)
  }
  return strings
}
