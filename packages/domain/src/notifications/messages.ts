/** Messages to channels, before they are rendered for a receiver (people 5.3, 5.4). Pure. */
import { hash } from 'node:crypto'
import { oneLine } from '../lib/one-line.ts'
import type { NotificationDeliveriesTable } from '../schema/tables.ts'
import { countsLine, headlineOf, lineOf, type MessageItem } from './words.ts'

/** A line of a message, with its link. */
export interface MessageLine {
  readonly text: string
  readonly url: string | null
}

/** A message, independent of the channel. */
export interface Message {
  /** The same for each repetition, and for later messages about the same item. */
  readonly topic: string
  /** The same for each repetition of this message. */
  readonly id: string
  /** Groups the messages about one record; null if it is about several. */
  readonly record: string | null
  readonly title: string
  /** The title of the record, for a single item; empty if titles are not to be sent. */
  readonly detail: string
  readonly lines: readonly MessageLine[]
  readonly url: string | null
  readonly urgent: boolean
  /** The number of items in the inbox. */
  readonly badge: number
}

/** The number of characters in a topic: the limit of push services (RFC 8030). */
const topicLength = 32

/** The identity of a message, in the characters that push services accept. */
export const topicOf = (name: string): string => hash('sha256', name, 'base64url').slice(0, topicLength)

/** Maximum number of items that a digest or summary lists. */
export const maxLines = 20

const urgentKinds: ReadonlySet<string> = new Set(['question', 'mention'])

/** An item to report. */
export interface MessageEntry extends MessageItem {
  readonly item_id: string
}

/** The contents of a message. */
export interface Material {
  readonly delivery: Pick<NotificationDeliveriesTable, 'id' | 'channel_id' | 'purpose'>
  readonly items: readonly MessageEntry[]
  /** The number of items of each kind, including earlier ones that could not be reported. */
  readonly counts: Readonly<Record<string, number>>
  /** Whether other messages were sent within the same minute. */
  readonly isMore: boolean
  readonly content: 'title' | 'ref'
  readonly publicUrl: string | undefined
  readonly badge: number
}

const urlOf = (publicUrl: string | undefined, path: string): string | null =>
  publicUrl === undefined ? null : `${publicUrl}${path}`

/** The link of an item (people 5.5). */
const itemUrl = (publicUrl: string | undefined, itemId: string): string | null =>
  urlOf(publicUrl, `/i/${encodeURIComponent(itemId)}`)

/** The message about one item. */
function itemMessage(item: MessageEntry, { delivery, content, publicUrl, badge }: Material): Message {
  const url = itemUrl(publicUrl, item.item_id)
  return {
    topic: topicOf(item.item_id),
    id: delivery.id,
    record: item.record,
    title: headlineOf(item),
    detail: content === 'ref' ? '' : oneLine(item.title),
    lines: [{ text: lineOf(item, content), url }],
    url,
    urgent: urgentKinds.has(item.kind),
    badge,
  }
}

/** The message of a delivery. */
export function messageOf(material: Material): Message {
  const { delivery, items, counts, isMore, content, publicUrl, badge } = material
  const total = Object.values(counts).reduce((sum, count) => sum + count, 0)
  const [only] = items
  if (delivery.purpose === 'item' && only !== undefined && total === 1) return itemMessage(only, material)
  const title = countsLine(counts, isMore ? 'more' : 'new')
  const lines = items.slice(0, maxLines).map(item => ({
    text: lineOf(item, content),
    url: itemUrl(publicUrl, item.item_id),
  }))
  return {
    topic: topicOf(delivery.id),
    id: delivery.id,
    record: null,
    title,
    detail: '',
    lines: [{ text: title, url: null }, ...lines],
    url: urlOf(publicUrl, '/'),
    urgent: items.some(({ kind }) => urgentKinds.has(kind)),
    badge,
  }
}

/** A message that somebody requested, to test a channel. */
export function testMessage({
  delivery,
  publicUrl,
  badge,
}: Pick<Material, 'delivery' | 'publicUrl' | 'badge'>): Message {
  const text = 'Specboard: this channel works.'
  const url = urlOf(publicUrl, '/')
  return {
    topic: topicOf(delivery.id),
    id: delivery.id,
    record: null,
    title: text,
    detail: '',
    lines: [{ text, url }],
    url,
    urgent: false,
    badge,
  }
}

/** A mail to one address that is not about an item. */
export interface Letter {
  readonly title: string
  readonly lines: readonly MessageLine[]
}

/** A mail as a message, which no other message replaces. */
export const letterMessage = (id: string, { title, lines }: Letter): Message => ({
  topic: topicOf(id),
  id,
  record: null,
  title,
  detail: '',
  lines,
  url: null,
  urgent: true,
  badge: 0,
})

/** The message with the code that confirms an address (people 5.3). */
export function codeMessage(delivery: Material['delivery'], code: string): Message {
  const title = 'Your Specboard code'
  const lines = [
    'Somebody asked to have Specboard notifications sent to this address. The code to confirm it:',
    code,
    'It works for 15 minutes. If this was not you, do nothing.',
  ]
  return {
    topic: topicOf(delivery.id),
    id: delivery.id,
    record: null,
    title,
    detail: '',
    lines: lines.map(text => ({ text, url: null })),
    url: null,
    urgent: true,
    badge: 0,
  }
}
