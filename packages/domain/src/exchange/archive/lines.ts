import { dialect } from '@specboard/storage'
import { sql } from 'kysely'
import type { Settings } from '../../kernel/board-settings.ts'
import { parseJson } from '../../lib/json.ts'
import type { Db } from '../../schema/database.ts'
import type { BoardsTable, Schema } from '../../schema/tables.ts'
import { digestOf } from '../kinds/digest.ts'
import { toRecord, type WrittenColumns } from '../kinds/forms.ts'
import type { RecordType } from '../kinds/kinds.ts'
import { type NamedAgents, withAuthors } from './authors.ts'

/** A kind of record as an archive is written. */
export interface WrittenKind {
  readonly type: RecordType
  readonly table: keyof Schema
  readonly columns: WrittenColumns
}

/** What an archive is written of. It is plain data, which a thread can be given: it need not load the schemas. */
export interface ArchiveForm {
  /** In the order of an archive; the first one is the board. */
  readonly kinds: readonly WrittenKind[]
  readonly event: WrittenColumns
  /** The parts of architecture designs. */
  readonly versions: WrittenColumns
  readonly payloads: WrittenColumns
  readonly formerPayloads: WrittenColumns
  /** The settings of a board that has none of its own. */
  readonly settings: Settings
}

/** What an archive leaves out. */
export interface Parts {
  readonly attachments: boolean
  readonly events: boolean
}

type Row = Readonly<Record<string, unknown>>
type Line = Record<string, unknown>

/** Rows that are read at once. */
const pageSize = 200

/** Where the rows of a kind stand: their keys in the order of an archive, then the rows of some keys. */
interface Rows {
  readonly keys: (db: Db, board: string) => Promise<string[]>
  readonly rows: (db: Db, keys: readonly string[], board: string) => Promise<Row[]>
}

const listOf = (keys: readonly string[]) => sql.val(JSON.stringify(keys))

const texts = async (db: Db, query: ReturnType<typeof sql<{ key: string }>>): Promise<string[]> =>
  (await query.execute(db)).rows.map(({ key }) => key)

/** Rows of one table, by their ids. */
const ofTable = (table: string, where = sql`true`): Rows => ({
  keys: (db, board) =>
    texts(
      db,
      sql<{ key: string }>`select id as key from ${sql.table(table)} where board_id = ${board} and ${where}
        order by created_at, id`,
    ),
  rows: async (db, keys) =>
    (await sql<Row>`select * from ${sql.table(table)} where ${dialect.inList(sql.ref('id'), listOf(keys))}`.execute(db))
      .rows,
})

/** The guidelines of a board: its own, and the global ones that are linked, each with its priority here. */
const guidelines: Rows = {
  keys: (db, board) =>
    texts(
      db,
      sql<{ key: string }>`select id as key from guidelines g
        where g.board_id = ${board} and g.scope = 'inline'
          or g.id in (select guideline_id from board_guidelines where board_id = ${board})
        order by created_at, id`,
    ),
  rows: async (db, keys, board) => {
    const { rows } = await sql<Row & { scope: string; imported: string | null }>`select g.*,
        coalesce((select l.priority from board_guidelines l where l.guideline_id = g.id and l.board_id = ${board}),
          g.priority) as priority,
        (select x.imported from external_ids x where x.entity_id = g.id and x.board_id = ${board}) as imported
      from guidelines g where ${dialect.inList(sql.ref('g.id'), listOf(keys))}`.execute(db)
    // What was global where it came from is told as it came.
    return rows.map(row => ({
      ...row,
      scope: row.imported !== null && JSON.parse(row.imported).scope === digestOf('global') ? 'global' : row.scope,
    }))
  },
}

/** Knowledge of planning records has a table; that of cards stands on the cards. */
const knowledge: Rows = {
  keys: (db, board) =>
    texts(
      db,
      sql<{ key: string }>`select key from (
          select id as key, created_at from knowledge where board_id = ${board}
          union all select ${dialect.jsonText(sql.ref<string>('k.value'), 'id')},
            ${dialect.jsonText(sql.ref<string>('k.value'), 'created_at')}
            from cards, ${dialect.jsonElements(sql.ref<string | null>('cards.knowledge_bases'))} k
            where cards.board_id = ${board} and cards.knowledge_bases <> '[]') entries
        order by created_at, key`,
    ),
  rows: async (db, keys, board) => {
    const ids = listOf(keys)
    const own = await sql<Row>`select *, null as source from knowledge
      where ${dialect.inList(sql.ref('id'), ids)}`.execute(db)
    const found = new Set(own.rows.map(row => row.id))
    if (keys.every(key => found.has(key))) return own.rows
    const onCards = await sql<{ card: string; item: string }>`select cards.id as card, k.value as item
        from cards, ${dialect.jsonElements(sql.ref<string | null>('cards.knowledge_bases'))} k
        where cards.board_id = ${board} and cards.knowledge_bases <> '[]'
          and ${dialect.inList(dialect.jsonText(sql.ref<string>('k.value'), 'id'), ids)}`.execute(db)
    return [...own.rows, ...onCards.rows.map(({ card, item }) => cardKnowledge(card, JSON.parse(item)))]
  },
}

