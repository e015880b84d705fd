/** Receives the events that forges send, and processes them in the background (git 2). */
import { createHash } from 'node:crypto'
import { DomainError } from '../../../kernel/errors.ts'
import { fairTurns } from '../../../kernel/followers/fair-turns.ts'
import type { Follower, Wants } from '../../../kernel/followers/follower.ts'
import { Lanes } from '../../../kernel/followers/lanes.ts'
import { SpacedTurns, type Spacing } from '../../../kernel/followers/spaced-turns.ts'
import { parseJson, toJson } from '../../../lib/json.ts'
import type { Db } from '../../../schema/database.ts'
import { insertRow, updateRow } from '../../../schema/rows.ts'
import type { ForgeDeliveriesTable, RepositoriesTable } from '../../../schema/tables.ts'
import { readRepository } from '../repositories.ts'
import { verifyingSecrets } from '../secrets.ts'
import { deliveryOfForge, keptSince, repositoriesWaiting, waitingOf } from './delivery-store.ts'
import type { EventRead } from './event-reading.ts'
import { readEventSent } from './event-threads.ts'
import { cutText } from './fields.ts'
import { ForgeLane, type ForgeLaneParts } from './lane.ts'
import type { ForgeParts } from './parts.ts'
import { isAbout } from './read.ts'
import { type ForgeSignature, isSigned } from './signature.ts'

/** Maximum number of pending events of a repository. */
const maxWaiting = 10_000

/** The number of repositories whose events are processed at once: at most half of them for one board (walls 7). */
const readAtOnce = 4

/**
 * While others make calls, one event is received and one is processed in each such interval: 10,000 of them take a
 * minute, so that a busy machine has twice as long as it needs, and no forge waits for its answer much longer than
 * usual.
 */
const beside: Spacing = { apartMs: 6, maxMs: 1_000 }

/** Maximum number of characters of the name that a forge gives to an event. */
const maxNameLength = 255

/** An event as it arrived. */
export interface ForgeEvent {
  /** Its signature; undefined if it is not signed. */
  readonly signature: ForgeSignature | undefined
  /** The forge's name for its kind. */
  readonly event: string | undefined
  /** The forge's id for it. */
  readonly deliveryId: string | undefined
  /** The signed bytes. */
  readonly bytes: Uint8Array
  /** Whether the bytes are a form, whose field `payload` is the event. */
  readonly isForm: boolean
}

/** The answer to the forge. */
export interface ForgeAnswer {
  readonly status: 200 | 202
  readonly body: { readonly status: 'queued' | 'ignored' | 'duplicate' | 'pong'; readonly delivery_id?: string }
}

/** A repository whose forge sends events. */
export type ForgeRepository = RepositoriesTable & { readonly forge: Exclude<RepositoriesTable['forge'], 'plain'> }

const sendsEvents = (row: RepositoriesTable): row is ForgeRepository => row.forge !== 'plain'

/** A forge learns no more from an answer than its code (git 2). */
const refused = (code: 'VALIDATION_ERROR' | 'UNAUTHORIZED' | 'NOT_FOUND' | 'BUSY') => new DomainError(code, 'Refused.')

const hourMs = 3_600_000

/** Hours for which bad signatures are counted. */
const countedHours = 25

/**
 * Forge events: an endpoint that receives them, a queue in the database, and a lane for each repository with pending
 * events.
 */
export class ForgeEvents implements Follower {
  readonly wants: Wants = { freed: () => this.look() }
  readonly #parts: ForgeParts
  readonly #lanes: Lanes<ForgeLane>
  readonly #laneParts: ForgeLaneParts
  readonly #receipts: SpacedTurns

  constructor(parts: ForgeParts) {
    this.#parts = parts
    this.#lanes = new Lanes(parts)
    const { stop } = this.#lanes
    const pace = new SpacedTurns(parts.callers, beside)
    this.#laneParts = { ...parts, stop, pace, inTurn: fairTurns(readAtOnce, 'events of forges', stop) }
    this.#receipts = new SpacedTurns(parts.callers, beside)
  }

  /** Resumes pending events. */
  async start(): Promise<void> {
    this.#lanes.start()
    await this.look()
  }

