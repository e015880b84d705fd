import type { OutgoingRequest, PostResult } from '../../workspace/webhooks/attempt.ts'
import type { Message } from '../messages.ts'
import type { SendResult } from '../rules.ts'

/** The destination stored for a channel, encrypted in its row (trust 5). */
export interface Destination {
  readonly subscription?: {
    readonly endpoint: string
    readonly keys: { readonly p256dh: string; readonly auth: string }
  }
  readonly email?: string
  readonly url?: string
  readonly member_id?: string
  readonly chat_id?: string
  /** The code that confirms an address or connects a chat, until it has been used. */
  readonly code?: string
}

/** How channels reach their receivers. */
export interface Carrier {
  /** Posts something for a person once, under the address rules of webhooks. */
  readonly post: (parcel: OutgoingRequest) => Promise<PostResult>
  readonly now: () => number
}

/** A message on its way to a channel. */
export interface OutgoingMessage {
  readonly message: Message
  readonly personId: string
  readonly destination: Destination
  /** The link with which the receiver of mail disables the channel with one click. */
  readonly unsubscribeUrl: string | null
}

/** A transport: renders a message for its receivers, and sends it once. */
export type Transport = (outgoing: OutgoingMessage) => Promise<SendResult>

/** The headers of JSON. */
const jsonHeaders = { 'content-type': 'application/json' } as const

/** JSON to an address of a person. */
export const jsonRequest = (
  { personId }: Pick<OutgoingMessage, 'personId'>,
  url: string,
  body: unknown,
  more: Pick<OutgoingRequest, 'allowed'> & { readonly headers?: Readonly<Record<string, string>> } = {},
): OutgoingRequest => ({
  owner: personId,
  url,
  body: Buffer.from(JSON.stringify(body)),
  ...more,
  headers: { ...jsonHeaders, ...more.headers },
})
