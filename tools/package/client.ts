/** The exports of `specboard/client`: the typed client, with its routes as data instead of the registry and zod. */

import routes from 'virtual:routes'
import { type Client, type ClientOptions, clientOf } from '@specboard/client/calls'

export { ClientError } from '@specboard/client/calls'

export const createClient = (options: ClientOptions): Client => clientOf(routes, options)
