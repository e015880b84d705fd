/** The destinations of channels (people 5.3): what each type accepts, and how its destination is shown. Pure. */
import type { features, InputOf } from '@specboard/contract'
import { type AllowedHosts, faultOfUrl, hostOf } from '../workspace/webhooks/addresses.ts'
import type { Destination } from './transports/transport.ts'

type Body = InputOf<(typeof features)['notifications']['create_notification_channel']>['body']

/** The type of a channel. */
export type ChannelType = Body['type']

/** A field that is not a valid destination, and why. */
export interface TargetFault {
  readonly field: string
  readonly message: string
}

/** The destination of a channel, with its displayed form. */
export interface Target {
  readonly destination: Destination
  /** The displayed form, which is masked. */
  readonly shown: string
}

/** The displayed form of an address: its first letter, and its domain. */
export const maskedEmail = (email: string): string => `${[...email][0]}…${email.slice(email.lastIndexOf('@'))}`

/** The hosts of the incoming webhooks of each chat; a name with a leading dot includes all subdomains. */
const hostsOf: Readonly<Record<'slack' | 'discord' | 'teams', readonly string[]>> = {
  slack: ['hooks.slack.com'],
  discord: ['discord.com', 'discordapp.com'],
  teams: ['.logic.azure.com', '.powerplatform.com', '.powerautomate.com'],
}

const isOneOf = (host: string, names: readonly string[]): boolean =>
  names.some(name => (name.startsWith('.') ? host.endsWith(name) : host === name))

/** What a channel's destination depends on besides the request. */
export interface TargetParts {
  /** Hosts that webhooks may reach whatever their address is. */
  readonly allowed: AllowedHosts
  /** The person's own address. */
  readonly ownEmail: string | null
  /** Whether Slack members can be messaged. */
  readonly slackToken: boolean
  /** Whether a browser could decrypt messages encrypted for these keys. */
  readonly areKeys: (keys: NonNullable<Destination['subscription']>['keys']) => boolean
}

const missing = (field: string, hint: string): TargetFault => ({ field, message: `${field} is required: ${hint}.` })

/** The destination of a new channel; the fault in the request if it is invalid. */
export function targetOf(body: Body, parts: TargetParts): Target | TargetFault {
  switch (body.type) {
    case 'push':
      return pushTarget(body, parts)
    case 'email':
      return emailTarget(body, parts)
    case 'telegram':
      return { destination: {}, shown: 'not connected' }
    default:
      return chatTarget(body, body.type, parts)
  }
}

function pushTarget({ subscription }: Body, { allowed, areKeys }: TargetParts): Target | TargetFault {
  if (subscription === undefined) return missing('subscription', 'as the browser gives it')
  const fault = faultOfUrl(subscription.endpoint, allowed)
  if (fault !== undefined) return { field: 'subscription', message: `subscription.endpoint ${fault}.` }
  if (!areKeys(subscription.keys))
    return { field: 'subscription', message: 'subscription.keys are not keys from a browser.' }
  return { destination: { subscription }, shown: hostOf(new URL(subscription.endpoint)) }
}

function emailTarget({ email: address }: Body, { ownEmail }: TargetParts): Target | TargetFault {
  const email = address ?? ownEmail
  if (email === null) return missing('email', 'you have no address here')
  return { destination: { email }, shown: maskedEmail(email) }
}

function chatTarget(
  { url, member_id }: Body,
  type: 'slack' | 'discord' | 'teams',
  { allowed, slackToken }: TargetParts,
): Target | TargetFault {
  if (type === 'slack' && member_id !== undefined) {
    if (url !== undefined) return { field: 'member_id', message: 'Send url or member_id, not both.' }
    if (!slackToken) return { field: 'member_id', message: 'No Slack token is set up here: send the url of a webhook.' }
    return { destination: { member_id }, shown: `${member_id.slice(0, 2)}…` }
  }
  if (url === undefined) return missing('url', `the url of a ${type} webhook`)
  const parsed = new URL(url)
  const host = hostOf(parsed)
  const isOwn = isOneOf(host, hostsOf[type]) || (type === 'slack' && allowed.has(parsed))
  if (!isOwn)
    return { field: 'url', message: `url is not one of ${type}: its host must be ${hostsOf[type].join(' or ')}.` }
  const fault = faultOfUrl(url, allowed)
  return fault === undefined ? { destination: { url }, shown: host } : { field: 'url', message: `url ${fault}.` }
}
