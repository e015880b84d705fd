import { StorageError } from '../storage-error.ts'

/** How a connection is protected, from least to most: libpq's terms. */
const tlsModes = ['disable', 'allow', 'prefer', 'require', 'verify-ca', 'verify-full'] as const

/** The supported query parameters of an address; any other would be ignored. */
const supportedParameters = new Set([
  'sslmode',
  'sslrootcert',
  'sslcert',
  'sslkey',
  'host',
  'port',
  'user',
  'password',
  'options',
  'passwordfile',
])

/**
 * Parameters in addresses of hosted services that change nothing here, with their permitted values: a node has its own
 * name and time limits, and uses only a server that accepts writes; the client library does no channel binding.
 */
const harmless: Readonly<Record<string, RegExp>> = {
  application_name: /^/,
  connect_timeout: /^\d+$/,
  target_session_attrs: /^(?:any|read-write|primary|prefer-standby)$/,
  channel_binding: /^(?:disable|prefer)$/,
}

/** The parameter of an address for a file with only its password; libpq has none. */
const passwordFile = 'passwordfile'

/**
 * Checks the address of a database, and adds the file of its password.
 * @param text `postgres://user:password@host:port/database?sslmode=verify-full&sslrootcert=ca.pem`, as for libpq
 * @throws StorageError DATABASE_REFUSED for an unusable address; its message contains nothing of the address
 */
export function databaseAddress(text: string, fileOfPassword?: string): string {
  const url = parsed(text)
  if (namesSeveralHosts(text, url))
    throw refused('names several hosts, which are not supported: name one that leads to the server that takes writes')
  if (url === null || !/^postgres(?:ql)?:$/.test(url.protocol))
    throw refused('is not an address such as postgres://user@host:5432/database')
  if (url.searchParams.get('channel_binding') === 'require')
    throw refused(
      'has channel_binding=require, which is not supported: leave it out, and have sslmode=verify-full verify the server',
    )
  for (const [name, values] of Object.entries(harmless))
    if (url.searchParams.has(name) && values.test(url.searchParams.get(name)!)) url.searchParams.delete(name)
  if (url.pathname.length < 2) throw refused('names no database: add /database after the host')
  const surplus = [...url.searchParams.keys()].filter(name => !supportedParameters.has(name))
  if (surplus.length > 0) throw refused(`has ${surplus.map(shownParameter(url)).join(', ')}, which is not supported`)
  const mode = url.searchParams.get('sslmode')
  if (mode !== null && !tlsModes.some(name => name === mode))
    throw refused(`has an unknown sslmode: it may be ${tlsModes.join(', ')}`)
  if (mode === 'verify-ca' && !url.searchParams.has('sslrootcert'))
    throw refused('has sslmode=verify-ca without sslrootcert, the file of the authority that signs the certificate')
  if (url.searchParams.get('sslrootcert') === 'system') {
    if (mode !== null && mode !== 'verify-full')
      throw refused(`has sslrootcert=system with the weaker sslmode=${mode}: use verify-full, or leave sslmode out`)
    url.searchParams.set('sslmode', 'verify-full')
  }
  if (url.searchParams.has('sslcert') !== url.searchParams.has('sslkey'))
    throw refused('needs both sslcert and sslkey, or neither')
  if (fileOfPassword !== undefined) url.searchParams.set(passwordFile, fileOfPassword)
  return url.href
}

/** A parameter, with its value if it is the value that is refused. */
const shownParameter = (url: URL) => (name: string) =>
  Object.hasOwn(harmless, name) ? `${name}=${url.searchParams.get(name)}` : name

/**
 * Parses an address, including one that has a user but whose host is among the parameters: libpq accepts that, `URL`
 * does not.
 */
function parsed(text: string): URL | null {
  const url = URL.parse(text)
  const { scheme, user, password, port, rest } =
    /^(?<scheme>postgres(?:ql)?:)\/\/(?<user>[^:@/?#]*)(?::(?<password>[^@/?#]*))?@(?::(?<port>\d+))?(?<rest>\/.*)$/.exec(
      text,
    )?.groups ?? {}
  const without = url === null && scheme !== undefined ? URL.parse(`${scheme}//${rest}`) : null
  if (without === null) return url
  for (const [name, value] of Object.entries({ user, password, port }))
    if (value && !without.searchParams.has(name)) without.searchParams.set(name, decoded(value))
  return without
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

function namesSeveralHosts(text: string, url: URL | null): boolean {
  const authority = /^postgres(?:ql)?:\/\/(?<authority>[^/?#]*)/.exec(text)?.groups?.authority ?? ''
  const named = [authority.slice(authority.lastIndexOf('@') + 1), ...(url?.searchParams.getAll('host') ?? [])]
  return named.some(hosts => hosts.includes(','))
}

const refused = (fault: string): StorageError =>
  new StorageError('DATABASE_REFUSED', `The address of the PostgreSQL database ${fault}.`)

/** An address without its password, for people. */
export function shownAddress(address: string): string {
  const url = parsed(address)
  if (url === null) return 'postgres://…'
  if (url.password !== '') url.password = '***'
  if (url.searchParams.has('password')) url.searchParams.set('password', '***')
  return url.href
}

/** The file in an address that contains its password; undefined when there is none. */
export const passwordFileOf = (address: string): string | undefined =>
  new URL(address).searchParams.get(passwordFile) ?? undefined

/** An address with another TLS mode. `require` checks the certificate of the server only if the address already did. */
function withTlsMode(address: string, mode: 'disable' | 'require'): string {
  const url = new URL(address)
  url.searchParams.set('sslmode', mode)
  url.searchParams.delete('sslrootcert')
  return url.href
}

/**
 * The addresses to try in turn, until one is accepted. `prefer`, libpq's default, also accepts a connection without TLS
 * if the server does not support it; `allow` also accepts one with TLS if the server requires it. A local socket needs
 * no TLS.
 */
export function addressesOf(address: string): readonly string[] {
  const url = new URL(address)
  const mode = url.searchParams.get('sslmode') ?? 'prefer'
  if (mode !== 'allow' && mode !== 'prefer') return [address]
  const [plain, encrypted] = [withTlsMode(address, 'disable'), withTlsMode(address, 'require')]
  const host = url.searchParams.get('host') ?? decodeURIComponent(url.hostname)
  if (host === '' || host.startsWith('/')) return [plain]
  return mode === 'prefer' ? [encrypted, plain] : [plain, encrypted]
}
