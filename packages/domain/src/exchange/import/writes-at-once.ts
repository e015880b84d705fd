import { groupOf } from '@specboard/storage'
import type { Status } from '../../delivery/card-record/record.ts'
import { endOfColumn } from '../../delivery/cards/positions.ts'
import type { Unit } from '../../kernel/context.ts'
import { boardSequence, eventRow, logPosition } from '../../kernel/events.ts'
import type { ImportWrite } from '../../schema/contents.ts'
import type { Db } from '../../schema/database.ts'
import { kindOf } from '../kinds/kinds.ts'
import type { Row } from './rows.ts'
import {
  eachOf,
  importedEvent,
  insertMany,
  isCardKnowledge,
  loggedRow,
  numberHere,
  perform,
  performAll,
} from './write.ts'

/** Rows that are inserted by one statement. */
const rowsAtOnce = 500

/** Maximum number of row changes sent to the database before the answer to the first one is awaited. */
const changesAtOnce = 64

/** The tables of an archive's kinds, in an order in which a row references only rows of earlier tables. */
const ranks: ReadonlyMap<string, number> = new Map([...kindOf.values()].map(({ table }, rank) => [table, rank]))

/** Rows of a table with the same columns. */
interface Inserts {
  readonly table: string
  readonly rows: Row[]
}

/**
 * Makes the writes of an import into an existing board in one unit of work, many per statement: while it runs, reads
 * show the previous state, and other writes on the board wait.
 */
export class WritesAtOnce {
  readonly #db: Db
  readonly #boardId: string
  readonly #unit: Unit
  /** Rows to insert, by table and columns. */
  readonly #inserts = new Map<string, Inserts>()
  #changes: ImportWrite[] = []
  #count = 0
  /** The position after the last card of each column. */
  readonly #ends = new Map<Status, number>()

  constructor(db: Db, boardId: string, unit: Unit) {
    this.#db = db
    this.#boardId = boardId
    this.#unit = unit
  }

  async add(write: ImportWrite): Promise<void> {
    for (const one of eachOf(write)) {
      if (one.kind === 'insert') this.#insert(one.table, await this.#placed(one))
      else if (one.kind === 'log entry' || one.kind === 'imported') await this.#logged(one)
      else this.#changes.push(one)
      this.#count++
    }
    if (this.#count >= rowsAtOnce) await this.end()
  }

  /** Makes the added writes. */
  async end(): Promise<void> {
    const [inserts, changes] = [[...this.#inserts], this.#changes]
    this.#inserts.clear()
    this.#changes = []
    this.#count = 0
    const ranked = inserts.toSorted(([, a], [, b]) => rankOf(a.table) - rankOf(b.table))
    for (const [, { table, rows }] of ranked) await insertMany(this.#db, table, rows)
    const others = changes.filter(change => !isCardKnowledge(change))
    for (let at = 0; at < others.length; ) at += await this.#change(others.slice(at, at + changesAtOnce))
    const target = { boardId: this.#boardId, isNew: false }
    await performAll(changes.filter(isCardKnowledge), this.#db, target, this.#unit)
  }

  #insert(table: string, row: Row): void {
    const shape = `${table} ${Object.keys(row).join()}`
    const inserts = this.#inserts.get(shape)
    if (inserts === undefined) this.#inserts.set(shape, { table, rows: [row] })
    else inserts.rows.push(row)
  }

  async #logged(write: ImportWrite & { readonly kind: 'log entry' | 'imported' }): Promise<void> {
    const group = groupOf(this.#db)
    const seq = await group.next(boardSequence, this.#boardId)
    if (write.kind === 'log entry') return this.#insert('events', loggedRow(write, this.#boardId, seq))
    const position = await group.next(logPosition, 'events')
    this.#insert('events', { ...eventRow(...importedEvent(write, this.#boardId, this.#unit), { seq, position }) })
  }

  /** A row with its number and its position in its column. */
  async #placed({ table, row }: ImportWrite & { readonly kind: 'insert' }): Promise<Row> {
    const { position, status, id } = row
    return {
      ...row,
      ...(await numberHere(this.#db, this.#boardId, table, row)),
      ...(table === 'cards' && position === null && { position: await this.#end(status as Status, String(id)) }),
    }
  }

  /** The next position of a column; the cards before it may not be written yet. */
  async #end(status: Status, card: string): Promise<number> {
    const end = this.#ends.get(status) ?? (await endOfColumn(this.#db, this.#boardId, status, card))
    this.#ends.set(status, end + 1)
    return end
  }

  /** Makes the first of some changes: those of single rows together, any other one alone. Returns how many it made. */
  async #change(changes: readonly ImportWrite[]): Promise<number> {
    const other = changes.findIndex(({ kind }) => kind !== 'update' && kind !== 'known')
    const first = other === -1 ? changes : changes.slice(0, Math.max(1, other))
    const target = { boardId: this.#boardId, isNew: false }
    await Promise.all(first.map(change => perform(change, this.#db, target, this.#unit)))
    return first.length
  }
}

const rankOf = (table: string): number => ranks.get(table) ?? ranks.size
