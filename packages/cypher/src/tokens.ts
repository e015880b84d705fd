import { CypherError, type Position } from './cypher-error.ts'

/** A piece of a query's text. */
export interface Token {
  readonly kind: 'word' | 'integer' | 'float' | 'string' | 'parameter' | 'symbol' | 'end'
  /** The word, the value of a string, the digits or the symbol. */
  readonly text: string
  readonly position: Position
  /** Its offsets in the text of the query. */
  readonly start: number
  readonly end: number
}

const unsafe: ReadonlySet<string> = new Set([
  'CREATE',
  'MERGE',
  'DELETE',
  'DETACH',
  'SET',
  'REMOVE',
  'DROP',
  'ALTER',
  'LOAD',
  'COPY',
  'INSTALL',
  'ATTACH',
  'FOREACH',
])

const skipped = /(?:\s|\/\/[^\n]*(?:\n|$)|\/\*[^*]*\*+(?:[^/*][^*]*\*+)*\/)+/y
const openComment = /\/\*[\s\S]*/y
const quotedText = /'(?:[^'\\]|\\[\s\S])*'?|"(?:[^"\\]|\\[\s\S])*"?/y
const word = /[\p{L}_][\p{L}\p{N}_]*/uy
const float = /\d+\.\d+(?:[eE][+-]?\d+)?|\d+[eE][+-]?\d+|\.\d+(?:[eE][+-]?\d+)?/y
const integer = /\d+/y
const symbol = /\.\.|<=|>=|<>|=~|[-+*/%=<>()[\]{},.:;|$]/y

/** The text that a pattern matches at an offset; undefined if it does not match. */
function at(pattern: RegExp, text: string, offset: number): string | undefined {
  pattern.lastIndex = offset
  return pattern.exec(text)?.[0]
}

/** The first writing keyword outside of strings and comments, in upper case; undefined when there is none. */
export function unsafeWord(text: string): string | undefined {
  for (let offset = 0; offset < text.length; ) {
    const ignored = at(skipped, text, offset) ?? at(openComment, text, offset) ?? at(quotedText, text, offset)
    const found = ignored === undefined ? at(word, text, offset) : undefined
    if (found !== undefined && unsafe.has(found.toUpperCase())) return found.toUpperCase()
    offset += (ignored ?? found ?? ' ').length
  }
  return undefined
}

const escapes: Readonly<Record<string, string>> = {
  n: '\n',
  t: '\t',
  r: '\r',
  b: '\b',
  f: '\f',
}

const withoutEscapes = (text: string): string =>
  text.replaceAll(/\\(?:u([0-9a-fA-F]{4})|([\s\S]))/g, (_, code: string | undefined, letter: string | undefined) =>
    code === undefined ? (escapes[letter!] ?? letter!) : String.fromCharCode(Number.parseInt(code, 16)),
  )

/** Converts offsets in a text, given in ascending order, to lines and columns. */
function positions(text: string): (offset: number) => Position {
  const starts = [0]
  for (const match of text.matchAll(/\n/g)) starts.push(match.index + 1)
  let line = 0
  return offset => {
    while (line + 1 < starts.length && starts[line + 1]! <= offset) line++
    return { line: line + 1, column: offset - starts[line]! + 1 }
  }
}

/**
 * The tokens of a query; the last is of kind `end`.
 * @throws CypherError for a string, name or comment without an end, and for a character outside of the language
 */
export function tokenize(text: string): Token[] {
  const positionOf = positions(text)
  const tokens: Token[] = []
  let offset = 0
  const add = (kind: Token['kind'], value: string, length: number) => {
    tokens.push({ kind, text: value, position: positionOf(offset), start: offset, end: offset + length })
    offset += length
  }
  for (;;) {
    const trivia = at(skipped, text, offset)
    offset += trivia?.length ?? 0
    if (offset >= text.length) break
    if (at(openComment, text, offset) !== undefined)
      throw new CypherError('This comment is not closed.', positionOf(offset))
    const quote = text[offset]
    if (quote === "'" || quote === '"') {
      const whole = at(quotedText, text, offset)!
      if (whole.length < 2 || !whole.endsWith(quote))
        throw new CypherError('This string is not closed.', positionOf(offset))
      add('string', withoutEscapes(whole.slice(1, -1)), whole.length)
      continue
    }
    if (quote === '`') {
      const end = text.indexOf('`', offset + 1)
      if (end === -1) throw new CypherError('This name is not closed.', positionOf(offset))
      add('word', text.slice(offset + 1, end), end - offset + 1)
      continue
    }
    const name = quote === '$' ? at(/\$(?:[\p{L}_][\p{L}\p{N}_]*|\d+)/uy, text, offset) : undefined
    if (name !== undefined) {
      add('parameter', name.slice(1), name.length)
      continue
    }
    const found = (
      [
        ['word', word],
        ['float', float],
        ['integer', integer],
        ['symbol', symbol],
      ] as const
    )
      .map(([kind, pattern]) => [kind, at(pattern, text, offset)] as const)
      .find(([, value]) => value !== undefined)
    if (found?.[1] === undefined)
      throw new CypherError(`Unexpected character ${JSON.stringify(quote)}.`, positionOf(offset))
    add(found[0], found[1], found[1].length)
  }
  add('end', '', 0)
  return tokens
}
