import { Worker } from 'node:worker_threads'
import { littleGarbage, type StoreAddress, siblingFile } from '@specboard/storage'
import type { Limits } from '../../kernel/agent-slots.ts'
import type { ArchiveForm, Parts } from './lines.ts'
import type { SpooledFile } from './spooled-lines.ts'

/** The arguments of the thread. */
export interface SpoolStart {
  readonly address: StoreAddress
  readonly boardId: string
  readonly parts: Parts
  /** A folder of its own for the files. */
  readonly into: string
  readonly form: ArchiveForm
}

/** An attachment of a spooled board. */
export interface SpooledAttachment {
  readonly id: string
  readonly filename: string
  readonly original_filename: string
  readonly sha256: string
  readonly size: number
}

/** The lines of a board as of one moment, in files. */
export interface Spool {
  readonly board: { readonly id: string; readonly key: string; readonly name: string }
  readonly counts: Readonly<Record<string, number>>
  readonly records: SpooledFile
  readonly events: SpooledFile | null
  readonly agents: SpooledFile
  readonly attachments: readonly SpooledAttachment[]
}

/** Boards that are read for archives at once (trust 1). */
export const exportLimits: Limits = { ofAnAgent: 1, ofABoard: 1, ofAll: 2, maxWaitMs: 20_000, label: 'exports' }

const threadFile = siblingFile(import.meta.url, 'spool-thread')

/** Writes the lines of a board to files, in a thread other than the one that serves calls. */
export async function spoolBoard(start: SpoolStart, signal: AbortSignal): Promise<Spool> {
  signal.throwIfAborted()
  return await new Promise((resolve, reject) => {
    const worker = new Worker(threadFile, {
      workerData: start,
      resourceLimits: { ...littleGarbage, maxOldGenerationSizeMb: 256 },
    })
    const stop = () => {
      void worker.terminate()
      reject(signal.reason)
    }
    signal.addEventListener('abort', stop, { once: true })
    worker.once('message', resolve)
    worker.once('error', reject)
    worker.once('exit', () => {
      signal.removeEventListener('abort', stop)
      reject(new Error('The thread that reads a board ended early.'))
    })
  })
}
