/** Which tasks wait for which: as the text states, otherwise the order of the list (imports 5). */

import { statedOrder } from './stated-order.ts'
import type { ListedTask, TaskList } from './task-list.ts'

export interface Wait {
  readonly task: ListedTask
  /** What it waits for: a task, or a name that no task or several tasks have. */
  readonly on: ListedTask | { readonly name: string; readonly fits: readonly ListedTask[] }
  readonly isInferred: boolean
}

/**
 * Maximum number of tasks of the previous phase, counted from its end, that each task of a phase waits for; fewer if a
 * list is very long.
 */
const maxAwaited = 20

/** Maximum number of dependencies inferred between the phases of a list, or one for each task if that is more. */
const maxInferred = 20_000

const endsOf = (tasks: number): number => Math.max(1, Math.min(maxAwaited, Math.floor(maxInferred / tasks)))

/** An id in the usual numbering of tasks, so that a text with it means a task. */
const looksLikeTask = /^(?:T|TASK)-?\d/

export function waitsOf(list: TaskList, infers: boolean): Wait[] {
  const order = new Order(list)
  return infers ? [...order.explicit, ...order.inferred()] : [...order.explicit]
}

class Order {
  readonly #tasks: readonly ListedTask[]
  readonly #named: ReadonlyMap<string, readonly ListedTask[]>
  readonly #phases: ReadonlyMap<number, readonly ListedTask[]>
  readonly explicit: Wait[] = []
  /** The tasks whose text states what they wait for, including those that explicitly wait for nothing. */
  readonly #spoken = new Set<ListedTask>()

  constructor({ tasks, orders }: TaskList) {
    this.#tasks = tasks
    this.#named = Map.groupBy(
      tasks.filter(({ id }) => id !== null),
      ({ id }) => id!,
    )
    this.#phases = Map.groupBy(tasks, ({ phaseNumber }) => phaseNumber)
    for (const task of tasks) this.#readText(task)
    for (const { first, then } of orders)
      for (const name of then) for (const task of this.#named.get(name) ?? []) this.#wait(task, first)
  }

  #readText(task: ListedTask): void {
    const { waitsFor, blocks } = statedOrder(`${task.title}\n${task.description ?? ''}`)
    if (waitsFor?.length === 0) this.#spoken.add(task)
    this.#wait(task, waitsFor ?? [])
    for (const name of blocks) for (const other of this.#named.get(name) ?? []) this.#wait(other, [task.id ?? ''])
  }

  #wait(task: ListedTask, names: readonly string[]): void {
    for (const name of names) {
      const group = this.#group(name)
      const fits = this.#named.get(name) ?? []
      if (group.length === 0 && fits.length !== 1 && (fits.length > 1 || looksLikeTask.test(name)))
        this.explicit.push({ task, on: { name, fits }, isInferred: false })
      const others = group.length > 0 ? group : fits.length === 1 ? fits : []
      for (const on of others) if (on !== task) this.explicit.push({ task, on, isInferred: false })
      if (others.length > 0) this.#spoken.add(task)
    }
  }

  /** The tasks of a phase or story that a text names. */
  #group(name: string): ListedTask[] {
    if (/^US\d/.test(name)) return this.#tasks.filter(({ story }) => story === name).slice(-maxAwaited)
    if (!name.startsWith('PHASE ')) return []
    const phases = [...this.#phases.values()]
    return (
      phases
        .find(([first]) => /^PHASE [\d.]*\d/i.exec(first?.phase ?? '')?.[0].toUpperCase() === name)
        ?.slice(-maxAwaited) ?? []
    )
  }

  /** The inferred dependencies: the order within phases, and between phases. */
  inferred(): Wait[] {
    const waits: Wait[] = []
    let ends: readonly ListedTask[] = []
    const explicitByPhase = Map.groupBy(this.explicit, ({ task }) => task.phaseNumber)
    for (const [phase, tasks] of this.#phases) {
      const before = waits.length
      this.#inPhase(tasks, ends, waits)
      const waited = new Set([...waits.slice(before), ...(explicitByPhase.get(phase) ?? [])].map(({ on }) => on))
      ends = tasks.filter(task => !waited.has(task)).slice(-endsOf(this.#tasks.length))
    }
    return waits
  }

  /** A step comes before its parent task, and waits for whatever the parent would otherwise wait for. */
  #inPhase(tasks: readonly ListedTask[], ends: readonly ListedTask[], waits: Wait[]): void {
    const add = (task: ListedTask, on: readonly ListedTask[]): void => {
      for (const other of on) if (other !== task) waits.push({ task, on: other, isInferred: true })
    }
    const steps = Map.groupBy(tasks, ({ within }) => within)
    let last: ListedTask | undefined
    let lastAlone: ListedTask | undefined
    const place = (task: ListedTask, on: readonly ListedTask[]): void => {
      let before = on
      for (const step of steps.get(task) ?? []) {
        place(step, before)
        before = [step]
      }
      if (!this.#spoken.has(task) || before !== on) add(task, before)
    }
    for (const task of steps.get(null) ?? []) {
      const leader = task.parallel ? lastAlone : last
      place(task, leader === undefined ? ends : [leader])
      last = task
      if (!task.parallel) lastAlone = task
    }
  }
}
