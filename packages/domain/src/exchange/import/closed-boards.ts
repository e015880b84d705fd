import { setTimeout } from 'node:timers/promises'
import type { BoardGates, ClosedBoard } from '../../kernel/board-gates.ts'
import type { Leases } from '../../kernel/leases.ts'
import { parseJson, toJson } from '../../lib/json.ts'
import type { Database, Db } from '../../schema/database.ts'
import type { Standing } from './staged.ts'

/** The name under which nodes tell each other that an import closes a board, or that one is open again. */
export const gatesChanged = 'gates'

/** How long other nodes have to close a board, ms: each waits for the calls that it had begun. */
const patienceMs = 2_000

/** How often it is looked whether they have, ms. */
const lookMs = 25

/** Ids that are stored together: about a MiB. */
const idsAtOnce = 20_000

/** A board that is closed, here at least. */
export interface Closed {
  /** Whether no node shows the board or changes what the import touches. */
  readonly everywhere: boolean
  open(): Promise<void>
}

/** What closing boards needs of a service. */
export interface ClosingParts {
  readonly database: Database
  readonly leases: Leases
  readonly gates: BoardGates
  readonly onFault: (error: unknown) => void
}

/**
 * Closes a board to calls on all nodes while an import is put in place, so that nobody sees a part of it. The importing
 * node says in the import's row that it wants the board closed; every other node closes it, waits until the calls that
 * had begun have ended, and stores that it has. The board is open again as soon as the row no longer says so, whoever put
 * the import in place.
 */
export class ClosedBoards {
  readonly #database: Database
  readonly #leases: Leases
  readonly #gates: BoardGates
  readonly #onFault: (error: unknown) => void
  /** What imports of other nodes have closed here, by import. */
  readonly #ofOthers = new Map<string, Promise<ClosedBoard>>()
  #looking: Promise<void> = Promise.resolve()

  constructor({ database, leases, gates, onFault }: ClosingParts) {
    this.#database = database
    this.#leases = leases
    this.#gates = gates
    this.#onFault = onFault
  }

  /**
   * Closes the board of an import, which has gathered its writes.
   * @param touched the ids of the records that are going to change
   */
  async close({ id, boardId }: Standing, touched: ReadonlySet<string>): Promise<Closed> {
    const everywhere = !this.#leases.isShared || (await this.#closeElsewhere({ id, boardId }, touched))
    const { drained, open } = await this.#gates.close(boardId, touched)
    await drained
    return {
      everywhere,
      open: async () => {
        open()
        if (this.#leases.isShared) await this.#openElsewhere({ id, boardId }).catch(this.#onFault)
      },
    }
  }

  /** Closes what other nodes want closed, and opens what they no longer do. */
  look(): Promise<void> {
    const looked = this.#looking.then(() => this.#look())
    this.#looking = looked.catch(() => {})
    return looked
  }

  /** Whether all other nodes have closed the board. */
  async #closeElsewhere({ id, boardId }: Standing, touched: ReadonlySet<string>): Promise<boolean> {
    const { node } = this.#leases
    const write = <Value>(run: (db: Db) => Promise<Value>) => this.#database.write(run, { lock: boardId })
    const ids = [...touched]
    for (let at = 0; at < ids.length; at += idsAtOnce) {
      const row = { import_id: id, at, ids: toJson(ids.slice(at, at + idsAtOnce)) }
      await write(db => db.insertInto('import_touched').values(row).execute())
    }
    await write(db => db.updateTable('imports').set({ staged: 'closing' }).where('id', '=', id).execute())
    this.#database.announce(gatesChanged)
    const until = performance.now() + patienceMs
    do {
      if ((await this.#database.read(db => nodesWithout(db, id, node))) === 0) return true
      await setTimeout(lookMs)
    } while (performance.now() < until)
    return false
  }

  /** Has other nodes open the board, whether the import was put in place or not. */
  async #openElsewhere({ id, boardId }: Standing): Promise<void> {
    await this.#database.write(
      db =>
        db
          .updateTable('imports')
          .set({ staged: 'gathering' })
          .where('id', '=', id)
          .where('staged', '=', 'closing')
          .execute(),
      { lock: boardId },
    )
    this.#database.announce(gatesChanged)
  }

  async #look(): Promise<void> {
    const closing = await this.#database.read(db => closingElsewhere(db, this.#leases.node))
    const ids = new Set(closing.map(({ id }) => id))
    for (const [id, closed] of this.#ofOthers)
      if (!ids.has(id)) {
        this.#ofOthers.delete(id)
        closed.then(({ open }) => open()).catch(this.#onFault)
      }
    for (const { id, board_id } of closing)
      if (!this.#ofOthers.has(id)) {
        const touched = await this.#database.read(db => touchedBy(db, id))
        const closed = this.#gates.close(board_id, touched)
        this.#ofOthers.set(id, closed)
        closed
          .then(({ drained }) => drained)
          .then(() => this.#say(id, board_id))
          .catch(this.#onFault)
      }
  }

  /** Says that the board of an import is closed here, unless it no longer is to be. */
  async #say(importId: string, boardId: string): Promise<void> {
    if (!this.#ofOthers.has(importId)) return
    await this.#database.write(
      db =>
        db
          .insertInto('import_gates')
          .columns(['import_id', 'node_id'])
          .expression(eb =>
            eb
              .selectFrom(['imports', 'nodes'])
              .select(['imports.id', 'nodes.id as node_id'])
              .where('imports.id', '=', importId)
              .where('nodes.id', '=', this.#leases.node),
          )
          .onConflict(conflict => conflict.doNothing())
          .execute(),
      { lock: `gates of ${boardId}` },
    )
  }
}

/** The imports of other nodes that want their boards closed. */
const closingElsewhere = (db: Db, node: string) =>
  db
    .selectFrom('imports')
    .select(['id', 'board_id'])
    .where('staged', 'in', ['closing', 'placing'])
    .where('node_id', '!=', node)
    .execute()

/** How many of the other nodes have not closed the board of an import. */
async function nodesWithout(db: Db, importId: string, node: string): Promise<number> {
  const { count } = await db
    .selectFrom('nodes')
    .select(eb => eb.fn.countAll<number>().as('count'))
    .where('id', '!=', node)
    .where('id', 'not in', eb => eb.selectFrom('import_gates').select('node_id').where('import_id', '=', importId))
    .executeTakeFirstOrThrow()
  return count
}

async function touchedBy(db: Db, importId: string): Promise<ReadonlySet<string>> {
  const rows = await db.selectFrom('import_touched').select('ids').where('import_id', '=', importId).execute()
  return new Set(rows.flatMap(({ ids }) => parseJson(ids)))
}
