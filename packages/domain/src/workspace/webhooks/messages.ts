/** The messages to a webhook's receiver (work 6). Pure. */
import type { WebhookFormat } from '@specboard/contract'
import type { z } from 'zod'
import { excerpt } from '../../lib/excerpt.ts'
import type { Event } from '../events/rules.ts'

/** Maximum number of characters of a text for Slack. */
const maxTextLength = 300

/** A message in the form of Standard Webhooks. */
export interface Message {
  readonly type: string
  readonly timestamp: string
  readonly data: unknown
}

/** The message of an event. */
export const messageOf = (event: Event): Message => ({ type: event.action, timestamp: event.at, data: event })

/** The message of a ping. */
export const pingOf = (webhook_id: string, timestamp: string): Message => ({
  type: 'ping',
  timestamp,
  data: { webhook_id },
})

/** The body of a message in the format of its webhook. */
export const bodyOf = (format: z.output<typeof WebhookFormat>, message: Message): string =>
  JSON.stringify(format === 'standard' ? message : { text: slackText(message) })

/** A message in one line, in Slack's syntax: its three special characters are escaped. */
function slackText({ type, data }: Message): string {
  const text = type === 'ping' ? 'Specboard: the webhook works.' : line(data as Event)
  return excerpt(text, maxTextLength).replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}

function line({ action, ref, entity_type, actor_name, changes, details }: Event): string {
  const subject = ref ?? entity_type.replaceAll('_', ' ')
  const title = typeof details?.title === 'string' ? ` "${details.title}"` : ''
  return `${actor_name}: ${action.replaceAll('_', ' ')} ${subject}${title}${moveIn(details) ?? fieldsIn(changes)}`
}

const moveIn = (details: Event['details']): string | undefined =>
  typeof details?.from_status === 'string' && typeof details.to_status === 'string'
    ? ` (${details.from_status} → ${details.to_status})`
    : undefined

const fieldsIn = (changes: Event['changes']): string =>
  changes === null || changes.length === 0 ? '' : ` (${changes.map(({ field }) => field).join(', ')})`
