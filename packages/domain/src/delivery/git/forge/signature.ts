/** Checks whether an event is signed with a secret of its repository (git 2). */
import { createHmac, timingSafeEqual } from 'node:crypto'

/** The proof in an event that its forge sent it. */
export type ForgeSignature =
  /** The HMAC-SHA-256 of the bytes, in hexadecimal digits. */
  | { readonly kind: 'hmac'; readonly hex: string }
  /** As in Standard Webhooks. */
  | { readonly kind: 'standard'; readonly id: string; readonly timestamp: string; readonly signatures: string }
  /** The secret itself. */
  | { readonly kind: 'token'; readonly token: string }

/** The tolerance for the time of a signature, ms. */
const toleranceMs = 300_000

/** Whether two byte strings are equal, in constant time. */
const same = (one: Buffer, other: Buffer): boolean => one.length === other.length && timingSafeEqual(one, other)

const digest = (key: Buffer | string, ...parts: readonly (string | Uint8Array)[]): Buffer =>
  parts.reduce((hmac, part) => hmac.update(part), createHmac('sha256', key)).digest()

const prefix = 'whsec_'

/** The key derived from a secret for Standard Webhooks. */
const standardKey = (secret: string): Buffer =>
  secret.startsWith(prefix) ? Buffer.from(secret.slice(prefix.length), 'base64') : Buffer.from(secret)

/** Compares tokens of any length in constant time. */
const sameToken = (one: string, other: string): boolean => same(digest('token', one), digest('token', other))

type Standard = ForgeSignature & { readonly kind: 'standard' }

function isStandard({ id, timestamp, signatures }: Standard, bytes: Uint8Array, secret: string, now: number): boolean {
  if (!/^\d{1,12}$/.test(timestamp) || Math.abs(now - Number(timestamp) * 1_000) > toleranceMs) return false
  const expected = digest(standardKey(secret), `${id}.${timestamp}.`, bytes)
  return signatures
    .split(' ')
    .filter(each => each.startsWith('v1,'))
    .some(each => same(expected, Buffer.from(each.slice('v1,'.length), 'base64')))
}

/** Whether one of the secrets made the signature. */
export function isSigned(
  signature: ForgeSignature | undefined,
  bytes: Uint8Array,
  secrets: readonly string[],
  { now, mustSign }: { readonly now: number; readonly mustSign: boolean },
): boolean {
  if (signature === undefined) return false
  switch (signature.kind) {
    case 'token':
      return !mustSign && secrets.map(secret => sameToken(secret, signature.token)).includes(true)
    case 'standard':
      return secrets.map(secret => isStandard(signature, bytes, secret, now)).includes(true)
    case 'hmac': {
      const received = /^[0-9a-f]{64}$/i.test(signature.hex) ? Buffer.from(signature.hex, 'hex') : Buffer.alloc(0)
      return secrets.map(secret => same(digest(secret, bytes), received)).includes(true)
    }
  }
}
