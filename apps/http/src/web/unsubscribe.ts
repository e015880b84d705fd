import { DomainError } from '@specboard/domain'
import { answer } from '../answers.ts'
import type { HttpApp, HttpContext } from '../http-env.ts'
import type { WrongKeys } from '../limits/wrong-keys.ts'
import { addressOf } from '../middleware/address.ts'

/** Lets receivers of mail disable their channels. */
export interface Unsubscriber {
  /** The channel in a token; undefined for an invalid token. */
  unsubscribing(token: string): string | undefined
  unsubscribe(channelId: string): Promise<void>
}

const headers = {
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
  'content-security-policy': "default-src 'none'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
}

const page = (body: string): string =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>Specboard</title></head><body><main><h1>Specboard</h1>${body}</main></body></html>`

const question = page(
  '<p>No more notifications to this address?</p><form method="post"><button type="submit">Unsubscribe</button></form>',
)

const done = page('<p>Nothing more is sent to this address. Turn it on again in your profile.</p>')

/**
 * Adds the routes with which the receiver of mail disables a channel, without a session: GET shows a button, and only
 * POST disables, including the one click of a mail program (RFC 8058, people 5.5).
 */
export function addUnsubscribeRoutes(app: HttpApp, channels: Unsubscriber, wrongKeys: WrongKeys | undefined): void {
  const channelOf = async (c: HttpContext): Promise<string> => {
    const channel = channels.unsubscribing(c.req.param('token') ?? '')
    if (channel !== undefined) return channel
    await wrongKeys?.refused(addressOf(c))
    throw new DomainError('NOT_FOUND', 'This unsubscribe link is not valid. Use the link in the newest message.', {
      entity_type: 'notification_channel',
      entity_id: '',
    })
  }
  app.get('/web/unsubscribe/:token', async c => {
    await channelOf(c)
    return answer(c, 200, headers, question)
  })
  app.post('/web/unsubscribe/:token', async c => {
    await channels.unsubscribe(await channelOf(c))
    return answer(c, 200, headers, done)
  })
}
