import { duplexPair, Readable } from 'node:stream'
import type { HttpApp } from './app.ts'
import { request as sendOver } from './node-http.ts'
import { serverOf } from './server.ts'

const withoutBody: ReadonlySet<number> = new Set([204, 205, 304])

/** Sends web requests to an application of this process: the same way in as over the network, without a port. */
export function inProcess(app: HttpApp): (request: Request) => Promise<Response> {
  const server = serverOf(app)
  const createConnection = () => {
    const [here, there] = duplexPair()
    server.emit('connection', there)
    return here
  }
  return ({ url, method, headers, signal, body }) =>
    new Promise((resolve, reject) => {
      const sent = sendOver(url, { method, headers: Object.fromEntries(headers), signal, createConnection }, answer => {
        const status = answer.statusCode ?? 500
        const received = new Headers()
        for (const [name, value] of Object.entries(answer.headers)) received.set(name, [value].flat().join(', '))
        const content = withoutBody.has(status) ? null : (Readable.toWeb(answer) as ReadableStream<Uint8Array>)
        resolve(new Response(content, { status, headers: received }))
      })
      sent.once('error', reject)
      if (body === null) sent.end()
      else Readable.fromWeb(body).pipe(sent)
    })
}
