import { excerpt } from '../../lib/excerpt.ts'

/** A title from a text: its first 120 characters (knowledge-graph 2.1). */
export const titleOf = (text: string): string => excerpt(text, 120)

/** The texts that are not blank, separated by blank lines. */
export const paragraphs = (...texts: readonly (string | null)[]): string =>
  texts.filter(text => text !== null && text.trim() !== '').join('\n\n')

/** The texts that are not empty, one per line. */
export const lines = (...texts: readonly (string | null)[]): string =>
  texts.filter(text => text !== null && text !== '').join('\n')
