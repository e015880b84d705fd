import type { QueryClient, QueryKey } from '@tanstack/react-query'

/** When the graph is read again after a change of records, ms: its worker follows as soon as it has time. */
const followedMs = [1_500, 5_000, 15_000] as const

/** What is shown of a graph; a search is not repeated, because each one counts for the relevance of its results. */
const isOfGraph = (queryKey: QueryKey, boardId: string | undefined): boolean => {
  const [first, board, kind, query] = queryKey
  const { part } = (query ?? {}) as { readonly part?: string }
  return first === 'board' && kind === 'knowledge' && part !== 'search' && (boardId === undefined || board === boardId)
}

/** Reads again what is shown of the graph of a board, or of all boards. */
const refreshGraph = (queries: QueryClient, boardId?: string): Promise<void> =>
  queries.invalidateQueries({ predicate: ({ queryKey }) => isOfGraph(queryKey, boardId) })

/** The pending reads, by board and delay, so that a busy board is read no more often. */
const waiting = new Set<string>()

/**
 * Reads the graph of a board again while it follows its records. There are no events of the graph itself: what changes
 * without a record (a session that is undone) is seen when somebody returns to the page.
 */
export function refreshGraphSoon(queries: QueryClient, boardId: string): void {
  for (const ms of followedMs) {
    const name = `${boardId} ${ms}`
    if (waiting.has(name)) continue
    waiting.add(name)
    setTimeout(() => {
      waiting.delete(name)
      void refreshGraph(queries, boardId)
    }, ms)
  }
}

/**
 * Reads what is shown of graphs again whenever somebody returns to the page.
 * @returns stops it
 */
export function refreshGraphOnReturn(queries: QueryClient): () => void {
  const onChange = () => {
    if (document.visibilityState === 'visible') void refreshGraph(queries)
  }
  document.addEventListener('visibilitychange', onChange)
  addEventListener('focus', onChange)
  return () => {
    document.removeEventListener('visibilitychange', onChange)
    removeEventListener('focus', onChange)
  }
}
