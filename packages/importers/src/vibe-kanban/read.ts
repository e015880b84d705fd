/** Reads the database of vibe-kanban (imports 5). */
import type { InPieces } from '@specboard/contract'
import type { Collection } from '../collected.ts'
import { inPieces } from '../in-pieces.ts'
import { momentOf } from '../moments.ts'
import type { Entry, NeutralCard, NeutralSpec } from '../neutral.ts'
import { card, comment, joined, knowledge, spec } from '../records.ts'
import { SqliteFile } from '../sqlite.ts'
import { type Attempt, attemptsOf, attemptText, lostParts } from './attempts.ts'
import { fieldsOf, id, legible, type Row, type Rows, type TableName, tables, text } from './rows.ts'

interface ReadInput {
  readonly bytes: Uint8Array
  readonly entry: string | null
  /** The log file next to the database, with changes that were not written back to it. */
  readonly log: Entry | undefined
}

/**
 * Converts projects to specs, their tasks to cards, and attempts to comments. Returns the project's name if there is
 * exactly one.
 */
export function* readVibeKanban({ bytes, entry, log }: ReadInput, collected: Collection): InPieces<string | null> {
  using file = new SqliteFile(bytes, entry)
  const rows = yield* rowsIn(file, entry)
  collected.uses({ name: entry, text: null })
  if (log?.bytes !== undefined && log.bytes.length > 0)
    collected.notRead(
      { place: { entry: log.name, line: null } },
      'Its content was not written back to the database. Close vibe-kanban and import again.',
    )
  const reader = new DatabaseReader(rows, entry, collected)
  yield* inPieces(rows.projects, row => reader.readProject(row))
  yield* inPieces(rows.tasks, row => reader.readTask(row))
  yield* inPieces(rows.attempts, row => reader.tellLostAttempt(row))
  yield* inPieces(rows.tags, row => reader.readTag(row))
  reader.tellLostParts()
  reportOtherTables(file, entry, collected)
  const [only, ...others] = rows.projects
  return only === undefined || others.length > 0 ? null : text(only, 'name')
}

function* rowsIn(file: SqliteFile, entry: string | null): InPieces<Rows> {
  const present = new Set(file.tables())
  const found: Partial<Record<TableName, Row[]>> = {}
  for (const [name, { names, columns }] of Object.entries(tables)) {
    const rows: Row[] = []
    const table = names.find(other => present.has(other))
    if (table !== undefined) yield* inPieces(yield* file.rows(table, columns, entry), row => rows.push(legible(row)))
    found[name as TableName] = rows
  }
  return found as Rows
}

