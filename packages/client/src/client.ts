import { type AnyOperation, type OperationName, operationByName, registry } from '@specboard/contract'
import { type Client, type ClientOptions, clientOf, type Route, requestTo } from './calls.ts'

/** How the response of an operation is read; files among the arguments of a JSON call do not change that. */
function answerKind({ kind, list }: Pick<AnyOperation, 'kind' | 'list'>): Route['kind'] {
  if (kind === 'upload') return 'upload'
  if (kind === undefined || kind === 'files') return list === undefined ? 'json' : 'list'
  return 'raw'
}

/** The route of an operation. */
export function routeOf({ name, method, path, query, body, bodyFreeBeside, kind, list }: AnyOperation): Route {
  return {
    name,
    method,
    path,
    query: bodyFreeBeside === undefined ? Object.keys(query) : [],
    hasBody: body !== undefined,
    kind: answerKind({ kind, list }),
  }
}

/** The same, made on first use: a command calls few of all operations, and their schemas take long to make. */
function lazyRouteOf(operation: AnyOperation): Route {
  let cached: Route | undefined
  const route = () => {
    cached ??= routeOf(operation)
    return cached
  }
  return {
    name: operation.name,
    method: operation.method,
    path: operation.path,
    get query() {
      return route().query
    },
    get hasBody() {
      return route().hasBody
    },
    get kind() {
      return route().kind
    },
  }
}

/** The route of one operation, by its name. */
export const routeNamed = (name: OperationName): Route => routeOf(operationByName.get(name)!)

/** The route of every operation. */
export const routes = (): Route[] => registry.map(routeOf)

/**
 * The path and body of a request for an operation, from its flattened arguments.
 *
 * @example
 * requestOf(operationByName.get('list_ideations')!, { board_id: 'b', limit: 10 })
 * // { path: '/api/v1/boards/b/ideations?limit=10', body: undefined }
 */
export const requestOf = (
  operation: AnyOperation,
  args: Readonly<Record<string, unknown>>,
): { readonly path: string; readonly body: unknown } => requestTo(routeOf(operation), args)

/**
 * A typed client of the service, derived from the contract without generated code. Every method takes path, query
 * and body in one object under their API names, and throws a {@link ClientError} for a refused call.
 *
 * @example
 * const client = createClient({ url: 'http://127.0.0.1:8100', key })
 * const board = await client.createBoard({ name: 'Product', description: '' })
 * const { items, total } = await client.listIdeations({ board_id: board.id })
 */
export const createClient = (options: ClientOptions): Client => clientOf(registry.map(lazyRouteOf), options)
