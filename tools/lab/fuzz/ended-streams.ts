import { once } from 'node:events'
import { type AddressInfo, connect, createServer } from 'node:net'

/** How long an event stream is passed through, ms: its beginning, but no keep-alive. */
const streamMs = 300

/** The last chunk of an answer (RFC 9112, 7.1). */
const lastChunk = '0\r\n\r\n'

/** Passes bytes on to a service, both ways. */
export interface EndedStreams {
  readonly url: string
  close(): void
}

/** Ends the event streams of a service, because schemathesis waits for the end of each answer. */
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
    // When either side disconnects, so does the other.
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