/** Reports tables with content that are not read: logs, images, sharing, and older forms of a table that is read. */
function reportOtherTables(file: SqliteFile, entry: string | null, collected: Collection): void {
  const present = new Set(file.tables())
  const read = new Set(Object.values(tables).map(({ names }) => names.find(name => present.has(name))))
  for (const table of present) {
    if (read.has(table as (typeof tables)[TableName]['names'][number]) || table.startsWith('_')) continue
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

/** The columns for the attempt that created a task, as named by different versions. */
const parentColumns = ['parent_workspace_id', 'parent_task_attempt'] as const

class DatabaseReader {
  readonly #rows: Rows
  readonly #entry: string | null
  readonly #collected: Collection
  readonly #specs = new Map<string, NeutralSpec>()
  readonly #attempts: ReadonlyMap<string, readonly Attempt[]>
  readonly #taskOfAttempt: ReadonlyMap<string, string>
  readonly #tasks: ReadonlyMap<string, Row>
  /** The links to repositories by project; below, the repositories by id. */
  readonly #links: ReadonlyMap<string | null, readonly Row[]>
  readonly #repositories: ReadonlyMap<string | null, Row>

  constructor(rows: Rows, entry: string | null, collected: Collection) {
    this.#rows = rows
    this.#entry = entry
    this.#collected = collected
    this.#attempts = attemptsOf(rows)
    this.#taskOfAttempt = new Map(rows.attempts.map(row => [id(row, 'id') ?? '', id(row, 'task_id') ?? '']))
    this.#tasks = new Map(rows.tasks.flatMap(row => (id(row, 'id') === null ? [] : [[id(row, 'id')!, row]])))
    this.#links = Map.groupBy(rows.projectRepos, row => id(row, 'project_id'))
    this.#repositories = new Map(rows.repos.map(row => [id(row, 'id'), row]))
  }

  get #place() {
    return { entry: this.#entry, line: null }
  }

  readProject(row: Row): void {
    const key = id(row, 'id')
    if (key === null) {
      this.#withoutId('project')
      return
    }
    const fields = fieldsOf(row)
    fields.drop('id')
    const record = spec({
      id: this.#collected.freeId(`project:${key}`, { place: this.#place, kind: 'spec' }),
      place: this.#place,
      title: fields.text('name') ?? '',
      status: 'in_progress',
      created_at: fields.moment('created_at'),
      updated_at: fields.moment('updated_at'),
    })
    this.#collected.add(record)
    this.#specs.set(key, record)
    this.#collected.keepAll(record, fields.rest())
    this.#keepRepositories(key, record)
  }

  /** Keeps what a project states about its repositories: their locations, and the scripts of each. */
  #keepRepositories(project: string, record: NeutralSpec): void {
    const links = this.#links.get(project) ?? []
    const repositories = links.flatMap(link => {
      const repository = this.#repositories.get(id(link, 'repo_id'))
      return repository === undefined ? [] : [{ link, repository }]
    })
    const names = repositories.map(({ repository }) =>
      [text(repository, 'display_name', 'name'), text(repository, 'path')].filter(part => part !== null).join(': '),
    )
    this.#collected.keep(record, 'repositories', names)
    for (const { link, repository } of repositories)
      for (const row of [repository, link]) {
        const fields = fieldsOf(row)
        fields.drop('id', 'project_id', 'repo_id', 'path', 'name', 'display_name', 'created_at', 'updated_at')
        for (const [name, value] of Object.entries(fields.rest()))
          this.#collected.keep(record, `${name} of ${text(repository, 'display_name', 'name', 'path')}`, value)
      }
  }

  readTask(row: Row): void {
    const key = id(row, 'id')
    if (key === null) {
      this.#withoutId('task')
      return
    }
    const fields = fieldsOf(row)
    const project = this.#specs.get(id(row, 'project_id') ?? '')
    const parent = this.#parentOf(row)
    fields.drop('id')
    if (project !== undefined) fields.drop('project_id')
    if (parent !== null) fields.drop(...parentColumns)
    const record = card({
      id: this.#collected.freeId(key, { place: this.#place, kind: 'card' }),
      place: this.#place,
      spec_id: (project ?? this.#collected.imported(this.#place)).id,
      title: fields.text('title') ?? '',
      description: fields.text('description'),
      status: this.#collected.words.status(fields.text('status'), this.#place, statuses),
      priority: this.#collected.words.priority(fields.text('priority'), this.#place),
      due_date: fields.moment('due_date'),
      archived: ['1', 'true'].includes(fields.text('archived') ?? '') || text(row, 'deleted_at') !== null,
      labels: parent === null ? [] : [`sub:${parent}`],
      created_at: fields.moment('created_at'),
      updated_at: fields.moment('updated_at'),
    })
    this.#collected.add(record)
    const about = { place: this.#place, kind: 'card', id: record.id } as const
    if (project === undefined)
      this.#collected.changed(about, 'Its project is not here; it goes into the spec "Imported".')
    if (parent === null && id(row, ...parentColumns) !== null)
      this.#collected.changed(about, 'The task whose attempt created it is not here.')
    this.#collected.keepAll(record, fields.rest())
    for (const attempt of this.#attempts.get(key) ?? []) this.#addAttempt(attempt, record)
  }

  /** The title of the task whose attempt created this one. */
  #parentOf(row: Row): string | null {
    const attempt = id(row, ...parentColumns)
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

  tellLostAttempt(row: Row): void {
    const key = id(row, 'id')
    if (key === null) this.#withoutId('attempt')
    else if (!this.#tasks.has(id(row, 'task_id') ?? ''))
      this.#collected.skipped({ place: this.#place, kind: 'comment', id: `attempt:${key}` }, 'Its task is not here.')
  }

  /** Reports rows that belong to missing attempts or projects. */
  tellLostParts(): void {
    const { repos, projectRepos } = this.#rows
    const linked = projectRepos
      .filter(row => this.#specs.has(id(row, 'project_id') ?? ''))
      .map(row => id(row, 'repo_id'))
    const lost = repos.filter(row => !linked.includes(id(row, 'id'))).length
    for (const [label, count] of [...lostParts(this.#rows), ['repositories', lost] as const])
      if (count > 0)
        this.#collected.skipped(
          { place: this.#place },
          `${label} (${count} rows) belong to no ${label === 'repositories' ? 'project' : 'attempt'} here.`,
        )
  }

  /** Reads a text that the tool inserts into prompts. */
  readTag(row: Row): void {
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
        created_at: momentOf(text(row, 'created_at') ?? ''),
        updated_at: momentOf(text(row, 'updated_at') ?? ''),
      }),
    )
  }

  #withoutId(label: string): void {
    this.#collected.notRead({ place: this.#place }, `The ${label} has no id.`)
  }
}
