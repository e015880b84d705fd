/** The backups that a running service makes of itself (exchange 3). */

import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { littleGarbage, readLastRun, siblingFile } from '@specboard/storage'
import { BackupError } from './backup-error.ts'

/** Where and how often a service backs itself up. */
export interface BackupSettings {
  /** The folder of the backups. */
  readonly into: string
  readonly everyMs: number
  /** How many of them stay. */
  readonly keep: number
}

/** What the thread of a backup is told. */
export interface BackupTask {
  readonly folder: string
  readonly attachmentsUrl: string | undefined
  readonly target: string
  readonly keep: number
  readonly version: string
  readonly at: string
}

/** What it answers. */
export interface BackupOutcome {
  /** Why it failed; undefined when it was made. */
  readonly error?: string
}

/** The newest backup, as get_service_status answers it (board 5). */
export interface BackupStatus {
  readonly last_at: string
  readonly outcome: string
  readonly next_at: string | null
}

/** The longest that a timer can wait, ms. */
const longestWait = 2 ** 31 - 1

const threadFile = siblingFile(import.meta.url, 'backup-thread')

/** Makes backups in time, in a thread of their own: reading a copy back would hold every call up. */
export class Backups {
  readonly #folder: string
  readonly #attachmentsUrl: string | undefined
  readonly #version: string
  readonly #settings: BackupSettings | undefined
  readonly #clock: () => number
  readonly #onFault: (error: unknown) => void
  #timer: NodeJS.Timeout | undefined
  #worker: Worker | undefined

  constructor(options: {
    readonly folder: string
    readonly attachmentsUrl: string | undefined
    readonly version: string
    readonly settings: BackupSettings | undefined
    readonly clock: () => number
    /** Told of each backup that failed. */
    readonly onFault: (error: unknown) => void
  }) {
    this.#folder = options.folder
    this.#attachmentsUrl = options.attachmentsUrl
    this.#version = options.version
    this.#settings = options.settings
    this.#clock = options.clock
    this.#onFault = options.onFault
  }

  /** The newest backup, also one that was made by hand; null when there was none. */
  status(): BackupStatus | null {
    const last = readLastRun(this.#folder)
    if (last === undefined) return null
    const next_at = this.#settings === undefined ? null : new Date(this.#nextAt(this.#settings)).toISOString()
    return { last_at: last.last_at, outcome: last.outcome, next_at }
  }

  /** Makes a backup whenever one is due, from now on. */
  start(): void {
    if (this.#settings === undefined) return
    const wait = Math.max(0, this.#nextAt(this.#settings) - this.#clock())
    this.#timer = setTimeout(() => void this.#due(), Math.min(wait, longestWait))
    this.#timer.unref()
  }

  /** Makes no more; one that is being made is given up. */
  async stop(): Promise<void> {
    clearTimeout(this.#timer)
    this.#timer = undefined
    await this.#worker?.terminate()
  }

  #nextAt({ everyMs }: BackupSettings): number {
    const last = readLastRun(this.#folder)
    return last === undefined ? this.#clock() : Date.parse(last.last_at) + everyMs
  }

  async #due(): Promise<void> {
    const settings = this.#settings!
    const isStopped = () => this.#timer === undefined
    if (this.#nextAt(settings) <= this.#clock())
      await this.#make(settings).catch(error => {
        if (!isStopped()) this.#onFault(error)
      })
    if (!isStopped()) this.start()
  }

  async #make({ into, keep }: BackupSettings): Promise<void> {
    const at = new Date(this.#clock()).toISOString()
    const task: BackupTask = {
      folder: this.#folder,
      attachmentsUrl: this.#attachmentsUrl,
      target: join(into, '/'),
      keep,
      version: this.#version,
      at,
    }
    const worker = new Worker(threadFile, { workerData: task, resourceLimits: littleGarbage })
    this.#worker = worker
    try {
      const outcome = await new Promise<BackupOutcome>((resolve, reject) => {
        worker.once('message', resolve)
        worker.once('error', reject)
        worker.once('exit', () => reject(new BackupError('The backup was given up: the service was stopped.')))
      })
      if (outcome.error !== undefined) throw new BackupError(`The backup failed: ${outcome.error}`)
    } finally {
      this.#worker = undefined
    }
  }
}
