import { Worker } from 'node:worker_threads'
import { type Connection, checkpointPages } from './connection.ts'
import { littleGarbage, siblingFile } from './sibling-file.ts'

/** Where the thread fails, a commit writes the log back at so many pages (256 MiB). */
export const backstopPages = 64_000

/** When a log is written back. */
export interface CheckpointOptions {
  /** The pages of a log from which on it is. */
  readonly fromPages: number
  /** How often commits ask how long it is, ms. */
  readonly askMs: number
  /** A start is not disturbed by the log that a killed service left: its write-back begins so long after, ms. */
  readonly restMs: number
}

const usual: CheckpointOptions = { fromPages: checkpointPages, askMs: 50, restMs: 2_000 }

/** After a failure, such as a full disk, it is tried again so long after, ms. */
const againMs = 5_000

/**
 * Writes the log back into the database in a thread, because it waits for the disk, which would keep the event loop from
 * all callers. A first pass leaves writers alone; then they wait while what they wrote meanwhile follows, so that the log
 * begins anew.
 */
export class Checkpointer {
  readonly #file: string
  readonly #writer: Connection
  #worker: Worker | undefined
  /** The passes that are made at present. */
  #passes: Promise<void> | undefined
  /** Settles when writers may go on; undefined while nothing holds them. */
  #hold: Promise<void> | undefined
  readonly #options: CheckpointOptions
  #notBefore: number
  #isEnded = false

  /** @param writer the connection whose log it is; it is asked for its length */
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

  /** Settles when the log that is being written back at present is; undefined while none is. */
  get passes(): Promise<void> | undefined {
    return this.#passes
  }

  /** Looks after a commit whether the log has to be written back. */
  committed(): void {
    if (this.#passes !== undefined || this.#isEnded || performance.now() < this.#notBefore) return
    this.#notBefore = performance.now() + this.#options.askMs
    if (this.#waiting() < this.#options.fromPages) return
    this.#passes = this.#writeBack().finally(() => {
      this.#passes = undefined
    })
  }

  /** Ends the thread, after the pass that it is at. */
  async end(): Promise<void> {
    this.#isEnded = true
    await this.#passes
    await this.#worker?.terminate()
  }

  /** The pages of the log that are not in the database. */
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
    const answered = (fault: string | undefined) => (fault === undefined ? resolve() : reject(new Error(fault)))
    const gone = () => reject(new Error('The thread ended.'))
    worker.once('message', answered).once('exit', gone)
    worker.postMessage(undefined)
    await promise.finally(() => worker.off('message', answered).off('exit', gone))
  }

  #start(): Worker {
    const worker = new Worker(siblingFile(import.meta.url, 'checkpoint-thread'), {
      workerData: this.#file,
      resourceLimits: littleGarbage,
    })
    worker.unref()
    // Whoever waits for a pass is told by the exit that follows.
    worker.on('error', () => {})
    worker.once('exit', () => {
      this.#worker = undefined
    })
    return worker
  }
}
