/** This service as an OpenID Connect client of a provider (people 2.2). */
import { AllowedHosts, isLoopback, type Outside, type ProviderSettings } from '@specboard/domain'
import type { JWTVerifyGetKey } from 'jose'
import type { Configuration } from 'openid-client'

/** A provider with its client secret for this service. */
export interface Provider extends ProviderSettings {
  readonly secret: string | undefined
}

/** How long a provider's metadata is cached, ms. */
const keptMs = 3_600_000

/** The tolerance for clocks of others, seconds. */
export const toleranceSeconds = 60

/** How long to wait for a provider's answer, seconds. */
const waitsSeconds = 5

interface Discovery {
  readonly at: number
  readonly configuration: Promise<Configuration>
}

/** The clients for all providers, each made when it is first needed. */
export class OidcClients {
  readonly #outside: Outside
  readonly #allowedHosts: readonly string[]
  readonly #clock: () => number
  readonly #discovered = new Map<string, Discovery>()
  readonly #keys = new Map<string, JWTVerifyGetKey>()

  /** @param allowedHosts hosts that may be reached at any network address, and without TLS */
  constructor(outside: Outside, allowedHosts: readonly string[], clock: () => number) {
    this.#outside = outside
    this.#allowedHosts = allowedHosts
    this.#clock = clock
  }

  /** A provider's metadata. Fetched again after an hour, and after a failure. */
  of(provider: Provider): Promise<Configuration> {
    const cached = this.#discovered.get(provider.id)
    if (cached !== undefined && this.#clock() - cached.at < keptMs) return cached.configuration
    const configuration = this.#discover(provider)
    this.#discovered.set(provider.id, { at: this.#clock(), configuration })
    configuration.catch(() => this.#discovered.delete(provider.id))
    return configuration
  }

  /** The keys with which a provider signs. Fetched again for one that is unknown, at most once in half a minute. */
  async keysOf(provider: Provider): Promise<JWTVerifyGetKey> {
    const { jwks_uri } = (await this.of(provider)).serverMetadata()
    if (jwks_uri === undefined) throw new TypeError(`${provider.id} names no set of keys.`)
    const { createRemoteJWKSet, customFetch } = await import('jose')
    const keys =
      this.#keys.get(jwks_uri) ??
      createRemoteJWKSet(new URL(jwks_uri), {
        [customFetch]: this.#outside.fetch(this.#allowed(provider)),
        timeoutDuration: waitsSeconds * 1_000,
      })
    this.#keys.set(jwks_uri, keys)
    return keys
  }

  /** The hosts that may be reached for a provider at any network address. */
  #allowed({ issuer }: Provider): AllowedHosts {
    return new AllowedHosts([...this.#allowedHosts, ...(isLoopback(issuer) ? [new URL(issuer).host] : [])])
  }

  async #discover(provider: Provider): Promise<Configuration> {
    const { issuer, client_id, client_auth, secret } = provider
    const oidc = await import('openid-client')
    const { protocol } = new URL(issuer)
    const authentication = client_auth === 'post' ? oidc.ClientSecretPost : oidc.ClientSecretBasic
    return oidc.discovery(
      new URL(issuer),
      client_id,
      { [oidc.clockTolerance]: toleranceSeconds },
      secret === undefined ? oidc.None() : authentication(secret),
      {
        [oidc.customFetch]: this.#outside.fetch(this.#allowed(provider)),
        timeout: waitsSeconds,
        // Without the second entry, the library relies on TLS, and does not check the signature of the ID token.
        execute: [...(protocol === 'http:' ? [oidc.allowInsecureRequests] : []), oidc.enableNonRepudiationChecks],
      },
    )
  }
}
