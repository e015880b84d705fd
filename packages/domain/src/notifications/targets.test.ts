import { expect, test } from 'vitest'
import { AllowedHosts } from '../workspace/webhooks/addresses.ts'
import { maskedEmail, targetOf } from './targets.ts'

const parts = {
  allowed: new AllowedHosts(['127.0.0.1']),
  ownEmail: null,
  slackToken: false,
  areKeys: () => true,
}
const keys = { p256dh: 'x', auth: 'y' }

test('an address shows its first letter and its host', () => {
  expect(maskedEmail('ada@example.org')).toBe('a…@example.org')
})

test.each([
  [{ type: 'slack' as const, url: 'https://hooks.slack.com/services/T/B/x' }, 'hooks.slack.com'],
  [{ type: 'slack' as const, url: 'http://127.0.0.1:9/hook' }, '127.0.0.1'],
  [{ type: 'discord' as const, url: 'https://discord.com/api/webhooks/1/x' }, 'discord.com'],
  [
    { type: 'teams' as const, url: 'https://prod-1.westeurope.logic.azure.com/workflows/1' },
    'prod-1.westeurope.logic.azure.com',
  ],
  [{ type: 'email' as const, email: 'ada@example.org' }, 'a…@example.org'],
  [{ type: 'push' as const, subscription: { endpoint: 'https://push.example.com/1', keys } }, 'push.example.com'],
])('%j leads to %s', (body, shown) => {
  expect(targetOf(body, parts)).toMatchObject({ shown })
})

test.each([
  [{ type: 'slack' as const, url: 'https://example.com/hook' }, 'url'],
  [{ type: 'slack' as const, member_id: 'U1' }, 'member_id'],
  [{ type: 'slack' as const }, 'url'],
  [{ type: 'discord' as const, url: 'http://127.0.0.1:9/hook' }, 'url'],
  [{ type: 'discord' as const, url: 'https://discord.com.example.com/' }, 'url'],
  [{ type: 'discord' as const, url: 'http://discord.com/api/webhooks/1/x' }, 'url'],
  [{ type: 'teams' as const, url: 'https://logic.azure.com.evil.example/' }, 'url'],
  [{ type: 'email' as const }, 'email'],
  [{ type: 'push' as const }, 'subscription'],
  [{ type: 'push' as const, subscription: { endpoint: 'https://10.0.0.1/1', keys } }, 'subscription'],
])('%j leads nowhere, because of %s', (body, field) => {
  expect(targetOf(body, parts)).toMatchObject({ field })
})
