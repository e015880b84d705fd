import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto'

/** How long a session lasts from its `initialize`, ms (mcp 3.3). */
export const sessionLifeMs = 30 * 86_400_000

const version = 1
const randomLength = 16
const timeLength = 6
const macLength = 32

/** The claims of a session's token. */
export interface SessionClaim {
  readonly agentId: string
  /** ms since 1970. */
  readonly issuedAt: number
}

const mac = (secret: Buffer, payload: Buffer) => createHmac('sha256', secret).update(payload).digest()

/** A session's token: version, agent, 16 random bytes and the time, signed (mcp 3.1). At most 160 characters. */
export function issueToken(secret: Buffer, { agentId, issuedAt }: SessionClaim): string {
  const time = Buffer.alloc(timeLength)
  time.writeUIntBE(issuedAt, 0, timeLength)
  const payload = Buffer.concat([Buffer.of(version), Buffer.from(agentId), randomBytes(randomLength), time])
  return Buffer.concat([payload, mac(secret, payload)]).toString('base64url')
}

/** The claim of a token; undefined when its signature is not ours or it has expired. */
export function readToken(secret: Buffer, token: string, now: number): SessionClaim | undefined {
  if (!/^[\w-]{80,160}$/.test(token)) return undefined
  const bytes = Buffer.from(token, 'base64url')
  // Another spelling of the same bytes would count as another session, which nobody could end.
  if (bytes.toString('base64url') !== token) return undefined
  const payload = bytes.subarray(0, -macLength)
  if (payload.length <= 1 + randomLength + timeLength || payload[0] !== version) return undefined
  if (!timingSafeEqual(mac(secret, payload), bytes.subarray(-macLength))) return undefined
  const issuedAt = payload.readUIntBE(payload.length - timeLength, timeLength)
  if (now - issuedAt > sessionLifeMs) return undefined
  return { issuedAt, agentId: payload.subarray(1, -(randomLength + timeLength)).toString() }
}

/** The stored hash of a token. */
export const hashOfToken = (token: string): string => createHash('sha256').update(token).digest('hex')
