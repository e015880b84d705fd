/** The tasks and subtasks of a tag, and their references to one another (exchange 2.3, imports 3). */
import type { Collection } from '../collected.ts'
import { Fields } from '../fields.ts'
import type { JsonDocument } from '../json.ts'
import type { SourcePlace } from '../neutral.ts'
import { idOf, isObject, type Tag } from './tags.ts'

/** A task or subtask. */
export interface Task {
  /** The external id: `<tag>:2.1`. */
  readonly id: string
  /** The ids of its ancestors, and its own: `2.1`. */
  readonly path: string
  readonly title: string
  readonly parent: Task | undefined
  /** As written. */
  readonly dependencies: readonly string[]
  readonly value: Readonly<Record<string, unknown>>
  readonly place: SourcePlace
}

type FoundTask = Omit<Task, 'id' | 'parent'> & { id: string; parent: FoundTask | undefined }

export class Tasks {
  /** A task before its subtasks. */
  readonly all: readonly Task[]
  readonly #byPath: ReadonlyMap<string, readonly Task[]>
  readonly #entry: string | null
  readonly #document: JsonDocument
  readonly #collected: Collection

  constructor(tag: Tag, entry: string | null, document: JsonDocument, collected: Collection) {
    this.#entry = entry
    this.#document = document
    this.#collected = collected
    const found = [...this.#found(tag.tasks, undefined)]
    const ids = collected.identified(
      found.map(({ path, title, place }) => ({ id: `${tag.name}:${path}`, title, place, kind: 'card' })),
    )
    for (const [at, task] of found.entries()) task.id = ids[at]!
    this.all = found
    this.#byPath = Map.groupBy(found, ({ path }) => path)
  }

  /** The tasks that a reference can mean: a sibling of a subtask, otherwise a task by its full id. */
  named(reference: string, from: Task): readonly Task[] {
    const sibling = from.parent && this.#byPath.get(`${from.parent.path}.${reference}`)
    return sibling ?? this.#byPath.get(reference) ?? []
  }

  *#found(values: readonly unknown[], parent: FoundTask | undefined): Generator<FoundTask> {
    for (const value of values) {
      const id = isObject(value) ? idOf(value.id) : null
      if (isObject(value) && id !== null) yield* this.#task(value, id, parent)
      else this.#refuse(value, parent)
    }
  }

  *#task(value: Record<string, unknown>, id: string, parent: FoundTask | undefined): Generator<FoundTask> {
    const path = parent === undefined ? id : `${parent.path}.${id}`
    const place = this.#placeOf(value, parent)
    const { dependencies, subtasks } = value
    const title = new Fields(value).text('title') ?? ''
    const references = this.#list(dependencies, 'dependencies', place).flatMap(
      on => idOf(on) ?? this.#refuseLink(on, path, place),
    )
    const task: FoundTask = { id: '', path, title, parent, dependencies: references, value, place }
    yield task
    yield* this.#found(this.#list(subtasks, 'subtasks', place), task)
  }

  /** A list in a task; any other value is reported. */
  #list(value: unknown, name: string, place: SourcePlace): readonly unknown[] {
    if (Array.isArray(value)) return value
    if (value !== undefined && value !== null)
      this.#collected.notRead({ place }, `Its ${name} are not a list: ${JSON.stringify(value).slice(0, 80)}.`)
    return []
  }

  #refuseLink(value: unknown, path: string, place: SourcePlace): [] {
    const excerpt = JSON.stringify(value).slice(0, 80)
    this.#collected.notRead({ place }, `A dependency of task ${path} is ${excerpt}, which is not an id.`)
    return []
  }

  #refuse(value: unknown, parent: FoundTask | undefined): void {
    const place = this.#placeOf(value, parent)
    this.#collected.notRead({ place }, `A task is not an object with an id: ${JSON.stringify(value).slice(0, 80)}`)
  }

  #placeOf(value: unknown, parent: FoundTask | undefined): SourcePlace {
    const line = isObject(value) ? this.#document.lineOf(value) : null
    return { entry: this.#entry, line: line ?? parent?.place.line ?? null }
  }
}
