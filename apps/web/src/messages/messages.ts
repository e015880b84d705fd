/**
 * The texts that are shown, by page: a page loads those that it names. What the service says (refusals, gates) comes in
 * its own words.
 */
export * as messages from './en.ts'

/** Texts are any words of the same shape. */
type Worded<T> = T extends string
  ? string
  : T extends (...args: infer A) => string
    ? (...args: A) => string
    : { readonly [K in keyof T]: Worded<T[K]> }

/** What a further language has to say. */
export type Messages = Worded<typeof import('./en.ts')>
