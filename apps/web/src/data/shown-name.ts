import { messages } from '../messages/messages.ts'

/** The prefix of imported names in the service's responses. */
const imported = 'external:'

/**
 * The name of somebody as it is displayed; that of an imported author is marked as external, because only the imported
 * file claims it (people 1.5).
 */
export const shownName = (name: string): string =>
  name.startsWith(imported) ? messages.shell.external(name.slice(imported.length)) : name
