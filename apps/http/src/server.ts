import type { Server } from 'node:http'
import type { HttpApp } from './app.ts'
import { createServer } from './node-http.ts'

/** A listening server. */
export interface RunningServer {
  /** The port that was taken. */
  readonly port: number
  /** Takes no new connections, finishes what was accepted, ends after the grace period (ms) at the latest. */
  stop(graceMs?: number): Promise<void>
}

/** A server that answers by an application, before it listens anywhere. */
export const serverOf = (app: HttpApp): Server =>
  createServer((request, response) => void app.answer(request, response))

/**
 * Listens on a host and port; port 0 takes a free one.
 * @throws the system's error, such as EADDRINUSE
 */
export function listen(app: HttpApp, host: string, port: number): Promise<RunningServer> {
  return new Promise((resolve, reject) => {
    const server = serverOf(app)
    server.once('error', reject)
    server.listen(port, host, () => {
      const address = server.address()
      if (address === null || typeof address === 'string') throw new Error('The server has no port.')
      resolve({ port: address.port, stop: (graceMs = 10_000) => stop(server, graceMs) })
    })
  })
}

function stop(server: Server, graceMs: number): Promise<void> {
  return new Promise(resolve => {
    const forced = setTimeout(() => server.closeAllConnections(), graceMs)
    server.close(() => {
      clearTimeout(forced)
      resolve()
    })
    server.closeIdleConnections()
  })
}
