/** What a client may state about itself when it registers (RFC 7591, people 3.6). Pure. */

/** A refused registration, as it is answered. */
export class RegistrationRefused extends Error {
  readonly error: 'invalid_redirect_uri' | 'invalid_client_metadata'

  constructor(error: RegistrationRefused['error'], message: string) {
    super(message)
    this.error = error
  }
}

/** Schemes that cannot be an application's own. */
const refusedSchemes: ReadonlySet<string> = new Set(
  ['javascript', 'data', 'file', 'blob', 'about', 'vbscript', 'ws', 'wss', 'ftp'].map(scheme => `${scheme}:`),
)

const loopback: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]'])

/** Whether a text is an address that an answer may be sent to: over TLS, on this machine, or of an application. */
function isRedirectUri(text: unknown): text is string {
  if (typeof text !== 'string' || text.length > 2_000 || !URL.canParse(text) || text.includes('#')) return false
  const { protocol, hostname, username, password } = new URL(text)
  if (username !== '' || password !== '') return false
  if (protocol === 'https:') return true
  if (protocol === 'http:') return loopback.has(hostname)
  return !refusedSchemes.has(protocol)
}

/** Whether the answer goes to a program on the person's own machine. */
export function isLocalRedirect(uri: string): boolean {
  const { protocol, hostname } = new URL(uri)
  return protocol !== 'https:' && (protocol !== 'http:' || loopback.has(hostname))
}

/**
 * Whether an address is one of a client's: exactly, except for the port on this machine, where a program uses any free
 * one.
 */
export function isOneOf(uri: string, uris: readonly string[]): boolean {
  if (uris.includes(uri)) return true
  const free = withoutPort(uri)
  return free !== undefined && uris.some(other => withoutPort(other) === free)
}

/** An address on this machine without its port; undefined for any other. */
function withoutPort(text: string): string | undefined {
  if (!URL.canParse(text)) return undefined
  const url = new URL(text)
  if (url.protocol !== 'http:' || !loopback.has(url.hostname)) return undefined
  url.port = ''
  return url.href
}

/** The longest name of a client, characters. */
const maxNameLength = 100

/** A name as displayed: without control characters and those that change the direction of a text. */
export function clientName(text: unknown, fallback: string): string {
  const name = typeof text === 'string' ? text.replaceAll(/[\p{C}\p{Zl}\p{Zp}]/gu, '').trim() : ''
  return (name === '' ? fallback : name).slice(0, maxNameLength)
}

const methods: ReadonlySet<unknown> = new Set(['none', 'client_secret_post', 'client_secret_basic', 'private_key_jwt'])

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The accepted part of a client's metadata, in the library's form. */
export interface ClientMetadata {
  readonly client_name: string
  readonly redirect_uris: readonly string[]
  readonly token_endpoint_auth_method: string
  readonly grant_types: readonly string[]
  readonly response_types: readonly string[]
  readonly application_type: 'native'
  readonly token_endpoint_auth_signing_alg?: string
  readonly jwks?: unknown
  readonly jwks_uri?: string
}

/**
 * The accepted part of the metadata that a client sent. Every client is treated as a native application: some claim to
 * be web applications, but have the address of a program.
 * @throws RegistrationRefused
 */
export function takenMetadata(metadata: unknown, method: string): ClientMetadata {
  if (!isObject(metadata))
    throw new RegistrationRefused('invalid_client_metadata', 'Send the metadata as a JSON object.')
  const { redirect_uris, token_endpoint_auth_method = method, jwks, jwks_uri } = metadata
  if (!Array.isArray(redirect_uris) || redirect_uris.length === 0 || redirect_uris.length > 10)
    throw new RegistrationRefused('invalid_redirect_uri', 'redirect_uris must have 1 to 10 addresses.')
  if (!redirect_uris.every(isRedirectUri))
    throw new RegistrationRefused(
      'invalid_redirect_uri',
      'Each of redirect_uris must be https, http to this machine, or the scheme of an application, without a fragment.',
    )
  if (!methods.has(token_endpoint_auth_method))
    throw new RegistrationRefused('invalid_client_metadata', 'token_endpoint_auth_method is not supported.')
  const hasKeys = isObject(jwks) || typeof jwks_uri === 'string'
  if (token_endpoint_auth_method === 'private_key_jwt' && !hasKeys)
    throw new RegistrationRefused('invalid_client_metadata', 'private_key_jwt needs jwks or jwks_uri.')
  return {
    client_name: clientName(metadata.client_name, 'A client'),
    redirect_uris,
    token_endpoint_auth_method: String(token_endpoint_auth_method),
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    application_type: 'native',
    ...(token_endpoint_auth_method === 'private_key_jwt' && {
      ...(isObject(jwks) ? { jwks } : { jwks_uri: String(jwks_uri) }),
    }),
  }
}
