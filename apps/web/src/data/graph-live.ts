import type { QueryClient, QueryKey } from '@tanstack/react-query'

/**
 * The delays after which the graph is read again once records have changed, ms: its worker processes changes when it
 * has time.
 */
const followedMs = [1_500, 5_000, 15_000] as const

/** The queries of a graph, without searches, because each search affects the relevance of its results. */
const isOfGraph = (queryKey: QueryKey, boardId: string | undefined): boolean => {
  const [first, board, kind, query] = queryKey
  const { part } = (query ?? {}) as { readonly part?: string }
  return first === 'board' && kind === 'knowledge' && part !== 'search' && (boardId === undefined || board === boardId)
}

/** Refreshes the shown parts of the graph of a board, or of all boards. */
const refreshGraph = (queries: QueryClient, boardId?: string): Promise<void> =>
  queries.invalidateQueries({ predicate: ({ queryKey }) => isOfGraph(queryKey, boardId) })

/** The pending reads, by board and delay, so that a busy board is not read more often than that. */
const waiting = new Set<string>()

/**
 * Refreshes the graph of a board while its worker processes changed records. The graph itself has no events: a change
 * without a record, such as an undone session, is only seen when somebody returns to the page.
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
 * Refreshes the shown graphs whenever somebody returns to the page.
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
