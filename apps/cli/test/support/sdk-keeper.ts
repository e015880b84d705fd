/** What a client of MCP's own libraries keeps while it is authorized. */
export class SdkKeeper {
  readonly redirectUrl: string
  readonly #name: string
  authorizationUrl: URL | undefined
  // biome-ignore lint/suspicious/noExplicitAny: both libraries have types of their own for the same
  readonly #kept = new Map<string, any>()

  constructor(redirectUrl = 'http://localhost:3335/callback', name = 'SDK') {
    this.redirectUrl = redirectUrl
    this.#name = name
  }

  get clientMetadata() {
    return {
      client_name: this.#name,
      redirect_uris: [this.redirectUrl],
      token_endpoint_auth_method: 'none',
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
    }
  }

  clientInformation = () => this.#kept.get('client')
  saveClientInformation = (client: unknown) => void this.#kept.set('client', client)
  tokens = () => this.#kept.get('tokens')
  saveTokens = (tokens: unknown) => void this.#kept.set('tokens', tokens)
  saveCodeVerifier = (verifier: string) => void this.#kept.set('verifier', verifier)
  codeVerifier = () => this.#kept.get('verifier') as string
  discoveryState = () => this.#kept.get('discovery')
  saveDiscoveryState = (state: unknown) => void this.#kept.set('discovery', state)
  redirectToAuthorization = (url: URL) => {
    this.authorizationUrl = url
  }
}
