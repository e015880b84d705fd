/** Reads the database of vibe-kanban (imports 5). */
import type { InPieces } from '@specboard/contract'
import type { Collected } from '../collected.ts'
import { inPieces } from '../in-pieces.ts'
import { momentOf } from '../moments.ts'
import type { Entry, NeutralCard, NeutralSpec } from '../neutral.ts'
import { card, comment, joined, knowledge, spec } from '../records.ts'
import { SqliteFile, type SqliteRow } from '../sqlite.ts'
import { type Attempt, attemptsOf, attemptText, lostParts } from './attempts.ts'
import { id, type Rows, type TableName, tables, text } from './rows.ts'

interface Given {
  readonly bytes: Uint8Array
  readonly entry: string | null
  /** The log file next to the database, with changes that were not written back to it. */
  readonly log: Entry | undefined
}

/** Converts projects to specs, their tasks to cards, and attempts to comments. Returns the name of the only project. */
export function* readVibeKanban({ bytes, entry, log }: Given, collected: Collected): InPieces<string | null> {
  using file = new SqliteFile(bytes, entry)
  const rows = yield* rowsIn(file, entry)
  collected.uses({ name: entry, text: null })
  if (log?.bytes !== undefined && log.bytes.length > 0)
    collected.notRead(
      { place: { entry: log.name, line: null } },
      'What stands in it was not written back to the database. Close vibe-kanban and import again.',
    )
  const reader = new DatabaseReader(rows, entry, collected)
  yield* inPieces(rows.projects, row => reader.readProject(row))
  yield* inPieces(rows.tasks, row => reader.readTask(row))
  yield* inPieces(rows.attempts, row => reader.tellLostAttempt(row))
  yield* inPieces(rows.tags, row => reader.readTag(row))
  reader.tellLostParts()
  tellOtherTables(file, entry, collected)
  const [only, ...others] = rows.projects
  return only === undefined || others.length > 0 ? null : text(only, 'name')
}

function* rowsIn(file: SqliteFile, entry: string | null): InPieces<Rows> {
  const present = new Set(file.tables())
  const rows: Partial<Record<TableName, SqliteRow[]>> = {}
  for (const [name, { names, columns }] of Object.entries(tables)) {
    const table = names.find(other => present.has(other))
    rows[name as TableName] = table === undefined ? [] : yield* file.rows(table, columns, entry)
  }
  return rows as Rows
}

/** Reports tables with content that are not read: logs, images, sharing. */
function tellOtherTables(file: SqliteFile, entry: string | null, collected: Collected): void {
  const read = new Set<string>(Object.values(tables).flatMap(({ names }) => names))
  for (const table of file.tables()) {
    if (read.has(table) || table.startsWith('_')) continue
    if (file.hasRows(table, entry))
      collected.skipped({ place: { entry, line: null } }, `The rows of the table ${table} have no place here.`)
  }
}

/** The tool's spellings of statuses that are not in the shared table. */
const statuses: ReadonlyMap<string, NeutralCard['status']> = new Map([
  ['todo', 'not_started'],
  ['inprogress', 'in_progress'],
  ['inreview', 'validation'],
])

class DatabaseReader {
  readonly #rows: Rows
  readonly #entry: string | null
  readonly #collected: Collected
  readonly #specs = new Map<string, NeutralSpec>()
  readonly #attempts: ReadonlyMap<string, readonly Attempt[]>
  readonly #taskOfAttempt: ReadonlyMap<string, string>
  readonly #tasks: ReadonlyMap<string, SqliteRow>

  constructor(rows: Rows, entry: string | null, collected: Collected) {
    this.#rows = rows
    this.#entry = entry
    this.#collected = collected
    this.#attempts = attemptsOf(rows)
    this.#taskOfAttempt = new Map(rows.attempts.map(row => [id(row, 'id') ?? '', id(row, 'task_id') ?? '']))
    this.#tasks = new Map(rows.tasks.flatMap(row => (id(row, 'id') === null ? [] : [[id(row, 'id')!, row]])))
  }

  get #place() {
    return { entry: this.#entry, line: null }
  }

  readProject(row: SqliteRow): void {
    const key = id(row, 'id')
    if (key === null) {
      this.#withoutId('project')
      return
    }
    const record = spec({
      id: this.#collected.freeId(`project:${key}`, { place: this.#place, kind: 'spec' }),
      place: this.#place,
      title: text(row, 'name') ?? '',
      status: 'in_progress',
      created_at: moment(row, 'created_at'),
      updated_at: moment(row, 'updated_at'),
    })
    this.#collected.add(record)
    this.#specs.set(key, record)
    const { id: _, name, created_at, updated_at, ...rest } = row
    this.#collected.keepAll(record, rest)
    this.#collected.keep(record, 'repositories', this.#repositoriesOf(key))
  }

