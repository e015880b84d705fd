/** Reads a Task Master `tasks.json` (exchange 2.3, imports 5). */
import type { InPieces } from '@specboard/contract'
import type { Collection } from '../collected.ts'
import { Fields } from '../fields.ts'
import { jsonIn } from '../json.ts'
import type { Entry, NeutralSpec, SourcePlace } from '../neutral.ts'
import { card, distinct, joined, spec } from '../records.ts'
import { isObject, type Tag, type TaskFile } from './tags.ts'
import { type Task, Tasks } from './tasks.ts'

/** The settings file next to the tasks. */
const settingsPath = /(?:^|\/)\.taskmaster\/config\.json$/

/** Task Master's default project names. */
const unnamed: ReadonlySet<string> = new Set(['task master', 'taskmaster'])

/** Reads the tags of a file as specs with cards; returns the project's name. */
export function* readTaskMaster(
  file: TaskFile,
  entries: readonly Entry[],
  collected: Collection,
): InPieces<string | null> {
  const { entry, document, tagged } = file
  const place = { entry: entry.name, line: null }
  collected.textOf(entry, 'any')
  if (document.repeatsMembers)
    collected.notRead({ place }, 'A member occurs twice in one object of the JSON; only the last one is read.')
  for (const tag of tagged.tags) {
    const tasks = new Tasks(tag, entry.name, document, collected)
    yield* new TagReader(collected, tag, place, tasks).read()
  }
  collected.keepOfSource(tagged.rest, place)
  return projectName(entries, collected)
}

/** The name in the settings file; that nothing else in the file is read is reported. */
function projectName(entries: readonly Entry[], collected: Collection): string | null {
  const settings = entries.find(({ name }) => name !== null && settingsPath.test(name))
  const value = jsonIn(settings?.text ?? '')?.value
  const name = isObject(value) && isObject(value.global) ? value.global.projectName : undefined
  if (typeof name !== 'string' || name.trim() === '' || unnamed.has(name.trim().toLowerCase())) return null
  collected.note({ place: { entry: settings!.name, line: null } }, 'Only the name of the project is read from it.')
  return name
}

/** Converts the tasks of one tag to cards of one spec. */
class TagReader {
  readonly #collected: Collection
  readonly #tag: Tag
  readonly #place: SourcePlace
  readonly #tasks: Tasks

  constructor(collected: Collection, tag: Tag, place: SourcePlace, tasks: Tasks) {
    this.#collected = collected
    this.#tag = tag
    this.#place = place
    this.#tasks = tasks
  }

  *read(): InPieces<void> {
    const { name, metadata, rest } = this.#tag
    const fields = new Fields(metadata)
    const record = spec({
      id: this.#collected.freeId(name, { place: this.#place, kind: 'spec' }),
      place: this.#place,
      title: name,
      status: 'in_progress',
      description: fields.text('description'),
      created_at: fields.moment('created'),
      updated_at: fields.moment('updated'),
    })
    this.#collected.add(record)
    this.#collected.keepAll(record, { ...fields.rest(), ...rest })
    for (const task of this.#tasks.all) {
      this.#readTask(task, record)
      yield
    }
    for (const task of this.#tasks.all) this.#readLinks(task)
  }

  #readTask({ id, title, value, place, parent }: Task, owner: NeutralSpec): void {
    const fields = new Fields(value)
    const { words } = this.#collected
    const record = card({
      id,
      place,
      title,
      spec_id: owner.id,
      status: words.status(fields.text('status'), place),
      priority: words.priority(fields.text('priority'), place),
      description: fields.text('description'),
      details: joined([fields.text('details'), testStrategy(fields)]),
      labels: distinct([...fields.list('labels'), ...(parent === undefined ? [] : [`sub:${parent.path}`])]),
      assignee_id: fields.text('assignee'),
      created_at: fields.moment('createdAt'),
      updated_at: fields.moment('updatedAt'),
    })
    this.#collected.add(record)
    fields.drop('id', 'dependencies', 'subtasks', 'parentTaskId')
    fields.dropTexts('title')
    this.#collected.keepAll(record, fields.rest())
  }

  #readLinks(task: Task): void {
    if (task.parent !== undefined) this.#link(task.parent, task)
    for (const reference of task.dependencies) {
      const found = this.#tasks.named(reference, task)
      const [only] = found
      const { id, place } = task
      if (only === undefined)
        this.#collected.skippedLink(
          id,
          reference,
          place,
          `A link to ${reference}, which is not a task of ${this.#tag.name}.`,
        )
      else if (found.length === 1) this.#link(task, only)
      else {
        const both = found.map(other => other.id).join(', ')
        this.#collected.skippedLink(
          id,
          reference,
          place,
          `A link to ${reference}, which several have as their id: ${both}.`,
        )
      }
    }
  }

  #link({ id, place }: Task, on: Task): void {
    this.#collected.link({ card_id: id, depends_on_id: on.id, place, created_at: null })
  }
}

function testStrategy(fields: Fields): string | null {
  const text = fields.text('testStrategy')
  return text === null ? null : `## Test strategy\n\n${text}`
}
