/** Threads that read large events outside the thread that serves calls (git 2). */
import { siblingFile } from '@specboard/storage'
import type { Piscina } from 'piscina'
import { type EventRead, type EventToRead, readSent } from './event-reading.ts'

const threadFile = siblingFile(import.meta.url, 'event-thread')

/** The size from which an event is read in a thread, bytes: reading a smaller one takes only a few milliseconds. */
const beside = 256 << 10

/** The number of threads that read at once; further events wait. */
const maxThreads = 2

/** How long a thread waits for another event, ms. */
const idleMs = 30_000

/** The heap limit of a thread, MiB. */
const heapMb = 256

/** The time limit for reading an event, ms. */
const maxMs = 30_000

let pool: Promise<Piscina<EventToRead, EventRead | undefined>> | undefined

async function start(): Promise<Piscina<EventToRead, EventRead | undefined>> {
  const { Piscina } = await import('piscina')
  return new Piscina<EventToRead, EventRead | undefined>({
    filename: threadFile.href,
    minThreads: 0,
    maxThreads,
    idleTimeout: idleMs,
    resourceLimits: { maxOldGenerationSizeMb: heapMb },
  })
}

const sizeOf = ({ sent }: EventToRead): number => ('text' in sent ? sent.text.length : sent.bytes.byteLength)

/** The contents of an event, a large one read in a thread; undefined if it cannot be read, or exceeds the limits. */
export async function readEventSent(request: EventToRead): Promise<EventRead | undefined> {
  if (sizeOf(request) < beside) return readSent(request)
  pool ??= start()
  const signal = AbortSignal.timeout(maxMs)
  try {
    return await (await pool).run(request, { signal })
  } catch (error) {
    const isMemory = error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY'
    if (!signal.aborted && !isMemory) throw error
    return undefined
  }
}
