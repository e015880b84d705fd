import { type InPieces, runCooperatively } from '@specboard/contract'

/**
 * The size above which a body is large, bytes: it is parsed alone, and validated in pieces. At most 256 KiB (trust 1);
 * with less, many callers of 64 KiB each leave turns for others.
 */
export const largeBodyBytes = 16 << 10

const turn = (): Promise<void> => new Promise(resolve => setImmediate(resolve))

let parsing: Promise<unknown> = Promise.resolve()

/** Parses a large body once those before it are done, yielding to the event loop in between. */
export function oneAtATime<Value>(parse: () => Value): Promise<Value> {
  const parsed = parsing.then(turn).then(parse)
  parsing = parsed.catch(() => {})
  return parsed
}

/** Processes a large body in pieces, yielding to the event loop in between. */
export const inPieces = <Result>(work: InPieces<Result>): Promise<Result> => runCooperatively(work, turn)
