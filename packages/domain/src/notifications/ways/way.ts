import type { Parcel, Posted } from '../../workspace/webhooks/attempt.ts'
import type { Message } from '../messages.ts'
import type { Sent } from '../rules.ts'

/** What a channel holds of where it leads, sealed in its row (trust 5). */
export interface Held {
  readonly subscription?: {
    readonly endpoint: string
    readonly keys: { readonly p256dh: string; readonly auth: string }
  }
  readonly email?: string
  readonly url?: string
  readonly member_id?: string
  readonly chat_id?: string
  /** The code that confirms an address or connects a chat, until it has. */
  readonly code?: string
}

/** How ways reach their receivers. */
export interface Carrier {
  /** Posts something of a person once, by the address rules of webhooks. */
  readonly post: (parcel: Parcel) => Promise<Posted>
  readonly now: () => number
}

/** A message on its way to a channel. */
export interface Outgoing {
  readonly message: Message
  readonly personId: string
  readonly held: Held
  /** Where the receiver of mail switches the channel off by one click. */
  readonly unsubscribeUrl: string | null
}

/** A way by which messages go: writes a message as its receivers take it, and sends it once. */
export type Way = (outgoing: Outgoing) => Promise<Sent>

/** The headers of JSON. */
export const jsonHeaders = { 'content-type': 'application/json' } as const

/** JSON to an address of a person. */
export const jsonParcel = (
  { personId }: Pick<Outgoing, 'personId'>,
  url: string,
  body: unknown,
  more: Pick<Parcel, 'allowed'> & { readonly headers?: Readonly<Record<string, string>> } = {},
): Parcel => ({
  owner: personId,
  url,
  body: Buffer.from(JSON.stringify(body)),
  ...more,
  headers: { ...jsonHeaders, ...more.headers },
})
