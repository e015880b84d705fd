/**
 * The texts that are shown, by page, in the language of the person: a page loads those that it names. Texts from the
 * service (refusals, gates) come in its own words.
 */
export * as messages from './en.ts'

/** What another language has to provide. */
export type Messages = typeof import('./en.ts')
