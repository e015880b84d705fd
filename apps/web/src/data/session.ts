import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query'
import { createContext, useContext, useEffect } from 'react'
import { client, isSignedOut } from './client.ts'
import { keys } from './keys.ts'
import { fetchInSession, forgetHalf, onOtherTabs } from './session-half.ts'
import { readSignInWays } from './sign-in.ts'
import { streamPosition } from './stream.ts'

export const sessionKey = ['session'] as const

/** How many sessions ended in this tab. A read that started in one of them says nothing about later ones. */
let ended = 0

/**
 * The person who is signed in; null if nobody is. It is read before everything else, with the position in the event
 * stream.
 */
export function useSession() {
  const queries = useQueryClient()
  return useQuery({
    queryKey: sessionKey,
    queryFn: async () => {
      // Changes between a page's reads and its connection arrive through the stream. If the position is not known,
      // everything is read again once the stream is open.
      const position = streamPosition().catch(() => '')
      const endedBefore = ended
      const me = await client.getMyPermissions().catch(error => {
        if (isSignedOut(error)) return null
        throw error
      })
      const from = await position
      if (ended !== endedBefore) return null
      queries.setQueryData(keys.streamedFrom, from)
      return me
    },
  })
}

/** Follows sign-ins and sign-outs in other tabs. Used once, by the application. */
export function useSessionOfTabs(): void {
  const queries = useQueryClient()
  useEffect(
    () =>
      onOtherTabs(isSignedIn => {
        if (isSignedIn) void queries.invalidateQueries()
        else leave(queries)
      }),
    [queries],
  )
}

/** Clears the data of a session that ended. */
function leave(queries: QueryClient): void {
  ended++
  queries.setQueryData(sessionKey, null)
  queries.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== sessionKey[0] })
}

type Me = NonNullable<ReturnType<typeof useSession>['data']>

/**
 * The person who is signed in, for the pages inside. The pages keep it until they are unmounted: when a session ends, a
 * page may be rendered once more before the sign-in page replaces it.
 */
export const MeContext = createContext<Me | null>(null)

/** The person who is signed in, on pages that need a session. */
export function useMe(): Me {
  const me = useContext(MeContext)
  if (me === null) throw new Error('This page is shown outside of a session.')
  return me
}

/** The sign-in methods, for pages of somebody who is signed in. */
export const useSignInWays = () => useQuery({ queryKey: ['sign-in'] as const, queryFn: readSignInWays })

/** Ends the session and clears its data. */
export function useSignOut(): () => Promise<void> {
  const queries = useQueryClient()
  return async () => {
    await fetchInSession('/web/session', { method: 'DELETE' })
    forgetHalf()
    leave(queries)
  }
}
