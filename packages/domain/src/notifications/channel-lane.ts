import type { LaneWork, Next } from '../kernel/followers/lane.ts'
import type { Leases } from '../kernel/leases.ts'
import { parseJson, parseNullable, toJson } from '../lib/json.ts'
import type { Database, Db } from '../schema/database.ts'
import type { Message, MessageEntry } from './messages.ts'
import { codeMessage, maxLines, messageOf, testMessage } from './messages.ts'
import { nextStep, type Step } from './next-step.ts'
import { addCounts, countKinds, failingAfter, outcomeOf, reportsKind, type SendResult } from './rules.ts'
import {
  type ArrivalRow,
  arrivalsAfter,
  type ChannelRow,
  changeChannel,
  changeDelivery,
  countArrivals,
  type DeliveryRow,
  findChannel,
  insertDelivery,
  madeSince,
  namedIn,
  newDelivery,
  removeOld,
  settingsOf,
  switchOff,
} from './store.ts'
import type { Destination, OutgoingMessage } from './transports/transport.ts'

/** Maximum number of characters of a failure's reason. */
const maxReasonLength = 200

/** Shared by the lanes of a service. */
export interface ChannelParts {
  readonly database: Database
  readonly leases: Leases
  readonly clock: () => number
  readonly newId: () => string
  readonly publicUrl: string | undefined
  /** The most that messages may say about records. */
  readonly content: 'title' | 'ref'
  /** The decrypted destination of a channel; undefined if the key was lost. */
  readonly opened: (channel: ChannelRow) => Destination | undefined
  readonly unsubscribeUrl: (channelId: string) => string | null
  /** Whether a person exists and is active. */
  readonly isActive: (db: Db, personId: string) => Promise<boolean>
  /** Sends a message once, when it gets a slot. */
  readonly send: (type: ChannelRow['type'], outgoing: OutgoingMessage) => Promise<SendResult>
  /** Records in the audit log that a channel was disabled. */
  readonly noteDisabled: (channel: ChannelRow, reason: string) => Promise<void>
}

/** The lease name of the node that notifies a person. */
export const leaseOf = (personId: string): string => `notifications ${personId}`

/**
 * Sends a channel its messages one after the other, as long as this node watches its person. A message that is repeated
 * after a crash has the same identity.
 */
export class ChannelLane implements LaneWork {
  readonly #id: string
  readonly #personId: string
  readonly #parts: ChannelParts

  constructor(id: string, personId: string, parts: ChannelParts) {
    this.#id = id
    this.#personId = personId
    this.#parts = parts
  }

  /** The lease is that of the watch of the person. */
  take(): Promise<boolean> {
    return this.#parts.leases.take(leaseOf(this.#personId))
  }

  async step(): Promise<Next> {
    const { database, clock, isActive } = this.#parts
    const step = await database.read(async db =>
      (await isActive(db, this.#personId)) ? nextStep(db, this.#id, clock()) : ({ kind: 'end' } as const),
    )
    if (step.kind === 'end') return 'end'
    if (step.kind === 'wait') return { until: step.until === undefined ? undefined : step.until + 1 }
    await this.#act(step)
    return step.kind === 'hold' ? { until: step.until + 1 } : 'continue'
  }

  async #act(step: Exclude<Step, { kind: 'end' | 'wait' }>): Promise<void> {
    switch (step.kind) {
      case 'pass':
        return this.#write(db => changeChannel(db, this.#id, { cursor: step.to }))
      case 'hold':
        return this.#hold(step)
      case 'make':
        return this.#make(step)
      case 'drop':
        return this.#drop(step.channel, step.delivery, step.reason)
      case 'send':
        return this.#send(step.channel, step.delivery)
    }
  }

  #write(run: (db: Db) => Promise<void>): Promise<void> {
    return this.#parts.database.write(run, { lock: leaseOf(this.#personId) })
  }

  #now(): string {
    return new Date(this.#parts.clock()).toISOString()
  }

