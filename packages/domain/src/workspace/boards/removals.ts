import type { AttachmentFiles } from '../../delivery/attachments/files/files.ts'
import type { Follower, Wants } from '../../kernel/followers/follower.ts'
import type { Leases } from '../../kernel/leases.ts'
import type { Db, ReadWrite } from '../../schema/database.ts'
import { removedOwner } from '../../schema/removed-owner.ts'
import { partsOfBoards, removeRows } from '../../schema/rows-of-board.ts'

/** What removals need from a service. */
export interface RemovalParts {
  readonly database: ReadWrite
  readonly leases: Leases
  readonly files: AttachmentFiles
  /** Updates part of the data derived from rows, so that no backlog grows. */
  readonly afterPiece: () => Promise<unknown>
  readonly onFault: (error: unknown) => void
}

/**
 * Removes what is left of deleted boards, which nobody sees any more, in the background and in pieces (access 3.2),
 * each board on one node. What a process does not finish, another or the next one does.
 */
export class BoardRemovals implements Follower {
  /** What another node began and did not finish is continued here. */
  readonly wants: Wants = { freed: () => this.run() }
  readonly #parts: RemovalParts
  readonly #stopping = new AbortController()
  #running: Promise<void> | undefined

  constructor(parts: RemovalParts) {
    this.#parts = parts
  }

  start(): void {
    void this.run()
  }

  /** Removes everything that is left; resolves when it is gone, or could not be removed before the next start. */
  run(): Promise<void> {
    // A caller that arrives during a run may have deleted a board that this run has not seen.
    this.#running = (this.#running ?? Promise.resolve()).then(() => this.#removeAll())
    return this.#running
  }

  /** Stops after the piece that is being removed. */
  async stop(): Promise<void> {
    this.#stopping.abort()
    await this.#running
  }

  async #removeAll(): Promise<void> {
    const { database, leases, onFault } = this.#parts
    const report = (error: unknown) => {
      if (!this.#stopping.signal.aborted) onFault(error)
    }
    try {
      const boards = await database.read(db =>
        db.selectFrom('boards').select('id').where('owner_id', '=', removedOwner).execute(),
      )
      for (const { id } of boards)
        await leases.inTurn(`removal ${id}`, () => this.#remove(id), this.#stopping.signal).catch(report)
    } catch (error) {
      report(error)
    }
  }

  /** The row of the board is deleted last, so that what remains is found. */
  async #remove(boardId: string): Promise<void> {
    await removeRows(run => this.#piece(boardId, run), partsOfBoards, boardId)
    await this.#parts.files.removeAll(boardId)
    await this.#piece(boardId, db => db.deleteFrom('boards').where('id', '=', boardId).execute())
  }

  /** Writes, and then pauses for as long as that took: half of the time is left to callers. */
  async #piece<Value>(boardId: string, run: (db: Db) => Promise<Value>): Promise<Value> {
    this.#stopping.signal.throwIfAborted()
    const { database, afterPiece } = this.#parts
    const began = performance.now()
    const value = await database.write(run, { lock: boardId, isPiece: true })
    const took = performance.now() - began
    await afterPiece()
    await new Promise(resolve => setTimeout(resolve, took))
    return value
  }
}
