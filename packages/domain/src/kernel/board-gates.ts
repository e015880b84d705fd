import { StorageError } from '@specboard/storage'

/** How long a call waits for a closed board before it is refused, ms. */
const usualPatienceMs = 20_000

/** Calls in progress, counted so that their end can be awaited. */
interface CallsInProgress {
  count: number
  ended: (() => void) | undefined
}

/** A closed board: the ids of the records that change while it is closed, and the promise of its reopening. */
interface Closing {
  readonly touched: ReadonlySet<string>
  readonly opened: Promise<void>
}

/** Tells whether a call could show or disturb an intermediate state of the records being changed. */
export type IsConcerned = (touched: ReadonlySet<string>) => Promise<boolean>

const always: IsConcerned = () => Promise.resolve(true)

/** A closed board, as its closer sees it. */
export interface ClosedBoard {
  /** Resolves once every call that had begun before has ended. */
  readonly drained: Promise<unknown>
  open(): void
}

/** Settings of how calls wait for closed boards. */
export interface GateSettings {
  /** How long a call waits for a closed board before it is refused, ms; default 20 s. */
  readonly patienceMs?: number
}

/**
 * Holds back the calls of a board while it is changed in several units of work, so that nobody sees an intermediate
 * state. Calls that are not concerned proceed.
 */
export class BoardGates {
  readonly #closed = new Map<string, Closing>()
  readonly #closings = new Map<string, number>()
  readonly #patienceMs: number
  #running: CallsInProgress = { count: 0, ended: undefined }
  #drained: Promise<unknown> = Promise.resolve()

  constructor({ patienceMs = usualPatienceMs }: GateSettings = {}) {
    this.#patienceMs = patienceMs
  }

  /** How many times a board has been closed. */
  closings(boardId: string): number {
    return this.#closings.get(boardId) ?? 0
  }

  /**
   * Runs a call once its board is open, or at once if the closing does not concern it.
   * @param boardOf the board whose records the call shows or changes, `everyBoard`, or null for none; called only while
   *   a board is closed
   * @param isConcerned called only for a call of a closed board
   * @throws StorageError BUSY when the board stays closed for too long
   */
  async through<Value>(
    boardOf: () => Promise<string | null>,
    run: () => Promise<Value>,
    isConcerned: IsConcerned = always,
  ): Promise<Value> {
    if (this.#closed.size > 0) await this.#admitted(await boardOf(), isConcerned)
    const running = this.#running
    running.count++
    try {
      return await run()
    } finally {
      running.count--
      if (running.count === 0) running.ended?.()
    }
  }

  /** Waits until no closed board concerns the call. */
  async #admitted(board: string | null, isConcerned: IsConcerned): Promise<void> {
    const { promise: tooLate, reject } = Promise.withResolvers<never>()
    tooLate.catch(() => {})
    const timer = setTimeout(
      () => reject(new StorageError('BUSY', 'An import is changing the board. Try again in a while.')),
      this.#patienceMs,
    )
    try {
      let unrelated: Closing | undefined
      for (let shut = this.#shut(board); shut !== undefined && shut !== unrelated; shut = this.#shut(board))
        if (await isConcerned(shut.touched)) await Promise.race([shut.opened, tooLate])
        else unrelated = shut
    } finally {
      clearTimeout(timer)
    }
  }

  #shut(board: string | null): Closing | undefined {
    if (board === null) return undefined
    return board === everyBoard ? this.#closed.values().next().value : this.#closed.get(board)
  }

  /**
   * Closes a board, after waiting for it to be open. Calls that have begun go on: see `drained`.
   * @param touched the records that will change; calls that these do not concern go on
   */
  async close(boardId: string, touched: ReadonlySet<string>): Promise<ClosedBoard> {
    for (let shut = this.#closed.get(boardId); shut !== undefined; shut = this.#closed.get(boardId)) await shut.opened
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#closed.set(boardId, { touched, opened: promise })
    this.#closings.set(boardId, this.closings(boardId) + 1)
    return {
      drained: this.#drain(),
      open: () => {
        this.#closed.delete(boardId)
        resolve()
      },
    }
  }

  /** Waits for all calls that have begun; later calls are counted separately. */
  #drain(): Promise<unknown> {
    const before = this.#running
    this.#running = { count: 0, ended: undefined }
    const ended =
      before.count === 0 ? undefined : new Promise<void>(resolve => Object.assign(before, { ended: resolve }))
    this.#drained = Promise.all([this.#drained, ended])
    return this.#drained
  }
}

/** Stands for all boards, in a call that shows records of several. */
export const everyBoard = '*'
