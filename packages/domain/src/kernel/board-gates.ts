/** Calls that run beside each other, counted so that somebody can wait for their end. */
interface Running {
  count: number
  ended: (() => void) | undefined
}

/** A board that is closed: the ids of the records that change meanwhile, and its opening. */
interface Closing {
  readonly touched: ReadonlySet<string>
  readonly opened: Promise<void>
}

/** Says whether a call could show or disturb a part of what happens to records. */
export type IsConcerned = (touched: ReadonlySet<string>) => Promise<boolean>

const always: IsConcerned = () => Promise.resolve(true)

/**
 * Holds the calls of a board back while much of it is changed in several units of work, so that nobody sees a part. Calls
 * that are not concerned go on.
 */
export class BoardGates {
  readonly #closed = new Map<string, Closing>()
  readonly #closings = new Map<string, number>()
  #running: Running = { count: 0, ended: undefined }
  #drained: Promise<unknown> = Promise.resolve()

  /** How often a board was closed. */
  closings(boardId: string): number {
    return this.#closings.get(boardId) ?? 0
  }

  /**
   * Runs a call once its board is open, or does not concern it.
   * @param boardOf the board whose records it shows or changes, `everyBoard`, or null for none; asked only while a board
   *   is closed
   * @param isConcerned asked only of a call of a closed board
   */
  async through<Value>(
    boardOf: () => Promise<string | null>,
    run: () => Promise<Value>,
    isConcerned: IsConcerned = always,
  ): Promise<Value> {
    if (this.#closed.size > 0) {
      const board = await boardOf()
      let passed: Closing | undefined
      for (let shut = this.#shut(board); shut !== undefined && shut !== passed; shut = this.#shut(board))
        if (await isConcerned(shut.touched)) await shut.opened
        else passed = shut
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

  #shut(board: string | null): Closing | undefined {
    if (board === null) return undefined
    return board === everyBoard ? this.#closed.values().next().value : this.#closed.get(board)
  }

  /**
   * Closes a board, and waits until the calls that run have ended.
   * @param touched the records that are going to change: calls that these do not concern go on
   * @returns the function that opens it again
   */
  async close(boardId: string, touched: ReadonlySet<string>): Promise<() => void> {
    for (let shut = this.#closed.get(boardId); shut !== undefined; shut = this.#closed.get(boardId)) await shut.opened
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#closed.set(boardId, { touched, opened: promise })
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
