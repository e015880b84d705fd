import type { HttpBindings } from '@hono/node-server'
import type { Context } from 'hono'

/**
 * A request as the routes read it. Headers come from Node as they are and the query is parsed only when there
 * is one: building web objects for each request would cost more than most reads.
 */
export class Incoming {
  readonly request: Request
  readonly path: string
  readonly #headers: HttpBindings['incoming']['headers'] | undefined
  readonly #outgoing: HttpBindings['outgoing'] | undefined

  constructor(c: Context) {
    const bindings = c.env as Partial<HttpBindings> | undefined
    this.request = c.req.raw
    this.path = c.req.path
    this.#headers = bindings?.incoming?.headers
    this.#outgoing = bindings?.outgoing
  }

  /** Closes the connection at once, whatever was not sent yet. */
  cut(): void {
    this.#outgoing?.destroy()
  }

  /** A header by its lower-case name. */
  header(name: string): string | undefined {
    if (this.#headers === undefined) return this.request.headers.get(name) ?? undefined
    const value = this.#headers[name]
    return Array.isArray(value) ? value.join(', ') : value
  }

  /** The query's parameters. */
  get query(): URLSearchParams {
    const { url } = this.request
    const start = url.indexOf('?')
    return new URLSearchParams(start === -1 ? undefined : url.slice(start + 1))
  }

  /** The key: the first of the three forms that is present (access 1). */
  get key(): string | undefined {
    return keyIn(
      name => this.header(name),
      () => this.query,
    )
  }
}

/** The key of a request: the first of the three forms that is present (access 1). */
export const keyOf = (request: Request): string | undefined =>
  keyIn(
    name => request.headers.get(name) ?? undefined,
    () => new URL(request.url).searchParams,
  )

function keyIn(header: (name: string) => string | undefined, query: () => URLSearchParams): string | undefined {
  const authorization = /^bearer(?:\s+(.*))?$/i.exec(header('authorization') ?? '')
  if (authorization !== null) return authorization[1]?.trim() ?? ''
  return header('x-api-key') ?? query().get('api_key') ?? undefined
}
