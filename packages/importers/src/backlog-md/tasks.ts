/** The tasks of a Backlog.md folder, and how they name one another (exchange 2.1, imports 3). */
import type { Document } from './document.ts'
import type { TaskFolder } from './folder.ts'

export interface Task extends Document {
  readonly title: string
  readonly folder: TaskFolder
  /** As written. */
  readonly parentId: string | null
}

export const isArchived = ({ folder }: Task): boolean => folder.startsWith('archive/')

/** The prefix of ids in a project that has set none. */
const usualPrefix = 'task'

/** An id in its parts: `BACK-024.01` is `back` and `24.1`. */
interface Parts {
  /** Null for a number alone. */
  readonly prefix: string | null
  readonly number: string
}

/**
 * Tasks by what names them: the id as it is written, else in another case or with other zeros, else with the usual
 * prefix in the place of the project's own, as ids were written before it was set. A number alone means a task of the
 * same prefix. Live tasks come before completed ones, those before archived ones.
 */
export class Tasks {
  readonly all: readonly Task[]
  readonly #exact: ReadonlyMap<string, readonly Task[]>
  readonly #numbered: ReadonlyMap<string, readonly Task[]>
  /** The prefixes that mean a task of the project. */
  readonly #own: readonly string[]
  readonly #children: ReadonlyMap<Task | undefined, readonly Task[]>

  /** @param prefix that of the project's configuration; null where it sets none */
  constructor(all: readonly Task[], prefix: string | null) {
    this.all = all
    this.#exact = Map.groupBy(all, ({ id }) => id)
    this.#numbered = Map.groupBy(all, ({ id }) => named(partsOf(id), id))
    this.#own = [(prefix ?? mostUsed(all)).toLowerCase(), usualPrefix]
    this.#children = Map.groupBy(all, task => this.parentOf(task))
  }

  /** The tasks that an id means, as it is written in a task: one, unless it is ambiguous or none is there. */
  named(written: string, from: Task): readonly Task[] {
    const id = written.trim().replace(/^#/, '')
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
    const asked = parts.prefix ?? partsOf(from.id)?.prefix ?? null
    return asked !== null && this.#own.includes(asked) ? [asked, ...this.#own] : [asked]
  }

  /** The task that stands above; undefined for none, and where two could be meant. */
  parentOf(task: Task): Task | undefined {
    const [parent, other] = task.parentId === null ? [] : this.named(task.parentId, task)
    return parent === task || other !== undefined ? undefined : parent
  }

  /** The tasks that name it as their parent. */
  childrenOf(task: Task): readonly Task[] {
    return this.#children.get(task) ?? []
  }
}

/** Where a task lies: at work, completed, archived. */
const rankOf = (task: Task): number => (isArchived(task) ? 2 : task.folder === 'completed' ? 1 : 0)

/** Of tasks with one id, those that are most alive. */
function live(tasks: readonly Task[]): readonly Task[] {
  const first = Math.min(...tasks.map(rankOf))
  return tasks.filter(task => rankOf(task) === first)
}

/** The prefix that most ids have. */
function mostUsed(tasks: readonly Task[]): string {
  const used = Map.groupBy(tasks, ({ id }) => partsOf(id)?.prefix ?? '')
  used.delete('')
  const [[prefix] = [usualPrefix]] = [...used].toSorted(([, a], [, b]) => b.length - a.length)
  return prefix
}

/** The parts of an id; undefined for one that ends with no number. */
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
