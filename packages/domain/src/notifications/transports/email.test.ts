import { expect, test } from 'vitest'
import type { Message } from '../messages.ts'
import { connectionOf, mailOf } from './email.ts'

test.each([
  ['smtps://mail.example.com', { host: 'mail.example.com', port: 465, secure: true, requireTLS: false }],
  ['smtp://mail.example.com', { port: 587, secure: false, requireTLS: true, ignoreTLS: false }],
  ['smtp://127.0.0.1:2525', { host: '127.0.0.1', port: 2525, requireTLS: false, ignoreTLS: true }],
  ['smtp://us%40er@mail.example.com:25', { port: 25, auth: { user: 'us@er', pass: 'secret' } }],
])('%s is spoken to as it should', (url, connection) => {
  expect(connectionOf({ url, password: 'secret' })).toMatchObject(connection)
})

const message: Message = {
  topic: 't',
  id: 'd1',
  record: 'r1',
  title: '[SPE-1] Question',
  detail: '<b>Basket</b>',
  lines: [{ text: '[SPE-1] Question: "<b>Basket</b>"', url: 'https://board.example.com/i/1' }],
  url: null,
  urgent: false,
  badge: 0,
}

test('a mail has the same id whenever it is sent, belongs to its record, and can be ended by one click', () => {
  const mail = mailOf(
    message,
    'Board <board@example.com>',
    'ada@example.org',
    'https://board.example.com/web/unsubscribe/x',
  )
  expect(mail).toMatchObject({
    messageId: '<d1@example.com>',
    references: expect.stringMatching(/^<[\w-]{32}@example\.com>$/),
    headers: {
      'Auto-Submitted': 'auto-generated',
      'List-Unsubscribe': '<https://board.example.com/web/unsubscribe/x>',
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
    },
  })
  expect(mail.html).toContain('&lt;b&gt;Basket')
  expect(mail.html).not.toContain('<img')
})
