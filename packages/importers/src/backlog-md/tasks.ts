/** The tasks of a Backlog.md folder, and their references to one another (exchange 2.1, imports 3). */
import type { Document } from './document.ts'
import type { TaskFolder } from './folder.ts'

export interface Task extends Document {
  readonly title: string
  readonly folder: TaskFolder
  /** As written. */
  readonly parentId: string | null
}

export const isArchived = ({ folder }: Task): boolean => folder.startsWith('archive/')

/** The default prefix of ids. */
const usualPrefix = 'task'

/** An id in its parts: `BACK-024.01` is `back` and `24.1`. */
interface Parts {
  /** Null for a number without a prefix. */
  readonly prefix: string | null
  readonly number: string
}

/**
 * Finds tasks by reference: by the id as it is written, otherwise in another case or with other leading zeros,
 * otherwise with the default prefix instead of the project's own, as ids were written before that was set. A number
 * without a prefix means a task of the same prefix. Live tasks take precedence over completed ones, and those over
 * archived ones.
 */
export class Tasks {
  readonly all: readonly Task[]
  readonly #exact: ReadonlyMap<string, readonly Task[]>
  readonly #numbered: ReadonlyMap<string, readonly Task[]>
  /** The prefixes of the project's own tasks. */
  readonly #own: readonly string[]
  readonly #children: ReadonlyMap<Task | undefined, readonly Task[]>

  /** @param prefix the prefix in the project's configuration; null without one */
  constructor(all: readonly Task[], prefix: string | null) {
    this.all = all
    this.#exact = Map.groupBy(all, ({ id }) => id)
    this.#numbered = Map.groupBy(all, ({ id }) => named(partsOf(id), id))
    this.#own = [(prefix ?? mostUsed(all)).toLowerCase(), usualPrefix]
    this.#children = Map.groupBy(all, task => this.parentOf(task))
  }

  /** The tasks that a reference in a task can mean: usually one; several if it is ambiguous, none if there is none. */
  named(reference: string, from: Task): readonly Task[] {
    const id = reference.trim().replace(/^#/, '')
    const exact = this.#exact.get(id)
    if (exact !== undefined) return live(exact)
    const parts = partsOf(id)
    for (const prefix of this.#prefixesFor(parts, from)) {
      const found = this.#numbered.get(named(parts && { ...parts, prefix }, id))
      if (found !== undefined) return live(found)
    }
    return []
  }

  #prefixesFor(parts: Parts | undefined, from: Task): readonly (string | null)[] {
    if (parts === undefined) return [null]
    const prefix = parts.prefix ?? partsOf(from.id)?.prefix ?? null
    return prefix !== null && this.#own.includes(prefix) ? [prefix, ...this.#own] : [prefix]
  }

  /** The parent of a task; undefined if it has none or the reference is ambiguous. */
  parentOf(task: Task): Task | undefined {
    const [parent, other] = task.parentId === null ? [] : this.named(task.parentId, task)
    return parent === task || other !== undefined ? undefined : parent
  }

  /** The tasks whose parent is this task. */
  childrenOf(task: Task): readonly Task[] {
    return this.#children.get(task) ?? []
  }
}

/** The precedence of a task: live, completed, archived. */
const rankOf = (task: Task): number => (isArchived(task) ? 2 : task.folder === 'completed' ? 1 : 0)

/** Of tasks with the same id, those with the highest precedence. */
function live(tasks: readonly Task[]): readonly Task[] {
  const first = Math.min(...tasks.map(rankOf))
  return tasks.filter(task => rankOf(task) === first)
}

/** The most frequent prefix of ids. */
function mostUsed(tasks: readonly Task[]): string {
  const used = Map.groupBy(tasks, ({ id }) => partsOf(id)?.prefix ?? '')
  used.delete('')
  const [[prefix] = [usualPrefix]] = [...used].toSorted(([, a], [, b]) => b.length - a.length)
  return prefix
}

/** The parts of an id; undefined if it does not end in a number. */
function partsOf(id: string): Parts | undefined {
  const text = id.trim().toLowerCase()
  let from = text.length
  while (from > 0 && /[\d.]/.test(text[from - 1]!)) from--
  const numbers = text.slice(from).split('.')
  if (numbers.some(number => number === '')) return undefined
  const number = numbers.map(part => part.replace(/^0+/, '') || '0').join('.')
  const prefix = text.slice(0, from).replace(/[-_ ]$/, '')
  return { prefix: prefix === '' ? null : prefix, number }
}

const named = (parts: Parts | undefined, id: string): string =>
  parts === undefined ? id.trim().toLowerCase() : `${parts.prefix ?? ''} ${parts.number}`
