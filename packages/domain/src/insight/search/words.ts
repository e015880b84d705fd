import { stemOf, stopWords, wordsOf } from '../../graph/text/terms.ts'

/** Longer words are compared by their beginning. */
const maxWordLength = 64

/** Maximum number of words of a query that are used. */
const maxWords = 16

/** Marks a stem among the words of a record; the tokenizer treats it as a letter, and no word contains it. */
const stemMark = '·'

/**
 * The common base of the forms of an English word, beyond the stem of the knowledge graph: plan and planning, cache and
 * caching, study and studied, files and file.
 */
function baseOf(word: string): string {
  const stem = word.endsWith('es') && !/(?:ss|sh|ch|x|zz|i)es$/.test(word) ? word.slice(0, -1) : stemOf(word)
  if (stem !== word && /([^aeioulsz])\1$/.test(stem)) return stem.slice(0, -1)
  if (stem !== word && /[^aeiou]i$/.test(stem)) return `${stem.slice(0, -1)}y`
  return stem.length > 4 && stem.endsWith('e') ? stem.slice(0, -1) : stem
}

const cut = (word: string): string =>
  [...word].length > maxWordLength ? [...word].slice(0, maxWordLength).join('') : word

/** The tokens stored for a text: each of its words once, and the base of each if it differs. */
export function tokensOf(text: string): string {
  const words = new Set(wordsOf(text).map(cut))
  const bases = new Set<string>()
  for (const word of words) {
    const base = baseOf(word)
    if (base !== word) bases.add(stemMark + base)
  }
  return [...words, ...bases].join(' ')
}

/** The form in which titles are compared with a search. */
export const titleKey = (text: string): string => text.normalize('NFKC').toLowerCase().trim().replace(/\s+/gu, ' ')

/**
 * The words that a record must have: no word that is a prefix of another, and no stop words unless there are no others.
 *
 * @example
 * wordsOfQuery('the cached cache') // ['cached']
 */
export function wordsOfQuery(text: string): string[] {
  const all = [...new Set(wordsOf(text).map(cut))]
  const telling = all.filter(word => !stopWords.has(word))
  const words = telling.length === 0 ? all : telling
  const prefixes = beginnings(words)
  return words.filter(word => !prefixes.has(word)).slice(0, maxWords)
}

/**
 * The words that are prefixes of another word. In sorted order, the longer word follows immediately, or after others
 * with the same prefix.
 */
function beginnings(words: readonly string[]): ReadonlySet<string> {
  const inOrder = words.toSorted()
  return new Set(inOrder.filter((word, at) => inOrder[at + 1]?.startsWith(word)))
}

/** The other forms of a word that a record may contain. */
function formsOf(word: string): string[] {
  const base = baseOf(word)
  return base === word ? [stemMark + base] : [base, stemMark + base]
}

/** Whether a record must have all words, or any of them. */
type Which = 'all' | 'any'

/** All words, in any order, each as a prefix or in another form, in the language of FTS5. */
export const matchOf = (words: readonly string[], which: Which = 'all'): string =>
  words
    .map(word => `(${[`"${word}" *`, ...formsOf(word).map(form => `"${form}"`)].join(' OR ')})`)
    .join(which === 'all' ? ' AND ' : ' OR ')

/** The same in the language of PostgreSQL. */
export const tsqueryOf = (words: readonly string[], which: Which = 'all'): string =>
  words
    .map(word => `(${[`'${word}':*`, ...formsOf(word).map(form => `'${form}'`)].join(' | ')})`)
    .join(which === 'all' ? ' & ' : ' | ')

/** All words in the title, in the language of FTS5. */
export const titleMatchOf = (words: readonly string[], which: Which = 'all'): string =>
  `title : (${matchOf(words, which)})`

/** Whether a word of a text is one that a query searches for. */
export const asksFor = (words: readonly string[]): ((word: string) => boolean) => {
  const bases = new Set(words.map(baseOf))
  return word => words.some(prefix => word.startsWith(prefix)) || bases.has(baseOf(word))
}
