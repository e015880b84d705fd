/** Shows texts by people and agents so that they cannot be mistaken for the service's own words (trust 4). */
import { withUnseenSpelledOut } from '../unseen.ts'

/** Maximum characters of a quoted line. */
const quotedLimit = 200

/** At least three backticks make a fence. */
const shortestFence = 3

/**
 * A text in quotation marks on one line, with `"` and `\` escaped as in JSON: line breaks, control and bidirectional
 * characters become `\u….`, and anything beyond `limit` characters is replaced by `…` (trust 4).
 */
export function quoted(text: string, limit = quotedLimit): string {
  let result = ''
  for (const character of text) {
    const next = /["\\]/.test(character) ? `\\${character}` : withUnseenSpelledOut(character)
    if (result.length + next.length > limit) return `"${result}…"`
    result += next
  }
  return `"${result}"`
}

/** A single-line text in quotation marks; undefined if `quoted` would not show it completely. */
export function quotedWhole(text: string): string | undefined {
  if (text.length > quotedLimit || /[\n\v\f\r\u0085\u2028\u2029]/.test(text)) return undefined
  const quote = quoted(text, Infinity)
  // The quotation marks add two characters.
  return quote.length <= quotedLimit + 2 ? quote : undefined
}

/** A fenced text, and whether some of it was left out. */
export interface Quotation {
  readonly text: string
  readonly isCut: boolean
}

/**
 * A text fenced with backticks, more than in any run of backticks in it, so that nothing in it ends the fence; control
 * and bidirectional characters other than line feed and tab become `\u….` (trust 4).
 * @param room characters that text and fences may take together; the text is truncated to fit
 */
export function fenced(text: string, room = Infinity, language = ''): Quotation {
  const start = escapedLines(startOf(text, room))
  const around = (part: string): string => {
    const fence = '`'.repeat(Math.max(shortestFence, longestRun(part) + 1))
    return `${fence}${language}\n${part}\n${fence}`
  }
  const whole = around(start)
  if (whole.length <= room) return { text: whole, isCut: text.length > room }
  // Each character left out shortens the whole by at least one.
  const end = Math.max(0, start.length - (whole.length - room))
  return { text: around(startOf(start, end).trimEnd()), isCut: true }
}

/** The first characters of a text, without an unpaired surrogate at the end. */
export const startOf = (text: string, length: number): string =>
  text.length <= length ? text : text.slice(0, length).replace(/[\ud800-\udbff]$/, '')

const escapedLines = (text: string): string =>
  withUnseenSpelledOut(text.replaceAll('\r\n', '\n').trimEnd(), character => /[\n\t]/.test(character))

const longestRun = (text: string): number =>
  (text.match(/`+/g) ?? []).reduce((longest, run) => Math.max(longest, run.length), 0)

/** Words of the service unchanged; quoted when they contain more than plain words and figures. */
export const plain = (text: string): string => (/^[\w .,:;%<>=+()/-]{0,1000}$/.test(text) ? text : quoted(text))

/** An id in backticks; free text in its place is quoted. */
export const code = (id: string): string => (/^[\w.:@-]{1,255}$/.test(id) ? `\`${id}\`` : quoted(id))
