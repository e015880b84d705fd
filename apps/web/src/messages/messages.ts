/**
 * The texts that are shown, by page, in the language of the person: a page loads those that it names. Gates are
 * described from the facts in a refusal (`refusals`); only unknown ones keep the service's words.
 */
export * as messages from './en.ts'

/** The texts that another language has to provide. */
export type Messages = typeof import('./en.ts')
