/** This service as an OpenID Connect client of a provider (people 2.2). */
import { AllowedHosts, isLoopback, type Outside, type ProviderSettings } from '@specboard/domain'
import type { Configuration } from 'openid-client'

/** A provider with its client secret for this service. */
export interface Provider extends ProviderSettings {
  readonly secret: string | undefined
}

/** How long a provider's metadata is cached, ms. */
const keptMs = 3_600_000

/** The tolerance for clocks of others, seconds. */
const toleranceSeconds = 60

/** How long to wait for a provider's answer, seconds. */
const waitsSeconds = 5

interface Discovered {
  readonly at: number
  readonly configuration: Promise<Configuration>
}

/** The clients for all providers, each made when it is first needed. */
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

  /** A provider's metadata. Fetched again after an hour, and after a failure. */
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
        // Without the second, the library relies on TLS, and does not check the signature of the ID token.
        execute: [...(protocol === 'http:' ? [oidc.allowInsecureRequests] : []), oidc.enableNonRepudiationChecks],
      },
    )
  }
}
