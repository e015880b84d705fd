import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A proxy for a server that adds the key and changes nothing else, not even Host and Origin. */
export interface Proxy {
  readonly url: string
  close(): void
}

/** Listens on loopback, because the suite cannot send a key. */
export async function proxyTo(serverUrl: string, key: string): Promise<Proxy> {
  const { hostname, port } = new URL(serverUrl)
  const proxy = createServer((incoming, answer) => {
    const headers = { ...incoming.headers, authorization: `Bearer ${key}` }
    const { url, method } = incoming
    const onward = request({ hostname, port, path: url, method, headers }, response => {
      answer.writeHead(response.statusCode!, response.headers)
      response.pipe(answer)
    })
    onward.on('error', () => answer.destroy())
    answer.on('close', () => onward.destroy())
    incoming.pipe(onward)
  })
  await new Promise<void>(listening => proxy.listen(0, '127.0.0.1', listening))
  return {
    url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
    close: () => {
      proxy.close()
      proxy.closeAllConnections()
    },
  }
}
