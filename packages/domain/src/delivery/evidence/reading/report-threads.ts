/** Threads that read test reports outside the thread that serves calls (evidence 2, rule 2). */
import { siblingFile } from '@specboard/storage'
import type { Piscina } from 'piscina'
import { DomainError } from '../../../kernel/errors.ts'
import type { ReadingRequest } from './gathered.ts'
import type { gather } from './gathering.ts'

type Answer = ReturnType<typeof gather>

const threadFile = siblingFile(import.meta.url, 'report-thread')

/** The number of threads that read at once; further reports wait. */
const maxThreads = 2

/** How long a thread waits for another report, ms. */
const idleMs = 30_000

/** The heap limit of a thread, MiB. */
const heapMb = 384

/** The time limit for reading a report, ms. */
const maxMs = 60_000

let pool: Promise<Piscina<ReadingRequest, Answer>> | undefined

async function start(): Promise<Piscina<ReadingRequest, Answer>> {
  const { Piscina } = await import('piscina')
  return new Piscina<ReadingRequest, Answer>({
    filename: threadFile.href,
    minThreads: 0,
    maxThreads,
    idleTimeout: idleMs,
    resourceLimits: { maxOldGenerationSizeMb: heapMb },
  })
}

/**
 * Reads a report in a thread with a limit of memory and time.
 * @throws DomainError VALIDATION_ERROR for a report that exceeds either
 */
export async function gatherInThread(request: ReadingRequest): Promise<Answer> {
  pool ??= start()
  const signal = AbortSignal.timeout(maxMs)
  try {
    return await (await pool).run(request, { signal })
  } catch (error) {
    const isMemory = error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY'
    if (!signal.aborted && !isMemory) throw error
    throw new DomainError('VALIDATION_ERROR', 'The report takes too much time or memory. Divide it into several.', {
      reason: 'too_many',
    })
  }
}
