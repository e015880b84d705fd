/** Shapes an answer in the thread that has read it, so that the main thread gets no more than the caller needs. */
import type { Reduce } from '@specboard/domain'
import { type AnswerShape, answerValue } from './answer-value.ts'
import { type ReadOn, underCeiling, type ValueText } from './ceiling.ts'
import type { JsonObject } from './lean-value.ts'

/** The facts that shape an answer in addition to its call, as plain data. */
export type ShapingFacts = Omit<AnswerShape, 'operation' | 'input'>

/** A shaped answer as it is transferred. */
interface ShapedAnswer {
  readonly value: JsonObject
  /** Undefined if it is so large that transferring it would delay other calls. */
  readonly uncut?: JsonObject
}

/** Maximum size of an uncut value that is transferred for later calls of a run, characters. */
const maxUncutLength = 1_000_000

/** Makes the shaped value of an answer. */
const reduce: Reduce = (answer, { operation, input }, facts): ShapedAnswer => {
  const { value, uncut } = answerValue(answer, { ...(facts as ShapingFacts), operation, input })
  const whole = uncut?.()
  return { value, ...(whole !== undefined && JSON.stringify(whole).length <= maxUncutLength && { uncut: whole }) }
}

export default reduce

/**
 * The result of `reduce`, as received from the thread.
 * @param readingOn finds the calls that read the rest, if the value has to be shortened again
 */
export function writtenFrom(json: Uint8Array, readingOn: (value: JsonObject) => ReadOn): ValueText {
  const { value, uncut } = JSON.parse(
    Buffer.from(json.buffer, json.byteOffset, json.byteLength).toString(),
  ) as ShapedAnswer
  const within = (ceiling: number) => underCeiling(value, ceiling, readingOn(value))
  return { value, text: JSON.stringify(value), within, ...(uncut !== undefined && { uncut: () => uncut }) }
}
