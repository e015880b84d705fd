import { invalid } from '../../kernel/errors.ts'

/** Maximum length of a topic, characters (knowledge-graph 7.2). */
export const maxTopicLength = 2_000

/**
 * Checks a search text.
 * @throws DomainError VALIDATION_ERROR when it is blank or too long
 */
export function topicOf(field: string, text: string | undefined, maxLength = Number.POSITIVE_INFINITY): string {
  if (text === undefined || text.trim() === '') throw invalid(field, `Say in ${field} what to search for.`)
  if ([...text].length > maxLength) throw invalid(field, `${field} has at most ${maxLength} characters.`)
  return text
}
