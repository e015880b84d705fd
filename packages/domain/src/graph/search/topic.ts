import { invalid } from '../../kernel/errors.ts'

/** The longest topic, characters (knowledge-graph 7.2). */
export const longestTopic = 2_000

/**
 * Checks a search text.
 * @throws DomainError VALIDATION_ERROR when it is blank or too long
 */
export function topicOf(field: string, text: string | undefined, longest = Number.POSITIVE_INFINITY): string {
  if (text === undefined || text.trim() === '') throw invalid(field, `Say in ${field} what to search for.`)
  if ([...text].length > longest) throw invalid(field, `${field} has at most ${longest} characters.`)
  return text
}
