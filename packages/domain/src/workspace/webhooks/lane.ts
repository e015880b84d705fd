import type { LaneWork, Next } from '../../kernel/followers/lane.ts'
import type { Leases } from '../../kernel/leases.ts'
import type { SecretKey } from '../../kernel/secret-key.ts'
import type { Authenticator } from '../../kernel/service/authenticate.ts'
import type { Database } from '../../schema/database.ts'
import { updateRow } from '../../schema/rows.ts'
import type { WebhookDeliveriesTable } from '../../schema/tables.ts'
import type { WebhookMessage } from './attempt.ts'
import { bodyOf } from './messages.ts'
import { type LogProgress, nextStep, type Step } from './next-step.ts'
import { type AttemptResult, healthAfter, healthAfterPing, settledBy } from './rules.ts'
import { signingSecrets } from './secrets.ts'
import { findWebhook, queueDelivery, removeOld, switchOff } from './store.ts'

/** How many log entries may be passed without an event for the webhook before the position is stored. */
const passedUnstored = 1_000

/** A webhook that begins to fail, or works again: without its address, which may hold secrets. */
export interface WebhookState {
  readonly webhookId: string
  readonly boardId: string
  readonly host: string
  readonly isFailing: boolean
  /** The status that its receiver answered; null if it did not answer. */
  readonly status: number | null
}

/** What the lanes of webhooks share. */
export interface WebhookLaneParts {
  readonly database: Database
  readonly leases: Leases
  readonly clock: () => number
  readonly newId: () => string
  /** From 0 to 1. */
  readonly random: () => number
  readonly secretKey: SecretKey
  readonly agents: Authenticator
  /** Sends a message once, when it gets a slot. */
  readonly send: (letter: WebhookMessage) => Promise<AttemptResult>
  readonly onState: (state: WebhookState) => void
}

/** Sends a webhook its messages one after the other. */
export class WebhookLane implements LaneWork {
  readonly #id: string
  readonly #boardId: string
  readonly #parts: WebhookLaneParts
  #passed: LogProgress | undefined
  #mayWaitForMaker = true
  /** The number of times that the webhook was changed or replayed; after each, passed entries are checked again. */
  #changes = 0

  constructor(boardId: string, id: string, parts: WebhookLaneParts) {
    this.#boardId = boardId
    this.#id = id
    this.#parts = parts
  }

  /** Call when the webhook was changed, or has something to send that is not in the log. */
  changed(): void {
    this.#changes++
    this.#passed = undefined
  }

  /**
   * Whether a change of its creator may give it something to do; also during a step, because the change may come after
   * its reads.
   */
  get mayWaitForMaker(): boolean {
    return this.#mayWaitForMaker
  }

  take(): Promise<boolean> {
    return this.#parts.leases.take(this.#lease)
  }

  release(): Promise<void> {
    return this.#parts.leases.release(this.#lease)
  }

