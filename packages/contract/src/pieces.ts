/** Work in steps that yields in between, so that other work gets a turn. */
export type InPieces<Result> = Generator<undefined, Result, undefined>

/** Runs all steps at once. */
export function atOnce<Result>(work: InPieces<Result>): Result {
  let piece = work.next()
  while (!piece.done) piece = work.next()
  return piece.value
}

/**
 * Runs the steps one by one, yielding to other work in between.
 * @param turn returns a promise that settles once other work had its turn, such as one of `setImmediate`
 */
export async function runCooperatively<Result>(work: InPieces<Result>, turn: () => Promise<unknown>): Promise<Result> {
  let piece = work.next()
  while (!piece.done) {
    await turn()
    piece = work.next()
  }
  return piece.value
}
