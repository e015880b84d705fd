/** Tests mail delivery, for `specboard doctor` (people 7.3); the library is loaded on demand. */
import { testMessage } from './messages.ts'
import type { SmtpSettings } from './transports/email.ts'

/** Why a mail server would not accept mail from this service, as far as that can be found without sending any. */
export async function smtpFault(smtp: Pick<SmtpSettings, 'url' | 'password'>) {
  const { faultOf } = await import('./transports/email.ts')
  return faultOf(smtp)
}

/**
 * Sends a test mail to an address.
 * @param id a unique id for the mail
 * @returns why it was not accepted; undefined if it was
 */
export async function sendTestMail(smtp: SmtpSettings, to: string, id: string): Promise<string | undefined> {
  const { email } = await import('./transports/email.ts')
  const delivery = { id, channel_id: '', purpose: 'test' as const }
  const message = testMessage({ delivery, publicUrl: undefined, badge: 0 })
  const { outcome, excerpt } = await email(smtp)({
    message,
    personId: '',
    destination: { email: to },
    unsubscribeUrl: null,
  })
  return outcome === 'received' ? undefined : (excerpt ?? 'It was refused.')
}
