/** What a name of somebody who came with an import begins with, in what the service answers. */
const imported = /^external:/

/** The name of somebody as people read it. */
export const shownName = (name: string): string => name.replace(imported, '')
