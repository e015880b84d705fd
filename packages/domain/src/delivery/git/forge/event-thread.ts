/** A thread that reads large events of forges, so that they keep no call waiting (walls 1). */
import '@specboard/storage/prototypes'
import { type AskedEvent, readSent } from './event-reading.ts'

/** Reads an event. */
export default (asked: AskedEvent) => readSent(asked)
