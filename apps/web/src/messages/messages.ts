/**
 * The texts that are shown, by page, in the language of the person: a page loads those that it names. Gates are told from the
 * facts in a refusal (`refusals`); only one that no words exist for keeps those of the service.
 */
export * as messages from './en.ts'

/** What another language has to provide. */
export type Messages = typeof import('./en.ts')
