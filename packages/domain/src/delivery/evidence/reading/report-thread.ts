/** A thread that reads test reports, so that they hold up no calls (evidence 2, rule 2). */
import '@specboard/storage/prototypes'
import type { ReadingRequest } from './gathered.ts'

// Not before the line above has run, whatever a bundler puts first.
const { gather } = await import('./gathering.ts')

/** Reads a report. */
export default (asked: ReadingRequest) => gather(asked)
