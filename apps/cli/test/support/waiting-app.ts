import { createServer } from 'node:http'
import { freePort } from './free-port.ts'

/** Waits on this machine, as an app does, for what the browser comes back with. */
export async function waitingApp() {
  const { promise: back, resolve } = Promise.withResolvers<URLSearchParams>()
  const server = createServer(({ url }, response) => {
    const { pathname, searchParams } = new URL(url!, 'http://app')
    response.end('You can close this window.')
    if (pathname === '/callback') resolve(searchParams)
  })
  const port = await freePort()
  await new Promise<void>(ready => server.listen(port, '127.0.0.1', ready))
  const close = (): void => {
    server.closeAllConnections()
    server.close()
  }
  return { url: `http://127.0.0.1:${port}/callback`, back, close }
}
