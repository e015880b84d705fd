import { statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { inspectPeople, type PeopleInspection, readWithoutLock, sendTestMail, smtpFault } from '@specboard/domain'
import type { Provider } from '@specboard/http'
import { explain } from './explain.ts'
import type { Finding } from './finding.ts'
import { notificationSettings } from './notification-settings.ts'
import { placeOf, type Settings } from './settings.ts'
import { providersOf } from './sign-in-file.ts'

/** How long to wait for an answer from outside, ms. */
const patienceMs = 5_000

/** The tolerance for the difference from a provider's clock, ms. */
const clockToleranceMs = 60_000

/** Nothing outside is needed to keep running: what cannot be reached is reported, but is not a fault. */
const notReached = (name: string, error: unknown): Finding => ({
  name,
  ok: true,
  says: `not reached: ${explain(error)}`,
})

const fetched = (url: string): Promise<Response> =>
  fetch(url, { redirect: 'error', signal: AbortSignal.timeout(patienceMs) })

/** How people sign in, and how they are notified (people 7.3). */
export async function peopleFindings(settings: Settings): Promise<Finding[]> {
  return [
    ...(await inspected(settings)),
    ...(await addressFindings(settings)),
    ...(await providerFindings(settings)),
    ...(await chatFindings(settings)),
  ]
}

async function inspected(settings: Settings): Promise<Finding[]> {
  const { agentSignIn = 'auto', mailSignIn = 'off' } = settings
  const context = { now: Date.now(), agentSignIn, hasMail: mailSignIn === 'on' && settings.smtpUrl !== undefined }
  try {
    return findingsOf(await readWithoutLock(placeOf(settings), db => inspectPeople(db, context)))
  } catch {
    // Faults of the database are reported elsewhere.
    return []
  }
}

function findingsOf({ failing, behind, locked, isEntered, unapproved, agents, clients }: PeopleInspection): Finding[] {
  const listed = (name: string, names: readonly string[], says: string): Finding[] =>
    names.length === 0 ? [] : [{ name, ok: true, says: `${names.join(', ')}: ${says}` }]
  return [
    ...(isEntered
      ? []
      : [
          {
            name: 'sign in',
            ok: false,
            says: 'nobody active has a working key or an account; "specboard key reset-owner" creates one for the owner',
          },
        ]),
    ...failing.map(({ person, name, reason }) => ({
      name: 'notification channel',
      ok: true,
      says: `${name} of ${person}: ${reason}`,
    })),
    ...behind.map(person => ({
      name: 'notifications',
      ok: false,
      says: `messages to ${person} have waited over 5 minutes; is a server running?`,
    })),
    ...listed('cannot sign in', locked, 'no key, account or session; "specboard person link" makes a link'),
    ...unapproved.map(key => ({
      name: `board ${key}`,
      ok: false,
      says: 'a setting requires a person to approve, and no active person on the board may',
    })),
    ...listed('keys of agents sign in', agents, 'set SPECBOARD_AGENT_SIGN_IN=off once people sign in as themselves'),
    ...(clients.count === 0
      ? []
      : [{ name: 'clients over MCP', ok: true, says: `${clients.count} known, the first since ${clients.oldest}` }]),
  ]
}

/** The public address: whether this service answers there, and says how clients connect. */
async function addressFindings({ publicUrl, oauth = 'on', contact }: Settings): Promise<Finding[]> {
  if (publicUrl === undefined) return []
  const findings: Finding[] = []
  const name = 'public address'
  try {
    const answer = await fetched(`${publicUrl}/health`)
    const { status } = (await answer.json()) as { readonly status?: string }
    findings.push({ name, ok: answer.ok, says: `${publicUrl} is ${status ?? `answered with ${answer.status}`}` })
    if (oauth === 'on') findings.push(await metadataFinding(publicUrl))
  } catch (error) {
    findings.push(notReached(name, error))
  }
  const { protocol, hostname } = new URL(contact ?? publicUrl)
  const isSubject = protocol === 'mailto:' || !['localhost', '127.0.0.1', '[::1]'].includes(hostname)
  if (!isSubject)
    findings.push({ name: 'push', ok: true, says: 'off: set SPECBOARD_CONTACT; this machine is not a valid contact' })
  return findings
}

async function metadataFinding(publicUrl: string): Promise<Finding> {
  const name = 'OAuth metadata'
  const answer = await fetched(`${publicUrl}/.well-known/oauth-authorization-server`)
  const { issuer } = (await answer.json().catch(() => ({}))) as { readonly issuer?: string }
  if (answer.ok && issuer === publicUrl) return { name, ok: true, says: 'answers there' }
  const says = `${publicUrl}/.well-known/oauth-authorization-server does not name ${publicUrl}: does the proxy pass all paths on?`
  return { name, ok: false, says }
}

async function providerFindings(settings: Settings): Promise<Finding[]> {
  let providers: readonly Provider[]
  try {
    providers = providersOf(settings)
  } catch (error) {
    return [{ name: 'sign-in file', ok: false, says: explain(error) }]
  }
  const findings: Finding[] = []
  for (const provider of providers) {
    const name = `provider ${provider.id}`
    const redirect = `${settings.publicUrl}/web/session/oidc/${provider.id}/callback`
    findings.push({ name, ok: true, says: `redirect URI to enter there: ${redirect}` })
    findings.push(...secretFindings(name, provider, settings))
    findings.push(...(await discoveryFindings(name, provider).catch(error => [notReached(name, error)])))
  }
  return findings
}

/** The secret of a provider must be readable only by its owner. */
function secretFindings(name: string, { client_secret_file }: Provider, { signInFile }: Settings): Finding[] {
  if (client_secret_file === null || signInFile === undefined || process.platform === 'win32') return []
  const file = resolve(dirname(signInFile), client_secret_file)
  if ((statSync(file).mode & 0o077) === 0) return []
  return [{ name, ok: false, says: `${file} is readable by others: chmod 600` }]
}

async function discoveryFindings(name: string, { issuer }: Provider): Promise<Finding[]> {
  const answer = await fetched(`${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`)
  const metadata = (await answer.json()) as {
    readonly issuer?: string
    readonly code_challenge_methods_supported?: readonly string[]
  }
  const findings: Finding[] = []
  const isEqual = metadata.issuer === issuer
  findings.push({
    name,
    ok: isEqual,
    says: isEqual ? `${issuer} answers` : `calls itself ${metadata.issuer}, not ${issuer}`,
  })
  if (metadata.code_challenge_methods_supported?.includes('S256') !== true)
    findings.push({ name, ok: true, says: 'does not announce PKCE with S256' })
  const date = Date.parse(answer.headers.get('date') ?? '')
  if (Math.abs(date - Date.now()) > clockToleranceMs)
    findings.push({ name, ok: false, says: `its clock says ${new Date(date).toISOString()}: set both by NTP` })
  return findings
}

/** Who the tokens of chats belong to, and whether the mail server accepts us. */
async function chatFindings(settings: Settings): Promise<Finding[]> {
  const { smtp, telegramToken, telegramApi, slackToken, slackApi } = notificationSettings(settings)
  const findings: Finding[] = []
  if (smtp !== undefined) findings.push(await smtpFinding(smtp))
  if (telegramToken !== undefined)
    findings.push(
      await ownerOf('Telegram', async () => {
        const answer = await fetched(`${telegramApi ?? 'https://api.telegram.org'}/bot${telegramToken}/getMe`)
        return ((await answer.json()) as { readonly result?: { readonly username?: string } }).result?.username
      }),
    )
  if (slackToken !== undefined)
    findings.push(
      await ownerOf('Slack', async () => {
        const answer = await fetch(`${slackApi ?? 'https://slack.com/api'}/auth.test`, {
          method: 'POST',
          headers: { authorization: `Bearer ${slackToken}` },
          signal: AbortSignal.timeout(patienceMs),
        })
        return ((await answer.json()) as { readonly user?: string }).user
      }),
    )
  return findings
}

async function ownerOf(name: string, ask: () => Promise<string | undefined>): Promise<Finding> {
  try {
    const user = await ask()
    return {
      name,
      ok: user !== undefined,
      says: user === undefined ? 'the token is refused' : `the token is ${user}’s`,
    }
  } catch {
    // The error may repeat the token.
    return { name, ok: true, says: 'not reached' }
  }
}

async function smtpFinding(smtp: { readonly url: string; readonly password?: string | undefined }): Promise<Finding> {
  const name = 'mail server'
  const fault = await smtpFault(smtp)
  if (fault === undefined) return { name, ok: true, says: 'takes us' }
  return fault.isReached
    ? { name, ok: false, says: fault.says }
    : { name, ok: true, says: `not reached: ${fault.says}` }
}

/** Sends one test mail to an address. */
export async function mailFinding(settings: Settings, to: string): Promise<Finding> {
  const name = `mail to ${to}`
  const { smtp } = notificationSettings(settings)
  if (smtp === undefined) return { name, ok: false, says: 'set SPECBOARD_SMTP_URL and SPECBOARD_MAIL_FROM first' }
  const fault = await sendTestMail(smtp, to, `doctor-${Date.now()}`)
  return { name, ok: fault === undefined, says: fault ?? 'sent; check that it arrives' }
}
