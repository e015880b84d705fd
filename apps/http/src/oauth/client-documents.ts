/** Clients whose id is the address of a metadata document (people 3.6). */
import { AllowedHosts, type OauthClients, type Outside } from '@specboard/domain'
import { type ClientMetadata, RegistrationRefused, takenMetadata } from './registration.ts'

/** The largest document, bytes. */
const maxBytes = 16_384

/** The minimum and maximum time for which a document is cached, and the time for a failure, ms. */
const [minMs, maxMs, failedMs] = [5 * 60_000, 24 * 3_600_000, 60_000]

/** The maximum documents read at once, and from one address in a minute. */
const [atOnce, inAMinute] = [4, 10]

const minuteMs = 60_000

/** What reading documents needs. */
export interface DocumentsOptions {
  readonly clients: OauthClients
  readonly outside: Outside
  readonly publicUrl: string
  /** Hosts whose documents are accepted: names, or `*.` and a domain; all if empty. */
  readonly hosts: readonly string[]
  readonly clock: () => number
}

const isLoopbackName = (hostname: string): boolean => /^(?:localhost|127\.0\.0\.1|\[::1\])$/.test(hostname)

/** The documents of clients, read when they are first needed, and cached as long as they permit. */
export class ClientDocuments {
  readonly #options: DocumentsOptions
  readonly #failed = new Map<string, number>()
  readonly #reads = new Map<string, { since: number; count: number }>()
  #running = 0

  constructor(options: DocumentsOptions) {
    this.#options = options
  }

  /** Whether an id is the address of a document: https with a path and without anything ambiguous. */
  isDocument(id: string): boolean {
    if (!/^https?:\/\//.test(id) || !URL.canParse(id)) return false
    const { protocol, hostname, pathname, username, password, href } = new URL(id)
    const isLocal = protocol === 'http:' && this.#isLocal && isLoopbackName(hostname)
    const hasDots = id.split('/').some(segment => segment === '.' || segment === '..')
    return (
      (protocol === 'https:' || isLocal) &&
      pathname !== '/' &&
      !id.includes('#') &&
      username === '' &&
      password === '' &&
      !hasDots &&
      href === id &&
      this.#counts(hostname)
    )
  }

  /** The metadata in the document of a client; undefined if it is unavailable. */
  async find(id: string): Promise<ClientMetadata | undefined> {
    const { clients, clock } = this.#options
    const cached = await clients.find(id)
    if (cached?.origin === 'document' && (cached.freshUntil ?? 0) > clock())
      return takenMetadata(cached.metadata, 'none')
    const failed = this.#failed.get(id)
    if (failed !== undefined && failed > clock()) return undefined
    if (!this.#mayRead(new URL(id).host)) return undefined
    this.#running++
    try {
      const { metadata, freshMs } = await this.#read(id)
      const record = { origin: 'document', metadata: { ...metadata }, freshUntil: clock() + freshMs } as const
      await clients.put(id, record)
      return metadata
    } catch {
      if (this.#failed.size >= 1_000) this.#failed.clear()
      this.#failed.set(id, clock() + failedMs)
      return undefined
    } finally {
      this.#running--
    }
  }

  async #read(id: string): Promise<{ readonly metadata: ClientMetadata; readonly freshMs: number }> {
    const { outside } = this.#options
    const { host, hostname } = new URL(id)
    const allowed = new AllowedHosts(this.#isLocal && isLoopbackName(hostname) ? [host] : [])
    const response = await outside.fetch(allowed)(id, { headers: { accept: 'application/json' } })
    const text = await response.text()
    if (response.status !== 200 || text.length > maxBytes)
      throw new RegistrationRefused('invalid_client_metadata', 'The document of the client cannot be read.')
    const document: unknown = JSON.parse(text)
    const { client_id, client_secret } = document as Readonly<Record<string, unknown>>
    const metadata = takenMetadata(document, 'none')
    const hasSecret = client_secret !== undefined || metadata.token_endpoint_auth_method.startsWith('client_secret')
    if (client_id !== id || hasSecret)
      throw new RegistrationRefused('invalid_client_metadata', 'The document is for another client, or has a secret.')
    return { metadata, freshMs: freshOf(response.headers.get('cache-control') ?? '') }
  }

  /** Whether a document of a host may be read now: nobody may make this service call others as often as they like. */
  #mayRead(host: string): boolean {
    if (this.#running >= atOnce) return false
    const now = this.#options.clock()
    const minute = this.#reads.get(host)
    if (this.#reads.size >= 1_000) this.#reads.clear()
    const current = minute !== undefined && now - minute.since < minuteMs ? minute : { since: now, count: 0 }
    current.count++
    this.#reads.set(host, current)
    return current.count <= inAMinute
  }

  get #isLocal(): boolean {
    return isLoopbackName(new URL(this.#options.publicUrl).hostname)
  }

  #counts(hostname: string): boolean {
    const { hosts } = this.#options
    return (
      hosts.length === 0 ||
      hosts.some(host => (host.startsWith('*.') ? hostname.endsWith(host.slice(1)) : hostname === host))
    )
  }
}

/** How long a document is cached, ms. */
function freshOf(cacheControl: string): number {
  const [, seconds] = /\bmax-age=(\d{1,9})\b/.exec(cacheControl) ?? []
  return Math.min(maxMs, Math.max(minMs, Number(seconds ?? 0) * 1_000))
}
