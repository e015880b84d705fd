/**
 * The replacement for `@specboard/client` in the packaged command line: its routes as data, so that a verb that only
 * calls the service loads neither the registry nor zod nor `fetch`.
 */
import routes from 'virtual:routes'
import { type Client, type ClientOptions, clientOf, type Route } from '@specboard/client/calls'
import type { OperationName } from '@specboard/contract'
import { ask } from '../../apps/cli/src/frame/ask.ts'

export { ClientError } from '@specboard/client/calls'

export const createClient = (options: ClientOptions): Client => clientOf(routes, { ...options, ask })

export const routeNamed = (name: OperationName): Route => routes.find(route => route.name === name)!