  #repositoriesOf(project: string): string[] {
    const ids = this.#rows.projectRepos.filter(row => id(row, 'project_id') === project).map(row => id(row, 'repo_id'))
    return this.#rows.repos
      .filter(row => ids.includes(id(row, 'id')))
      .map(row => [text(row, 'display_name', 'name'), text(row, 'path')].filter(part => part !== null).join(': '))
  }

  readTask(row: SqliteRow): void {
    const key = id(row, 'id')
    if (key === null) {
      this.#withoutId('task')
      return
    }
    const parent = this.#parentOf(row)
    const record = card({
      id: this.#collected.freeId(key, { place: this.#place, kind: 'card' }),
      place: this.#place,
      spec_id: (this.#specs.get(id(row, 'project_id') ?? '') ?? this.#collected.imported(this.#place)).id,
      title: text(row, 'title') ?? '',
      description: text(row, 'description'),
      status: this.#collected.words.status(text(row, 'status'), this.#place, statuses),
      priority: this.#collected.words.priority(text(row, 'priority'), this.#place),
      due_date: moment(row, 'due_date'),
      archived: row.archived === 1 || text(row, 'deleted_at') !== null,
      labels: parent === null ? [] : [`sub:${parent}`],
      created_at: moment(row, 'created_at'),
      updated_at: moment(row, 'updated_at'),
    })
    this.#collected.add(record)
    for (const attempt of this.#attempts.get(key) ?? []) this.#addAttempt(attempt, record)
  }

  /** The title of the task whose attempt created this one. */
  #parentOf(row: SqliteRow): string | null {
    const attempt = id(row, 'parent_workspace_id', 'parent_task_attempt')
    const task = attempt === null ? undefined : this.#tasks.get(this.#taskOfAttempt.get(attempt) ?? '')
    return task === undefined ? null : text(task, 'title')
  }

  #addAttempt(attempt: Attempt, { id: card_id }: NeutralCard): void {
    this.#collected.add(
      comment({
        id: this.#collected.freeId(`attempt:${attempt.id}`, { place: this.#place, kind: 'comment' }),
        place: this.#place,
        card_id,
        content: attemptText(attempt),
        created_by: attempt.executor,
        created_at: attempt.created_at,
      }),
    )
  }

  tellLostAttempt(row: SqliteRow): void {
    const key = id(row, 'id')
    if (key === null) this.#withoutId('attempt')
    else if (!this.#tasks.has(id(row, 'task_id') ?? ''))
      this.#collected.skipped({ place: this.#place, kind: 'comment', id: `attempt:${key}` }, 'Its task is not here.')
  }

  /** Reports rows about attempts and projects that are missing. */
  tellLostParts(): void {
    const { repos, projectRepos } = this.#rows
    const linked = projectRepos
      .filter(row => this.#specs.has(id(row, 'project_id') ?? ''))
      .map(row => id(row, 'repo_id'))
    const lost = repos.filter(row => !linked.includes(id(row, 'id'))).length
    for (const [what, count] of [...lostParts(this.#rows), ['repositories', lost] as const])
      if (count > 0)
        this.#collected.skipped(
          { place: this.#place },
          `${what} (${count} rows) belong to no ${what === 'repositories' ? 'project' : 'attempt'} here.`,
        )
  }

  /** Reads a text that the tool inserts into prompts. */
  readTag(row: SqliteRow): void {
    const content = joined([text(row, 'title'), text(row, 'content', 'description')])
    const key = id(row, 'id')
    if (key === null) {
      this.#withoutId('text for prompts')
      return
    }
    const owner = this.#specs.get(id(row, 'project_id') ?? '') ?? this.#collected.imported(this.#place)
    this.#collected.add(
      knowledge({
        id: this.#collected.freeId(`tag:${key}`, { place: this.#place, kind: 'knowledge' }),
        place: this.#place,
        owner_type: 'spec',
        owner_id: owner.id,
        title: text(row, 'tag_name', 'template_name') ?? 'Tag',
        content: content ?? '',
        created_at: moment(row, 'created_at'),
        updated_at: moment(row, 'updated_at'),
      }),
    )
  }

  #withoutId(what: string): void {
    this.#collected.notRead({ place: this.#place }, `The ${what} has no id.`)
  }
}

const moment = (row: SqliteRow, column: string): string | null => momentOf(text(row, column) ?? '')
