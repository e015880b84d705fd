import { errorMessage } from '@specboard/storage'
import { sql } from 'kysely'
import { blocked, type DomainError } from '../../kernel/errors.ts'
import type { Leases } from '../../kernel/leases.ts'
import type { RuntimeSettings } from '../../kernel/runtime-settings.ts'
import type { Database, Db } from '../../schema/database.ts'
import { insertRow, updateRow } from '../../schema/rows.ts'
import { embedBoard } from '../consolidation/embed-board.ts'
import type { Embedder } from '../embedding/embedder.ts'
import { storeEvent } from '../events/store.ts'
import type { Hits } from '../store/query-hits.ts'
import { rescoreBoard } from './rescore-board.ts'

const dayMs = 86_400_000

/** How long stream events are kept. */
const eventDays = 7

/** What a tick covers: one board, the boards of one owner, or all boards. */
export interface TickScope {
  readonly boardId: string | null
  readonly ownerId: string | null
  /** Whether every node is due. */
  readonly all: boolean
}

/** The refusal of a tick while one is running. */
const running = (): DomainError => blocked('TICK_ALREADY_RUNNING', 'A tick is already running. Wait until it is done.')

/** Deletes the expired sessions of a board, except each record's latest session that was not undone. */
async function retireSessions(db: Db, boardId: string, now: number): Promise<void> {
  const board = await db
    .selectFrom('kg_boards')
    .select('audit_retention_days')
    .where('board_id', '=', boardId)
    .executeTakeFirst()
  if (board?.audit_retention_days == null) return
  const before = new Date(now - board.audit_retention_days * dayMs).toISOString()
  await sql`delete from kg_sessions where board_id = ${boardId} and committed_at < ${before}
    and (undone_at is not null or id <> (select max(l.id) from kg_sessions l where l.board_id = kg_sessions.board_id
      and l.artifact_type = kg_sessions.artifact_type and l.artifact_id = kg_sessions.artifact_id
      and l.undone_at is null))`.execute(db)
}

/** The lease name of the node that runs a tick. */
const ticking = 'tick'

/** Runs ticks, on schedule and on demand, one at a time on all nodes. */
export class Ticker {
  readonly #database: Database
  readonly #embedder: Embedder
  readonly #settings: RuntimeSettings
  readonly #leases: Leases
  readonly #clock: () => number
  readonly #newId: () => string
  readonly #hits: Hits
  readonly #onFault: (error: unknown) => void
  readonly #onChange: (boardId: string) => void
  #timer: NodeJS.Timeout | undefined
  #interval = 0
  #unlisten: () => void = () => {}
  #running: Promise<void> | undefined
  #stopped = false

  constructor(options: {
    readonly database: Database
    readonly embedder: Embedder
    readonly settings: RuntimeSettings
    readonly leases: Leases
    readonly clock: () => number
    readonly newId: () => string
    readonly hits: Hits
    readonly onFault: (error: unknown) => void
    readonly onChange: (boardId: string) => void
  }) {
    this.#database = options.database
    this.#embedder = options.embedder
    this.#settings = options.settings
    this.#leases = options.leases
    this.#clock = options.clock
    this.#newId = options.newId
    this.#hits = options.hits
    this.#onFault = options.onFault
    this.#onChange = options.onChange
  }

  /** Whether a tick is running. */
  get isRunning(): boolean {
    return this.#running !== undefined
  }

