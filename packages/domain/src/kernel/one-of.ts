import { invalid } from './errors.ts'

/**
 * Checks that a word belongs to an enumeration, where the contract answers 400 instead of 422.
 * @throws DomainError VALIDATION_ERROR with `allowed`
 */
export function oneOf<const Word extends string>(field: string, words: readonly Word[], value: string): Word {
  const word = words.find(candidate => candidate === value)
  if (word !== undefined) return word
  throw invalid(field, `${field} must be one of ${words.join(', ')}, not "${value}".`, { allowed: words })
}
