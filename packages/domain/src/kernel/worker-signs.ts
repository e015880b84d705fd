import { parseJson, toJson } from '../lib/json.ts'
import type { RefusalCount } from '../schema/contents.ts'
import type { Database, Db } from '../schema/database.ts'
import type { Follower } from './followers/follower.ts'

/** What nodes have observed of an agent on a board. */
export interface Signs {
  /** How many of its calls were refused in the last hour, by the code of the refusal. */
  readonly refusals: ReadonlyMap<string, number>
  /** Whether one of its calls is waiting for work now. */
  readonly waits: boolean
}

const hourMs = 3_600_000
const minuteMs = 60_000

/** How often a node writes its observations, ms; a row twice as old no longer says who is waiting. */
const writeMs = 30_000

/** Maximum number of refusals that are tracked; further ones are not counted. */
const maxRefusals = 20_000

/** What was observed on a board. */
export interface BoardSigns {
  readonly of: (agentId: string) => Signs
  readonly waiters: ReadonlySet<string>
}

/**
 * What this node observes of workers, besides what is stored: refused calls and waiting calls. It is counted in memory
 * and written every 30 s, one row per node, so that all nodes report the same (harness 6).
 */
export class WorkerSigns implements Follower {
  readonly isInEveryProcess = true
  readonly #database: Database
  readonly #node: string
  readonly #clock: () => number
  readonly #onFault: (error: unknown) => void
  readonly #refused = new Map<string, number>()
  readonly #waiting = new Map<symbol, { readonly agentId: string; readonly boards: readonly string[] }>()
  #timer: NodeJS.Timeout | undefined
  #writing: Promise<void> | undefined
  #isChanged = false

  constructor(parts: {
    readonly database: Database
    readonly node: string
    readonly clock: () => number
    readonly onFault: (error: unknown) => void
  }) {
    this.#database = parts.database
    this.#node = parts.node
    this.#clock = parts.clock
    this.#onFault = parts.onFault
  }

  start(): void {
    this.#timer = setInterval(() => {
      this.#writing ??= this.write()
        .catch(this.#onFault)
        .finally(() => {
          this.#writing = undefined
        })
    }, writeMs).unref()
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer)
    await this.#writing
  }

  /** Counts a refused call of an agent on a board. */
  refused(agentId: string, boardId: string, code: string): void {
    const key = toJson([Math.floor(this.#clock() / minuteMs), agentId, boardId, code])
    const count = this.#refused.get(key) ?? 0
    if (count === 0 && this.#refused.size >= maxRefusals) this.#forget()
    if (count === 0 && this.#refused.size >= maxRefusals) return
    this.#refused.set(key, count + 1)
    this.#isChanged = true
  }

  /** Records that a call waits for work on boards; returns the function that ends the wait. */
  waits(agentId: string, boards: readonly string[]): () => void {
    const wait = Symbol(agentId)
    this.#waiting.set(wait, { agentId, boards })
    this.#isChanged = true
    return () => {
      this.#isChanged = true
      this.#waiting.delete(wait)
    }
  }

  /** What all nodes have observed on a board: of each agent, and whose calls are waiting there now. */
  async on(db: Db, boardId: string): Promise<BoardSigns> {
    const since = new Date(this.#clock() - hourMs).toISOString()
    const current = new Date(this.#clock() - 2 * writeMs).toISOString()
    const others = await db
      .selectFrom('worker_signs')
      .select(['refusals', 'waiting', 'written_at'])
      .where('node', '!=', this.#node)
      .where('written_at', '>', since)
      .execute()
    const refused = [...this.#counted(), ...others.flatMap(({ refusals }) => parseJson(refusals))]
    const waiting = [
      ...this.#waits(),
      ...others.flatMap(row => (row.written_at > current ? parseJson(row.waiting) : [])),
    ]
    const waiters = new Set(waiting.filter(([, board]) => board === boardId).map(([agentId]) => agentId))
    const from = Math.floor((this.#clock() - hourMs) / minuteMs)
    const byAgent = new Map<string, Map<string, number>>()
    for (const [minute, agentId, board, code, count] of refused) {
      if (board !== boardId || minute < from) continue
      const codes = byAgent.get(agentId) ?? new Map<string, number>()
      byAgent.set(agentId, codes.set(code, (codes.get(code) ?? 0) + count))
    }
    return {
      waiters,
      of: agentId => ({ refusals: byAgent.get(agentId) ?? new Map(), waits: waiters.has(agentId) }),
    }
  }

  /** Writes the observations, and removes those of nodes that have been gone for an hour. */
  async write(): Promise<void> {
    if (!this.#isChanged) return
    this.#isChanged = false
    this.#forget()
    const row = {
      node: this.#node,
      refusals: toJson(this.#counted()),
      waiting: toJson(this.#waits()),
      written_at: new Date(this.#clock()).toISOString(),
    }
    const cutoff = new Date(this.#clock() - hourMs).toISOString()
    await this.#database.write(async db => {
      await db
        .insertInto('worker_signs')
        .values(row)
        .onConflict(conflict => conflict.column('node').doUpdateSet(row))
        .execute()
      await db.deleteFrom('worker_signs').where('written_at', '<', cutoff).execute()
    })
  }

  #forget(): void {
    const from = Math.floor((this.#clock() - hourMs) / minuteMs)
    for (const key of this.#refused.keys()) if ((JSON.parse(key) as [number])[0] < from) this.#refused.delete(key)
  }

  #counted(): RefusalCount[] {
    return [...this.#refused].map(([key, count]) => [...(JSON.parse(key) as [number, string, string, string]), count])
  }

  #waits(): (readonly [agentId: string, boardId: string])[] {
    return [...this.#waiting.values()].flatMap(({ agentId, boards }) => boards.map(board => [agentId, board] as const))
  }
}
