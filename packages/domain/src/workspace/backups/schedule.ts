/** The backups that a running service makes by itself (exchange 3). */

import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import {
  littleGarbage,
  readLastFailure,
  readLastGood,
  readLastRun,
  readScheduledRun,
  siblingFile,
} from '@specboard/storage'
import type { Follower } from '../../kernel/followers/follower.ts'
import { BackupError } from './backup-error.ts'
import { type BackupSchedule, nextRunAt } from './next-run.ts'

/** Where and how often a service backs itself up. */
export interface BackupSettings extends BackupSchedule {
  /** The folder of the backups. */
  readonly into: string
  /** How many of them are kept. */
  readonly keep: number
}

/** The instructions to the thread of a backup. */
export interface BackupTask {
  readonly folder: string
  readonly attachmentsUrl: string | undefined
  readonly target: string
  readonly keep: number
  readonly version: string
  readonly at: string
  readonly isScheduled: true
}

/** Its answer. */
export interface BackupOutcome {
  /** Why it failed; undefined when it succeeded. */
  readonly error?: string
}

/** The newest backup, as get_service_status answers it (board 5). */
export interface BackupStatus {
  readonly last_at: string
  readonly outcome: string
  readonly next_at: string | null
  /** When the newest successful, verified backup began. */
  readonly last_success_at: string | null
  /** When the newest failed one began. */
  readonly last_failure_at: string | null
}

/** The number of intervals without a good backup after which the service reports a problem. */
const patience = 2

/** The longest that a timer can wait, ms. */
const longestWait = 2 ** 31 - 1

const threadFile = siblingFile(import.meta.url, 'backup-thread')

/** Makes backups on schedule, in a thread of their own: reading a copy back would hold up every call. */
export class Backups implements Follower {
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
    /** Called for each backup that failed. */
    readonly onFault: (error: unknown) => void
  }) {
    this.#folder = options.folder
    this.#attachmentsUrl = options.attachmentsUrl
    this.#version = options.version
    this.#settings = options.settings
    this.#clock = options.clock
    this.#onFault = options.onFault
  }

  /** The newest backup, including manual ones; null when there was none. */
  status(): BackupStatus | null {
    const last = readLastRun(this.#folder)
    if (last === undefined) return null
    return {
      last_at: last.last_at,
      outcome: last.outcome,
      next_at: this.#settings === undefined ? null : new Date(this.#nextAt(this.#settings)).toISOString(),
      last_success_at: readLastGood(this.#folder)?.at ?? null,
      last_failure_at: readLastFailure(this.#folder)?.at ?? null,
    }
  }

  /**
   * Problems with the backups of a service that should make them, as sentences without paths; empty if they are on
   * time.
   */
  faults(): readonly string[] {
    if (this.#settings === undefined) return []
    const last = readLastRun(this.#folder)
    const good = readLastGood(this.#folder)
    if (last === undefined) return []
    return [
      ...(last.outcome === 'ok' ? [] : [`the backup of ${last.last_at} failed: see the log, or "specboard doctor"`]),
      ...(good === undefined || existsSync(good.file)
        ? []
        : [`the file of the backup of ${good.at} is gone: make another`]),
      ...(good !== undefined && this.#isTooOld(good.at) ? [`the newest good backup is of ${good.at}`] : []),
    ]
  }

  #isTooOld(at: string): boolean {
    return this.#clock() - Date.parse(at) > patience * this.#settings!.everyMs
  }

  /** Makes a backup whenever one is due, from now on. */
  start(): void {
    if (this.#settings === undefined) return
    const wait = Math.max(0, this.#nextAt(this.#settings) - this.#clock())
    this.#timer = setTimeout(() => void this.#due(), Math.min(wait, longestWait))
    this.#timer.unref()
  }

  /** Makes no more backups; one in progress is abandoned. */
  async stop(): Promise<void> {
    clearTimeout(this.#timer)
    this.#timer = undefined
    await this.#worker?.terminate()
  }

  #nextAt(settings: BackupSettings): number {
    return nextRunAt(settings, readScheduledRun(this.#folder), this.#clock())
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
      isScheduled: true,
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
