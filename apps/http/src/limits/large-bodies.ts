import { type InPieces, runCooperatively } from '@specboard/contract'

/**
 * A body above this size is large, bytes: it is parsed alone, and judged in pieces. At most 256 KiB (trust 1); with
 * less, many callers of 64 KiB each leave turns for others.
 */
export const largeBodyBytes = 16 << 10

const turn = (): Promise<void> => new Promise(resolve => setImmediate(resolve))

let parsing: Promise<unknown> = Promise.resolve()

/** Runs the parse of a large body once those before it are done, with a turn of the event loop between them. */
export function oneAtATime<Value>(parse: () => Value): Promise<Value> {
  const parsed = parsing.then(turn).then(parse)
  parsing = parsed.catch(() => {})
  return parsed
}

/** Does work on a large body in pieces, with a turn of the event loop between them. */
export const inPieces = <Result>(work: InPieces<Result>): Promise<Result> => runCooperatively(work, turn)
