/** Shapes an answer in the thread that has read it, so that the main thread gets no more than the caller takes. */
import type { Reduce } from '@specboard/domain'
import { answerValue, type Shaping } from './answer-value.ts'
import { type ReadOn, underCeiling, type Written } from './ceiling.ts'
import type { JsonObject } from './lean-value.ts'

/** What shapes an answer besides its call, as data. */
export type Told = Omit<Shaping, 'operation' | 'input'>

/** A shaped answer as it is handed over. */
interface Reduced {
  readonly value: JsonObject
  /** Absent where it is so large that handing it over would hold up others. */
  readonly uncut?: JsonObject
}

/** Characters of an uncut value that are still handed over for the later calls of a run. */
const mostUncut = 1_000_000

/** Makes the shaped value of an answer. */
const reduce: Reduce = (answer, { operation, input }, told): Reduced => {
  const { value, uncut } = answerValue(answer, { ...(told as Told), operation, input })
  const whole = uncut?.()
  return { value, ...(whole !== undefined && JSON.stringify(whole).length <= mostUncut && { uncut: whole }) }
}

export default reduce

/**
 * What `reduce` made, as it came from the thread.
 * @param readingOn what reads on in the value, should it be shortened again
 */
export function writtenFrom(json: Uint8Array, readingOn: (value: JsonObject) => ReadOn): Written {
  const { value, uncut } = JSON.parse(Buffer.from(json.buffer, json.byteOffset, json.byteLength).toString()) as Reduced
  const within = (ceiling: number) => underCeiling(value, ceiling, readingOn(value))
  return { value, text: JSON.stringify(value), within, ...(uncut !== undefined && { uncut: () => uncut }) }
}
