import { invalid } from './errors.ts'

/**
 * A word of an enumeration, where the contract answers 400 and not 422 for any other.
 * @throws DomainError VALIDATION_ERROR with `allowed`
 */
export function oneOf<const Word extends string>(field: string, words: readonly Word[], value: string): Word {
  const word = words.find(candidate => candidate === value)
  if (word !== undefined) return word
  throw invalid(field, `${field} must be one of ${words.join(', ')}, not "${value}".`, { allowed: words })
}
