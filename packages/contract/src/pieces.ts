/** Work that is done in pieces: it yields between them, so that others get a turn. */
export type InPieces<Result> = Generator<undefined, Result, undefined>

/** Does all pieces at once. */
export function atOnce<Result>(work: InPieces<Result>): Result {
  let piece = work.next()
  while (!piece.done) piece = work.next()
  return piece.value
}

/**
 * Does the pieces one by one, with a turn for others between them.
 * @param turn settles once the others had theirs, such as a promise of `setImmediate`
 */
export async function inTurns<Result>(work: InPieces<Result>, turn: () => Promise<unknown>): Promise<Result> {
  let piece = work.next()
  while (!piece.done) {
    await turn()
    piece = work.next()
  }
  return piece.value
}
