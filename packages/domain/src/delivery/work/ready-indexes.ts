import type { Context, Environment } from '../../kernel/context.ts'
import type { Steps } from '../../kernel/implement.ts'
import { NotCurrent, ReadyIndex } from './ready-index.ts'

/**
 * The number of cards, links and specs stored over all boards: a card takes 290 bytes, a link 240. The least recently
 * used boards are dropped first; the requested one stays, however large it is.
 */
const maxKept = 300_000

/** The fixed cost of a board, in cards: limits boards without cards too. */
const ofBoard = 100

/** The indexes of ready cards that a process keeps. */
class ReadyIndexes {
  /** In the order in which they were last used. */
  readonly #indexes = new Map<string, ReadyIndex>()

  /** The index of a board, marked as used now. */
  of(board: string): ReadyIndex {
    const index = this.#indexes.get(board) ?? new ReadyIndex(board)
    this.#indexes.delete(board)
    this.#indexes.set(board, index)
    this.#forgetOldest()
    return index
  }

  /** Makes the next call on a board rebuild its index. */
  forget(board: string): void {
    this.#indexes.delete(board)
  }

  #forgetOldest(): void {
    let size = 0
    for (const index of this.#indexes.values()) size += ofBoard + index.size
    for (const [board, index] of this.#indexes) {
      if (size <= maxKept || this.#indexes.size === 1) return
      this.#indexes.delete(board)
      size -= ofBoard + index.size
    }
  }
}

const byEnvironment = new WeakMap<Environment, ReadyIndexes>()

function indexesOf(environment: Environment): ReadyIndexes {
  const indexes = byEnvironment.get(environment) ?? new ReadyIndexes()
  byEnvironment.set(environment, indexes)
  return indexes
}

/** Runs a read with the index of the addressed board, again if the index was not at the read's state. */
export async function onReadyIndex<Value>(
  steps: Steps,
  run: (ctx: Context, index: ReadyIndex) => Promise<Value>,
): Promise<Value> {
  const indexes = indexesOf(steps.environment)
  for (let ahead = 0; ; ) {
    let current: readonly [string, ReadyIndex] | undefined
    try {
      return await steps.read(ctx => {
        current = [ctx.boardId, indexes.of(ctx.boardId)]
        return run(ctx, current[1])
      })
    } catch (error) {
      if (!(error instanceof NotCurrent)) throw error
      const [board, index] = current!
      if (error.standing === 'missing') await index.make(steps)
      // A later read sees what the index has seen, unless the board has been replaced by now.
      else if (++ahead > 1) indexes.forget(board)
    }
  }
}

/** Makes the index of a board be rebuilt, for a caller that found it to be wrong. */
export const forgetReadyIndex = ({ environment, boardId }: Pick<Context, 'environment' | 'boardId'>): void =>
  indexesOf(environment).forget(boardId)
