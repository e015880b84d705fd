import type { RunFixed } from '@specboard/storage/fixed-reader'
import type { Settings } from '../../kernel/board-settings.ts'
import { derivedId, isId } from '../../lib/ids.ts'
import { parseJson } from '../../lib/json.ts'
import type { BoardsTable } from '../../schema/tables.ts'
import { digestOf } from '../kinds/digest.ts'
import { toRecord, type WrittenColumns } from '../kinds/forms.ts'
import type { RecordType } from '../kinds/kinds.ts'
import { type NamedAgents, withAuthors } from './authors.ts'
import type { ArchivePosition, KindQueries, PartQueries, Segment } from './queries.ts'

/** A kind of record, as needed to write an archive. */
export interface WrittenKind {
  readonly type: RecordType
  readonly columns: WrittenColumns
  readonly queries: KindQueries
}

/**
 * The form of an archive. It is plain data that can be passed to a thread, which then needs neither the schemas nor the
 * query builder.
 */
export interface ArchiveForm {
  /** In the order of an archive; the first one is the board. */
  readonly kinds: readonly WrittenKind[]
  readonly queries: PartQueries
  /** The number of keys in a batch; a batch with fewer is the last. */
  readonly segment: number
  readonly event: WrittenColumns
  /** The parts of architecture designs. */
  readonly versions: WrittenColumns
  readonly payloads: WrittenColumns
  readonly formerPayloads: WrittenColumns
  /** The default settings, for a board without its own. */
  readonly settings: Settings
}

/** The parts to leave out of an archive. */
export interface Parts {
  readonly attachments: boolean
  readonly events: boolean
}

type Row = Readonly<Record<string, unknown>>
type Line = Record<string, unknown>

/** Rows that are read at once: with more, they would outlive the young generation of the thread's heap. */
const atOnce = 40

/** The same for knowledge, for which all cards are scanned each time. */
const knowledgeAtOnce = 200

const cardKnowledge = (card: string, place: number, { author_id, ...item }: Line): Row => ({
  number: Number(place),
  ...item,
  owner_type: 'card',
  owner_id: card,
  source_type: null,
  source_id: null,
  source_title: null,
  source_version: null,
  source_kb_id: null,
  created_by: author_id,
})

/**
 * Knowledge as exported: on a card it may have an id chosen by a caller, and archives only contain ids of the service's
 * form (walls 1).
 */
const knowledge = (row: Row): Row => (isId(String(row.id)) ? row : { ...row, id: derivedId(String(row.id)) })

/** A guideline as exported; one that was global at its origin is exported as it came. */
const guideline = (row: Row): Row => ({
  ...row,
  scope:
    typeof row.imported === 'string' && JSON.parse(row.imported).scope === digestOf('global') ? 'global' : row.scope,
})

/** Reads the lines of an archive from a database that does not change meanwhile. */
export class BoardLines {
  readonly #rows: RunFixed
  readonly #board: string
  readonly #agents: NamedAgents
  readonly #form: ArchiveForm

  constructor(rows: RunFixed, board: string, agents: NamedAgents, form: ArchiveForm) {
    this.#rows = rows
    this.#board = board
    this.#agents = agents
    this.#form = form
  }

  /** The board's own line. */
  async board(): Promise<Line> {
    const [row] = await this.#rows<BoardsTable>(this.#form.queries.board, { board: this.#board })
    if (row === undefined) throw new Error(`The board ${this.#board} is not there.`)
    const settings = JSON.stringify({ ...this.#form.settings, ...parseJson(row.settings) })
    return this.#line(this.#form.kinds[0]!, { ...row, settings })
  }

  /** The records of the board, kind by kind. */
  async *records({ attachments, events }: Parts): AsyncGenerator<Line> {
    yield await this.board()
    for (const kind of this.#form.kinds.slice(1)) {
      const { type } = kind
      if ((type === 'attachment' && !attachments) || ((type === 'history' || type === 'snapshot') && !events)) continue
      yield* this.#recordsOf(kind)
    }
  }

  async *#recordsOf(kind: WrittenKind): AsyncGenerator<Line> {
    for await (const keys of this.#pagesOf(kind)) {
      const byId = new Map((await this.#rowsOf(kind, keys)).map(row => [row.id, row]))
      for (const key of keys) {
        const row = byId.get(key)
        if (row === undefined) continue
        const line = this.#line(kind, kind.type === 'knowledge' ? knowledge(row) : row)
        yield kind.type === 'architecture' ? await this.#withVersions(line) : line
      }
    }
  }

  /** The keys of a kind in order, in pages of the size in which rows are read. */
  async *#pagesOf({ type, queries }: WrittenKind): AsyncGenerator<string[]> {
    const size = type === 'knowledge' ? knowledgeAtOnce : atOnce
    let last: ArchivePosition | undefined = { at: '', key: '' }
    while (last !== undefined) {
      const [next]: Segment[] = await this.#rows<Segment>(queries.places, { board: this.#board, ...last })
      const keys: string[] = JSON.parse(next!.keys)
      for (let from = 0; from < keys.length; from += size) yield keys.slice(from, from + size)
      last = keys.length < this.#form.segment ? undefined : { at: next!.at!, key: keys.at(-1)! }
    }
  }

  async #rowsOf({ type, queries }: WrittenKind, keys: readonly string[]): Promise<readonly Row[]> {
    const values = { board: this.#board, keys: JSON.stringify(keys) }
    const rows = await this.#rows<Row>(queries.rows, values)
    if (type === 'guideline') return rows.map(guideline)
    if (type !== 'knowledge' || rows.length === keys.length) return rows
    const onCards = await this.#rows<{ card: string; item: string; place: number }>(
      this.#form.queries.cardKnowledge,
      values,
    )
    return [...rows, ...onCards.map(({ card, item, place }) => cardKnowledge(card, place, JSON.parse(item)))]
  }

  /** The event log, in order. */
  async *events(): AsyncGenerator<Line> {
    for (let after = 0, more = true; more; ) {
      const rows = await this.#rows<Row & { seq: number }>(this.#form.queries.events, { board: this.#board, after })
      for (const row of rows) yield { type: 'event', ...this.#fields(this.#form.event, row) }
      more = rows.length > 0
      if (more) after = rows.at(-1)!.seq
    }
  }

  async #withVersions(line: Line): Promise<Line> {
    const { queries, versions, payloads, formerPayloads } = this.#form
    const parts = async (query: PartQueries['versions'], columns: WrittenColumns) =>
      (await this.#rows<Row>(query, { id: line.id })).map(row => this.#fields(columns, row))
    return {
      ...line,
      versions: await parts(queries.versions, versions),
      payloads: await parts(queries.payloads, payloads),
      former_payloads: await parts(queries.formerPayloads, formerPayloads),
    }
  }

  #line({ type, columns }: WrittenKind, row: Row): Line {
    return { type, ...this.#fields(columns, row) }
  }

  #fields(columns: WrittenColumns, row: Row): Line {
    return Object.fromEntries(
      Object.entries(columns).map(([name, column]) => [
        name,
        withAuthors(column, toRecord(column, row[name]), author => this.#agents.exported(author)),
      ]),
    )
  }
}
