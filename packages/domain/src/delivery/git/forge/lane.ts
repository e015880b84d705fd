/** Processes the events of one repository, one after the other (git 2). */
import type { InTurn } from '../../../kernel/followers/fair-turns.ts'
import type { LaneWork, Next } from '../../../kernel/followers/lane.ts'
import type { SpacedTurns } from '../../../kernel/followers/spaced-turns.ts'
import type { Db } from '../../../schema/database.ts'
import { updateRow } from '../../../schema/rows.ts'
import type { ForgeDeliveriesTable, RepositoriesTable } from '../../../schema/tables.ts'
import { UnreadableEvent } from '../reported.ts'
import { readRepository } from '../repositories.ts'
import { applyEvent } from './apply.ts'
import { isStillQueued, nextDelivery } from './delivery-store.ts'
import { readEventSent } from './event-threads.ts'
import { type ForgeParts, forgeCaller } from './parts.ts'

/** Delays before an event is retried after a fault of the service, ms; after the last one it has failed. */
const waitsMs: readonly number[] = [1_000, 5_000, 30_000, 120_000, 600_000]

const failedText = 'The service failed while it read this. retry_forge_delivery tries it again.'

/** The parts that the lanes of repositories share. */
export interface ForgeLaneParts extends ForgeParts {
  /** Ends all work, because the service stops. */
  readonly stop: AbortSignal
  /** Runs an action when it is the board's turn. */
  readonly inTurn: InTurn
  /** Resolves when an event may be processed: events are spaced out while others make calls. */
  readonly pace: SpacedTurns
}

/** Processes the events of a repository in the order of their arrival. */
export class ForgeLane implements LaneWork {
  readonly #repository: string
  readonly #parts: ForgeLaneParts

  constructor(repository: string, parts: ForgeLaneParts) {
    this.#repository = repository
    this.#parts = parts
  }

  get #lease(): string {
    return `forge events ${this.#repository}`
  }

  take(): Promise<boolean> {
    return this.#parts.leases.take(this.#lease)
  }

  release(): Promise<void> {
    return this.#parts.leases.release(this.#lease)
  }

  async step(): Promise<Next> {
    const { database, clock, inTurn, pace } = this.#parts
    const next = await database.read(db => nextDelivery(db, this.#repository))
    if (next === undefined) return 'end'
    const dueAt = Date.parse(next.next_attempt_at ?? next.received_at)
    if (dueAt > clock()) return { until: dueAt }
    await inTurn(next.board_id, async () => {
      await pace.turn()
      await this.#read(next)
    })
    return 'continue'
  }

  #now(): string {
    return new Date(this.#parts.clock()).toISOString()
  }

  async #read(delivery: ForgeDeliveriesTable): Promise<void> {
    try {
      await this.#apply(delivery)
    } catch (error) {
      if (this.#parts.stop.aborted) return
      if (error instanceof UnreadableEvent)
        return await this.#settle(delivery, { status: 'failed', reason: error.message })
      this.#parts.onFault(error)
      const wait = waitsMs[delivery.attempts]
      await this.#settle(
        delivery,
        wait === undefined
          ? { status: 'failed', reason: failedText }
          : { next_attempt_at: new Date(this.#parts.clock() + wait).toISOString() },
      )
    }
  }

  /** The changes made by an event and its completion are one unit of work. */
  async #apply(delivery: ForgeDeliveriesTable): Promise<void> {
    const { id, delivery_id, event, payload, board_id, attempts, seen_by } = delivery
    const { database, write } = this.#parts
    const repository = await database.read(db => readRepository(db, this.#repository)).catch(() => undefined)
    if (repository === undefined) return
    if (repository.forge === 'plain') throw new UnreadableEvent('The repository no longer has a forge.')
    const parsed = await readEventSent({ forge: repository.forge, name: event, sent: { text: payload ?? '' } })
    const parsedEvent = parsed?.event
    if (parsed === undefined || parsedEvent === undefined)
      throw new UnreadableEvent(parsed?.fault ?? 'It is not a JSON object.')
    const { defaultBranch } = parsed.about
    await write(
      forgeCaller(repository),
      async ctx => {
        const current = await currentRepository(ctx.db, this.#repository)
        if (current === undefined || !(await isStillQueued(ctx.db, id))) return
        const outcome = await applyEvent(ctx, current, {
          event: parsedEvent,
          deliveryId: delivery_id,
          defaultBranch,
          seenBy: seen_by,
        })
        await updateRow(ctx.db, 'forge_deliveries', id, {
          status: parsedEvent.kind === 'ignored' ? 'ignored' : 'done',
          ...outcome,
          attempts: attempts + 1,
          processed_at: ctx.now(),
          next_attempt_at: null,
          payload: null,
        })
      },
      board_id,
    )
  }

  async #settle(
    { id, attempts }: ForgeDeliveriesTable,
    changed: Partial<Pick<ForgeDeliveriesTable, 'status' | 'reason' | 'next_attempt_at'>>,
  ): Promise<void> {
    const isOver = changed.status === 'failed'
    await this.#parts.database.write(
      async db => {
        if (await isStillQueued(db, id))
          await updateRow(db, 'forge_deliveries', id, {
            ...changed,
            attempts: attempts + 1,
            ...(isOver && { processed_at: this.#now(), next_attempt_at: null }),
          })
      },
      { lock: `events of ${this.#repository}` },
    )
  }
}

const currentRepository = (db: Db, id: string): Promise<RepositoriesTable | undefined> =>
  readRepository(db, id).catch(() => undefined)
