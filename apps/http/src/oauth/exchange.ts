/** Node's requests and responses, for a library that supports only those. */
import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import { basePathOf } from '../base-path.ts'
import type { HttpContext } from '../http-env.ts'

/** A request in the library's form. */
export interface LibraryRequest {
  readonly method: string
  /** Path and query. */
  readonly url: string
  /** The base path of the service, from which the library makes its addresses. */
  readonly basePath: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: Buffer
}

/**
 * A request in the library's form: to the public address, whatever proxies did, and without the origin of a page,
 * because this service answers pages itself.
 */
export function sentOf(c: HttpContext, publicUrl: string, changed: Partial<LibraryRequest> = {}): LibraryRequest {
  const { host, protocol } = new URL(publicUrl)
  const basePath = basePathOf(c)
  const { pathname, search } = new URL(c.req.url)
  const headers: Record<string, string> = { ...c.req.header(), host, 'x-forwarded-proto': protocol.slice(0, -1) }
  for (const name of ['origin', 'x-forwarded-host', 'content-length', 'transfer-encoding']) delete headers[name]
  const { body } = changed
  if (body !== undefined) headers['content-length'] = String(body.length)
  const url = `${pathname}${search}`
  return { method: c.req.method, url, basePath, ...changed, headers: { ...headers, ...changed.headers } }
}

/** The request and response of one exchange, and the answer once it has ended. */
export function exchangeOf({ method, url, basePath, headers, body = Buffer.alloc(0) }: LibraryRequest) {
  const originalUrl = basePath + url
  const req = Object.assign(new IncomingMessage(new Socket()), {
    method,
    url,
    originalUrl,
    headers,
    httpVersion: '1.1',
  })
  if (body.length > 0) req.push(body)
  req.push(null)
  const res = new ServerResponse(req)
  const answered = new Promise<Response>(resolve => {
    res.end = ((content?: string | Uint8Array<ArrayBuffer>) => {
      resolve(new Response(content?.length ? content : null, { status: res.statusCode, headers: headersOf(res) }))
      return res
    }) as typeof res.end
  })
  return { req, res, answered }
}

function headersOf(res: ServerResponse): Headers {
  const headers = new Headers()
  for (const [name, value] of Object.entries(res.getHeaders()))
    for (const one of Array.isArray(value) ? value : [value])
      if (one !== undefined && name !== 'content-length') headers.append(name, String(one))
  return headers
}
