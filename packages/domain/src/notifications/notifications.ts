import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Caller, Context } from '../kernel/context.ts'
import { fairSlots, fairTurns } from '../kernel/followers/fair-turns.ts'
import type { Follower, Wants } from '../kernel/followers/follower.ts'
import type { Lane } from '../kernel/followers/lane.ts'
import { Lanes } from '../kernel/followers/lanes.ts'
import type { Leases } from '../kernel/leases.ts'
import type { SecretKey } from '../kernel/secret-key.ts'
import { Authenticator } from '../kernel/service/authenticate.ts'
import type { CheckBudget } from '../kernel/streams/check-budget.ts'
import type { Database } from '../schema/database.ts'
import { type AllowedHosts, isInside } from '../workspace/webhooks/addresses.ts'
import type { OutgoingRequest, PostResult, SendOptions } from '../workspace/webhooks/attempt.ts'
import { FailedHosts } from '../workspace/webhooks/failed-hosts.ts'
import { ChannelLane } from './channel-lane.ts'
import { type Letter, letterMessage } from './messages.ts'
import { PersonWatch, type WatchParts } from './person-watch.ts'
import { restMs, type SendResult } from './rules.ts'
import { type ChannelRow, changeChannel, findChannel, personsWithChannels } from './store.ts'
import type { ChannelType } from './targets.ts'
import { TelegramBot } from './telegram-bot.ts'
import { notSetUp } from './transports/chats.ts'
import type { SmtpSettings } from './transports/email.ts'
import type { VapidKey } from './transports/push.ts'
import type { Carrier, Destination, OutgoingMessage, Transport } from './transports/transport.ts'

/** Maximum number of messages that are sent at once, to everybody. */
const sentAtOnce = 16

/** How many people's channels are opened at once, and how many inboxes are checked at once. */
const checkedAtOnce = 4

/** Maximum number of names that are looked up at once. */
const lookedUpAtOnce = 2

/** How long a receiver may take to answer, ms. */
const answersWithinMs = 15_000

/** How people are notified. */
export interface NotificationSettings {
  /** `mailto:` or `https:`, the contact for push services; by default the public address. */
  readonly contact?: string | undefined
  readonly smtp?: SmtpSettings | undefined
  readonly slackToken?: string | undefined
  readonly slackApi?: string | undefined
  readonly telegramToken?: string | undefined
  readonly telegramApi?: string | undefined
  /** With `ref`, no message contains the title of a record. */
  readonly content?: 'title' | 'ref' | undefined
}

/** What notifications need from a service. */
export interface NotificationParts {
  readonly database: Database
  readonly leases: Leases
  readonly clock: () => number
  readonly newId: () => string
  readonly secretKey: SecretKey
  readonly publicUrl: string | undefined
  readonly version: string
  readonly settings: NotificationSettings
  /** Hosts that messages may reach whatever their address is, and without TLS. */
  readonly allowed: AllowedHosts
  readonly looks: CheckBudget
  readonly readAs: WatchParts['readAs']
  /** Writes on behalf of a caller. */
  readonly writeAs: (caller: Caller, run: (ctx: Context) => Promise<void>) => Promise<void>
  /** The stored secret that is the private key for push. */
  readonly vapidSecret: () => Promise<Buffer>
  /** Called for each person whose channels a call on this node changed; notifies all nodes, including this one. */
  readonly onChange: (personId: string) => void
  readonly onFault: (error: unknown) => void
}

const slackApi = 'https://slack.com/api'
const telegramApi = 'https://api.telegram.org'

/**
 * Notifies people through their channels about new items in their inboxes, in the background: a watch for each person
 * with channels, on one node. A service without channels does not query its database.
 */
