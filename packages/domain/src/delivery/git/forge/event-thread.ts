/** A thread that reads large forge events, so that they hold up no calls (walls 1). */
import '@specboard/storage/prototypes'
import { type EventToRead, readSent } from './event-reading.ts'

/** Reads an event. */
export default (request: EventToRead) => readSent(request)
