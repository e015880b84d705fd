import { excerpt } from '../../lib/excerpt.ts'

/** A text as a title: its first 120 characters (knowledge-graph 2.1). */
export const titleOf = (text: string): string => excerpt(text, 120)

/** The texts that are not empty, with a blank line between them. */
export const paragraphs = (...texts: readonly (string | null)[]): string =>
  texts.filter(text => text !== null && text.trim() !== '').join('\n\n')

/** The lines that are not empty. */
export const lines = (...texts: readonly (string | null)[]): string =>
  texts.filter(text => text !== null && text !== '').join('\n')
