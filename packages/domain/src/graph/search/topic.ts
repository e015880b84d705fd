import { invalid } from '../../kernel/errors.ts'

/** The longest topic, characters (knowledge-graph 7.2). */
export const longestTopic = 2_000

/**
 * A text that is searched for.
 * @throws DomainError VALIDATION_ERROR when it is blank or too long
 */
export function topicOf(field: string, text: string | undefined, longest = Number.POSITIVE_INFINITY): string {
  if (text === undefined || text.trim() === '') throw invalid(field, `${field} says what to look for. Send it.`)
  if ([...text].length > longest) throw invalid(field, `${field} has at most ${longest} characters.`)
  return text
}
