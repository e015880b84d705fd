import { type AnyOperation, featureOf, registry } from '@specboard/contract'
import { planOf } from '../tools/arguments.ts'
import { core as coreTools } from '../tools/toolsets.ts'
import { fit, isActionWord, isMeantBy, type OperationSense, type RequestWords, requestedBy, senseOf } from './doing.ts'
import { meantBy, synonymsOf } from './synonyms.ts'

/** The weight of a word by where it occurs; a prefix match counts half (mcp 11). */
const weights = { name: 8, keywords: 4, title: 4, description: 2, fields: 2, feature: 2 } as const

type Part = keyof typeof weights

/** Words that do not help to tell operations apart. */
const stopWords: ReadonlySet<string> = new Set(
  'a an the of to for in on at by with from into my me i it its is are be this that these what which who how all any some and or new we you can do does please one so that have has not no else nobody somebody another between if them they your our us was will again before now'.split(
    ' ',
  ),
)

/** The words of a text: lower case, singular, without stop words. */
export const wordsOf = (text: string): string[] =>
  (text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).filter(word => !stopWords.has(word)).map(singular)

/** All words of a text, including those that do not help to tell operations apart. */
export const allWordsOf = (text: string): string[] =>
  (text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).flatMap(word => [...new Set([word, singular(word)])])

function singular(word: string): string {
  if (word.length > 4 && word.endsWith('ies')) return `${word.slice(0, -3)}y`
  if (word.length > 3 && word.endsWith('s') && !/(?:ss|us|is)$/.test(word)) return word.slice(0, -1)
  return word
}

interface IndexEntry {
  readonly operation: AnyOperation
  readonly words: Readonly<Record<Part, ReadonlySet<string>>>
  readonly title: string
  readonly place: number
  readonly doing: OperationSense
  readonly isCore: boolean
}

/** The operations with their words, and the weight of each word: rare words weigh more. */
interface Index {
  readonly entries: readonly IndexEntry[]
  readonly weightOf: ReadonlyMap<string, number>
}

let index: Index | undefined

function built(): Index {
  const entries = indexed()
  const count = new Map<string, number>()
  for (const { words } of entries)
    for (const word of new Set(Object.values(words).flatMap(part => [...part])))
      count.set(word, (count.get(word) ?? 0) + 1)
  return { entries, weightOf: new Map([...count].map(([word, n]) => [word, Math.log(1 + entries.length / n)])) }
}

const indexed = () =>
  registry
    .filter(({ caller }) => caller === undefined)
    .map((operation, place): IndexEntry => {
      const feature = featureOf(operation)
      return {
        operation,
        words: {
          name: new Set(wordsOf(operation.name.replaceAll('_', ' '))),
          keywords: new Set(wordsOf([...operation.keywords, ...synonymsOf(operation.name, feature)].join(' '))),
          title: new Set(wordsOf(operation.title)),
          description: new Set(wordsOf(operation.description)),
          fields: new Set(fieldWords(operation)),
          feature: new Set(wordsOf(feature)),
        },
        title: operation.title.toLowerCase(),
        place,
        doing: senseOf(operation),
        isCore: coreTools.includes(operation.name),
      }
    })

/** The words for what an operation changes: the names of its fields, and the statuses that it moves to. */
function fieldWords(operation: AnyOperation): string[] {
  const { action } = senseOf(operation)
  if (action !== 'change' && action !== 'move') return []
  return [...planOf(operation).arguments.values()]
    .filter(({ places }) => places.some(({ part }) => part === 'body'))
    .flatMap(({ name, type }) =>
      wordsOf([name, ...(action === 'move' ? (type.enum ?? []) : [])].join(' ').replaceAll('_', ' ')),
    )
}

