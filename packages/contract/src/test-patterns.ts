/**
 * Patterns that name tests by the end of their address (evidence 3). `*` matches any characters except `::`, `**` any
 * characters; `\*` and `\\` are literal. Matched in time linear in the address, without regular expressions.
 */
import { z } from 'zod'

/** Maximum number of wildcards of a pattern. */
export const maxWildcards = 8

/** Maximum number of patterns of a scenario. */
export const maxTests = 50

/** A step of a pattern: literal characters, or a wildcard. */
export type TestStep = string | { readonly any: 'part' | 'all' }

/** The separator of the parts of an address. */
export const addressSeparator = '::'

/** The steps of a pattern. */
export function stepsOf(pattern: string): TestStep[] {
  const steps: TestStep[] = []
  let text = ''
  const end = () => {
    if (text !== '') steps.push(text)
    text = ''
  }
  for (let at = 0; at < pattern.length; at++) {
    const [here = '', next = ''] = [pattern[at], pattern[at + 1]]
    if (here === '\\' && (next === '*' || next === '\\')) {
      text += next
      at++
    } else if (here === '*') {
      end()
      if (next === '*') at++
      steps.push({ any: next === '*' ? 'all' : 'part' })
    } else text += here
  }
  end()
  return steps
}

const isWildcard = (step: TestStep): boolean => typeof step !== 'string'

/** A pattern that names tests. */
export const TestPattern = z
  .string()
  .min(1)
  .max(500)
  .refine(pattern => stepsOf(pattern).filter(isWildcard).length <= maxWildcards, {
    error: `must have at most ${maxWildcards} wildcards`,
  })
