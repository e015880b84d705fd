/** Keys that would reach the prototype of an object instead of a member of its own (walls 2, rule 1). */
const reserved: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype'])

/**
 * Whether a key is refused wherever callers choose keys: in bodies, arguments, paths of `fields`, mappings and
 * archives.
 */
export const isReservedKey = (key: string): boolean => reserved.has(key)

/** Why a reserved key is refused, as the end of a message. */
export const reservedKeyRefusal = `must have another name than ${[...reserved].join(', ')}`
