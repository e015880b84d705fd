import type { Connection } from './connection.ts'
import { bind, type Db } from './executor.ts'

/**
 * What a group of writes keeps in memory until just before its commit, so that it is written once however many
 * of its units ask for it. It is in the database before anybody else can look.
 */
export class Group {
  readonly #connection: Connection
  readonly #db: Db
  #sequences = new Map<string, number>()
  #postponed = new Map<string, (db: Db) => Promise<unknown>>()
  #asked = 0

  constructor(connection: Connection) {
    this.#connection = connection
    this.#db = bind(connection, { open: true })
  }

  /** How often anything was asked for. */
  get asked(): number {
    return this.#asked
  }

  /** The next number of a board's sequence, which its row counts. */
  next(board: string): number {
    this.#asked++
    const next = (this.#sequences.get(board) ?? this.#storedSequence(board)) + 1
    this.#sequences.set(board, next)
    return next
  }

  /** Puts a write off; of those under one key the first is done. */
  postpone(key: string, run: (db: Db) => Promise<unknown>): void {
    this.#asked++
    if (!this.#postponed.has(key)) this.#postponed.set(key, run)
  }

  /** Writes what was asked for. */
  async finish(): Promise<void> {
    for (const [board, seq] of this.#sequences)
      this.#connection.execute('update boards set seq = ? where id = ?', [seq, board])
    for (const run of this.#postponed.values()) await run(this.#db)
    this.forget()
  }

  /** Drops what was asked for. Into new maps: the table of a cleared one leads to the next and, once old, keeps it. */
  forget(): void {
    this.#sequences = new Map()
    this.#postponed = new Map()
  }

  #storedSequence(board: string): number {
    const { rows } = this.#connection.execute<{ seq: number }>('select seq from boards where id = ?', [board])
    return rows[0]!.seq
  }
}
