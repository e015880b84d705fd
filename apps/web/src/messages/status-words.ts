import { messages } from './messages.ts'

/** A status of any kind of record or part in words; one that the pages do not know, as the service names it. */
export function statusWords(status: string): string {
  const known: Readonly<Partial<Record<string, string>>> = {
    ...messages.planning.statuses,
    ...messages.planning.itemStatuses,
    ...messages.board.statuses,
  }
  return known[status] ?? status.replaceAll('_', ' ')
}
