import type { Server } from 'node:http'
import { serve } from '@hono/node-server'
import type { HttpApp } from './http-env.ts'

/** A listening server. */
export interface RunningServer {
  /** The port that was taken. */
  readonly port: number
  /** Takes no new connections, finishes what was accepted, ends after the grace period (ms) at the latest. */
  stop(graceMs?: number): Promise<void>
}

/**
 * Listens on a host and port; port 0 takes a free one.
 * @throws the system's error, such as EADDRINUSE
 */
export function listen({ fetch }: HttpApp, hostname: string, port: number): Promise<RunningServer> {
  const { promise, resolve, reject } = Promise.withResolvers<RunningServer>()
  const server = serve({ fetch, hostname, port }, address => {
    resolve({ port: address.port, stop: (graceMs = 10_000) => stop(server, graceMs) })
  }) as Server
  server.once('error', reject)
  return promise
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
