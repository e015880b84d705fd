import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { z } from 'zod'

/** What a token of a browser claims. */
export interface TokenClaim {
  readonly agentId: string
  /** What the token is ended by; a renewed one keeps it. */
  readonly id: string
  /** ms since 1970. */
  readonly issuedAt: number
}

/** A well-formed token, not yet verified. */
export interface ReadToken {
  readonly claim: TokenClaim
  /** Whether a secret and one of an agent's keys signed it. */
  isSigned(secret: Buffer, keyHash: string): boolean
}

const Payload = z.tuple([z.literal(1), z.string(), z.string().min(1), z.int()])

const mac = (secret: Buffer, keyHash: string, payload: string) =>
  createHmac('sha256', secret).update(keyHash).update('.').update(payload).digest()

/** An id that nobody guesses. */
export const newTokenId = (): string => randomBytes(16).toString('base64url')

/** A token, signed by a secret of the service and the hash of the agent's key: it is valid no longer than the key. */
export function issueToken(secret: Buffer, keyHash: string, { agentId, id, issuedAt }: TokenClaim): string {
  const payload = Buffer.from(JSON.stringify([1, agentId, id, issuedAt])).toString('base64url')
  return `${payload}.${mac(secret, keyHash, payload).toString('base64url')}`
}

/** Reads a token; undefined when it is malformed. */
export function readToken(token: string): ReadToken | undefined {
  const [, payload = '', signature = ''] = /^([\w-]{1,400})\.([\w-]{43})$/.exec(token) ?? []
  const claimed = Payload.safeParse(parsed(Buffer.from(payload, 'base64url').toString()))
  if (!claimed.success) return undefined
  const [, agentId, id, issuedAt] = claimed.data
  const signed = Buffer.from(signature, 'base64url')
  return {
    claim: { agentId, id, issuedAt },
    isSigned: (secret, keyHash) => timingSafeEqual(mac(secret, keyHash, payload), signed),
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
