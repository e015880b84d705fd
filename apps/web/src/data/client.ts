import packedRoutes from 'virtual:routes'
import { ClientError, callerOf, clientOf } from '@specboard/client/calls'
import { serviceUrl } from '../base-path.ts'
import { unpacked } from './packed-routes.ts'
import { fetchInSession } from './session-half.ts'

const routes = unpacked(packedRoutes)

const options = { url: serviceUrl, fetch: fetchInSession }

/** The client of the service, in the session of this browser. */
export const client = clientOf(routes, options)

/** Makes a call named by the service, such as the one that settles an inbox item. */
export const callNamed = callerOf(routes, options)

/**
 * The maximum length of a request that may outlive its page, characters: browsers allow 64 KiB, and a character takes
 * up to three bytes.
 */
const outlivesUpTo = 20_000

/** Makes a named call that may outlive the page. */
export const callHeld = callerOf(routes, {
  url: serviceUrl,
  fetch: (address, request) =>
    fetchInSession(address, { ...request, keepalive: String(request.body ?? '').length <= outlivesUpTo }),
})

/** Whether a call was refused because nobody is signed in. */
export const isSignedOut = (error: unknown): boolean => error instanceof ClientError && error.status === 401
