import { fairSlots, fairTurns } from '../../kernel/followers/fair-turns.ts'
import type { Follower, Wants } from '../../kernel/followers/follower.ts'
import { Lanes } from '../../kernel/followers/lanes.ts'
import { Authenticator } from '../../kernel/service/authenticate.ts'
import { type Address, AllowedHosts } from './addresses.ts'
import type { SendOptions } from './attempt.ts'
import { FailedHosts } from './failed-hosts.ts'
import { WebhookLane, type WebhookLaneParts } from './lane.ts'
import { activeWebhooks } from './store.ts'

/** Maximum number of concurrent requests to receivers. */
const openAtOnce = 16

/** Maximum number of concurrent name look-ups: each takes one of the four threads that files are read with. */
const lookedUpAtOnce = 2

/** How long a receiver may take to answer, ms. */
const answersWithinMs = 15_000

/** How webhooks are sent. */
export interface WebhookSettings {
  /** Hosts that webhooks may reach at any address, and without TLS. */
  readonly allowedHosts?: readonly string[] | undefined
  /** How long a receiver may take to answer, ms. */
  readonly timeoutMs?: number | undefined
  /** Resolves a name to addresses; by default with the system's resolver. */
  readonly resolve?: ((host: string) => Promise<readonly Address[]>) | undefined
  /** From 0 to 1, for the jitter of waits. */
  readonly random?: (() => number) | undefined
}

/** What webhooks need from a service. */
export type WebhookParts = Omit<WebhookLaneParts, 'agents' | 'random' | 'send'> & {
  readonly version: string
  readonly settings: WebhookSettings
  readonly onFault: (error: unknown) => void
  /** Called for each webhook that a call on this node changed; notifies all nodes, including this one. */
  readonly onChange: (boardId: string, webhookId: string) => void
}

/**
 * Sends the events of boards to their webhooks in the background: a lane for each enabled webhook, all running
 * concurrently, each on one node. A board without webhooks costs nothing.
 */
export class Webhooks implements Follower {
  readonly allowed: AllowedHosts
  readonly wants: Wants = {
    events: boards => this.noted(boards),
    agents: () => this.#agentsChanged(),
    webhooks: changed => {
      for (const webhook of changed) this.#heard(...(webhook.split(' ') as [boardId: string, id: string]))
    },
    freed: () => this.look(),
    unheard: () => this.look(),
  }
  readonly #parts: WebhookLaneParts
  readonly #onChange: WebhookParts['onChange']
  /** By board and webhook. */
  readonly #lanes: Lanes<WebhookLane>

  constructor({ version, settings, onChange, ...parts }: WebhookParts) {
    const { allowedHosts = [], timeoutMs = answersWithinMs, resolve, random = Math.random } = settings
    this.allowed = new AllowedHosts(allowedHosts)
    this.#onChange = onChange
    this.#lanes = new Lanes(parts)
    const { stop } = this.#lanes
    const inTurn = fairTurns(openAtOnce, 'messages', stop)
    const mail: SendOptions = {
      allowed: this.allowed,
      timeoutMs,
      resolve,
      lookups: fairSlots(lookedUpAtOnce, 'look-ups'),
      failed: new FailedHosts(parts.clock),
      userAgent: `Specboard/${version}`,
    }
    this.#parts = {
      ...parts,
      random,
      agents: new Authenticator(parts.clock),
      send: letter =>
        inTurn(letter.boardId, async () => {
          // Loaded for the first message, so that not every start has to load it.
          const { attempt } = await import('./attempt.ts')
          return attempt(letter, mail, stop)
        }),
    }
  }

  /** Resumes pending deliveries. */
  async start(): Promise<void> {
    this.#lanes.start()
    await this.look()
  }

  /**
   * Looks for webhooks without having been notified: another node may have ended, or a notification may have been
   * missed.
   */
  async look(): Promise<void> {
    if (!this.#lanes.areOpen) return
    for (const { id, board_id } of await this.#parts.database.read(activeWebhooks)) this.#heard(board_id, id)
  }

  /** Call with boards whose logs have new entries. */
  noted(boards: Iterable<string>): void {
    for (const board of boards) for (const lane of this.#lanes.of(board)) lane.wake()
  }

  /** Call when a call created or changed a webhook, or gave it something to send; notifies all nodes. */
  changed(boardId: string, webhookId: string): void {
    this.#onChange(boardId, webhookId)
  }

  #heard(boardId: string, webhookId: string): void {
    const lane = this.#lanes.open(boardId, webhookId, () => new WebhookLane(boardId, webhookId, this.#parts))
    lane?.work.changed()
    lane?.wake()
  }

  /** An agent that was inactive may be active again, so the unsent events of its webhooks are due. */
  #agentsChanged(): void {
    for (const lane of this.#lanes.all()) if (lane.work.mayWaitForMaker) lane.wake()
  }

  /** Checks every webhook again, because time has passed. */
  wake(): void {
    for (const lane of this.#lanes.all()) lane.wake()
  }

  /** Aborts deliveries in progress; they are sent again after the next start. */
  stop(): Promise<void> {
    return this.#lanes.stopped()
  }
}
