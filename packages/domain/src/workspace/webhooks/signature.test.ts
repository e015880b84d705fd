import { Webhook } from 'standardwebhooks'
import { expect, test } from 'vitest'
import { maxLibraryBodyLength, signatureOf } from './signature.ts'

const secret = Buffer.from('0123456789abcdef0123456789abcdef').toString('base64')

test.each([0, 1, maxLibraryBodyLength, maxLibraryBodyLength + 1, 2 * maxLibraryBodyLength])(
  'the library finds the signature of %i characters right',
  length => {
    const message = { id: 'msg_1', body: JSON.stringify({ text: 'é'.repeat(length) }), sentAt: new Date() }
    const headers = {
      'webhook-id': message.id,
      'webhook-timestamp': String(Math.floor(message.sentAt.getTime() / 1000)),
      'webhook-signature': signatureOf(secret, message),
    }
    expect(new Webhook(`whsec_${secret}`).verify(message.body, headers)).toEqual(JSON.parse(message.body))
    expect(() => new Webhook(secret).verify(`${message.body} `, headers)).toThrow()
  },
)
