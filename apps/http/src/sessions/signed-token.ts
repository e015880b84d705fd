import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { z } from 'zod'

/** The claims of a browser's token. */
export interface TokenClaim {
  readonly agentId: string
  /** The id by which the token is ended; a renewed one keeps it. */
  readonly id: string
  /** ms since 1970. */
  readonly issuedAt: number
  /** Whether it shows that a person is present, or only that somebody has a key (people). */
  readonly present: boolean
}

/** The state of an agent that a token is signed with: it is valid until either changes. */
export interface Binding {
  /** The hash of one of the agent's keys. */
  readonly keyHash: string
  /** How often the agent was disabled. */
  readonly sessionGeneration: number
}

/** A well-formed token, not yet verified. */
export interface ReadToken {
  readonly claim: TokenClaim
  /** Whether it was signed by a secret for the agent in this state. */
  isSigned(secret: Buffer, binding: Binding): boolean
}

const Payload = z.tuple([z.literal(2), z.string(), z.string().min(1), z.int(), z.boolean()])

const mac = (secret: Buffer, { keyHash, sessionGeneration }: Binding, payload: string) =>
  createHmac('sha256', secret).update(`${keyHash}.${sessionGeneration}.${payload}`).digest()

/** An unguessable id. */
export const newTokenId = (): string => randomBytes(16).toString('base64url')

/** A token, signed by a secret of the service for the agent in this state. */
export function issueToken(secret: Buffer, binding: Binding, { agentId, id, issuedAt, present }: TokenClaim): string {
  const payload = Buffer.from(JSON.stringify([2, agentId, id, issuedAt, present])).toString('base64url')
  return `${payload}.${mac(secret, binding, payload).toString('base64url')}`
}

/** Reads a token; undefined when it is malformed. */
export function readToken(token: string): ReadToken | undefined {
  const [, payload = '', signature = ''] = /^([\w-]{1,400})\.([\w-]{43})$/.exec(token) ?? []
  const claimed = Payload.safeParse(parsed(Buffer.from(payload, 'base64url').toString()))
  if (!claimed.success) return undefined
  const [, agentId, id, issuedAt, present] = claimed.data
  const signed = Buffer.from(signature, 'base64url')
  return {
    claim: { agentId, id, issuedAt, present },
    isSigned: (secret, binding) => timingSafeEqual(mac(secret, binding, payload), signed),
  }
}

/**
 * The half of a session that the page keeps besides the cookie, 43 characters: it stays the same when the token is
 * renewed (walls 8).
 */
export const secondHalf = (secret: Buffer, { id }: Pick<TokenClaim, 'id'>): string =>
  createHmac('sha256', secret).update('half.').update(id).digest('base64url')

/** Whether a request contains the second half of the session that its token claims. */
export function isSecondHalf(secret: Buffer, claim: Pick<TokenClaim, 'id'>, half: string): boolean {
  const [actual, expected] = [Buffer.from(half), Buffer.from(secondHalf(secret, claim))]
  return actual.length === expected.length && timingSafeEqual(actual, expected)
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
