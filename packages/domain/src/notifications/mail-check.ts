/** Whether mail goes, for `specboard doctor` (people 7.3); the library is loaded when it is asked. */
import { testMessage } from './messages.ts'
import type { SmtpSettings } from './ways/email.ts'

/** What keeps a mail server from taking mail of this service, as far as that is known without sending any. */
export async function smtpFault(smtp: Pick<SmtpSettings, 'url' | 'password'>) {
  const { faultOf } = await import('./ways/email.ts')
  return faultOf(smtp)
}

/**
 * Sends a mail to an address, to see whether it arrives.
 * @param id what it is told apart by
 * @returns why it did not go; undefined where it did
 */
export async function sendTestMail(smtp: SmtpSettings, to: string, id: string): Promise<string | undefined> {
  const { email } = await import('./ways/email.ts')
  const delivery = { id, channel_id: '', purpose: 'test' as const }
  const message = testMessage({ delivery, publicUrl: undefined, badge: 0 })
  const { outcome, excerpt } = await email(smtp)({ message, personId: '', held: { email: to }, unsubscribeUrl: null })
  return outcome === 'received' ? undefined : (excerpt ?? 'It was not taken.')
}
