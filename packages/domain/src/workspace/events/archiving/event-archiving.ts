/** Moves old entries of event logs to files if nothing but the followers of a log reads them (work 5.1). */
import type { Follower } from '../../../kernel/followers/follower.ts'
import { RepeatedWork } from '../../../kernel/followers/repeated-work.ts'
import type { Leases } from '../../../kernel/leases.ts'
import type { Database } from '../../../schema/database.ts'
import { fileNameOf, lineOf, writeArchive } from './file.ts'
import { archivableBoards, type LogRow, newestKept, nextArchivable, type Reach, removeArchived } from './store.ts'

/** How often the logs are examined, ms. */
const everyMs = 24 * 3_600_000

/** The number of entries that are read, and removed, at once. */
const atOnce = 200

/** Maximum number of entries of a file, and the approximate maximum of its characters. */
const entriesAFile = 10_000
const charactersAFile = 4_000_000

const dayMs = 86_400_000

/** The name under which one node at a time archives. */
const leaseName = 'event archive'

/** What archiving needs. */
export interface EventArchivingParts {
  readonly database: Database
  readonly leases: Leases
  readonly days: number
  /** The folder with a folder for each board. */
  readonly folder: string
  readonly clock: () => number
  readonly onFault: (error: unknown) => void
  /** How many of a board's newest entries stay whatever their age. */
  readonly newestKept?: number
}

/** Entries that will be in one file. */
class ArchiveFile {
  readonly rows: LogRow[] = []
  #text: string[] = []
  #characters = 0

  add(row: LogRow): void {
    const line = lineOf(row)
    this.rows.push(row)
    this.#text.push(line)
    this.#characters += line.length
  }

  /** Whether the next entry belongs in another file. */
  endsBefore({ created_at }: LogRow): boolean {
    const [first] = this.rows
    if (first === undefined) return false
    const isFull = this.rows.length >= entriesAFile || this.#characters >= charactersAFile
    return isFull || monthOf(first) !== monthOf({ created_at })
  }

  get text(): string {
    return this.#text.join('')
  }
}

const monthOf = ({ created_at }: Pick<LogRow, 'created_at'>): string => created_at.slice(0, 7)

/** Archives event logs while a service runs. */
export class EventArchiving implements Follower {
  readonly #parts: EventArchivingParts
  readonly #work: RepeatedWork
  readonly #stopping = new AbortController()

  constructor(parts: EventArchivingParts) {
    this.#parts = parts
    this.#work = new RepeatedWork({ act: () => this.run(), everyMs, onFault: parts.onFault })
  }

  start(): void {
    this.#work.start()
  }

  /** Stops after the piece at hand. */
  stop(): Promise<void> {
    this.#stopping.abort()
    return this.#work.stop()
  }

  /**
   * Archives what is old enough now, in turn with other nodes.
   * @throws Error if a file cannot be written: its entries stay in the log
   */
  async run(): Promise<void> {
    const { signal } = this.#stopping
    try {
      await this.#parts.leases.inTurn(leaseName, () => this.#archiveAll(), signal)
    } catch (error) {
      if (!signal.aborted) throw error
    }
  }

  async #archiveAll(): Promise<void> {
    const { database, clock, days } = this.#parts
    const before = new Date(clock() - days * dayMs).toISOString()
    const boards = await database.read(db => archivableBoards(db, this.#parts.newestKept ?? newestKept))
    for (const board of boards) await this.#archive(board, before)
  }

  async #archive(reach: Reach, before: string): Promise<void> {
    let gathered = new ArchiveFile()
    for (let after = 0; after < reach.upTo; ) {
      this.#stopping.signal.throwIfAborted()
      const from = after
      const { rows, reached } = await this.#parts.database.read(db => nextArchivable(db, reach, from, before, atOnce))
      for (const row of rows) {
        if (gathered.endsBefore(row)) {
          await this.#move(reach.board, gathered)
          gathered = new ArchiveFile()
        }
        gathered.add(row)
      }
      after = reached
      // Lets waiting callers go first.
      await new Promise(resolve => setImmediate(resolve))
    }
    await this.#move(reach.board, gathered)
  }

  /** The file is durable before the first of its entries leaves the log: after a crash an entry may be in both. */
  async #move(board: string, { rows, text }: ArchiveFile): Promise<void> {
    const { database, folder, clock } = this.#parts
    const [first, last] = [rows[0], rows.at(-1)]
    if (first === undefined || last === undefined) return
    const file = fileNameOf(monthOf(first), first.seq, last.seq)
    await writeArchive(folder, board, file, text).catch(error => {
      throw new Error(
        `Old entries of event logs stay in the database: ${folder} cannot be written to (${(error as Error).message}). ` +
          'Let the service write to it, and make room; it is tried again in a day and at the next start.',
        { cause: error },
      )
    })
    for (let at = 0; at < rows.length; at += atOnce) {
      this.#stopping.signal.throwIfAborted()
      const piece = rows.slice(at, at + atOnce)
      const began = performance.now()
      const now = new Date(clock()).toISOString()
      await database.write(db => removeArchived(db, { board, file, rows: piece, now }), { lock: board, isPiece: true })
      // Half of the time is left to callers.
      const took = performance.now() - began
      await new Promise(resolve => setTimeout(resolve, took))
    }
  }
}
