import { ClientError } from '@specboard/client/calls'
import { MutationCache, type Query, QueryCache, QueryClient } from '@tanstack/react-query'
import { isSignedOut } from './client.ts'
import { refreshRelated } from './moves.ts'
import { refreshRights } from './rights.ts'
import { sessionKey } from './session.ts'

/** A refusal stays one; only a service that cannot be reached is asked again. */
const isWorthRetrying = (count: number, error: Error): boolean =>
  count < 3 && (!(error instanceof ClientError) || error.status >= 500)

/** The one place where state of the service is kept. The event stream says what of it is no longer true. */
export function createQueryClient(): QueryClient {
  const leaveIfSignedOut = (error: Error): void => {
    if (isSignedOut(error)) queries.setQueryData(sessionKey, null)
  }
  // What is invalidated while it is read again is read anew by the library; while it is read for the first time, it is not.
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
        // What was offered is not allowed: the rights are others by now.
        if (error instanceof ClientError && error.status === 403) void refreshRights(queries)
      },
      // What one does oneself may open gates at once, before its event comes.
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