  /** The lease name of the node that sends to this webhook. */
  get #lease(): string {
    return `webhook ${this.#id}`
  }

  async step(): Promise<Next> {
    const { database, agents } = this.#parts
    const changes = this.#changes
    this.#mayWaitForMaker = true
    const step = await database.read(db => nextStep(db, this.#id, { now: this.#now(), agents, progress: this.#passed }))
    if (step.kind === 'end') return 'end'
    this.#mayWaitForMaker = step.kind === 'wait' && step.forMaker
    if (step.kind === 'wait') return { until: step.until === undefined ? undefined : Date.parse(step.until) }
    await (step.kind === 'queue' ? this.#queue(step, changes) : this.#send(step))
    return 'continue'
  }

  /** Its writes lock the board against calls that change the webhook. */
  get #lock() {
    return { lock: this.#boardId }
  }

  #now(): string {
    return new Date(this.#parts.clock()).toISOString()
  }

  /** Queues events in order. A part of the log without any is remembered here, and stored only when it is long. */
  async #queue({ webhook, events, upTo }: Step & { kind: 'queue' }, changes: number): Promise<void> {
    if (events.length === 0 && upTo - webhook.cursor < passedUnstored) {
      if (changes === this.#changes) this.#passed = { webhook, upTo }
      return
    }
    this.#passed = undefined
    const { database, newId } = this.#parts
    const unit = { now: this.#now(), newId }
    await database.write(async db => {
      const current = await findWebhook(db, this.#id)
      // Somebody changed or replayed it meanwhile: the next step checks again.
      const isSame = current?.cursor === webhook.cursor && current.updated_at === webhook.updated_at
      if (!isSame || changes !== this.#changes) return
      for (const { id, sequence } of events)
        await queueDelivery(
          db,
          { webhook_id: this.#id, message_id: `msg_${id}`, event_sequence: sequence, asked: 0 },
          unit,
        )
      await updateRow(db, 'webhooks', this.#id, { cursor: upTo })
      await removeOld(db, unit.now)
    }, this.#lock)
  }

  async #send({ webhook, delivery, message }: Step & { kind: 'send' }): Promise<void> {
    const secrets = signingSecrets(this.#parts.secretKey, webhook, this.#now())
    if (secrets.length === 0) return this.#switchOff()
    if (message === undefined) return this.#giveUp(delivery)
    const body = bodyOf(webhook.format, message)
    const sentAt = new Date(this.#parts.clock())
    const delivered = await this.#parts.send({
      boardId: this.#boardId,
      url: webhook.url,
      id: delivery.message_id,
      body,
      secrets,
      sentAt,
    })
    await this.#settle(delivery, delivered)
  }

  async #settle(
    { id, attempts: before, event_sequence }: WebhookDeliveriesTable,
    delivered: AttemptResult,
  ): Promise<void> {
    const { database, random } = this.#parts
    const now = this.#now()
    const state = await database.write(async db => {
      const webhook = await findWebhook(db, this.#id)
      if (webhook === undefined) return undefined
      const attempts = before + 1
      const settled = settledBy(delivered, attempts, random())
      const isTriedAgain = settled.status === 'pending' && webhook.active === 1
      await updateRow(db, 'webhook_deliveries', id, {
        status: settled.status,
        attempts,
        next_attempt_at: isTriedAgain ? new Date(Date.parse(now) + settled.waitMs).toISOString() : null,
        response_status: delivered.status,
        response_excerpt: delivered.excerpt,
        duration_ms: delivered.durationMs,
        delivered_at: settled.status === 'delivered' ? now : null,
      })
      const { disabled_reason, ...health } =
        event_sequence === null ? healthAfterPing(delivered) : healthAfter(delivered, webhook, now)
      await updateRow(db, 'webhooks', this.#id, health)
      if (disabled_reason !== undefined) await switchOff(db, this.#id, disabled_reason)
      const { failing_since = webhook.failing_since } = health
      const isFailing = failing_since !== null
      return isFailing === (webhook.failing_since !== null) ? undefined : { url: webhook.url, isFailing }
    }, this.#lock)
    if (state === undefined) return
    const { url, isFailing } = state
    const { host } = new URL(url)
    this.#parts.onState({ webhookId: this.#id, boardId: this.#boardId, host, isFailing, status: delivered.status })
  }

  /** Fails a delivery whose event the creator of the webhook may no longer read. */
  #giveUp({ id }: WebhookDeliveriesTable): Promise<void> {
    return this.#parts.database.write(
      db =>
        updateRow(db, 'webhook_deliveries', id, {
          status: 'failed',
          next_attempt_at: null,
          response_excerpt: 'Not sent: the agent that created the webhook may not read this event.',
        }),
      this.#lock,
    )
  }

  #switchOff(): Promise<void> {
    const reason = 'Its secret was lost with secret.key: rotate_webhook_secret gives it another.'
    return this.#parts.database.write(db => switchOff(db, this.#id, reason), this.#lock)
  }
}
