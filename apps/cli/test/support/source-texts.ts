import jsTokens from 'js-tokens'

/** What a source says to its readers. */
export interface SourceText {
  /** The line on which it begins, from 1. */
  readonly line: number
  /** Without its marks or quotes. */
  readonly text: string
}

const lines = (text: string) => text.split('\n').length - 1

const textOf = (token: string) =>
  token
    .replace(/^\/\/|^\/\*+|\*+\/$/g, '')
    .replace(/\n\s*\*?/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()

/** The comments of a source, each on one line. `//` comments on successive lines are one, as sentences run on over them. */
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

/** The texts in quotes of a source, such as the names of tests, with the lines on which they begin. */
export function stringsOf(source: string): SourceText[] {
  const strings: SourceText[] = []
  let line = 1
  for (const { type, value } of jsTokens(source)) {
    if (type === 'StringLiteral' || type === 'NoSubstitutionTemplate') strings.push({ line, text: value.slice(1, -1) })
    line += lines(value)
  }
  return strings
}