  /** Looks for repositories with pending events: another node has ended, or released one. */
  async look(): Promise<void> {
    if (!this.#lanes.areOpen) return
    for (const id of await this.#parts.database.read(repositoriesWaiting)) this.wake(id)
  }

  /** Called when a repository has a pending event. */
  wake(repository: string): void {
    this.#lanes.open(repository, repository, () => new ForgeLane(repository, this.#laneParts))?.wake()
  }

  /** Stops the event being processed; it is processed again after the next start. */
  stop(): Promise<void> {
    return this.#lanes.stopped()
  }

  /**
   * The repository whose forge may send events.
   * @throws DomainError NOT_FOUND
   */
  async repository(id: string): Promise<ForgeRepository> {
    const row = await this.#parts.database.read(db => readRepository(db, id)).catch(() => undefined)
    if (row === undefined || !sendsEvents(row)) throw refused('NOT_FOUND')
    return row
  }

  /**
   * Receives an event: it is answered once it is durable, and processed afterwards (git 2).
   * @throws DomainError UNAUTHORIZED, VALIDATION_ERROR, BUSY
   */
  async receive(repository: ForgeRepository, arrived: ForgeEvent): Promise<ForgeAnswer> {
    await this.#receipts.turn()
    const now = this.#now()
    const secrets = verifyingSecrets(this.#parts.secretKey, repository, now)
    const terms = { now: this.#parts.clock(), mustSign: repository.require_signature === 1 }
    const { signature, bytes: raw } = arrived
    // All are compared, so that the time taken does not reveal which one it was.
    const signed = secrets.map(({ secret }) => isSigned(signature, raw, [secret], terms))
    const signer = secrets[signed.indexOf(true)]
    if (signer === undefined) {
      await this.#countRefusal(repository.id, now)
      throw refused('UNAUTHORIZED')
    }
    if (arrived.event === undefined || arrived.event === '') throw refused('VALIDATION_ERROR')
    const name = cutText(arrived.event, maxNameLength)
    const { bytes, isForm } = arrived
    const parsed = await readEventSent({ forge: repository.forge, name, sent: { bytes, isForm } })
    if (parsed === undefined) throw refused('VALIDATION_ERROR')
    return this.#keep(repository, {
      name,
      ...parsed,
      deliveryId: cutText(arrived.deliveryId ?? hashOf(name, arrived.bytes), maxNameLength),
      size: arrived.bytes.byteLength,
      seenBy: signer.seenBy,
    })
  }

  #now(): string {
    return new Date(this.#parts.clock()).toISOString()
  }

  async #countRefusal(id: string, now: string): Promise<void> {
    await this.#parts.database.write(
      async db => {
        const [row] = await db.selectFrom('repositories').select('refusals').where('id', '=', id).execute()
        if (row === undefined) return
        const hour = new Date(Math.floor(Date.parse(now) / hourMs) * hourMs).toISOString()
        const all = parseJson(row.refusals)
        const { count, first } = all.find(each => each.hour === hour) ?? { count: 0, first: now }
        const others = all.filter(each => each.hour !== hour).slice(0, countedHours)
        const counted = { hour, count: count + 1, ...(first !== undefined && { first }) }
        await updateRow(db, 'repositories', id, { refusals: toJson([counted, ...others]) })
      },
      { lock: `refusals ${id}` },
    )
  }

  async #keep(repository: ForgeRepository, event: KeptEvent): Promise<ForgeAnswer> {
    const received = await this.#parts.database.write(
      async db => {
        const row = await readRepository(db, repository.id).catch(() => undefined)
        if (row === undefined) throw refused('NOT_FOUND')
        return this.#kept(db, row, event)
      },
      { lock: `events of ${repository.id}` },
    )
    if (received.body.status === 'queued') this.wake(repository.id)
    return received
  }

  async #kept(db: Db, repository: RepositoriesTable, event: KeptEvent): Promise<ForgeAnswer> {
    const now = this.#now()
    const isOwn = isAbout(repository, event.about)
    const isPinned = isOwn && repository.forge_id === null && event.about.id !== null
    await updateRow(db, 'repositories', repository.id, {
      last_delivery_at: now,
      ...(isPinned && { forge_id: event.about.id }),
    })
    if (event.event?.kind === 'ping') return { status: 200, body: { status: 'pong' } }
    if (repository.active === 0) return ignoredEvent
    const existing = await deliveryOfForge(db, repository, event.deliveryId)
    const isKept = existing !== undefined && existing.received_at >= keptSince(now, 'delivery')
    if (isKept && existing.status !== 'failed') {
      await updateRow(db, 'forge_deliveries', existing.id, { repeats: existing.repeats + 1 })
      return { status: 200, body: { status: 'duplicate' } }
    }
    const reason = isOwn
      ? event.event?.kind === 'ignored'
        ? event.event.reason
        : null
      : 'It is about another repository.'
    if (reason === null && (await waitingOf(db, repository)) >= maxWaiting) throw refused('BUSY')
    const row = this.#rowOf(repository, event, reason, now)
    if (existing === undefined) await insertRow(db, 'forge_deliveries', { id: this.#parts.newId(), ...row })
    else await updateRow(db, 'forge_deliveries', existing.id, { ...row, repeats: isKept ? existing.repeats + 1 : 0 })
    return reason === null ? { status: 202, body: { status: 'queued', delivery_id: event.deliveryId } } : ignoredEvent
  }

  #rowOf(
    { id, board_id }: RepositoriesTable,
    event: KeptEvent,
    reason: string | null,
    now: string,
  ): Omit<ForgeDeliveriesTable, 'id'> {
    const isQueued = reason === null
    return {
      board_id,
      repository_id: id,
      delivery_id: event.deliveryId,
      event: event.name,
      action: event.action,
      status: isQueued ? 'queued' : 'ignored',
      reason,
      received_at: now,
      processed_at: isQueued ? null : now,
      attempts: 0,
      next_attempt_at: isQueued ? now : null,
      repeats: 0,
      size: event.size,
      changes: 0,
      links: 0,
      payload: isQueued ? storable(event.text) : null,
      seen_by: event.seenBy,
    }
  }
}

interface KeptEvent extends EventRead {
  readonly name: string
  readonly deliveryId: string
  readonly size: number
  /** Who was shown the secret that signed it, unless that was a present person. */
  readonly seenBy: string | null
}

const ignoredEvent: ForgeAnswer = { status: 202, body: { status: 'ignored' } }

/** A text without raw NULs, which the database cannot store; valid JSON contains none. */
const storable = (text: string): string => text.replaceAll('\0', '')

const hashOf = (event: string, bytes: Uint8Array): string =>
  createHash('sha256').update(event).update('\n').update(bytes).digest('hex')
