import { expect, test } from 'vitest'
import type { PostResult } from '../../workspace/webhooks/attempt.ts'
import { discordBody, slackBody, slackVerdict, teamsBody, telegramBody, telegramVerdict } from './chats.ts'

const url = 'https://board.example.com/i/1'
const lines = [{ text: '[SPE-1] Question: "<!channel> & *@all*"', url }]

const posted = (text: string, more: Partial<PostResult> = {}): PostResult => ({
  outcome: 'received',
  status: 200,
  excerpt: null,
  durationMs: 1,
  text,
  retryAfterMs: undefined,
  ...more,
})

test('Slack gets nothing that it reads as a mention or link, and shows no preview', () => {
  expect(slackBody({ lines })).toEqual({
    text: `[SPE-1] Question: "&lt;!channel&gt; &amp; *@\u200ball*" <${url}|Open>`,
    unfurl_links: false,
    unfurl_media: false,
  })
})

test('Discord mentions nobody', () => {
  const body = discordBody({ lines })
  expect(body).toMatchObject({ allowed_mentions: { parse: [] } })
  expect(body.content).toBe(`\\[SPE\\-1\\] Question: "\\<!channel\\> & \\*@all\\*" <${url}>`)
  expect(
    discordBody({ lines: Array.from({ length: 30 }, () => ({ text: 'x'.repeat(200), url })) }).content.length,
  ).toBeLessThanOrEqual(2_000)
})

test('Teams gets an Adaptive Card with one link', () => {
  const [{ contentType, content }] = teamsBody({ lines, url }).attachments as [
    ReturnType<typeof teamsBody>['attachments'][0],
  ]
  expect(contentType).toBe('application/vnd.microsoft.card.adaptive')
  expect(content).toMatchObject({ version: '1.4', actions: [{ type: 'Action.OpenUrl', url }] })
})

test('Telegram gets plain text and one button', () => {
  expect(telegramBody('7', { lines, url })).toEqual({
    chat_id: '7',
    text: lines[0]!.text,
    link_preview_options: { is_disabled: true },
    reply_markup: { inline_keyboard: [[{ text: 'Open', url }]] },
  })
  expect(telegramBody('7', { lines, url: 'http://127.0.0.1/i/1' })).not.toHaveProperty('reply_markup')
})

test.each([
  ['{"ok":true}', { outcome: 'received' }],
  ['{"ok":false,"error":"ratelimited"}', { outcome: 'failed', gone: undefined }],
  ['{"ok":false,"error":"account_inactive"}', { outcome: 'failed', gone: 'Slack answered account_inactive.' }],
  ['<html>', { outcome: 'failed' }],
])('Slack says %s', (text, verdict) => {
  expect(slackVerdict(posted(text))).toMatchObject(verdict)
})

test('a blocked bot ends the channel, and Telegram says how long to wait', () => {
  expect(telegramVerdict(posted('{}', { outcome: 'failed', status: 403 })).gone).toMatch('blocked')
  const limited = posted('{"ok":false,"parameters":{"retry_after":7}}', { outcome: 'failed', status: 429 })
  expect(telegramVerdict(limited).retryAfterMs).toBe(7_000)
})
