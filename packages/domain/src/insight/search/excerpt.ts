import { wordsOf } from '../../graph/text/terms.ts'
import { asksFor } from './words.ts'

/** Maximum length of an excerpt, characters. */
const excerptLength = 200

/** The number of its characters before the word that was found. */
const before = 60

/** A run of word characters. */
const runs = /[\p{L}\p{N}]+/gu

/** The part of a text around the first search word, otherwise its beginning; dots stand for what is left out. */
export function excerptOf(text: string, words: readonly string[]): string {
  const line = text.replace(/\s+/gu, ' ').trim()
  const found = placeOf(line, words)
  const start = found <= before ? 0 : wordStart(line, found - before)
  const room = excerptLength - (start > 0 ? 1 : 0)
  const rest = [...line.slice(start, start + 2 * room)]
  const isCut = rest.length > room || start + 2 * room < line.length
  const content = isCut
    ? `${rest
        .slice(0, room - 1)
        .join('')
        .trimEnd()}…`
    : rest.join('')
  return start > 0 ? `…${content}` : content
}

/** The position of the first search word; 0 when there is none. */
function placeOf(line: string, words: readonly string[]): number {
  if (words.length === 0) return 0
  const isAsked = asksFor(words)
  for (const { 0: run, index } of line.matchAll(runs)) if (wordsOf(run).some(isAsked)) return index
  return 0
}

/** The beginning of the word at or after a place. */
const wordStart = (line: string, place: number): number => {
  const space = line.indexOf(' ', place)
  return space === -1 || space - place > before ? place : space + 1
}