const cardKnowledge = (card: string, { author_id, ...item }: Line): Row => ({
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

/** The entries of the event log that are in the history of a record. */
const history: Rows = {
  ...ofTable('events', sql`history_action is not null`),
  rows: async (db, keys) =>
    (
      await sql<Row>`select *, seq as sequence, history_action as action from events
        where ${dialect.inList(sql.ref('id'), listOf(keys))}`.execute(db)
    ).rows,
}

/** Keys with a source and an id, because neither alone is unique. */
const externalIds: Rows = {
  keys: (db, board) =>
    texts(
      db,
      sql<{ key: string }>`select source || ' ' || external_id as key from external_ids
        where board_id = ${board} and source <> 'specboard' order by created_at, source, external_id`,
    ),
  rows: async (db, keys, board) =>
    (
      await sql<Row>`select *, source || ' ' || external_id as id from external_ids
        where board_id = ${board} and ${dialect.inList(sql<string>`source || ' ' || external_id`, listOf(keys))}`.execute(
        db,
      )
    ).rows,
}

/** Boosts and undone sessions, of this graph and those that came with an import. */
const graphActions: Rows = {
  keys: (db, board) =>
    texts(
      db,
      sql<{ key: string }>`select id as key from (
          select id, created_at from graph_actions where board_id = ${board}
          union all select id, started_at from kg_sessions where board_id = ${board} and artifact_type = 'node'
            and undone_at is null
          union all select id, undone_at from kg_sessions where board_id = ${board} and undone_at is not null
            and artifact_type <> 'node') actions
        order by created_at, id`,
    ),
  rows: async (db, keys) => {
    const ids = listOf(keys)
    const { rows } = await sql<Row>`select id, action, node_type, record_ref, actor_id, created_at from graph_actions
        where ${dialect.inList(sql.ref('id'), ids)}
      union all select s.id, 'boost', n.node_type, n.source_artifact_ref, s.agent_id, s.started_at
        from kg_sessions s join kg_nodes n on n.id = s.artifact_id
        where s.artifact_type = 'node' and ${dialect.inList(sql.ref('s.id'), ids)}
      union all select id, 'undo', null, artifact_type || ':' || artifact_id, undone_by, undone_at
        from kg_sessions where artifact_type <> 'node' and ${dialect.inList(sql.ref('id'), ids)}`.execute(db)
    return rows
  },
}

const special: Partial<Record<RecordType, Rows>> = {
  guideline: guidelines,
  knowledge,
  graph_action: graphActions,
  history,
  external_id: externalIds,
}

const rowsOf = ({ type, table }: WrittenKind): Rows => special[type] ?? ofTable(table)

/** Reads the lines of an archive from a database that does not change meanwhile. */
export class BoardLines {
  readonly #db: Db
  readonly #board: string
  readonly #agents: NamedAgents
  readonly #form: ArchiveForm

  constructor(db: Db, board: string, agents: NamedAgents, form: ArchiveForm) {
    this.#db = db
    this.#board = board
    this.#agents = agents
    this.#form = form
  }

  /** The board's own line. */
  async board(): Promise<Line> {
    const [row] = (await sql<BoardsTable>`select * from boards where id = ${this.#board}`.execute(this.#db)).rows
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
    const { keys, rows } = rowsOf(kind)
    const all = await keys(this.#db, this.#board)
    for (let at = 0; at < all.length; at += pageSize) {
      const page = all.slice(at, at + pageSize)
      const byId = new Map((await rows(this.#db, page, this.#board)).map(row => [row.id, row]))
      for (const key of page) {
        const row = byId.get(key)
        if (row === undefined) continue
        const line = this.#line(kind, row)
        yield kind.type === 'architecture' ? await this.#withVersions(line) : line
      }
    }
  }

  /** The event log, in order. */
  async *events(): AsyncGenerator<Line> {
    for (let after = 0; ; ) {
      const { rows } = await sql<Row & { seq: number }>`select *, seq as sequence,
          case when history_action is null then changes end as changes from events
        where board_id = ${this.#board} and seq > ${after} order by seq limit ${pageSize}`.execute(this.#db)
      for (const row of rows) yield { type: 'event', ...this.#fields(this.#form.event, row) }
      if (rows.length < pageSize) return
      after = rows.at(-1)!.seq
    }
  }

  async #withVersions(line: Line): Promise<Line> {
    const read = async (table: string, ...order: string[]) =>
      (
        await sql<Row>`select * from ${sql.table(table)} where design_id = ${line.id}
          order by ${sql.join(order.map(name => sql.ref(name)))}`.execute(this.#db)
      ).rows
    const versions = await read('architecture_versions', 'version')
    const payloads = await read('architecture_payloads', 'id')
    const former = await read('architecture_former_payloads', 'diagram_id', 'content_hash')
    return {
      ...line,
      versions: versions.map(row => this.#fields(this.#form.versions, row)),
      payloads: payloads.map(row => this.#fields(this.#form.payloads, row)),
      former_payloads: former.map(row => this.#fields(this.#form.formerPayloads, row)),
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
