import routes from 'virtual:routes'
import { ClientError, clientOf } from '@specboard/client/calls'

/** The service, called in the session of this browser. */
export const client = clientOf(routes, { url: location.origin })

/** Whether a call was refused because nobody is signed in. */
export const isSignedOut = (error: unknown): boolean => error instanceof ClientError && error.status === 401