export class Notifications implements Follower {
  readonly allowed: AllowedHosts
  readonly telegram: TelegramBot
  readonly wants: Wants = {
    events: boards => this.noted(boards),
    access: () => this.wake(),
    agents: () => this.wake(),
    channels: persons => {
      for (const personId of persons) this.#heard(personId)
    },
    inboxes: persons => {
      for (const personId of persons) for (const watch of this.#watches.of(personId)) touch(watch)
    },
    freed: () => this.look(),
    unheard: () => this.look(),
  }
  readonly #parts: NotificationParts
  readonly #watchParts: WatchParts
  /** By person. */
  readonly #watches: Lanes<PersonWatch>
  /** By person and channel. */
  readonly #channels: Lanes<ChannelLane>
  readonly #carrier: Carrier
  readonly #ways = new Map<ChannelType, Transport>()
  #vapid: Promise<VapidKey> | undefined
  #publicKey: string | null = null

  constructor(parts: NotificationParts) {
    this.#parts = parts
    this.allowed = parts.allowed
    const { database, leases, clock, newId, publicUrl, settings, onFault } = parts
    this.#watches = new Lanes({ clock, onFault })
    this.#channels = new Lanes({ clock, onFault })
    const { stop } = this.#watches
    const agents = new Authenticator(clock)
    const sendInTurn = fairTurns(sentAtOnce, 'messages', stop)
    const mail: SendOptions = {
      allowed: parts.allowed,
      timeoutMs: answersWithinMs,
      lookups: fairSlots(lookedUpAtOnce, 'look-ups'),
      failed: new FailedHosts(clock),
      userAgent: `Specboard/${parts.version}`,
    }
    this.#carrier = {
      now: clock,
      post: async (parcel: OutgoingRequest): Promise<PostResult> => {
        const { sendOnce } = await import('../workspace/webhooks/attempt.ts')
        return sendOnce(parcel, mail, stop)
      },
    }
    this.#watchParts = {
      database,
      leases,
      clock,
      newId,
      publicUrl,
      content: settings.content ?? 'title',
      looks: parts.looks,
      openInTurn: fairTurns(checkedAtOnce, 'channels', stop),
      checkInTurn: fairTurns(checkedAtOnce, 'checks', stop),
      wakeChannels: (personId, channels) => this.#wakeChannels(personId, channels),
      readAs: parts.readAs,
      opened: channel => this.opened(channel),
      unsubscribeUrl: id => this.unsubscribeUrl(id),
      isActive: async (db, id) => (await agents.agent(db, id)) !== undefined,
      callerOf: async (db, id) => personOf(await agents.agent(db, id)),
      send: (type, outgoing) => sendInTurn(outgoing.personId, () => this.#send(type, outgoing)),
      noteDisabled: (channel, reason) => this.#noteDisabled(channel, reason),
      stop,
    }
    this.telegram = new TelegramBot({
      database,
      leases,
      clock,
      api: settings.telegramApi ?? telegramApi,
      token: settings.telegramToken,
      post: this.#carrier.post,
      seal: (id, destination) => this.sealed(id, destination),
      onConnected: personId => this.changed(personId),
      onFault,
      stop,
    })
  }

  /** Which types of channels are set up. */
  get types(): Readonly<Record<ChannelType, boolean>> {
    const { publicUrl, settings } = this.#parts
    return {
      push: publicUrl !== undefined && this.#subject !== undefined,
      email: settings.smtp !== undefined,
      slack: true,
      discord: true,
      telegram: settings.telegramToken !== undefined,
      teams: true,
    }
  }

  /** Whether Slack members can be messaged with the service's token. */
  get hasSlackToken(): boolean {
    return this.#parts.settings.slackToken !== undefined
  }

