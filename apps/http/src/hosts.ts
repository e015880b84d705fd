import { DomainError } from '@specboard/domain'

const loopback: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]'])

/** Which Host and Origin headers are taken (mcp 2.1). */
export interface HostRule {
  /** The server is bound to a loopback address. */
  readonly local: boolean
  /** Setting ALLOWED_HOSTS; ports are ignored. */
  readonly allowed: readonly string[]
}

const withoutPort = (host: string) => host.toLowerCase().replace(/:\d+$/, '')

/**
 * Guards against rebinding and foreign pages: on loopback the host must be local or allowed; elsewhere only
 * ALLOWED_HOSTS, when set, decides. An absent Origin passes; a present one is held to the same list.
 * @throws DomainError FORBIDDEN
 */
export function checkHost(
  rule: HostRule,
  headers: { readonly host: string | undefined; readonly origin: string | undefined },
): void {
  if (!rule.local && rule.allowed.length === 0) return
  const known = (name: string) =>
    (rule.local && loopback.has(name)) || rule.allowed.some(host => withoutPort(host) === name)
  const host = withoutPort(headers.host ?? '')
  if (!known(host)) throw refused('Host', host)
  if (headers.origin === undefined) return
  const origin = URL.canParse(headers.origin) ? new URL(headers.origin).hostname : headers.origin
  if (!known(withoutPort(origin))) throw refused('Origin', headers.origin)
}

const refused = (header: string, value: string) =>
  new DomainError(
    'FORBIDDEN',
    `${header} "${value}" is not allowed here. Name the host in SPECBOARD_ALLOWED_HOSTS to allow it.`,
  )
