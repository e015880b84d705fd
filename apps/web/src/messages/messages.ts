/**
 * The texts that are shown, by page: a page loads those that it names. Texts from the service (refusals, gates) come in
 * its own words.
 */
export * as messages from './en.ts'

/** Any texts of the same shape. */
type Worded<T> = T extends string
  ? string
  : T extends (...args: infer A) => string
    ? (...args: A) => string
    : { readonly [K in keyof T]: Worded<T[K]> }

/** What another language has to provide. */
export type Messages = Worded<typeof import('./en.ts')>
