/** The prefix of imported names in the service's responses. */
const imported = /^external:/

/** The name of somebody as it is displayed. */
export const shownName = (name: string): string => name.replace(imported, '')
