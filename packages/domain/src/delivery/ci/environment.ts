/** What is known of an issuer, for whoever looks for a fault. */
export interface IssuerState {
  readonly issuer: string
  readonly source: 'file' | 'address'
  /** ms since its keys came. */
  readonly ageMs: number
}

/** What a CI job's token is verified with. */
export interface CiTokens {
  /** Whether an issuer may be at an address without TLS. */
  mayBePlain(url: URL): boolean
  /** Where the keys in use come from, and how old they are. */
  states(): readonly IssuerState[]
  /**
   * The claims of a token that an issuer signed; undefined where anything about it is wrong.
   * @throws DomainError ISSUER_UNREACHABLE
   */
  verified(token: string, issuer: string): Promise<CiClaims | undefined>
}

/** The claims of a verified token, in the words of whoever issued it. */
export type CiClaims = Readonly<Record<string, unknown>>

declare module '../../kernel/context.ts' {
  interface Environment {
    /** What verifies tokens of CI jobs. */
    readonly ciIssuers: CiTokens
  }
}
