/** The prefix for an author who is not an agent here (exchange 1). */
export const externally = 'external:'

/** A name without that prefix. */
export const shownName = (id: string): string => (id.startsWith(externally) ? id.slice(externally.length) : id)
