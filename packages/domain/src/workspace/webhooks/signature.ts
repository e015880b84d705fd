import { createHmac } from 'node:crypto'
import { Webhook } from 'standardwebhooks'

/** A message to be signed. */
export interface MessageToSign {
  /** The `webhook-id` of the message. */
  readonly id: string
  readonly body: string
  readonly sentAt: Date
}

/** The longest body that the library signs, characters: it blocks for 30 ms per million. */
export const maxLibraryBodyLength = 65_536

/** The signature of a message as in Standard Webhooks; a long body is signed natively, with the same result. */
export function signatureOf(secret: string, { id, body, sentAt }: MessageToSign): string {
  if (body.length <= maxLibraryBodyLength) return new Webhook(secret).sign(id, sentAt, body)
  const hmac = createHmac('sha256', Buffer.from(secret, 'base64'))
  return `v1,${hmac.update(`${id}.${secondsOf(sentAt)}.${body}`).digest('base64')}`
}

/** A time in the form of `webhook-timestamp`. */
export const secondsOf = (time: Date): number => Math.floor(time.getTime() / 1000)
