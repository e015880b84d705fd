import { StorageError } from '../storage-error.ts'

/** How many units of one name have a connection: one that runs, and one that begins as soon as it ends. */
const atOnce = 2

interface Queue {
  running: number
  readonly waiting: (() => void)[]
}

/** How many units wait for others of the same name, and how long units have waited so far. */
export interface UnitQueuesLoad {
  readonly waiting: number
  readonly waitedMs: number
  /** The names with the most waiting units, each with the number of these units. */
  longest(count: number): readonly (readonly [name: string, units: number])[]
}

/**
 * Queues in which units of work with the same name, such as a board, wait in the node before they take a connection, so
 * that a name with many writes does not use up the connections of the others (access 13).
 */
export class UnitQueues {
  readonly #maxWaiting: number
  readonly #queues = new Map<string, Queue>()
  #waiting = 0
  #waitedMs = 0

  /** @param maxWaiting how many may wait in total; further ones are refused */
  constructor(maxWaiting: number) {
    this.#maxWaiting = maxWaiting
  }

  /**
   * Runs a unit when it is its turn, in the order in which units of its name arrive.
   * @param name undefined for a unit that waits for no other one here
   * @throws StorageError BUSY when too many wait
   */
  async run<Value>(name: string | undefined, unit: () => Promise<Value>): Promise<Value> {
    if (name === undefined) return unit()
    const queue = this.#queues.get(name) ?? { running: 0, waiting: [] }
    this.#queues.set(name, queue)
    if (queue.running < atOnce) queue.running++
    else await this.#turnIn(queue)
    try {
      return await unit()
    } finally {
      const next = queue.waiting.shift()
      if (next !== undefined) next()
      else if (--queue.running === 0) this.#queues.delete(name)
    }
  }

  /** Counts the time that a unit waited on the server, for units of other nodes. */
  waitedFor(ms: number): void {
    this.#waitedMs += ms
  }

  get load(): UnitQueuesLoad {
    const queues = this.#queues
    return {
      waiting: this.#waiting,
      waitedMs: this.#waitedMs,
      longest: count =>
        [...queues]
          .filter(([, { waiting }]) => waiting.length > 0)
          .map(([name, { waiting }]) => [name, waiting.length] as const)
          .toSorted(([, one], [, other]) => other - one)
          .slice(0, count),
    }
  }

  async #turnIn({ waiting }: Queue): Promise<void> {
    if (this.#waiting >= this.#maxWaiting)
      throw new StorageError('BUSY', 'Too many writes are waiting. Try again in a second.')
    const from = performance.now()
    this.#waiting++
    await new Promise<void>(resolve => waiting.push(resolve))
    this.#waiting--
    this.#waitedMs += performance.now() - from
  }
}
