/** A key, or the token of a CI session, with enough of it to tell it from others: its first 8 digits, as `api_key_prefix` has it. */
const keys = /(dash(?:ci)?_[0-9a-f]{8})[0-9a-f]{40}/g

/** A text in which nothing is left of what looks like a key but its first digits (trust 3). */
export const maskKeys = (text: string): string => (text.includes('dash') ? text.replaceAll(keys, '$1…') : text)
