/** The state of an issuer's keys, for troubleshooting. */
export interface IssuerState {
  readonly issuer: string
  readonly source: 'file' | 'address'
  /** The age of its keys, ms. */
  readonly ageMs: number
}

/** Verifies the tokens of CI jobs. */
export interface CiTokens {
  /** Whether an issuer's address may lack TLS. */
  mayBePlain(url: URL): boolean
  /** Where the keys in use come from, and how old they are. */
  states(): readonly IssuerState[]
  /**
   * The claims of a token that an issuer signed; undefined if anything about it is wrong.
   * @throws DomainError ISSUER_UNREACHABLE
   */
  verified(token: string, issuer: string): Promise<CiClaims | undefined>
}

/** The claims of a verified token, in the issuer's own terms. */
export type CiClaims = Readonly<Record<string, unknown>>

declare module '../../kernel/context.ts' {
  interface Environment {
    /** Verifies the tokens of CI jobs. */
    readonly ciIssuers: CiTokens
  }
}
