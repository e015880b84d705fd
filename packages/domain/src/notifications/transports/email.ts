/** Messages by e-mail, over SMTP (people 5.3). */
import { createTransport } from 'nodemailer'
import type { Message } from '../messages.ts'
import { topicOf } from '../messages.ts'
import type { SendResult } from '../rules.ts'
import type { Transport } from './transport.ts'

/** The mail settings. */
export interface SmtpSettings {
  /** `smtp://host:port` or `smtps://host:port`, with a user if one is needed. */
  readonly url: string
  readonly password?: string | undefined
  /** The sender: an address, or a name with one. */
  readonly from: string
}

/** How long a server may take, ms. */
const answersWithinMs = 15_000

const loopback: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '::1', '[::1]'])

/** The connection to a server from the settings: with TLS, except on this machine. */
export function connectionOf({ url, password }: Pick<SmtpSettings, 'url' | 'password'>) {
  const { protocol, hostname, port, username, password: inUrl } = new URL(url)
  const secure = protocol === 'smtps:'
  const isLocal = loopback.has(hostname)
  const pass = password ?? decodeURIComponent(inUrl)
  return {
    host: hostname.replace(/^\[(.*)\]$/, '$1'),
    port: port === '' ? (secure ? 465 : 587) : Number(port),
    secure,
    requireTLS: !secure && !isLocal,
    ignoreTLS: !secure && isLocal,
    ...(username !== '' && { auth: { user: decodeURIComponent(username), pass } }),
  }
}

/** The host of the sender, with which the ids of messages end. */
const hostOfSender = (from: string): string => /@([^@>\s]+)>?\s*$/.exec(from)?.[1] ?? 'specboard.invalid'

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')

/** A message as text: its lines, each with its link below. */
const textOf = ({ lines }: Message): string =>
  `${lines.map(({ text, url }) => (url === null ? text : `${text}\n${url}`)).join('\n\n')}\n`

/** A message as HTML, without images. */
function htmlOf({ lines }: Message): string {
  const paragraphs = lines.map(({ text, url }) =>
    url === null ? `<p>${escaped(text)}</p>` : `<p>${escaped(text)}<br><a href="${escaped(url)}">Open</a></p>`,
  )
  return `<!doctype html><html lang="en"><body>${paragraphs.join('')}</body></html>`
}

/** A message as mail. */
export function mailOf(message: Message, from: string, to: string, unsubscribeUrl: string | null) {
  const host = hostOfSender(from)
  return {
    from,
    to,
    subject: message.detail === '' ? message.title : `${message.title}: ${message.detail}`,
    text: textOf(message),
    html: htmlOf(message),
    messageId: `<${message.id}@${host}>`,
    ...(message.record !== null && { references: `<${topicOf(message.record)}@${host}>` }),
    headers: {
      'Auto-Submitted': 'auto-generated',
      ...(unsubscribeUrl !== null && {
        'List-Unsubscribe': `<${unsubscribeUrl}>`,
        'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
      }),
    },
  }
}

/** The connection to a mail server, with a time limit of 15 s. */
const transportOf = (smtp: Pick<SmtpSettings, 'url' | 'password'>) =>
  createTransport({
    ...connectionOf(smtp),
    connectionTimeout: answersWithinMs,
    greetingTimeout: answersWithinMs,
    socketTimeout: answersWithinMs,
    disableFileAccess: true,
    disableUrlAccess: true,
  })

/** Why a mail server would not accept mail from this service, as far as that can be found without sending any. */
export async function faultOf(
  smtp: Pick<SmtpSettings, 'url' | 'password'>,
): Promise<{ readonly isReached: boolean; readonly says: string } | undefined> {
  const transport = transportOf(smtp)
  try {
    await transport.verify()
    return undefined
  } catch (error) {
    const { responseCode } = error as { readonly responseCode?: number }
    return { isReached: responseCode !== undefined, says: reasonOf(error) }
  } finally {
    transport.close()
  }
}

/** Messages to an e-mail address. */
export const email =
  (smtp: SmtpSettings): Transport =>
  async ({ message, destination, unsubscribeUrl }): Promise<SendResult> => {
    const transport = transportOf(smtp)
    try {
      await transport.sendMail(mailOf(message, smtp.from, destination.email!, unsubscribeUrl))
      return { outcome: 'received', status: null, excerpt: null, retryAfterMs: undefined }
    } catch (error) {
      return { outcome: 'failed', status: null, excerpt: reasonOf(error), retryAfterMs: undefined }
    } finally {
      transport.close()
    }
  }

/** Why a mail was not accepted, without the data sent to the server. */
function reasonOf(error: unknown): string {
  const { responseCode, code } = error as { readonly responseCode?: number; readonly code?: string }
  if (responseCode !== undefined) return `The mail server answered ${responseCode}.`
  return `The mail server could not be reached: ${code ?? 'the connection failed'}.`
}
