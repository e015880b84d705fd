import { DomainError } from '@specboard/domain'
import type { MiddlewareHandler } from 'hono'
import type { HttpEnv } from '../http-env.ts'
import { probePaths } from './probe-paths.ts'

const loopback: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]'])

/** The allowed Host and Origin headers (mcp 2.1). */
export interface HostRule {
  /** The server is bound to a loopback address. */
  readonly local: boolean
  /** Setting ALLOWED_HOSTS; ports are ignored. */
  readonly allowed: readonly string[]
}

const withoutPort = (host: string) => host.toLowerCase().replace(/:\d+$/, '')

/**
 * Protects against DNS rebinding and foreign pages. On loopback the host must be local or in ALLOWED_HOSTS; elsewhere
 * only ALLOWED_HOSTS decides, if it is set, and health may be queried under any name: probes use a node's own name. A
 * missing Origin passes; a present one is checked against the same list. Hono's `csrf` checks the Origin of some
 * requests only, and never the Host.
 * @param isForAnyOrigin the paths that every page may call
 * @throws DomainError FORBIDDEN
 */
export function hostAndOrigin(
  { local, allowed }: HostRule,
  isForAnyOrigin: (path: string) => boolean = () => false,
): MiddlewareHandler<HttpEnv> {
  const hosts = new Set([...(local ? loopback : []), ...allowed.map(withoutPort)])
  return (c, next) => {
    if (hosts.size === 0) return next()
    const host = withoutPort(c.req.header('host') ?? '')
    const isProbe = !local && probePaths.has(c.req.path)
    if (!isProbe && !hosts.has(host)) throw refused('Host', host)
    const origin = c.req.header('origin')
    if (isForAnyOrigin(c.req.path)) return next()
    if (origin !== undefined && !hosts.has(withoutPort(hostOf(origin)))) throw refused('Origin', origin)
    return next()
  }
}

const hostOf = (origin: string): string => (URL.canParse(origin) ? new URL(origin).hostname : origin)

const refused = (header: string, value: string) =>
  new DomainError(
    'FORBIDDEN',
    `${header} "${value}" is not allowed here. Name the host in SPECBOARD_ALLOWED_HOSTS to allow it.`,
  )
