/** Passes requests on to a service, and records the reports of hooks and the answers. */
import { request as ask, createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** An event reported by a hook, and the service's answer. */
export interface RecordedEvent {
  readonly event: string
  readonly body: Readonly<Record<string, unknown>>
  readonly answer: { readonly context?: string | null; readonly deny?: string | null }
}

export interface Recorder {
  readonly url: string
  readonly events: readonly RecordedEvent[]
  readonly stop: () => Promise<void>
}

/** Starts a server that passes everything on to the service at an address. */
export async function startRecorder(target: string): Promise<Recorder> {
  const events: RecordedEvent[] = []
  const server = createServer(async (request, answer) => {
    const parts: Buffer[] = []
    for await (const part of request) parts.push(part as Buffer)
    const body = Buffer.concat(parts)
    const { method, headers } = request
    const upstream = ask(new URL(request.url!, target), { method, headers }, async response => {
      answer.writeHead(response.statusCode!, response.headers)
      const received: Buffer[] = []
      for await (const part of response) {
        received.push(part as Buffer)
        answer.write(part)
      }
      const event = /\/me\/hooks\/(\w+)$/.exec(request.url!)?.[1]
      if (event !== undefined) events.push({ event, body: jsonOf(body), answer: jsonOf(Buffer.concat(received)) })
      answer.end()
    })
    upstream.on('error', () => answer.destroy())
    upstream.end(body)
  })
  await new Promise<void>(listening => server.listen(0, '127.0.0.1', listening))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    events,
    stop: () =>
      new Promise(stopped => {
        server.close(() => stopped())
        server.closeAllConnections()
      }),
  }
}

const jsonOf = (bytes: Buffer) => JSON.parse(bytes.toString() || '{}')
