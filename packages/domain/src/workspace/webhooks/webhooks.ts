import { AgentSlots } from '../../kernel/agent-slots.ts'
import { Authenticator } from '../../kernel/service/authenticate.ts'
import { type Address, AllowedHosts } from './addresses.ts'
import type { Mail } from './attempt.ts'
import { FailedHosts } from './failed-hosts.ts'
import { Lane, type LaneParts } from './lane.ts'
import { activeWebhooks } from './store.ts'

/** The most concurrent requests to receivers. */
const openAtOnce = 16

/** The most concurrent name look-ups: each takes one of the four threads that files are read with. */
const lookedUpAtOnce = 2

/** How long a receiver may take to answer, ms. */
const answersWithinMs = 15_000

/** Slots of which one board gets at most half, with unlimited waiting (walls 7). */
const fairSlots = (count: number, what: string): AgentSlots =>
  new AgentSlots({ ofABoard: count / 2, ofAll: count, longestWaitMs: Number.POSITIVE_INFINITY, what })

/** How webhooks are sent. */
export interface WebhookSettings {
  /** Hosts that webhooks may reach wherever they are, and without TLS. */
  readonly allowedHosts?: readonly string[] | undefined
  /** How long a receiver may take to answer, ms. */
  readonly timeoutMs?: number | undefined
  /** Resolves a name to addresses; by default with the system's resolver. */
  readonly resolve?: ((host: string) => Promise<readonly Address[]>) | undefined
  /** From 0 to 1, for the jitter of waits. */
  readonly random?: (() => number) | undefined
}

/** What webhooks need from a service. */
export type WebhookParts = Omit<LaneParts, 'agents' | 'random' | 'send' | 'stop'> & {
  readonly version: string
  readonly settings: WebhookSettings
  /** Called for each webhook that a call on this node changed. */
  readonly onChange: (boardId: string, webhookId: string) => void
}

/**
 * Sends the events of boards to their webhooks in the background: a lane for each enabled webhook, all running
 * concurrently, each on one node. A board without webhooks costs nothing.
 */
export class Webhooks {
  readonly allowed: AllowedHosts
  readonly #parts: LaneParts
  readonly #onChange: WebhookParts['onChange']
  readonly #stopping = new AbortController()
  readonly #unlisten: () => void
  /** The lanes by board and webhook; undefined until the start. */
  #lanes: Map<string, Map<string, Lane>> | undefined

  constructor({ version, settings, onChange, ...parts }: WebhookParts) {
    const { allowedHosts = [], timeoutMs = answersWithinMs, resolve, random = Math.random } = settings
    this.allowed = new AllowedHosts(allowedHosts)
    this.#onChange = onChange
    const slots = fairSlots(openAtOnce, 'messages')
    const stop = this.#stopping.signal
    const mail: Mail = {
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
      stop,
      agents: new Authenticator(parts.clock),
      send: letter =>
        slots.run({ boardId: letter.boardId }, async () => {
          stop.throwIfAborted()
          // Loaded for the first message: otherwise it would be part of every start.
          const { attempt } = await import('./attempt.ts')
          return attempt(letter, mail, stop)
        }),
    }
    this.#unlisten = parts.leases.onFree(() => void this.look().catch(parts.onFault))
  }

  /** Resumes pending deliveries. */
  async start(): Promise<void> {
    this.#lanes = new Map()
    await this.look()
  }

  /** Looks for webhooks without having been notified: another node has ended, or was not heard. */
  async look(): Promise<void> {
    if (this.#lanes === undefined) return
    for (const { id, board_id } of await this.#parts.database.read(activeWebhooks)) this.heard(board_id, id)
  }

  /** Call with boards whose logs have new entries. */
  noted(boards: Iterable<string>): void {
    for (const board of boards) for (const lane of this.#lanes?.get(board)?.values() ?? []) lane.wake()
  }

  /** Call when a call created or changed a webhook, or it has something to send; notifies the other nodes. */
  changed(boardId: string, webhookId: string): void {
    this.heard(boardId, webhookId)
    this.#onChange(boardId, webhookId)
  }

  /** The same, for a call on another node. */
  heard(boardId: string, webhookId: string): void {
    if (this.#lanes === undefined) return
    const lanes = this.#lanes.get(boardId) ?? new Map<string, Lane>()
    this.#lanes.set(boardId, lanes)
    const names = { id: webhookId, boardId }
    const lane = lanes.get(webhookId) ?? new Lane(names, this.#parts, () => this.#forget(boardId, webhookId))
    lanes.set(webhookId, lane)
    lane.changed()
  }

  #forget(boardId: string, webhookId: string): void {
    const lanes = this.#lanes?.get(boardId)
    lanes?.delete(webhookId)
    if (lanes?.size === 0) this.#lanes?.delete(boardId)
  }

  /** Checks every webhook: agents changed, or time has passed. */
  wake(): void {
    this.noted(this.#lanes?.keys() ?? [])
  }

  /** Stops what is being sent; it is sent again after the next start. */
  async stop(): Promise<void> {
    this.#unlisten()
    this.#stopping.abort()
    const lanes = [...(this.#lanes?.values() ?? [])].flatMap(ofBoard => [...ofBoard.values()])
    this.#lanes = undefined
    await Promise.all(lanes.map(lane => lane.stopped()))
  }
}
