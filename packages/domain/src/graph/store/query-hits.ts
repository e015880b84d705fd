import type { Database, Db } from '../../schema/database.ts'
import { hot } from '../../schema/hot.ts'
import { raiseRevision } from './boards.ts'
import { rescore } from './rescore.ts'

/** When a node has this many hits, they are written immediately. */
const writeAt = 10

/** The longest time that hits wait to be written, ms. */
const writeEveryMs = 60_000

const add = hot<{ id: string; hits: number; now: string }, never>((db, param) =>
  db
    .updateTable('kg_nodes')
    .set(eb => ({ query_hits: eb('query_hits', '+', param('hits')), last_queried_at: param('now') }))
    .where('id', '=', param('id')),
)

/** Collects the hits of nodes in memory and writes them from time to time (knowledge-graph 5.3). */
export class Hits {
  readonly #database: Database
  readonly #clock: () => number
  readonly #onFault: (error: unknown) => void
  readonly #byBoard = new Map<string, Map<string, number>>()
  #timer: NodeJS.Timeout | undefined

  constructor(database: Database, clock: () => number, onFault: (error: unknown) => void) {
    this.#database = database
    this.#clock = clock
    this.#onFault = onFault
  }

  /** Counts one hit for each node. */
  count(nodes: Iterable<{ readonly boardId: string; readonly id: string }>): void {
    let full = false
    for (const { boardId, id } of nodes) full = this.#add(boardId, id, 1) >= writeAt || full
    if (full) this.flush().catch(this.#onFault)
    else if (this.#byBoard.size > 0) this.#flushLater()
  }

  /** Writes the collected hits; keeps those that cannot be written for the next time, and throws the first fault. */
  async flush(): Promise<void> {
    clearTimeout(this.#timer)
    this.#timer = undefined
    const gathered = [...this.#byBoard]
    this.#byBoard.clear()
    const now = new Date(this.#clock()).toISOString()
    const faults: unknown[] = []
    for (const [boardId, hits] of gathered)
      try {
        await this.#database.write(db => store(db, boardId, hits, now), { lock: boardId })
      } catch (error) {
        faults.push(error)
        for (const [id, count] of hits) this.#add(boardId, id, count)
        this.#flushLater()
      }
    if (faults.length > 0) throw faults[0]
  }

  /** Adds hits of a node; returns how many it has now. */
  #add(boardId: string, id: string, count: number): number {
    const hits = this.#byBoard.get(boardId) ?? new Map<string, number>()
    this.#byBoard.set(boardId, hits)
    const sum = (hits.get(id) ?? 0) + count
    hits.set(id, sum)
    return sum
  }

  #flushLater(): void {
    this.#timer ??= setTimeout(() => void this.flush().catch(this.#onFault), writeEveryMs).unref()
  }
}

async function store(db: Db, boardId: string, hits: ReadonlyMap<string, number>, now: string): Promise<void> {
  const board = await db.selectFrom('boards').select('id').where('id', '=', boardId).executeTakeFirst()
  if (board === undefined) return
  const { revision } = await raiseRevision(db, boardId)
  for (const [id, count] of hits) await add(db, { id, hits: count, now })
  await rescore(db, [...hits.keys()], now, revision)
}
