import { Worker } from 'node:worker_threads'
import { type Connection, checkpointPages } from './connection.ts'
import { littleGarbage, siblingFile } from './sibling-file.ts'

/** The log size at which a commit writes the log back itself because the thread fails, pages (256 MiB). */
export const backstopPages = 64_000

/** When a log is written back. */
export interface CheckpointOptions {
  /** The number of pages from which a log is written back. */
  readonly fromPages: number
  /** How often commits check its length, ms. */
  readonly askMs: number
  /** A start is not disturbed by the log of a killed service: writing it back begins after this delay, ms. */
  readonly restMs: number
  /** How long the thread waits for the next log before it ends, ms: as long as it lives, it takes 12 MiB of memory. */
  readonly idleMs: number
}

const usual: CheckpointOptions = { fromPages: checkpointPages, askMs: 50, restMs: 2_000, idleMs: 10_000 }

/** The delay before a retry after a failure, such as a full disk, ms. */
const againMs = 5_000

/**
 * Writes the log back into the database in a thread, because that waits for the disk, which would block the event loop.
 * The first passes do not affect writers; during the last one they wait while the remaining writes are written back, so
 * that the log starts over.
 */
export class Checkpointer {
  readonly #file: string
  readonly #writer: Connection
  #worker: Worker | undefined
  /** Ends the thread if no log needs it by then. */
  #idle: NodeJS.Timeout | undefined
  /** The passes in progress. */
  #passes: Promise<void> | undefined
  /** Resolves when writers may continue; undefined while nothing holds them back. */
  #hold: Promise<void> | undefined
  readonly #options: CheckpointOptions
  #notBefore: number
  #isEnded = false

  /** @param writer the connection whose log it is; its length is read through it */
  constructor(file: string, writer: Connection, options: CheckpointOptions = usual) {
    this.#file = file
    this.#writer = writer
    this.#options = options
    this.#notBefore = performance.now() + options.restMs
  }

  /** What the next group of writes has to wait for. */
  get hold(): Promise<void> | undefined {
    return this.#hold
  }

  /** Resolves when the passes in progress have written the log back; undefined if there are none. */
  get passes(): Promise<void> | undefined {
    return this.#passes
  }

  /** Checks after a commit whether the log has to be written back. */
  committed(): void {
    if (this.#passes !== undefined || this.#isEnded || performance.now() < this.#notBefore) return
    this.#notBefore = performance.now() + this.#options.askMs
    if (this.#waiting() < this.#options.fromPages) return
    clearTimeout(this.#idle)
    this.#passes = this.#writeBack().finally(() => {
      this.#passes = undefined
      this.#idle = setTimeout(() => this.#endThread(), this.#options.idleMs).unref()
    })
  }

  /** Ends the thread, after its current pass. */
  async end(): Promise<void> {
    this.#isEnded = true
    await this.#passes
    await this.#endThread()
  }

  async #endThread(): Promise<void> {
    clearTimeout(this.#idle)
    const worker = this.#worker
    this.#worker = undefined
    await worker?.terminate()
  }

  /** The pages of the log that are not yet in the database. */
  #waiting(): number {
    const [{ log, checkpointed }] = this.#writer.rows<{ log: number; checkpointed: number }>(
      'pragma wal_checkpoint(noop)',
    ) as [{ log: number; checkpointed: number }]
    return log - checkpointed
  }

  async #writeBack(): Promise<void> {
    try {
      do await this.#pass()
      while (this.#waiting() >= this.#options.fromPages && !this.#isEnded)
      if (this.#waiting() === 0 || this.#isEnded) return
      const last = this.#pass()
      this.#hold = last.catch(() => {})
      await last
    } catch {
      this.#notBefore = performance.now() + againMs
    } finally {
      this.#hold = undefined
    }
  }

  /** @throws Error when the log could not be written back */
  async #pass(): Promise<void> {
    this.#worker ??= this.#start()
    const worker = this.#worker
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const onMessage = (fault: string | undefined) => (fault === undefined ? resolve() : reject(new Error(fault)))
    const onExit = () => reject(new Error('The thread ended.'))
    worker.once('message', onMessage).once('exit', onExit)
    worker.postMessage(undefined)
    await promise.finally(() => worker.off('message', onMessage).off('exit', onExit))
  }

  #start(): Worker {
    const worker = new Worker(siblingFile(import.meta.url, 'checkpoint-thread'), {
      workerData: this.#file,
      resourceLimits: littleGarbage,
    })
    worker.unref()
    // A caller that waits for a pass gets the error from the exit that follows.
    worker.on('error', () => {})
    worker.once('exit', () => {
      if (this.#worker === worker) this.#worker = undefined
    })
    return worker
  }
}
