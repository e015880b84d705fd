/** What this service is to a provider: a client of OpenID Connect (people 2.2). */
import { AllowedHosts, isLoopback, type Outside, type ProviderSettings } from '@specboard/domain'
import type { Configuration } from 'openid-client'

/** A provider with the secret by which it knows this service. */
export interface Provider extends ProviderSettings {
  readonly secret: string | undefined
}

/** How long what a provider says of itself is kept, ms. */
const keptMs = 3_600_000

/** Seconds by which the clocks of others may differ. */
const toleranceSeconds = 60

/** Seconds for which an answer of a provider is waited for. */
const waitsSeconds = 5

interface Discovered {
  readonly at: number
  readonly configuration: Promise<Configuration>
}

/** The clients of all providers, each made when it is first needed. */
export class OidcClients {
  readonly #outside: Outside
  readonly #allowedHosts: readonly string[]
  readonly #clock: () => number
  readonly #discovered = new Map<string, Discovered>()

  /** @param allowedHosts hosts that may be reached wherever they are, and without TLS */
  constructor(outside: Outside, allowedHosts: readonly string[], clock: () => number) {
    this.#outside = outside
    this.#allowedHosts = allowedHosts
    this.#clock = clock
  }

  /** What a provider says of itself. Asked again after an hour, and after a failure. */
  of(provider: Provider): Promise<Configuration> {
    const known = this.#discovered.get(provider.id)
    if (known !== undefined && this.#clock() - known.at < keptMs) return known.configuration
    const configuration = this.#discover(provider)
    this.#discovered.set(provider.id, { at: this.#clock(), configuration })
    configuration.catch(() => this.#discovered.delete(provider.id))
    return configuration
  }

  async #discover({ issuer, client_id, client_auth, secret }: Provider): Promise<Configuration> {
    const oidc = await import('openid-client')
    const { host, protocol } = new URL(issuer)
    const allowed = new AllowedHosts([...this.#allowedHosts, ...(isLoopback(issuer) ? [host] : [])])
    const authentication = client_auth === 'post' ? oidc.ClientSecretPost : oidc.ClientSecretBasic
    return oidc.discovery(
      new URL(issuer),
      client_id,
      { [oidc.clockTolerance]: toleranceSeconds },
      secret === undefined ? oidc.None() : authentication(secret),
      {
        [oidc.customFetch]: this.#outside.fetch(allowed),
        timeout: waitsSeconds,
        // Without the second, the library trusts TLS, and does not look at the signature of the ID token.
        execute: [...(protocol === 'http:' ? [oidc.allowInsecureRequests] : []), oidc.enableNonRepudiationChecks],
      },
    )
  }
}
