import { messages } from './messages.ts'

/** A status of any kind of record or part in words; undefined for one that the pages do not know. */
export function knownStatus(status: string): string | undefined {
  const words: Readonly<Partial<Record<string, string>>> = {
    ...messages.planning.statuses,
    ...messages.planning.itemStatuses,
    ...messages.board.statuses,
  }
  return words[status]
}

/** A status in words; a status that the pages do not know is shown by the service's name for it. */
export const statusWords = (status: string): string => knownStatus(status) ?? status.replaceAll('_', ' ')