  /** Records which items are held back, in a single delivery until they are sent. */
  #hold({ delivery, items, until }: Step & { kind: 'hold' }): Promise<void> {
    const fields = { ...namedIn(items), next_attempt_at: new Date(until).toISOString() }
    const isSame =
      delivery !== undefined &&
      delivery.item_ids === fields.item_ids &&
      delivery.next_attempt_at === fields.next_attempt_at
    if (isSame) return Promise.resolve()
    return this.#write(async db => {
      if (delivery !== undefined) return changeDelivery(db, delivery.id, fields)
      await insertDelivery(db, this.#newDelivery('summary', { ...fields, status: 'held' }))
    })
  }

  /** Makes a delivery of items, and marks them as passed, in one unit of work. */
  #make({ channel, delivery, items, purpose, digestOn }: Step & { kind: 'make' }): Promise<void> {
    const to_place = items.at(-1)!.place
    // A delivery of a single item covers that item alone.
    const from_place = purpose === 'item' ? beforePlace(to_place) : channel.cursor
    const fields = { purpose, from_place, to_place, ...namedIn(items) }
    return this.#write(async db => {
      const current = await findChannel(db, this.#id)
      if (current?.cursor !== channel.cursor) return
      if (delivery === undefined) await insertDelivery(db, this.#newDelivery(purpose, fields))
      else {
        const now = this.#now()
        await changeDelivery(db, delivery.id, { ...fields, status: 'pending', next_attempt_at: now, created_at: now })
      }
      await changeChannel(db, this.#id, { cursor: to_place, ...(digestOn !== null && { digest_on: digestOn }) })
      await removeOld(db, this.#now())
    })
  }

  #newDelivery(purpose: DeliveryRow['purpose'], more: Partial<DeliveryRow>): DeliveryRow {
    const { newId } = this.#parts
    const defaults = { id: newId(), channel_id: this.#id, person_id: this.#personId, purpose, created_at: this.#now() }
    return newDelivery({ ...defaults, ...more })
  }

  /** Drops a delivery; items that it could not report are counted in the next summary, unless they were settled. */
  #drop(channel: ChannelRow, delivery: DeliveryRow, reason: string): Promise<void> {
    return this.#write(async db => {
      await changeDelivery(db, delivery.id, { status: 'dropped', next_attempt_at: null, reason })
      if (delivery.status === 'held') return
      const counts = countKinds(await this.#itemsOf(db, channel, delivery))
      const missed = addCounts(parseNullable(channel.missed) ?? {}, counts)
      await changeChannel(db, this.#id, { missed: Object.keys(missed).length === 0 ? null : toJson(missed) })
    })
  }

  /** The items of a delivery that are not settled. */
  async #itemsOf(db: Db, { kinds }: ChannelRow, { from_place, to_place }: DeliveryRow): Promise<ArrivalRow[]> {
    const rows = await arrivalsAfter(db, this.#personId, from_place, { upTo: to_place })
    return rows.filter(({ kind }) => reportsKind(parseJson(kinds), kind))
  }

  async #send(channel: ChannelRow, delivery: DeliveryRow): Promise<void> {
    const destination = this.#parts.opened(channel)
    if (destination === undefined)
      return this.#disable(channel, 'Its secret was lost with secret.key: create it again.')
    const { message, missed } = await this.#messageOf(channel, delivery, destination)
    if (message === undefined)
      return this.#write(db =>
        changeDelivery(db, delivery.id, { status: 'dropped', next_attempt_at: null, reason: 'It was settled.' }),
      )
    const unsubscribeUrl = this.#parts.unsubscribeUrl(this.#id)
    const result = await this.#parts.send(channel.type, {
      message,
      personId: this.#personId,
      destination,
      unsubscribeUrl,
    })
    await this.#settle(delivery, result, missed)
  }

  /** The message of a delivery as of now; undefined if everything was settled. */
  #messageOf(
    channel: ChannelRow,
    delivery: DeliveryRow,
    destination: Destination,
  ): Promise<{ readonly message: Message | undefined; readonly missed: boolean }> {
    const { database, publicUrl, content } = this.#parts
    return database.read(async db => {
      const badge = await countArrivals(db, this.#personId)
      if (delivery.purpose === 'test') return { message: testMessage({ delivery, publicUrl, badge }), missed: false }
      if (delivery.purpose === 'code') return { message: codeMessage(delivery, destination.code ?? ''), missed: false }
      const rows = await this.#itemsOf(db, channel, delivery)
      if (rows.length === 0) return { message: undefined, missed: false }
      const missed = delivery.purpose === 'item' ? {} : (parseNullable(channel.missed) ?? {})
      const since = new Date(Date.parse(delivery.created_at) - minuteMs).toISOString()
      const settings = await settingsOf(db, this.#personId)
      const message = messageOf({
        delivery,
        items: rows.slice(0, maxLines).map(toldOf),
        counts: addCounts(countKinds(rows), missed),
        isMore: (await madeSince(db, this.#id, since)).length > 1,
        content: content === 'ref' ? 'ref' : settings.content,
        publicUrl,
        badge,
      })
      return { message, missed: Object.keys(missed).length > 0 }
    })
  }

  async #settle(delivery: DeliveryRow, result: SendResult, missed: boolean): Promise<void> {
    const now = this.#now()
    const attempts = delivery.attempts + 1
    const outcome = outcomeOf(result, attempts)
    const reason = outcome.status === 'delivered' ? null : (result.excerpt ?? 'No answer.').slice(0, maxReasonLength)
    let disabled: string | undefined
    await this.#write(async db => {
      const channel = await findChannel(db, this.#id)
      if (channel === undefined) return
      await changeDelivery(db, delivery.id, {
        status: outcome.status,
        attempts,
        next_attempt_at:
          outcome.status === 'pending' ? new Date(Date.parse(now) + outcome.waitMs!).toISOString() : null,
        reason,
        delivered_at: outcome.status === 'delivered' ? now : null,
      })
      if (outcome.status === 'delivered') {
        const well = { last_success_at: now, failing_since: null, failures: 0 }
        return changeChannel(db, this.#id, { ...well, ...(missed && { missed: null }) })
      }
      const { disabled_reason, ...failing } = failingAfter(channel, now)
      await changeChannel(db, this.#id, failing)
      disabled = outcome.disabled ?? disabled_reason
    })
    const channel =
      disabled === undefined ? undefined : await this.#parts.database.read(db => findChannel(db, this.#id))
    if (channel !== undefined) await this.#disable(channel, disabled!)
  }

  async #disable(channel: ChannelRow, reason: string): Promise<void> {
    await this.#write(db => switchOff(db, this.#id, reason))
    await this.#parts.noteDisabled(channel, reason)
  }
}

const minuteMs = 60_000

/** A text that sorts right before a position and after every other one. */
const beforePlace = (place: string): string =>
  `${place.slice(0, -1)}${String.fromCharCode(place.charCodeAt(place.length - 1) - 1)}~`

const toldOf = ({ item_id, kind, shown }: ArrivalRow): MessageEntry => ({ item_id, kind, ...parseJson(shown) })
