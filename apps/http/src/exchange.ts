import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { pipeline } from 'node:stream/promises'
import { drain } from './drain.ts'
import type { Refusal } from './refusals.ts'

/** Headers of every answer; the docs pages bring a policy of their own. */
export const securityHeaders: Readonly<Record<string, string>> = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'x-frame-options': 'DENY',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cross-origin-resource-policy': 'same-origin',
}

/** The content type of answers that are no file, page or stream. */
export const json = { 'content-type': 'application/json' }

/** An answer; a body that comes piece by piece is sent as fast as its reader takes it. */
export interface Reply {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Uint8Array | AsyncIterable<string | Uint8Array> | null
}

/**
 * A request and its answer, as Node has them: building web objects for each would cost more than most reads.
 * The query is parsed only where somebody asks for it.
 */
export class Exchange {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  /** The caller's own id where it is well-formed. */
  readonly requestId: string
  /** Without the query; percent-encoded only where that tells segments apart. */
  readonly path: string
  /** The agent of the request, once it is known. */
  agentId: string | undefined
  readonly #search: string
  #signal: AbortSignal | undefined

  constructor(request: IncomingMessage, response: ServerResponse) {
    this.request = request
    this.response = response
    const given = request.headers['x-request-id']
    this.requestId = typeof given === 'string' && /^[\w.-]{1,128}$/.test(given) ? given : randomUUID()
    const target = targetOf(request.url ?? '/')
    const query = target.indexOf('?')
    this.path = readable(query === -1 ? target : target.slice(0, query))
    this.#search = query === -1 ? '' : target.slice(query + 1)
  }

  /** A header by its lower-case name. */
  header(name: string): string | undefined {
    const value = this.request.headers[name]
    return Array.isArray(value) ? value.join(', ') : value
  }

  /** The query's parameters. */
  get query(): URLSearchParams {
    return new URLSearchParams(this.#search)
  }

  /** Whether the query has any parameters. */
  get hasQuery(): boolean {
    return this.#search !== ''
  }

  /** The key: the first of the three forms that is present (access 1). */
  get key(): string | undefined {
    const authorization = /^bearer(?:\s+(.*))?$/i.exec(this.header('authorization') ?? '')
    if (authorization !== null) return authorization[1]?.trim() ?? ''
    return this.header('x-api-key') ?? this.query.get('api_key') ?? undefined
  }

  /** Whether the request says that a body follows. */
  get hasBody(): boolean {
    const { headers } = this.request
    return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
  }

  /** Fires when the caller goes away before it has its answer. */
  get signal(): AbortSignal {
    this.#signal ??= signalOf(this.response)
    return this.#signal
  }

  /** Closes the connection at once, whatever was not sent yet. */
  cut(): void {
    this.response.destroy()
  }

  /** Sends the head of an answer; what is left unread of the request is read over or the connection closed. */
  begin(status: number, headers: Readonly<Record<string, string | number>>): ServerResponse {
    if (this.hasBody && !this.request.readableEnded) this.response.once('finish', () => drain(this.request))
    return this.response.writeHead(status, { ...securityHeaders, ...headers, 'x-request-id': this.requestId })
  }

  /** Sends an answer; settles once its body, where it comes piece by piece, is sent. */
  async send({ status, headers, body }: Reply): Promise<void> {
    if (body === null) {
      this.begin(status, headers).end()
    } else if (typeof body === 'string' || body instanceof Uint8Array) {
      this.begin(status, { ...headers, 'content-length': Buffer.byteLength(body) }).end(body)
    } else if (this.request.method === 'HEAD') {
      this.begin(status, headers).end()
      await body[Symbol.asyncIterator]().return?.()
    } else {
      await pipeline(body, this.begin(status, headers))
    }
  }

  /** Sends a refusal. */
  refuse({ status, headers, body }: Refusal): Promise<void> {
    return this.send({ status, headers: { ...json, ...headers }, body: JSON.stringify(body) })
  }
}

/** Fires when an answer's connection closes before it was sent. */
function signalOf(response: ServerResponse): AbortSignal {
  const gone = new AbortController()
  const close = () => {
    if (!response.writableFinished) gone.abort()
  }
  if (response.closed) close()
  else response.once('close', close)
  return gone.signal
}

/** The path and query of a request's target; one sent through a proxy may be a whole URL. */
function targetOf(url: string): string {
  if (url.startsWith('/') || !URL.canParse(url)) return url
  const { pathname, search } = new URL(url)
  return pathname + search
}

/** A path without its percent-encoding, but for what would make other segments of it. */
const readable = (path: string): string => decoded(path.replaceAll('%25', '%2525'), decodeURI)

/** A text without its percent-encoding, itself where that is malformed. */
export function decoded(text: string, decode: (text: string) => string = decodeURIComponent): string {
  if (!text.includes('%')) return text
  try {
    return decode(text)
  } catch {
    return text
  }
}
