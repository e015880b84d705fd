/** Threads that read files of other tools besides the thread that serves calls (walls 5). */
import { Worker } from 'node:worker_threads'
import { Ambiguous, type NeutralRecord, Unreadable } from '@specboard/importers'
import { siblingFile } from '@specboard/storage'
import type { ReaderLimits } from '../../kernel/context.ts'
import { DomainError } from '../../kernel/errors.ts'
import type { FromReader, ToReader, Whole } from './reader-messages.ts'
import { refused } from './refused.ts'

/** The larger a file, the longer it may be read, but never more than a minute (walls 5). */
export const readerLimits: ReaderLimits = {
  heapMb: 512,
  msFor: bytes => Math.min(60_000, 20_000 + Math.ceil(bytes / 2 ** 20) * 1_000),
}

/** The number of threads that read at once; further files wait. */
const maxThreads = 2

/** How long a thread waits for the next file, ms: starting one costs more than a small file. */
const idleMs = 30_000

/** The file size above which a thread ends after reading, so that its memory is freed, bytes. */
const largeFile = 8 << 20

const threadFile = siblingFile(import.meta.url, 'import-reader-thread')

const idle: { readonly worker: Worker; readonly heapMb: number; readonly timer: NodeJS.Timeout }[] = []
const waiting: (() => void)[] = []
let running = 0

/**
 * Reads a file in a thread with a limit of memory and time.
 * @param bytes the size of the file, unpacked
 * @throws DomainError VALIDATION_ERROR for a file that exceeds either
 * @throws Unreadable, Ambiguous
 */
export async function readInThread(task: ToReader, bytes: number, limits: ReaderLimits): Promise<Whole> {
  if (running >= maxThreads) await new Promise<void>(resolve => waiting.push(resolve))
  else running++
  try {
    return await readBy(idleWorker(limits) ?? newWorker(limits), { task, bytes, limits })
  } finally {
    const next = waiting.shift()
    if (next === undefined) running--
    else next()
  }
}

function idleWorker({ heapMb }: ReaderLimits): Worker | undefined {
  const at = idle.findLastIndex(entry => entry.heapMb === heapMb)
  const [next] = at === -1 ? [] : idle.splice(at, 1)
  if (next === undefined) return undefined
  clearTimeout(next.timer)
  next.worker.ref()
  return next.worker
}

function newWorker({ heapMb }: ReaderLimits): Worker {
  const worker = new Worker(threadFile, { resourceLimits: { maxOldGenerationSizeMb: heapMb } })
  // It does not matter to anybody if an idle thread ends, and it must not end the process.
  return worker.on('error', () => forget(worker)).on('exit', () => forget(worker))
}

function forget(worker: Worker): void {
  const at = idle.findIndex(entry => entry.worker === worker)
  for (const { timer } of at === -1 ? [] : idle.splice(at, 1)) clearTimeout(timer)
}

/** Keeps a thread for the next file. */
function keep(worker: Worker, { heapMb }: ReaderLimits): void {
  worker.unref()
  const timer = setTimeout(() => void worker.terminate(), idleMs).unref()
  idle.push({ worker, heapMb, timer })
}

async function readBy(
  worker: Worker,
  { task, bytes, limits }: { readonly task: ToReader; readonly bytes: number; readonly limits: ReaderLimits },
): Promise<Whole> {
  const limit = limits.msFor(bytes)
  const { promise, resolve, reject } = Promise.withResolvers<Whole>()
  const records: NeutralRecord[] = []
  let isKept = false
  const heard = (message: FromReader) => {
    if (message.type === 'records') {
      for (const record of message.records) records.push(record)
      return
    }
    isKept = bytes <= largeFile && message.type !== 'failed'
    if (message.type === 'end') resolve({ ...message.rest, records })
    else reject(errorOf(message))
  }
  const failed = (error: unknown) => reject(endedEarly(error, limits))
  const ended = () => reject(endedEarly(undefined, limits))
  const timer = setTimeout(() => reject(tookTooLong(limit)), limit)
  worker.on('message', heard).on('error', failed).on('exit', ended)
  worker.postMessage(task)
  try {
    return await promise
  } finally {
    clearTimeout(timer)
    worker.off('message', heard).off('error', failed).off('exit', ended)
    if (isKept) keep(worker, limits)
    else void worker.terminate()
  }
}

const tookTooLong = (ms: number): DomainError =>
  refused(`Reading the file took more than ${ms / 1_000} s. Divide it, or import a part of it`)

function endedEarly(error: unknown, { heapMb }: ReaderLimits): Error {
  const isMemory = error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY'
  if (isMemory)
    return refused(`Reading the file took more than ${heapMb} MiB of memory. Divide it, or import a part of it`)
  return error instanceof Error ? error : new Error('The thread that reads a file ended early.')
}

function errorOf(message: Exclude<FromReader, { type: 'records' | 'end' }>): Error {
  if (message.type === 'unreadable') return new Unreadable(message.message, message)
  if (message.type === 'ambiguous') return new Ambiguous(message.message, message.fits)
  if (message.type === 'refused') return new DomainError(message.code, message.message, message.extra)
  return new Error(`A file could not be read: ${message.message}`)
}
