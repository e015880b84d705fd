import { en } from './en.ts'

/** Texts are any words of the same shape. */
type Worded<T> = T extends string
  ? string
  : T extends (...args: infer A) => string
    ? (...args: A) => string
    : { readonly [K in keyof T]: Worded<T[K]> }

/** What a language has to say. */
export type Messages = Worded<typeof en>

/** The texts that are shown. What the service says (refusals, gates) comes in its own words. */
export const messages: Messages = en
