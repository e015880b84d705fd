import type { Context, Environment } from '../../kernel/context.ts'
import type { Steps } from '../../kernel/implement.ts'
import { NotCurrent, ReadyIndex } from './ready-index.ts'

/**
 * So many cards, links and specs are kept over all boards: a card takes 290 bytes, a link 240. The boards that were longest not asked for go first; the one that
 * is asked for stays, however large it is.
 */
const mostKept = 300_000

/** What a board takes beside its cards, as so many of them: boards without cards are bounded too. */
const ofBoard = 100

/** The indexes of ready cards that a process keeps. */
class ReadyIndexes {
  /** In the order in which they were last asked for. */
  readonly #indexes = new Map<string, ReadyIndex>()

  /** The index of a board, which is asked for now. */
  of(board: string): ReadyIndex {
    const index = this.#indexes.get(board) ?? new ReadyIndex(board)
    this.#indexes.delete(board)
    this.#indexes.set(board, index)
    this.#forgetOldest()
    return index
  }

  /** Lets the next call of a board make its index anew. */
  forget(board: string): void {
    this.#indexes.delete(board)
  }

  #forgetOldest(): void {
    let kept = 0
    for (const index of this.#indexes.values()) kept += ofBoard + index.size
    for (const [board, index] of this.#indexes) {
      if (kept <= mostKept || this.#indexes.size === 1) return
      this.#indexes.delete(board)
      kept -= ofBoard + index.size
    }
  }
}

const kept = new WeakMap<Environment, ReadyIndexes>()

function indexesOf(environment: Environment): ReadyIndexes {
  const indexes = kept.get(environment) ?? new ReadyIndexes()
  kept.set(environment, indexes)
  return indexes
}

/** Runs a read with the index of the board that the call addresses, again where that was not as current as the read. */
export async function onReadyIndex<Value>(
  steps: Steps,
  run: (ctx: Context, index: ReadyIndex) => Promise<Value>,
): Promise<Value> {
  const indexes = indexesOf(steps.environment)
  for (let ahead = 0; ; ) {
    let asked: readonly [string, ReadyIndex] | undefined
    try {
      return await steps.read(ctx => {
        asked = [ctx.boardId, indexes.of(ctx.boardId)]
        return run(ctx, asked[1])
      })
    } catch (error) {
      if (!(error instanceof NotCurrent)) throw error
      const [board, index] = asked!
      if (error.standing === 'missing') await index.make(steps)
      // A later read sees what the index has seen, unless the board is another one by now.
      else if (++ahead > 1) indexes.forget(board)
    }
  }
}

/** Lets the index of a board be made anew, for whoever found that it was wrong. */
export const forgetReadyIndex = ({ environment, boardId }: Pick<Context, 'environment' | 'boardId'>): void =>
  indexesOf(environment).forget(boardId)