/** The operations that match a query, best first; deterministic, without a model. An empty query matches all. */
export function searchOperations(query: string, fits: (operation: AnyOperation) => boolean): AnyOperation[] {
  index ??= built()
  const sought = [...new Set(wordsOf(query.replaceAll('_', ' ')))]
  const whole = query.trim().toLowerCase()
  const { entries, weightOf } = index
  const candidates = entries.filter(({ operation }) => fits(operation))
  if (whole === '') return candidates.map(({ operation }) => operation)
  const request = requestedBy(allWordsOf(query))
  // Destructive operations are offered only on request.
  const namesDestruction = request.actions.has('destroy')
  const isNamed = ({ name }: AnyOperation, title: string) => name === whole || title === whole
  return candidates
    .filter(
      ({ doing, operation, title }) => namesDestruction || doing.action !== 'destroy' || isNamed(operation, title),
    )
    .map(entry => ({ entry, score: scoreOf(entry, sought, whole, weightOf, request) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score || a.entry.place - b.entry.place)
    .map(({ entry }) => entry.operation)
}

/** The weight of the service's own word for a word of the query, relative to that word. */
const meantShare = 0.75

/**
 * The weight of how well an operation's action and record fit, in addition to its words; and the extra weight of the
 * operations that agents call most.
 */
const fitWeight = 2
const coreWeight = 4

/** More than the weights of all words of any query add up to. */
const exact = 10_000

function scoreOf(
  { operation, words, title, doing, isCore }: IndexEntry,
  sought: readonly string[],
  whole: string,
  weightOf: Index['weightOf'],
  request: RequestWords,
): number {
  const wordSum = sought.reduce((sum, word) => {
    const synonym = meantBy[word]
    const score = wordScore(words, word, weightOf)
    return sum + score + (synonym === undefined ? 0 : meantShare * wordScore(words, synonym, weightOf))
  }, 0)
  const surplus = [...words.name].filter(word => !sought.some(other => isLike(word, other))).length
  const bonus = operation.name === whole ? exact * 2 : title === whole ? exact : 0
  if (wordSum === 0 && bonus === 0 && !(doing.about !== undefined && request.records.has(doing.about))) return 0
  return Math.max(bonus + wordSum - surplus + fitWeight * fit(doing, request) + (isCore ? coreWeight : 0), 0.1)
}

function wordScore(words: IndexEntry['words'], word: string, weightOf: Index['weightOf']): number {
  let score = 0
  for (const part of Object.keys(weights) as Part[]) {
    if (words[part].has(word)) {
      score += weights[part] * (weightOf.get(word) ?? 1)
      continue
    }
    const like = [...words[part]].filter(one => isLike(one, word)).map(one => weightOf.get(one) ?? 1)
    if (like.length > 0) score += (weights[part] / 2) * Math.max(...like)
  }
  return score
}

/** Whether a word begins with a sought one; prefixes under three characters match nothing. */
const isLike = (word: string, sought: string): boolean =>
  sought.length >= 3 && !isActionWord(sought) && word.startsWith(sought)

/** The weighted share of a request's words that an operation must match. */
const minMatchedShare = 1 / 3

/** The weight of a word that no operation contains, relative to the rarest one that does. */
const unknownShare = 1.5

/**
 * Whether an operation fulfils a request, as far as words can show: they match its name, action or record. A word that
 * no operation contains weighs more than the rarest word that some operation contains (crew 9.1).
 */
export function answersTo(operation: AnyOperation, query: string): boolean {
  index ??= built()
  const { entries, weightOf } = index
  const entry = entries.find(one => one.operation === operation)
  const sought = [...new Set(wordsOf(query.replaceAll('_', ' ')))]
  if (entry === undefined || sought.length === 0) return entry !== undefined
  const unknown = unknownShare * Math.log(1 + entries.length)
  let [answered, whole] = [0, 0]
  for (const word of sought) {
    const synonym = meantBy[word]
    const weight = weightOf.get(word) ?? unknown
    const isKnown =
      isMeantBy(word, entry.doing) ||
      wordScore(entry.words, word, weightOf) > 0 ||
      (synonym !== undefined && wordScore(entry.words, synonym, weightOf) > 0)
    whole += weight
    if (isKnown) answered += weight
  }
  return answered / whole >= minMatchedShare
}