  /** The contact for push services; Apple refuses one on a local machine. */
  get #subject(): string | undefined {
    const { publicUrl, settings } = this.#parts
    if (settings.contact !== undefined) return settings.contact
    const url = publicUrl === undefined ? undefined : new URL(publicUrl)
    const isLocal = url === undefined || url.hostname === 'localhost' || isLocalAddress(url.hostname)
    return isLocal ? undefined : publicUrl
  }

  /** The public key of this service for push services; null if push is not set up. */
  async pushPublicKey(): Promise<string | null> {
    if (this.types.push) this.#publicKey = (await this.#vapidKey()).publicKey
    return this.#publicKey
  }

  /** The public key for push services, if it has already been requested; otherwise null. */
  get knownPublicKey(): string | null {
    return this.#publicKey
  }

  /** The destination of a channel, encrypted for its row. */
  sealed(channelId: string, destination: Destination): string {
    return this.#parts.secretKey.wrap(nameOf(channelId), Buffer.from(JSON.stringify(destination)))
  }

  /** The destination of a channel; undefined if the key was lost. */
  opened({ id, sealed }: Pick<ChannelRow, 'id' | 'sealed'>): Destination | undefined {
    const bytes = this.#parts.secretKey.unwrap(nameOf(id), sealed)
    return bytes && (JSON.parse(bytes.toString()) as Destination)
  }

  /** The link with which the receiver of mail disables a channel (people 5.5); null without a public address. */
  unsubscribeUrl(channelId: string): string | null {
    const { publicUrl } = this.#parts
    return publicUrl === undefined ? null : `${publicUrl}/web/unsubscribe/${channelId}.${this.#mac(channelId)}`
  }

  #mac(channelId: string): string {
    const key = this.#parts.secretKey.derived('unsubscribe')
    return createHmac('sha256', key).update(channelId).digest('base64url')
  }

  /** The channel in an unsubscribe token; undefined for an invalid token. */
  unsubscribing(token: string): string | undefined {
    const [, id, mac] = /^([\w-]{1,64})\.([\w-]{43})$/.exec(token) ?? []
    if (id === undefined || mac === undefined) return undefined
    return timingSafeEqual(Buffer.from(mac), Buffer.from(this.#mac(id))) ? id : undefined
  }

  /** Disables a channel because its receiver asked for it. */
  async unsubscribe(channelId: string): Promise<void> {
    const { database } = this.#parts
    const channel = await database.read(db => findChannel(db, channelId))
    if (channel === undefined) return
    await database.write(db => changeChannel(db, channelId, { active: 0, disabled_reason: 'It was unsubscribed.' }), {
      lock: `notifications ${channel.person_id}`,
    })
    this.changed(channel.person_id)
  }

  /**
   * Sends a mail to an address; a fault of the mail server is reported.
   * @param personId the person whom it is for: no single person may use up all slots
   */
  async mail(personId: string, email: string, letter: Letter): Promise<void> {
    const { newId, onFault } = this.#parts
    const message = letterMessage(newId(), letter)
    const result = await this.#watchParts.send('email', {
      message,
      personId,
      destination: { email },
      unsubscribeUrl: null,
    })
    if (result.outcome !== 'received') onFault(new Error(`An email was not sent. ${result.excerpt ?? ''}`.trim()))
  }

  /** Resumes pending notifications. */
  async start(): Promise<void> {
    this.#watches.start()
    this.#channels.start()
    await this.look()
    this.telegram.start()
  }

  /**
   * Looks for people with channels without having been notified: another node may have ended, or its notification may
   * have been missed.
   */
  async look(): Promise<void> {
    if (!this.#watches.areOpen) return
    for (const id of await this.#parts.database.read(personsWithChannels)) this.#heard(id)
  }

  /** Call with boards whose logs have new entries. */
  noted(boards: ReadonlySet<string>): void {
    for (const watch of this.#watches.all()) if (watch.work.sees(boards)) touch(watch)
  }

  /** Checks every person: the boards that somebody sees, or the person, may have changed. */
  wake(): void {
    for (const watch of this.#watches.all()) touch(watch)
  }

  /** Call when a call changed a person's channels or settings; notifies all nodes. */
  changed(personId: string): void {
    this.#parts.onChange(personId)
  }

  #heard(personId: string): void {
    const watch = this.#watches.open(personId, personId, () => new PersonWatch(personId, this.#watchParts))
    watch?.work.changed()
    watch?.wake()
    this.telegram.look()
  }

  /** Wakes the lanes of a person's channels, including those of deleted channels, which then end. */
  #wakeChannels(personId: string, channels: readonly ChannelRow[]): void {
    for (const { id } of channels)
      this.#channels.open(personId, id, () => new ChannelLane(id, personId, this.#watchParts))
    for (const lane of this.#channels.of(personId)) lane.wake()
  }

  /** Stops what is being sent; it is sent again after the next start. */
  async stop(): Promise<void> {
    await Promise.all([this.#watches.stopped(), this.#channels.stopped()])
    await this.telegram.stopped()
  }

  async #send(type: ChannelType, outgoing: OutgoingMessage): Promise<SendResult> {
    const way = this.#ways.get(type) ?? (await this.#wayOf(type))
    if (way === undefined) return notSetUp(type === 'email' ? 'SPECBOARD_SMTP_URL' : 'SPECBOARD_PUBLIC_URL')
    this.#ways.set(type, way)
    return way(outgoing)
  }

  /** Makes a transport when it is first used, so that no library is loaded at every start. */
  async #wayOf(type: ChannelType): Promise<Transport | undefined> {
    const { settings } = this.#parts
    const carrier = this.#carrier
    if (type === 'push') {
      const { push } = await import('./transports/push.ts')
      return this.types.push ? push(carrier, await this.#vapidKey(), this.#subject!) : undefined
    }
    if (type === 'email') {
      const { email } = await import('./transports/email.ts')
      return settings.smtp && email(settings.smtp)
    }
    const { slack, discord, teams, telegram } = await import('./transports/chats.ts')
    if (type === 'slack') return slack(carrier, { api: settings.slackApi ?? slackApi, token: settings.slackToken })
    if (type === 'discord') return discord(carrier)
    if (type === 'teams') return teams(carrier)
    return telegram(carrier, { api: settings.telegramApi ?? telegramApi, token: settings.telegramToken })
  }

  #vapidKey(): Promise<VapidKey> {
    this.#vapid ??= (async () => {
      const { VapidKey } = await import('./transports/push.ts')
      return new VapidKey(await this.#parts.vapidSecret())
    })()
    return this.#vapid
  }

  async #noteDisabled({ id, name, type }: ChannelRow, reason: string): Promise<void> {
    const { writeAs, onFault } = this.#parts
    const { recordAudit } = await import('../kernel/audit.ts')
    const service: Caller = {
      id: '',
      name: '',
      kind: 'service',
      via: 'service',
      present: false,
      presetId: null,
      flags: null,
      base: { allowed: new Set(), deniedBy: () => 'preset' },
    }
    await writeAs(service, ctx =>
      recordAudit(ctx, 'channel_disabled', { type: 'channel', id, name }, [], { type, reason }),
    ).catch(onFault)
  }
}

/** Something may have arrived in the inbox: it is checked after a short pause, together with whatever follows. */
function touch(watch: Lane<PersonWatch>): void {
  watch.work.changed()
  watch.wakeIn(restMs)
}

/** The name under which the destination of a channel is encrypted. */
const nameOf = (channelId: string): string => `notification channel ${channelId}`

const isLocalAddress = (hostname: string): boolean => {
  const host = hostname.replace(/^\[(.*)\]$/, '$1')
  return /^[0-9.]+$|:/.test(host) && isInside(host)
}

/** The caller for reading a person's own inbox: the person is not present. */
const personOf = (agent: { readonly caller: Caller } | undefined): Caller | undefined =>
  agent && { ...agent.caller, via: 'service', proof: undefined }
