/** Tokens by which a provider says that somebody signed out there (people 2.4): Back-Channel Logout 1.0. */
import { createHash } from 'node:crypto'
import { DomainError, type SignedOut, type UsedTickets } from '@specboard/domain'
import type { JWTPayload, JWTVerifyGetKey } from 'jose'
import { type Provider, toleranceSeconds } from './clients.ts'

/** The event that a token is about. */
const event = 'http://schemas.openid.net/event/backchannel-logout'

/** The age above which a token is refused, seconds. */
const oldestSeconds = 120

/** Signatures with a key of the provider's own; never `none` or a shared secret. */
const algorithms = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519']

/** The token of a provider that is verified: who signed out, and how to use the token up. */
export interface LogoutToken {
  readonly signedOut: SignedOut
  /** Marks it as used; false if it was used before. */
  use(tickets: UsedTickets): Promise<boolean>
  /** Makes it unused again, because the sessions did not end. */
  release(tickets: UsedTickets): Promise<void>
}

/**
 * Verifies a logout token.
 * @throws DomainError VALIDATION_ERROR with what is wrong
 */
export async function logoutToken(
  token: string,
  provider: Provider,
  { keys, clock }: { readonly keys: JWTVerifyGetKey; readonly clock: () => number },
): Promise<LogoutToken> {
  const claims = await verified(token, provider, { keys, clock })
  const { sub: subject, sid, jti, events, nonce, iat } = claims
  const about = (events as Readonly<Record<string, unknown>> | undefined)?.[event]
  if (typeof about !== 'object' || about === null) throw refused('its `events` do not mention a sign-out')
  if (nonce !== undefined) throw refused('it has a `nonce`, as ID tokens have')
  if (iat! > clock() / 1_000 + toleranceSeconds) throw refused('it was issued in the future')
  if (sid !== undefined && typeof sid !== 'string') throw refused('its `sid` is not a string')
  if (subject === undefined && sid === undefined) throw refused('it has neither `sub` nor `sid`')
  const used = createHash('sha256').update(`sign-out ${provider.id} ${jti}`).digest('hex')
  return {
    signedOut: { provider: provider.id, subject, sid },
    use: tickets => tickets.use(used, (iat! + oldestSeconds + 2 * toleranceSeconds) * 1_000),
    release: tickets => tickets.release(used),
  }
}

async function verified(
  token: string,
  { issuer, client_id }: Provider,
  { keys, clock }: { readonly keys: JWTVerifyGetKey; readonly clock: () => number },
): Promise<JWTPayload> {
  const { errors, jwtVerify } = await import('jose')
  try {
    const { payload } = await jwtVerify(token, keys, {
      issuer,
      audience: client_id,
      algorithms,
      clockTolerance: toleranceSeconds,
      currentDate: new Date(clock()),
      maxTokenAge: oldestSeconds,
      requiredClaims: ['iat', 'jti', 'aud'],
    })
    return payload
  } catch (error) {
    if (error instanceof errors.JWTExpired) throw refused('it is too old')
    if (error instanceof errors.JWTClaimValidationFailed) throw refused(`its \`${error.claim}\` is wrong or missing`)
    if (error instanceof errors.JOSEError && !(error instanceof errors.JWKSTimeout))
      throw refused('no key of the provider signed it')
    throw error
  }
}

/** The refusal of a logout token; what was sent is not repeated. */
export const refused = (why: string) =>
  new DomainError('VALIDATION_ERROR', `This logout token is refused: ${why}.`, { field: 'logout_token' })
