/**
 * A key, or the token of a CI session, with enough of it to recognise it: its first 8 digits, as in `api_key_prefix`.
 */
const keys = /(dash(?:ci)?_[0-9a-f]{8})[0-9a-f]{40}/g

/** A text in which everything that looks like a key is reduced to its first digits (trust 3). */
export const maskKeys = (text: string): string => (text.includes('dash') ? text.replaceAll(keys, '$1…') : text)
