/** The tasks of a Backlog.md folder, and how they name one another (exchange 2.1). */
import type { Document } from './document.ts'
import type { TaskFolder } from './folder.ts'

export interface Task extends Document {
  readonly title: string
  readonly folder: TaskFolder
  /** As written. */
  readonly parentId: string | null
}

export const isArchived = ({ folder }: Task): boolean => folder.startsWith('archive/')

/**
 * Tasks by what names them. `task-24.1`, `BACK-24.1`, `24.01` and `24.1` are one task, in any case; drafts count by
 * themselves.
 */
export class Tasks {
  readonly all: readonly Task[]
  readonly #named = new Map<string, Task>()
  readonly #children: ReadonlyMap<Task | undefined, readonly Task[]>

  constructor(all: readonly Task[]) {
    this.all = all
    for (const task of all)
      for (const name of [spelt(task.id), numbered(task.id)]) if (!this.#named.has(name)) this.#named.set(name, task)
    this.#children = Map.groupBy(all, task => this.parentOf(task))
  }

  named(id: string): Task | undefined {
    return this.#named.get(spelt(id)) ?? this.#named.get(numbered(id))
  }

  parentOf(task: Task): Task | undefined {
    const parent = task.parentId === null ? undefined : this.named(task.parentId)
    return parent === task ? undefined : parent
  }

  /** The tasks that name it as their parent. */
  childrenOf(task: Task): readonly Task[] {
    return this.#children.get(task) ?? []
  }
}

/** An id without its prefix, which differs from place to place; that of drafts says that they are drafts. */
function spelt(id: string): string {
  const whole = id.trim().toLowerCase()
  const number = numberAtEnd(whole)
  if (number === '') return whole
  return whole.slice(0, -number.length).replace(/[-_ ]$/, '') === 'draft' ? `draft-${number}` : number
}

/** The number that ends a text, of parts with dots between; empty if none does. */
function numberAtEnd(text: string): string {
  let from = text.length
  while (/[\d.]/.test(text[from - 1] ?? '')) from--
  const parts = text.slice(from).split('.')
  return parts.slice(parts.lastIndexOf('') + 1).join('.')
}

/** The same without leading zeros in the parts of the number. */
const numbered = (id: string): string => `= ${spelt(id).replaceAll(/\d+/g, digits => digits.replace(/^0+/, '') || '0')}`
