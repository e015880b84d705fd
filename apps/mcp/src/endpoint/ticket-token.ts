import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { z } from 'zod'
import type { TicketRequest } from '../calls/upload-ticket.ts'

/** How long a ticket lasts, ms (mcp 10). */
export const ticketLifeMs = 600_000

/** What a ticket is bound to. */
export interface TicketClaim extends TicketRequest {
  /** ms since 1970. */
  readonly expiresAt: number
}

/** The claim in the token's form, with random bytes, so that two tickets for one file differ. */
const Payload = z.tuple([
  z.string(),
  z.string(),
  z.record(z.string(), z.unknown()),
  z.record(z.string(), z.unknown()),
  z.string(),
  z.string().nullable(),
  z.number(),
  z.string(),
])

const macLength = 32

const mac = (secret: Buffer, keyHash: string, payload: Buffer) =>
  createHmac('sha256', secret).update(keyHash).update(payload).digest()

/**
 * A ticket's token: the claim, then its signature, in visible ASCII that needs no escaping in a URL.
 * @param keyHash hash of the agent's key, signed with the claim: the ticket is valid no longer than the key
 */
export function issueTicketToken(secret: Buffer, keyHash: string, claim: TicketClaim): string {
  const { agentId, operation, params, query, filename, mimeType, expiresAt } = claim
  const parts: z.input<typeof Payload> = [
    agentId,
    operation,
    params,
    query,
    filename,
    mimeType,
    expiresAt,
    randomBytes(12).toString('base64url'),
  ]
  const payload = Buffer.from(JSON.stringify(parts))
  return `${payload.toString('base64url')}.${mac(secret, keyHash, payload).toString('base64url')}`
}

/** A token that was read; only its signature proves that it is ours. */
export interface ReadTicket {
  readonly claim: TicketClaim
  isSigned(secret: Buffer, keyHash: string): boolean
}

/** The claim of a token; undefined when it is malformed. */
export function readTicketToken(token: string): ReadTicket | undefined {
  const [encoded, signature, ...rest] = token.split('.')
  if (encoded === undefined || signature === undefined || rest.length > 0) return undefined
  const payload = Buffer.from(encoded, 'base64url')
  const signed = Buffer.from(signature, 'base64url')
  // Another spelling of the same bytes would count as another ticket and could be used once more.
  if (`${payload.toString('base64url')}.${signed.toString('base64url')}` !== token) return undefined
  const parsed = Payload.safeParse(jsonOf(payload))
  if (!parsed.success) return undefined
  const [agentId, operation, params, query, filename, mimeType, expiresAt] = parsed.data
  return {
    claim: { agentId, operation, params, query, filename, mimeType, expiresAt },
    isSigned: (secret, keyHash) =>
      signed.length === macLength && timingSafeEqual(mac(secret, keyHash, payload), signed),
  }
}

function jsonOf(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString())
  } catch {
    return undefined
  }
}
