import { once } from 'node:events'
import { type AddressInfo, connect, createServer } from 'node:net'

/** How much of an event stream comes through, ms: what it begins with, and no sign of life. */
const streamMs = 300

/** The last chunk of an answer (RFC 9112, 7.1). */
const lastChunk = '0\r\n\r\n'

/** Passes bytes on to a service, both ways. */
export interface EndedStreams {
  readonly url: string
  close(): void
}

/** Ends the event streams of a service, which nobody waits for who looks at one whole answer after the other. */
export async function endStreamsOf(serviceUrl: string): Promise<EndedStreams> {
  const { hostname, port } = new URL(serviceUrl)
  const passage = createServer(client => {
    const service = connect(Number(port), hostname)
    let ending: NodeJS.Timeout | undefined
    service.on('data', bytes => {
      client.write(bytes)
      if (bytes.includes('\r\ncontent-type: text/event-stream'))
        ending ??= setTimeout(() => {
          service.destroy()
          client.end(lastChunk)
        }, streamMs)
    })
    service.on('end', () => client.end())
    client.pipe(service)
    // Either side may break off, which the other one is told.
    service.on('error', () => client.destroy())
    client.on('error', () => service.destroy())
    client.on('close', () => {
      clearTimeout(ending)
      service.destroy()
    })
  })
  await once(passage.listen(0, '127.0.0.1'), 'listening')
  return {
    url: `http://127.0.0.1:${(passage.address() as AddressInfo).port}`,
    close: () => passage.close(),
  }
}