  /** Starts the schedule; a changed interval counts from the time of the change. */
  start(): void {
    this.#schedule()
    this.#unlisten = this.#settings.onChange(({ kg_decay_tick_interval_minutes }) => {
      if (kg_decay_tick_interval_minutes !== this.#interval) this.#schedule()
    })
  }

  #schedule(): void {
    clearInterval(this.#timer)
    this.#interval = this.#settings.values.kg_decay_tick_interval_minutes
    this.#timer = setInterval(() => {
      this.#onSchedule().catch(this.#onFault)
    }, this.#interval * 60_000).unref()
  }

  /** Runs a tick of all boards, unless one is running or another node has run one in this interval. */
  async #onSchedule(): Promise<void> {
    if (this.isRunning) return
    const since = new Date(this.#clock() - (this.#interval * 60_000) / 2).toISOString()
    if (!this.#leases.isAlone && (await this.#database.read(db => hasTickSince(db, since)))) return
    if (await this.#leases.take(ticking)) await this.begin({ boardId: null, ownerId: null, all: false })
  }

  /** Stops the schedule and waits for the running batch. */
  async stop(): Promise<void> {
    this.#stopped = true
    this.#unlisten()
    clearInterval(this.#timer)
    await this.#running
  }

  /** Waits for the running tick, if any. */
  async settled(): Promise<void> {
    await this.#running
  }

  /**
   * Starts a tick and returns once its record is durable, while the tick itself continues.
   * @param write runs the unit of work that writes the record
   *
   * @example
   * const { id } = await ticker.begin({ boardId, ownerId: null, all: false })
   * await ticker.settled() // begin does not wait for the scores
   * @throws DomainError TICK_ALREADY_RUNNING
   */
  async begin(
    scope: TickScope,
    write: (run: (db: Db) => Promise<void>) => Promise<void> = run => this.#database.write(run),
  ): Promise<{ readonly id: string; readonly startedAt: string }> {
    if (this.isRunning) throw running()
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#running = promise
    const end = async () => {
      await this.#leases.release(ticking).catch(this.#onFault)
      this.#running = undefined
      resolve()
    }
    const id = this.#newId()
    const startedAt = new Date(this.#clock()).toISOString()
    try {
      if (!(await this.#leases.take(ticking))) throw running()
      await write(db => insertTick(db, { id, startedAt, scope }))
    } catch (error) {
      await end()
      throw error
    }
    this.#run(id, scope).catch(this.#onFault).finally(end)
    return { id, startedAt }
  }

  async #run(id: string, scope: TickScope): Promise<void> {
    const startedMs = this.#clock()
    const boards = await this.#database.read(db => boardsOf(db, scope))
    let nodes = 0
    let error: string | null = null
    const onFault = (fault: unknown) => {
      this.#onFault(fault)
      error ??= errorMessage(fault).slice(0, 500)
    }
    await this.#hits.flush().catch(onFault)
    for (const boardId of boards) {
      if (this.#stopped) break
      try {
        nodes += await this.#tickBoard(boardId, scope, { startedMs, onFault })
      } catch (fault) {
        onFault(fault)
      }
    }
    await this.#database.write(async db => {
      const keptFrom = new Date(this.#clock() - eventDays * dayMs).toISOString()
      await db.deleteFrom('kg_stream_events').where('created_at', '<', keptFrom).execute()
      const now = new Date(this.#clock()).toISOString()
      const duration_ms = Math.max(0, this.#clock() - startedMs)
      await updateRow(db, 'kg_ticks', id, {
        completed_at: now,
        nodes_recomputed: nodes,
        boards_processed: boards.length,
        duration_ms,
        error,
      })
      for (const boardId of boards)
        await storeEvent(
          db,
          { now, newId: this.#newId },
          {
            boardId,
            type: 'kg.tick.completed',
            payload: { tick_id: id, nodes_recomputed: nodes, duration_ms, error },
          },
        )
    })
    for (const boardId of boards) this.#onChange(boardId)
  }

  async #tickBoard(
    boardId: string,
    { all }: TickScope,
    { startedMs, onFault }: { readonly startedMs: number; readonly onFault: (fault: unknown) => void },
  ): Promise<number> {
    const { kg_decay_tick_staleness_days, kg_decay_tick_max_age_days } = this.#settings.values
    const daysAgo = (days: number) => new Date(startedMs - days * dayMs).toISOString()
    const due = {
      stale: daysAgo(kg_decay_tick_staleness_days),
      old: kg_decay_tick_max_age_days > 0 ? daysAgo(kg_decay_tick_max_age_days) : null,
      all,
    }
    const count = await rescoreBoard(this.#database, boardId, due, { clock: this.#clock, onFault })
    await this.#database.write(db => retireSessions(db, boardId, startedMs), { lock: boardId })
    try {
      await embedBoard(this.#database, this.#embedder, boardId)
    } catch (fault) {
      this.#onFault(fault)
    }
    return count
  }
}

const insertTick = (
  db: Db,
  { id, startedAt, scope }: { readonly id: string; readonly startedAt: string; readonly scope: TickScope },
): Promise<void> =>
  insertRow(db, 'kg_ticks', {
    id,
    board_id: scope.boardId,
    owner_id: scope.boardId === null ? scope.ownerId : null,
    started_at: startedAt,
    completed_at: null,
    nodes_recomputed: 0,
    boards_processed: 0,
    duration_ms: null,
    error: null,
  })

/** Whether a tick of all boards began after a time. */
const hasTickSince = async (db: Db, since: string): Promise<boolean> =>
  (await db
    .selectFrom('kg_ticks')
    .select('id')
    .where('started_at', '>', since)
    .where('board_id', 'is', null)
    .where('owner_id', 'is', null)
    .limit(1)
    .executeTakeFirst()) !== undefined

/** The existing boards that a tick covers. */
async function boardsOf(db: Db, { boardId, ownerId }: TickScope): Promise<string[]> {
  let query = db.selectFrom('boards').select('id').orderBy('id')
  if (boardId !== null) query = query.where('id', '=', boardId)
  else if (ownerId !== null) query = query.where('owner_id', '=', ownerId)
  return (await query.execute()).map(({ id }) => id)
}
