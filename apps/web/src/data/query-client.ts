import { ClientError } from '@specboard/client/calls'
import { MutationCache, type Query, QueryCache, QueryClient } from '@tanstack/react-query'
import { isSignedOut } from './client.ts'
import { refreshRelated } from './moves.ts'
import { refreshRights } from './rights.ts'
import { sessionKey } from './session.ts'

/** Refusals are not retried, only requests that did not reach the service. */
const isWorthRetrying = (count: number, error: Error): boolean =>
  count < 3 && (!(error instanceof ClientError) || error.status >= 500)

/** The only cache of the service's state. The event stream says which parts are outdated. */
export function createQueryClient(): QueryClient {
  const leaveIfSignedOut = (error: Error): void => {
    if (isSignedOut(error)) queries.setQueryData(sessionKey, null)
  }
  // If a query is invalidated while it is being refetched, the library fetches it again, but not if it is invalidated
  // during its first read.
  const outdated = new WeakSet<Query<unknown, unknown, unknown>>()
  const queries = new QueryClient({
    queryCache: new QueryCache({
      onError: leaveIfSignedOut,
      onSuccess: (_, query) => {
        if (outdated.delete(query)) void queries.invalidateQueries({ predicate: one => one === query })
      },
    }),
    mutationCache: new MutationCache({
      onError(error) {
        leaveIfSignedOut(error)
        // An action that the page offered was not allowed, so the rights have changed.
        if (error instanceof ClientError && error.status === 403) void refreshRights(queries)
      },
      // The person's own change may open gates at once, before its event arrives.
      onSuccess: () => void refreshRelated(queries),
    }),
    defaultOptions: {
      queries: { retry: isWorthRetrying, staleTime: Number.POSITIVE_INFINITY, refetchOnWindowFocus: false },
    },
  })
  queries.getQueryCache().subscribe(event => {
    if (event.type !== 'updated' || event.action.type !== 'invalidate') return
    const { data, fetchStatus } = event.query.state
    if (data === undefined && fetchStatus === 'fetching') outdated.add(event.query)
  })
  return queries
}
