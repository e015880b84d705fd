import { createECDH, verify } from 'node:crypto'
import ece from 'http_ece'
import { describe, expect, test } from 'vitest'
import type { Message } from '../messages.ts'
import { areKeys, encrypted, push, pushPayload, VapidKey } from './push.ts'
import type { Carrier } from './transport.ts'

// RFC 8291, Appendix A.
const vector = {
  text: 'When I grow up, I want to be a watermelon',
  senderPrivate: 'yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw',
  receiverPrivate: 'q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94',
  keys: {
    p256dh: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
    auth: 'BTBZMqHH6r4Tts7J_aSIgg',
  },
  salt: 'DGv6ra1nlYgDCS1FRnbzlw',
  body: 'DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN',
}

const message: Message = {
  topic: 't'.repeat(32),
  id: 'd1',
  record: 'r1',
  title: '[SPE-1] Question',
  detail: 'Keep the basket',
  lines: [],
  url: 'https://board.example.com/i/question%3Aq1',
  urgent: true,
  badge: 3,
}

test('a text is encrypted as RFC 8291 shows it', () => {
  const sender = createECDH('prime256v1')
  sender.setPrivateKey(Buffer.from(vector.senderPrivate, 'base64url'))
  const body = encrypted(Buffer.from(vector.text), vector.keys, { sender, salt: vector.salt })
  expect(body.toString('base64url')).toBe(vector.body)
})

test.each([
  [vector.keys, true],
  [{ ...vector.keys, auth: 'short' }, false],
  [{ ...vector.keys, p256dh: vector.keys.p256dh.replace('BCVx', 'BCVy') }, false],
])('%j are keys: %s', (keys, are) => {
  expect(areKeys(keys)).toBe(are)
})

test('a payload has what the browser shows, in at most 3,000 bytes', () => {
  expect(JSON.parse(pushPayload(message).toString())).toEqual({
    title: '[SPE-1] Question',
    body: 'Keep the basket',
    url: message.url,
    tag: message.topic,
    badge: 3,
  })
  expect(pushPayload({ ...message, detail: 'é'.repeat(5_000) }).length).toBeLessThanOrEqual(3_000)
})

describe('a push', () => {
  test('says who sends it, how long and how urgently', async () => {
    const key = new VapidKey(Buffer.alloc(32, 7))
    const now = Date.parse('2030-01-01T00:00:00Z')
    const requests: Parameters<Carrier['post']>[0][] = []
    const post: Carrier['post'] = async parcel => {
      requests.push(parcel)
      return { outcome: 'received', status: 201, excerpt: null, durationMs: 1, text: '', retryAfterMs: undefined }
    }
    const subscription = { endpoint: 'https://push.example.com/s/1', keys: vector.keys }
    const way = push({ post, now: () => now }, key, 'mailto:ops@example.com')
    expect(await way({ message, personId: 'p', destination: { subscription }, unsubscribeUrl: null })).toMatchObject({
      outcome: 'received',
    })
    const { headers, body, url } = requests[0]!
    expect(url).toBe(subscription.endpoint)
    expect(headers).toMatchObject({
      ttl: '86400',
      urgency: 'high',
      topic: message.topic,
      'content-encoding': 'aes128gcm',
    })
    const [, token, k] = /^vapid t=([\w.-]+), k=([\w-]+)$/.exec(headers.authorization!)!
    expect(k).toBe(key.publicKey)
    const [head, claims, signature] = token!.split('.') as [string, string, string]
    expect(JSON.parse(Buffer.from(claims, 'base64url').toString())).toEqual({
      aud: 'https://push.example.com',
      exp: now / 1_000 + 12 * 3_600,
      sub: 'mailto:ops@example.com',
    })
    const signed = Buffer.from(`${head}.${claims}`)
    const verifying = { key: key.verifying, dsaEncoding: 'ieee-p1363' as const }
    expect(verify('sha256', signed, verifying, Buffer.from(signature, 'base64url'))).toBe(true)
    const receiver = createECDH('prime256v1')
    receiver.setPrivateKey(Buffer.from(vector.receiverPrivate, 'base64url'))
    const parameters = { version: 'aes128gcm', privateKey: receiver, authSecret: vector.keys.auth } as const
    expect(JSON.parse(ece.decrypt(body, parameters).toString())).toMatchObject({ title: '[SPE-1] Question' })
  })

  test.each([404, 410])('ends a channel by %i', async status => {
    const post: Carrier['post'] = async () => ({
      outcome: 'failed',
      status,
      excerpt: null,
      durationMs: 1,
      text: '',
      retryAfterMs: undefined,
    })
    const subscription = { endpoint: 'https://push.example.com/s/1', keys: vector.keys }
    const way = push({ post, now: () => 0 }, new VapidKey(Buffer.alloc(32, 7)), 'mailto:ops@example.com')
    const { gone } = await way({ message, personId: 'p', destination: { subscription }, unsubscribeUrl: null })
    expect(gone).toMatch('withdrawn')
  })
})
