/** Messages to browsers (RFC 8030, 8291, 8292). */
import {
  createECDH,
  createPrivateKey,
  createPublicKey,
  type ECDH,
  type KeyObject,
  randomBytes,
  sign,
} from 'node:crypto'
import ece from 'http_ece'
import type { Message } from '../messages.ts'
import type { SendResult } from '../rules.ts'
import type { Carrier, Destination, Transport } from './transport.ts'

/** The longest text of a message, bytes. */
const maxBytes = 3_000

/** How long a push service keeps a message, seconds. */
const ttlSeconds = 86_400

/** How long the sender's proof is valid, seconds (RFC 8292 allows a day). */
const proofSeconds = 12 * 3_600

/** The key that identifies this service to push services, derived from a stored secret. */
export class VapidKey {
  /** As browsers expect it: 65 bytes in base64url. */
  readonly publicKey: string
  readonly #key: KeyObject

  /** @param secret 32 bytes, which are the private key */
  constructor(secret: Buffer) {
    const ecdh = createECDH('prime256v1')
    ecdh.setPrivateKey(secret)
    const point = ecdh.getPublicKey()
    this.publicKey = point.toString('base64url')
    const jwk = {
      kty: 'EC',
      crv: 'P-256',
      d: secret.toString('base64url'),
      x: point.subarray(1, 33).toString('base64url'),
      y: point.subarray(33).toString('base64url'),
    }
    this.#key = createPrivateKey({ key: jwk, format: 'jwk' })
  }

  /** The public half, to verify proofs. */
  get verifying(): KeyObject {
    return createPublicKey(this.#key)
  }

  /** The sender's proof for the push service of an endpoint (RFC 8292). */
  proof(endpoint: string, subject: string, now: number): string {
    const claims = { aud: new URL(endpoint).origin, exp: Math.floor(now / 1_000) + proofSeconds, sub: subject }
    const encoded = [{ typ: 'JWT', alg: 'ES256' }, claims].map(part =>
      Buffer.from(JSON.stringify(part)).toString('base64url'),
    )
    const text = encoded.join('.')
    const signature = sign('sha256', Buffer.from(text), { key: this.#key, dsaEncoding: 'ieee-p1363' })
    return `vapid t=${text}.${signature.toString('base64url')}, k=${this.publicKey}`
  }
}

/** The inputs of encryption; random except in tests. */
export interface Encryption {
  readonly sender?: ECDH
  readonly salt?: string
}

/**
 * A text encrypted for a single browser (RFC 8291).
 * @throws Error for invalid subscription keys
 */
export function encrypted(
  text: Buffer,
  { p256dh, auth }: NonNullable<Destination['subscription']>['keys'],
  { sender = newSender(), salt = randomBytes(16).toString('base64url') }: Encryption = {},
): Buffer {
  return ece.encrypt(text, { version: 'aes128gcm', privateKey: sender, dh: p256dh, authSecret: auth, salt })
}

function newSender(): ECDH {
  const sender = createECDH('prime256v1')
  sender.generateKeys()
  return sender
}

/** Whether a browser could decrypt messages encrypted for these keys. */
export function areKeys(keys: NonNullable<Destination['subscription']>['keys']): boolean {
  const [point, secret] = [Buffer.from(keys.p256dh, 'base64url'), Buffer.from(keys.auth, 'base64url')]
  if (point.length !== 65 || secret.length !== 16) return false
  try {
    encrypted(Buffer.from('x'), keys)
    return true
  } catch {
    return false
  }
}

/** The payload for the browser: short enough for all push services. */
export function pushPayload({ title, detail, url, topic, badge }: Message): Buffer {
  const payload = (body: string) => Buffer.from(JSON.stringify({ title, body, url, tag: topic, badge }))
  let body = detail
  while (payload(body).length > maxBytes) body = body.slice(0, Math.floor(body.length / 2))
  return payload(body)
}

const reasons: Readonly<Record<number, string>> = {
  404: 'The browser has withdrawn its subscription.',
  410: 'The browser has withdrawn its subscription.',
}

/** Messages to a browser that has subscribed. */
export const push =
  ({ post, now }: Carrier, key: VapidKey, subject: string): Transport =>
  async ({ message, destination, personId }): Promise<SendResult> => {
    const { endpoint, keys } = destination.subscription!
    const posted = await post({
      owner: personId,
      url: endpoint,
      body: encrypted(pushPayload(message), keys),
      headers: {
        authorization: key.proof(endpoint, subject, now()),
        'content-encoding': 'aes128gcm',
        'content-type': 'application/octet-stream',
        ttl: String(ttlSeconds),
        urgency: message.urgent ? 'high' : 'normal',
        topic: message.topic,
      },
    })
    return { ...posted, gone: reasons[posted.status ?? 0] }
  }
