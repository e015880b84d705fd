/** Words that say nothing about the subject of a text. */
export const stopWords: ReadonlySet<string> = new Set(
  'a an and are as at be by for from in into is it of on or that the this to with'.split(' '),
)

/** Suffix, length that a word must exceed, and replacement of the suffix; the first that matches is used. */
const suffixes: readonly (readonly [suffix: string, longerThan: number, replacement: string])[] = [
  ['ies', 4, 'y'],
  ['ing', 5, ''],
  ['ed', 4, ''],
  ['es', 4, ''],
  ['s', 3, ''],
]

/** A word without its English ending. */
export function stemOf(word: string): string {
  const rule = suffixes.find(
    ([suffix, longerThan]) =>
      word.endsWith(suffix) && word.length > longerThan && !(suffix === 's' && word.endsWith('ss')),
  )
  return rule === undefined ? word : word.slice(0, -rule[0].length) + rule[2]
}

/** The words of a text in order, with repeats: letters and digits, in one form and case. */
export const wordsOf = (text: string): string[] =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter(word => word !== '')

/**
 * The terms of a text in order, with repeats. Search, the built-in embedder and the detection of contradictions compare
 * them (knowledge-graph 7.1).
 */
export const terms = (text: string): string[] =>
  wordsOf(text)
    .filter(word => [...word].length > 1 && !stopWords.has(word))
    .map(stemOf)
