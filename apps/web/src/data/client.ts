import { clientOf } from '@specboard/client/calls'
import routes from 'virtual:routes'
export const createClient = clientOf(routes, { url: location.origin })
