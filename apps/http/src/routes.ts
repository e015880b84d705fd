import { decoded, type Exchange } from './exchange.ts'

/** Answers a request; `params` are the values in its path. */
export type Handler = (exchange: Exchange, params: Readonly<Record<string, string>>) => Promise<void>

/** A handler and the names of the values in its path, in order. */
interface Route {
  readonly handler: Handler
  readonly names: readonly string[]
}

/** What follows a path so far: by the text of the next segment, or for any text. */
interface Node {
  readonly texts: Map<string, Node>
  any: Node | undefined
  /** By method; `*` takes what has no handler of its own. */
  readonly routes: Map<string, Route>
}

const node = (): Node => ({ texts: new Map(), any: undefined, routes: new Map() })

const anyMethod = '*'

/**
 * Which handler takes a request, by method and path. Its own because a router for all uses takes a
 * twentieth of a small read's time (docs/architecture.md).
 */
export class Routes {
  readonly #root = node()

  /** @param path `{name}` in it takes one segment, which a segment of this very text comes before */
  add(method: string, path: string, handler: Handler): void {
    const names: string[] = []
    let at = this.#root
    for (const segment of segmentsOf(path)) {
      const name = /^\{(\w+)\}$/.exec(segment)?.[1]
      if (name === undefined) {
        at = at.texts.get(segment) ?? at.texts.set(segment, node()).get(segment)!
      } else {
        names.push(name)
        at = at.any ??= node()
      }
    }
    at.routes.set(method, { handler, names })
  }

  /** Adds a handler for the methods of a path that have none. */
  addRest(path: string, handler: Handler): void {
    this.add(anyMethod, path, handler)
  }

  /** The handler of a request, given the values in its path; undefined when no path fits. HEAD works where GET does. */
  find(
    method: string,
    path: string,
  ): { readonly handler: Handler; readonly params: Record<string, string> } | undefined {
    const segments = segmentsOf(path)
    const values: string[] = []
    const route =
      routeOf(this.#root, segments, 0, method === 'HEAD' ? 'GET' : method, values) ??
      routeOf(this.#root, segments, 0, anyMethod, values)
    if (route === undefined) return undefined
    const params: Record<string, string> = {}
    for (const [index, name] of route.names.entries()) params[name] = decoded(values[index]!)
    return { handler: route.handler, params }
  }
}

const segmentsOf = (path: string): string[] => path.slice(1).split('/')

/** The route that segments lead to; leaves in `values` what stands where a path has a name. */
function routeOf(
  at: Node,
  segments: readonly string[],
  index: number,
  method: string,
  values: string[],
): Route | undefined {
  const segment = segments[index]
  if (segment === undefined) return at.routes.get(method)
  const named = at.texts.get(segment)
  const route = named && routeOf(named, segments, index + 1, method, values)
  if (route !== undefined || at.any === undefined || segment === '') return route
  values.push(segment)
  const found = routeOf(at.any, segments, index + 1, method, values)
  if (found === undefined) values.pop()
  return found
}
