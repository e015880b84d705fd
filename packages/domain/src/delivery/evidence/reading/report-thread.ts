/** A thread that reads test reports, so that they hold up no calls (evidence 2, rule 2). */
import '@specboard/storage/prototypes'
import type { ReadingRequest } from './gathered.ts'

// Must not run before the import above, however a bundler orders them.
const { gather } = await import('./gathering.ts')

/** Reads a report. */
export default (request: ReadingRequest) => gather(request)
