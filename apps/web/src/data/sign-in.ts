/** How a session begins. Nothing here needs React: the sign-in page is served without it. */
import { basePath } from '../base-path.ts'
import { fetchInSession, keepHalf } from './session-half.ts'

/** The service's message to a person who may not sign in. */
export class SignInRefused extends Error {
  readonly status: number

  constructor(message: string, status: number) {
    super(message)
    this.status = status
  }
}

const begin = async (path: string, body: object): Promise<void> => keepHalf((await post(path, body)).half)

/** A request without a session, to a path of the service. */
const fetchHere = (path: string, request?: RequestInit): Promise<Response> => fetch(basePath + path, request)

const post = (path: string, body: object) => requestJson(fetchHere, path, body)

const postInSession = (path: string, body: object) => requestJson(fetchInSession, path, body)

async function requestJson(by: (path: string, request: RequestInit) => Promise<Response>, path: string, body: object) {
  const response = await by(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  if (response.ok) return response.status === 202 ? undefined : response.json()
  throw await refusalOf(response)
}

/** The refusal that a response says. */
export async function refusalOf(response: Response): Promise<SignInRefused> {
  const { detail } = await response.json().catch(() => ({ detail: undefined }))
  const message = typeof detail?.message === 'string' ? detail.message : response.statusText
  return new SignInRefused(message, response.status)
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
export const askForLink = (email: string): Promise<void> => requestJson(fetchHere, '/web/session/mail', { email })

/** The sign-in methods of the service. */
export async function readSignInWays(): Promise<SignInWays> {
  const response = await fetchHere('/web/sign-in')
  if (!response.ok) throw new Error(response.statusText)
  return response.json()
}

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
  const { url } = await postInSession('/web/session/oidc', { provider, return_to: returnTo, invitation, link })
  location.assign(url)
}

/** The person who invites, and what the invitation is for. */
export interface ShownInvitation {
  readonly invited_by_name: string
  readonly name: string | null
  readonly boards: readonly { readonly name: string; readonly share: 'viewer' | 'editor' | 'admin' }[]
  readonly preset_name: string | null
  readonly providers: SignInWays['providers']
}

/** What an invitation offers. @throws SignInRefused */
export const readInvitation = (token: string): Promise<ShownInvitation> => post('/web/invitation', { token })

/**
 * Accepts an invitation, under a name.
 * @throws SignInRefused
 */
export async function join(token: string, name: string): Promise<void> {
  const { half } = await postInSession('/web/session/invitation', { token, name })
  keepHalf(half)
}
