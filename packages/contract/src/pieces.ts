/** Work that is done in pieces and yields between them, so that other work gets a turn. */
export type InPieces<Result> = Generator<undefined, Result, undefined>

/** Does all pieces at once. */
export function atOnce<Result>(work: InPieces<Result>): Result {
  let piece = work.next()
  while (!piece.done) piece = work.next()
  return piece.value
}

/**
 * Does the pieces one by one, with a turn for other work between them.
 * @param turn gives a promise that settles once other work had its turn, such as one of `setImmediate`
 */
export async function runCooperatively<Result>(work: InPieces<Result>, turn: () => Promise<unknown>): Promise<Result> {
  let piece = work.next()
  while (!piece.done) {
    await turn()
    piece = work.next()
  }
  return piece.value
}
