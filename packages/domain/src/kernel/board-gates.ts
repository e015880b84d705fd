/** Calls that run beside each other, counted so that somebody can wait for their end. */
interface Running {
  count: number
  ended: (() => void) | undefined
}

/** Holds the calls of a board back while much of it is changed in several units of work, so that nobody sees a part. */
export class BoardGates {
  readonly #closed = new Map<string, Promise<void>>()
  readonly #closings = new Map<string, number>()
  #running: Running = { count: 0, ended: undefined }
  #drained: Promise<unknown> = Promise.resolve()

  /** How often a board was closed. */
  closings(boardId: string): number {
    return this.#closings.get(boardId) ?? 0
  }

  /**
   * Runs a call once its board is open.
   * @param boardOf the board whose records it shows or changes, `everyBoard`, or null for none; asked only while a board
   *   is closed
   */
  async through<Value>(boardOf: () => Promise<string | null>, run: () => Promise<Value>): Promise<Value> {
    if (this.#closed.size > 0) {
      const board = await boardOf()
      for (let shut = this.#shut(board); shut !== undefined; shut = this.#shut(board)) await shut
    }
    const running = this.#running
    running.count++
    try {
      return await run()
    } finally {
      running.count--
      if (running.count === 0) running.ended?.()
    }
  }

  #shut(board: string | null): Promise<void> | undefined {
    if (board === null) return undefined
    return board === everyBoard ? this.#closed.values().next().value : this.#closed.get(board)
  }

  /**
   * Closes a board, and waits until the calls that run have ended.
   * @returns the function that opens it again
   */
  async close(boardId: string): Promise<() => void> {
    for (let shut = this.#closed.get(boardId); shut !== undefined; shut = this.#closed.get(boardId)) await shut
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#closed.set(boardId, promise)
    this.#closings.set(boardId, this.closings(boardId) + 1)
    await this.#drain()
    return () => {
      this.#closed.delete(boardId)
      resolve()
    }
  }

  /** Waits for all calls that have begun; those that begin from now on are counted anew. */
  #drain(): Promise<unknown> {
    const before = this.#running
    this.#running = { count: 0, ended: undefined }
    const ended =
      before.count === 0 ? undefined : new Promise<void>(resolve => Object.assign(before, { ended: resolve }))
    this.#drained = Promise.all([this.#drained, ended])
    return this.#drained
  }
}

/** Stands for the boards of a call that shows records of several. */
export const everyBoard = '*'
