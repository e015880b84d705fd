/** Reads a Task Master `tasks.json` (exchange 2.3). */
import { CardPriority, type InPieces } from '@specboard/contract'
import { z } from 'zod'
import { Collected } from './collected.ts'
import { Fields } from './fields.ts'
import { boardNameOf } from './files.ts'
import {
  type Entry,
  type NeutralCard,
  type NeutralSpec,
  type Place,
  type Reader,
  type Source,
  Unreadable,
} from './neutral.ts'
import { card, distinct, joined, spec } from './records.ts'

const Id = z.union([z.string().min(1), z.number()]).transform(String)

const Task = z.looseObject({
  id: Id,
  title: z.string(),
  dependencies: z.array(Id).nullish(),
  get subtasks() {
    return z.array(Task).nullish()
  },
})

type Task = z.output<typeof Task>

const Tag = z.looseObject({ tasks: z.array(Task), metadata: z.record(z.string(), z.unknown()).nullish() })

type Tag = z.output<typeof Tag>

const statuses: ReadonlyMap<string, NeutralCard['status']> = new Map([
  ['pending', 'not_started'],
  ['in-progress', 'in_progress'],
  ['review', 'validation'],
  ['done', 'done'],
  ['deferred', 'on_hold'],
  ['cancelled', 'cancelled'],
  ['blocked', 'on_hold'],
])

/** The tag of a file without tags. */
const master = 'master'

/** The file of tasks: a JSON object that has lists of tasks, directly or in tags. */
export const taskMasterFile = ({ entries }: Source): Entry | undefined =>
  entries.find(
    ({ name, text }) =>
      (name === null || /(?:^|\/)tasks\.json$/.test(name)) &&
      text !== null &&
      /^\uFEFF?\s*\{/.test(text) &&
      /"tasks"\s*:\s*\[/.test(text),
  )

export const readTaskMaster: Reader = function* (source, options) {
  const collected = new Collected()
  const file = taskMasterFile(source)!
  collected.skipFiles(
    source.entries.filter(entry => entry !== file),
    'It is no file of tasks.',
  )
  const place = { entry: file.name, line: null }
  const { tags, rest } = tagsIn(file, place)
  for (const [name, tag] of Object.entries(tags)) yield* new TagReader(collected, name, place).read(tag)
  collected.keepOfSource(rest, place)
  return yield* collected.finish(boardNameOf(source, options, 'Task Master'))
}

/** The tags of a file, and what else it holds. @throws Unreadable */
function tagsIn(file: Entry, place: Place): { tags: Record<string, Tag>; rest: Record<string, unknown> } {
  const whole = objectIn(file, place)
  const { tasks, metadata, ...others } = whole
  const untagged = Array.isArray(tasks)
  const named = Object.entries(untagged ? others : whole)
  const isTag = ([, value]: [string, unknown]): boolean =>
    typeof value === 'object' && value !== null && 'tasks' in value && Array.isArray(value.tasks)
  const tags = [...(untagged ? [[master, { tasks, metadata }] as [string, unknown]] : []), ...named.filter(isTag)]
  return {
    tags: Object.fromEntries(tags.map(([name, value]) => [name, tagOf(name, value, place)])),
    rest: Object.fromEntries(named.filter(entry => !isTag(entry))),
  }
}

function objectIn({ text }: Entry, place: Place): Record<string, unknown> {
  try {
    return JSON.parse((text ?? '').replace(/^\uFEFF/, ''))
  } catch (error) {
    const line = /\(line (\d+)/.exec(String(error))?.[1]
    throw new Unreadable('The file is not JSON.', { ...place, line: line === undefined ? null : Number(line) })
  }
}

function tagOf(name: string, value: unknown, place: Place): Tag {
  const parsed = Tag.safeParse(value)
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  throw new Unreadable(
    `This is no list of tasks: ${[name, ...(issue?.path ?? [])].join('.')}: ${issue?.message}.`,
    place,
  )
}

/** Turns the tasks of one tag into cards of one spec. */
class TagReader {
  readonly #collected: Collected
  readonly #tag: string
  readonly #place: Place

  constructor(collected: Collected, tag: string, place: Place) {
    this.#collected = collected
    this.#tag = tag
    this.#place = place
  }

  *read({ tasks, metadata, ...rest }: Tag): InPieces<void> {
    const place = this.#place
    const fields = new Fields(metadata ?? {})
    const record = spec({
      id: this.#collected.freeId(this.#tag, { place, kind: 'spec' }),
      place,
      title: this.#tag,
      status: 'in_progress',
      description: fields.text('description'),
      created_at: fields.moment('created'),
      updated_at: fields.moment('updated'),
    })
    this.#collected.add(record)
    this.#collected.keepAll(record, { ...fields.rest(), ...rest })
    for (const task of tasks) {
      this.#readTask(task, task.id, undefined, record)
      yield
    }
  }

  /** @param path the numbers of the tasks that it stands in, and its own: `2.1` */
  #readTask(task: Task, path: string, parent: string | undefined, owner: NeutralSpec): void {
    const place = this.#place
    const fields = new Fields(task)
    const id = this.#collected.freeId(this.#idOf(path), { place, kind: 'card' })
    const record = card({
      id,
      place,
      title: task.title,
      spec_id: owner.id,
      status: this.#status(fields, id),
      priority: this.#priority(fields, id),
      description: fields.text('description'),
      details: joined([fields.text('details'), testStrategy(fields)]),
      labels: distinct([...fields.list('labels'), ...(parent === undefined ? [] : [`sub:${parent}`])]),
      assignee_id: fields.text('assignee'),
      created_at: fields.moment('createdAt'),
      updated_at: fields.moment('updatedAt'),
    })
    this.#collected.add(record)
    fields.drop('id', 'title', 'dependencies', 'subtasks', 'parentTaskId')
    this.#collected.keepAll(record, fields.rest())
    for (const on of task.dependencies ?? [])
      this.#link(id, parent === undefined || on.includes('.') ? on : `${parent}.${on}`)
    for (const subtask of task.subtasks ?? []) {
      const below = `${path}.${subtask.id}`
      this.#link(id, below)
      this.#readTask(subtask, below, path, owner)
    }
  }

  #link(card_id: string, path: string): void {
    this.#collected.link({ card_id, depends_on_id: this.#idOf(path), place: this.#place, created_at: null })
  }

  #idOf(path: string): string {
    return `${this.#tag}:${path}`
  }

  #status(fields: Fields, id: string): NeutralCard['status'] {
    const written = fields.text('status')
    const read = statuses.get(written ?? 'pending')
    if (read === undefined)
      this.#collected.note({ place: this.#place, kind: 'card', id }, `The status "${written}" is read as not started.`)
    return read ?? 'not_started'
  }

  #priority(fields: Fields, id: string): NeutralCard['priority'] {
    const written = fields.text('priority') ?? 'none'
    const read = CardPriority.safeParse(written)
    if (!read.success)
      this.#collected.note({ place: this.#place, kind: 'card', id }, `The priority "${written}" is read as none.`)
    return read.data ?? 'none'
  }
}

function testStrategy(fields: Fields): string | null {
  const text = fields.text('testStrategy')
  return text === null ? null : `## Test strategy\n\n${text}`
}
