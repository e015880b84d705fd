import { fnv1a } from '@specboard/storage'
import { terms } from '../text/terms.ts'
import { normalised } from './vectors.ts'

/** The dimension of the built-in embedder's vectors. */
export const lexicalDimension = 384

/** The name of the built-in embedder. */
export const lexicalModel = 'builtin-lexical-v1'

/** The trigrams of a term, with its beginning and end. */
export const trigrams = (term: string): string[] => {
  const letters = [...`_${term}_`]
  return letters.slice(2).map((_, index) => letters.slice(index, index + 3).join(''))
}

/** The features of a text with their weights: terms, pairs of adjacent terms, and trigrams of characters. */
function features(text: string): Map<string, { weight: number; count: number }> {
  const found = new Map<string, { weight: number; count: number }>()
  const add = (feature: string, weight: number) => {
    const existing = found.get(feature)
    if (existing === undefined) found.set(feature, { weight, count: 1 })
    else existing.count++
  }
  const all = terms(text)
  for (const [index, term] of all.entries()) {
    add(`u:${term}`, 1)
    const next = all[index + 1]
    if (next !== undefined) add(`b:${term} ${next}`, 0.5)
    for (const trigram of trigrams(term)) add(`c:${trigram}`, 0.2)
  }
  return found
}

/** The vector of a text by the built-in embedder: deterministic, from words and parts of words (knowledge-graph 7.1). */
export function lexicalVector(text: string): Float32Array {
  const sums = new Float64Array(lexicalDimension)
  for (const [feature, { weight, count }] of features(text)) {
    const hash = fnv1a(feature)
    const value = weight * (1 + Math.log(count))
    sums[hash % lexicalDimension]! += hash >>> 31 === 1 ? -value : value
  }
  return normalised(sums)
}
