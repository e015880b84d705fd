/** Messages to chats (people 5.3): the formats of each, and how its errors are interpreted. */
import { z } from 'zod'
import { AllowedHosts } from '../../workspace/webhooks/addresses.ts'
import type { PostResult } from '../../workspace/webhooks/attempt.ts'
import type { Message } from '../messages.ts'
import type { SendResult } from '../rules.ts'
import { type Carrier, jsonRequest, type Transport } from './transport.ts'

/** The answer of a chat's webhook: 404 and 410 mean that it no longer exists. */
const ofWebhook = (posted: PostResult): SendResult => ({
  ...posted,
  gone: posted.status === 410 ? 'The webhook answered 410: it is gone.' : undefined,
})

/** A text with Slack's markup escaped; an `@` notifies nobody. */
const slackText = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('@', '@\u200b')

/** A message in Slack's format. */
export function slackBody({ lines }: Pick<Message, 'lines'>) {
  const text = lines.map(line =>
    line.url === null ? slackText(line.text) : `${slackText(line.text)} <${line.url}|Open>`,
  )
  return { text: text.join('\n'), unfurl_links: false, unfurl_media: false }
}

const SlackAnswer = z.object({ ok: z.boolean(), error: z.string().exactOptional() })

/** Slack errors that a retry cannot fix. */
const slackGone: ReadonlySet<string> = new Set([
  'account_inactive',
  'channel_not_found',
  'user_not_found',
  'user_disabled',
  'is_archived',
])

/** The answer of Slack's API: 200 with the actual result in the body. */
export function slackVerdict(posted: PostResult): SendResult {
  const answer = SlackAnswer.safeParse(parsed(posted.text))
  if (posted.outcome !== 'received') return posted
  if (answer.success && answer.data.ok) return posted
  const error = answer.success ? (answer.data.error ?? 'an error') : 'no JSON'
  const excerpt = `Slack answered ${error}.`
  return { ...posted, outcome: 'failed', excerpt, gone: slackGone.has(error) ? excerpt : undefined }
}

/** Messages through an incoming webhook, or to a member with the service's token. */
export const slack =
  ({ post }: Carrier, { api, token }: { readonly api: string; readonly token: string | undefined }): Transport =>
  async outgoing => {
    const { message, destination } = outgoing
    const body = slackBody(message)
    if (destination.member_id === undefined) return ofWebhook(await post(jsonRequest(outgoing, destination.url!, body)))
    if (token === undefined) return notSetUp('SPECBOARD_SLACK_TOKEN_FILE')
    const url = `${api}/chat.postMessage`
    const headers = { authorization: `Bearer ${token}` }
    const payload = { channel: destination.member_id, ...body }
    return slackVerdict(await post(jsonRequest(outgoing, url, payload, { headers, allowed: hostOfApi(url) })))
  }

/** A text with Discord's markup escaped. */
const discordText = (text: string): string => text.replaceAll(/[\\*_~`|>#[\]()<-]/g, '\\$&')

/** The longest message that Discord accepts, characters. */
const maxDiscordLength = 2_000

/** A message in Discord's format: it mentions nobody, and shows no previews. */
export function discordBody({ lines }: Pick<Message, 'lines'>) {
  const parts: string[] = []
  let length = 0
  for (const { text, url } of lines) {
    const line = url === null ? discordText(text) : `${discordText(text)} <${url}>`
    length += line.length + 1
    if (length > maxDiscordLength) break
    parts.push(line)
  }
  return { content: parts.join('\n'), allowed_mentions: { parse: [] }, flags: 4 }
}

/** Messages through a Discord webhook. */
export const discord =
  ({ post }: Carrier): Transport =>
  async outgoing =>
    ofWebhook(await post(jsonRequest(outgoing, outgoing.destination.url!, discordBody(outgoing.message))))

/** A message in the format of a Teams workflow: an Adaptive Card, whose text runs contain no markup. */
export function teamsBody({ lines, url }: Pick<Message, 'lines' | 'url'>) {
  return {
    type: 'message',
    attachments: [
      {
        contentType: 'application/vnd.microsoft.card.adaptive',
        contentUrl: null,
        content: {
          $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
          type: 'AdaptiveCard',
          version: '1.4',
          body: lines.map(({ text }) => ({ type: 'RichTextBlock', inlines: [{ type: 'TextRun', text }] })),
          actions: url === null ? [] : [{ type: 'Action.OpenUrl', title: 'Open', url }],
        },
      },
    ],
  }
}

/** Messages through a Teams workflow. */
export const teams =
  ({ post }: Carrier): Transport =>
  async outgoing =>
    ofWebhook(await post(jsonRequest(outgoing, outgoing.destination.url!, teamsBody(outgoing.message))))

/** A message in Telegram's format: plain text, and one button with the link. */
export function telegramBody(chat_id: string, { lines, url }: Pick<Message, 'lines' | 'url'>) {
  // Telegram refuses buttons that link to this machine.
  const button = url?.startsWith('https:') ? { reply_markup: { inline_keyboard: [[{ text: 'Open', url }]] } } : {}
  return {
    chat_id,
    text: lines.map(({ text }) => text).join('\n'),
    link_preview_options: { is_disabled: true },
    ...button,
  }
}

/** The answer of the Bot API: 403 means that the bot was blocked, or is no longer in the chat. */
export const telegramVerdict = (posted: PostResult): SendResult => ({
  ...posted,
  ...retryOf(posted),
  gone: posted.status === 403 ? 'Telegram answered 403: the bot was blocked there.' : undefined,
})

const RetryAnswer = z.object({ parameters: z.object({ retry_after: z.number() }) })

function retryOf({ text }: PostResult): Partial<SendResult> {
  const answer = RetryAnswer.safeParse(parsed(text))
  return answer.success ? { retryAfterMs: 1_000 * answer.data.parameters.retry_after } : {}
}

/** Messages through a Telegram bot. */
export const telegram =
  ({ post }: Carrier, { api, token }: { readonly api: string; readonly token: string | undefined }): Transport =>
  async outgoing => {
    const { message, destination } = outgoing
    if (token === undefined || destination.chat_id === undefined) return notSetUp('SPECBOARD_TELEGRAM_TOKEN_FILE')
    const url = `${api}/bot${token}/sendMessage`
    const body = telegramBody(destination.chat_id, message)
    return telegramVerdict(await post(jsonRequest(outgoing, url, body, { allowed: hostOfApi(url) })))
  }

/** The host of an API from the settings: it may be reached whatever its address is. */
export const hostOfApi = (url: string): AllowedHosts => new AllowedHosts([new URL(url).hostname])

/** The result for a channel whose type is no longer set up: the settings were removed after the channel was created. */
export const notSetUp = (setting: string): SendResult => ({
  outcome: 'failed',
  status: null,
  excerpt: `Not sent: ${setting} is not set here.`,
  retryAfterMs: undefined,
})

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
