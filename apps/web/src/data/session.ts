import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query'
import { createContext, useContext, useEffect } from 'react'
import { client, isSignedOut } from './client.ts'
import { keys } from './keys.ts'
import { fetchInSession, forgetHalf, keepHalf, onOtherTabs } from './session-half.ts'
import { streamPosition } from './stream.ts'

export const sessionKey = ['session'] as const

/** How many sessions ended in this tab. A read that started in one of them says nothing about later ones. */
let ended = 0

/** Who is signed in; null when nobody is. It is read before everything else, with the position of the event stream. */
export function useSession() {
  const queries = useQueryClient()
  return useQuery({
    queryKey: sessionKey,
    queryFn: async () => {
      // Changes between a page's reads and its connection arrive by the stream. Where the position is not known,
      // everything is read again once it is open.
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
 * Who is signed in, for the pages inside. They keep it until they are unmounted: when a session ends, a page may be
 * rendered once more before the sign-in page replaces it.
 */
export const MeContext = createContext<Me | null>(null)

/** Who is signed in, on pages that need a session. */
export function useMe(): Me {
  const me = useContext(MeContext)
  if (me === null) throw new Error('This page is shown outside of a session.')
  return me
}

/** The service's message to a person who may not sign in. */
export class SignInRefused extends Error {}

const begin = async (path: string, body: object): Promise<void> => keepHalf((await sent(path, body)).half)

const sent = (path: string, body: object) => answered(fetch, path, body)

const sentInSession = (path: string, body: object) => answered(fetchInSession, path, body)

async function answered(by: (path: string, request: RequestInit) => Promise<Response>, path: string, body: object) {
  const response = await by(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  if (response.ok) return response.status === 202 ? undefined : response.json()
  const { detail } = await response.json().catch(() => ({ detail: undefined }))
  throw new SignInRefused(typeof detail?.message === 'string' ? detail.message : response.statusText)
}

/**
 * Signs in with a key (web 1).
 * @throws SignInRefused
 */
export const signIn = (key: string): Promise<void> => begin('/web/session', { key })

/**
 * Signs in with the token of a one-time link (web 1).
 * @throws SignInRefused
 */
export const signInByLink = (token: string): Promise<void> => begin('/web/session/link', { token })

/**
 * Requests a sign-in link by mail; the response never says whether the address is known (people 2.5).
 * @throws SignInRefused
 */
export const askForLink = (email: string): Promise<void> => answered(fetch, '/web/session/mail', { email })

/** The sign-in methods, for somebody who is not signed in. */
export const useSignInWays = () =>
  useQuery({
    queryKey: ['sign-in'] as const,
    queryFn: async (): Promise<SignInWays> => {
      const response = await fetch('/web/sign-in')
      if (!response.ok) throw new Error(response.statusText)
      return response.json()
    },
  })

/** The sign-in methods: providers, and whether keys and mail are available. */
export interface SignInWays {
  readonly providers: readonly { readonly id: string; readonly name: string }[]
  readonly key: boolean
  readonly mail: boolean
}

/**
 * Goes to a provider, which returns to a page of this service.
 * @throws SignInRefused
 */
export async function goToProvider({
  provider,
  returnTo,
  invitation,
  link = false,
}: {
  readonly provider: string
  readonly returnTo: string
  readonly invitation?: string
  /** Whether the account is linked to the person who is signed in. */
  readonly link?: boolean
}): Promise<void> {
  const { url } = await sentInSession('/web/session/oidc', { provider, return_to: returnTo, invitation, link })
  location.assign(url)
}

/** Who invites somebody, and to what. */
export interface ShownInvitation {
  readonly invited_by_name: string
  readonly name: string | null
  readonly boards: readonly { readonly name: string; readonly share: 'viewer' | 'editor' | 'admin' }[]
  readonly preset_name: string | null
  readonly providers: SignInWays['providers']
}

/** What an invitation offers. @throws SignInRefused */
export const readInvitation = (token: string): Promise<ShownInvitation> => sent('/web/invitation', { token })

/**
 * Accepts an invitation, under a name.
 * @throws SignInRefused
 */
export async function join(token: string, name: string): Promise<void> {
  const { half } = await sentInSession('/web/session/invitation', { token, name })
  keepHalf(half)
}

/** Ends the session and clears its data. */
export function useSignOut(): () => Promise<void> {
  const queries = useQueryClient()
  return async () => {
    await fetchInSession('/web/session', { method: 'DELETE' })
    forgetHalf()
    leave(queries)
  }
}
