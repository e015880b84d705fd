import { terms } from './terms.ts'

const negators =
  "not no never without avoid drop remove stop don't cannot can't mustn't shouldn't reject disable".split(' ')
const fillers = 'do does use using used adopt choose keep will should must shall can longer'.split(' ')

const negative: ReadonlySet<string> = new Set(negators)

let stems: ReadonlySet<string> | undefined

/** The terms of words that say nothing about a subject; they are stemmed when first needed, not at each start. */
function dropped(): ReadonlySet<string> {
  stems ??= new Set([...negators, ...fillers].flatMap(terms))
  return stems
}

/** Two decisions whose cores are less similar than this are about different subjects. */
const sameSubject = 0.6

/** What a decision states, for the detection of contradictions (knowledge-graph 6.3). */
export interface Statement {
  /** Whether it speaks for or against its subject. */
  readonly polarity: 1 | -1
  /** The terms of its subject, each once, sorted. */
  readonly core: readonly string[]
}

const words = (title: string): string[] =>
  title
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll('’', "'")
    .match(/[\p{L}\p{N}]+(?:'\p{L}+)*/gu) ?? []

/** The statement in the title of a decision. */
export const statementOf = (title: string): Statement => ({
  polarity: words(title).some(word => negative.has(word)) ? -1 : 1,
  core: [...new Set(terms(title))].filter(term => !dropped().has(term)).sort(),
})

/** The Jaccard similarity of two cores; 0 when both are empty. */
function jaccard(a: readonly string[], b: readonly string[]): number {
  const inB = new Set(b)
  const shared = a.filter(term => inB.has(term)).length
  const union = a.length + b.length - shared
  return union === 0 ? 0 : shared / union
}

/** The confidence that two decisions contradict each other, 2 decimals; null when they do not. */
export function contradiction(a: Statement, b: Statement): number | null {
  if (a.polarity === b.polarity || a.core.length < 2 || b.core.length < 2) return null
  const similarity = jaccard(a.core, b.core)
  if (similarity < sameSubject) return null
  return Math.round(Math.min(0.85, 0.5 + 0.35 * similarity) * 100) / 100
}
