/** The scheduled backups of a running service (exchange 3). */

import { existsSync } from 'node:fs'
import { access, constants } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
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
import { type BackupFile, listBackups } from './files.ts'
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
  readonly isScheduled: boolean
}

/** The answer of that thread. */
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

/** All about the backups of a service, as get_backups answers it (board 5). */
export interface ListedBackups {
  readonly state: 'ready' | 'unwritable' | 'off' | 'external'
  readonly late: boolean
  readonly every_hours: number | null
  readonly keep: number | null
  readonly next_at: string | null
  readonly running_since: string | null
  readonly last_success_at: string | null
  readonly last_success_gone: boolean
  readonly last_failure_at: string | null
  readonly last_failure: string | null
  readonly items: BackupFile[]
}

const hour = 3_600_000

/** The number of intervals without a good backup after which the service reports a problem. */
const patience = 2

/** The longest that a timer can wait, ms. */
const maxTimerMs = 2 ** 31 - 1

const threadFile = siblingFile(import.meta.url, 'backup-thread')

/** Makes backups on schedule, in a thread of their own: reading a copy back would hold up every call. */
export class Backups implements Follower {
  readonly #folder: string
  readonly #attachmentsUrl: string | undefined
  readonly #version: string
  readonly #settings: BackupSettings | undefined
  readonly #clock: () => number
  readonly #onFault: (error: unknown) => void
  readonly #isShared: boolean
  #timer: NodeJS.Timeout | undefined
  #running: { readonly since: string; readonly worker: Worker; readonly ended: Promise<void> } | undefined
  #isStopped = false

  constructor(options: {
    readonly folder: string
    readonly attachmentsUrl: string | undefined
    readonly version: string
    readonly settings: BackupSettings | undefined
    /** Whether the database is on PostgreSQL, which is backed up by other means. */
    readonly isShared: boolean
    readonly clock: () => number
    /** Called for each backup that failed. */
    readonly onFault: (error: unknown) => void
  }) {
    this.#folder = options.folder
    this.#attachmentsUrl = options.attachmentsUrl
    this.#version = options.version
    this.#settings = options.settings
    this.#isShared = options.isShared
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

  /** Whether this service makes backups: `off` where no folder is set, `external` where its database is PostgreSQL. */
  get state(): 'ready' | 'off' | 'external' {
    if (this.#isShared) return 'external'
    return this.#settings === undefined ? 'off' : 'ready'
  }

  /** Whether one is being made. */
  get isRunning(): boolean {
    return this.#running !== undefined
  }

  /** The backups in the folder, and what is known of those made and due. */
  async listed(): Promise<ListedBackups> {
    const settings = this.#settings
    // Read first: if none was running, the rest covers all that have ended.
    const running_since = this.#running?.since ?? null
    const isWritable = settings === undefined || (await canWrite(resolve(settings.into)))
    const items = settings === undefined ? [] : await listBackups(settings.into)
    const good = readLastGood(this.#folder)
    const failure = readLastFailure(this.#folder)
    return {
      state: isWritable ? this.state : 'unwritable',
      late: settings !== undefined && good !== undefined && this.#isTooOld(good.at),
      every_hours: settings === undefined ? null : settings.everyMs / hour,
      keep: settings?.keep ?? null,
      next_at: settings === undefined ? null : new Date(this.#nextAt(settings)).toISOString(),
      running_since,
      last_success_at: good?.at ?? null,
      last_success_gone: good !== undefined && !existsSync(good.file),
      last_failure_at: failure?.at ?? null,
      last_failure: failure?.reason ?? null,
      items,
    }
  }

  /**
   * Makes a backup outside the schedule, which does not change; does nothing while a backup is being made, or if none
   * can be made. The outcome is recorded like that of any other backup.
   */
  makeNow(): void {
    if (this.#settings === undefined || this.isRunning || this.#isStopped) return
    this.#made(this.#settings, false)
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
        : [`the file of the backup of ${good.at} is gone: create another`]),
      ...(good !== undefined && this.#isTooOld(good.at) ? [`the newest good backup is from ${good.at}`] : []),
    ]
  }

  #isTooOld(at: string): boolean {
    return this.#clock() - Date.parse(at) > patience * this.#settings!.everyMs
  }

  /** Makes a backup whenever one is due, from now on. */
  start(): void {
    this.#isStopped = false
    if (this.#settings === undefined) return
    const dueAt = this.#nextAt(this.#settings)
    const wait = Math.max(0, dueAt - this.#clock())
    this.#timer = setTimeout(() => void this.#due(dueAt), Math.min(wait, maxTimerMs))
    this.#timer.unref()
  }

  /** Makes no more backups; one in progress is abandoned. */
  async stop(): Promise<void> {
    this.#isStopped = true
    clearTimeout(this.#timer)
    await this.#running?.worker.terminate()
    await this.#running?.ended
  }

  #nextAt(settings: BackupSettings): number {
    return nextRunAt(settings, readScheduledRun(this.#folder), this.#clock())
  }

  /**
   * @param dueAt when the backup is due, ms, as it was when the timer was set: before the first one, the next time of
   *   day is always ahead
   */
  async #due(dueAt: number): Promise<void> {
    const settings = this.#settings!
    await this.#running?.ended
    if (!this.#isStopped && dueAt <= this.#clock()) await this.#made(settings, true)
    if (!this.#isStopped) this.start()
  }

  /** Makes a backup; resolves when it has ended, also if it failed. */
  #made({ into, keep }: BackupSettings, isScheduled: boolean): Promise<void> {
    const at = new Date(this.#clock()).toISOString()
    const task: BackupTask = {
      folder: this.#folder,
      attachmentsUrl: this.#attachmentsUrl,
      target: join(into, '/'),
      keep,
      version: this.#version,
      at,
      isScheduled,
    }
    const worker = new Worker(threadFile, { workerData: task, resourceLimits: littleGarbage })
    const ended = outcomeOf(worker)
      .catch(error => {
        if (!this.#isStopped) this.#onFault(error)
      })
      .finally(() => {
        this.#running = undefined
      })
    this.#running = { since: at, worker, ended }
    return ended
  }
}

/** @throws BackupError if the backup failed or was given up */
async function outcomeOf(worker: Worker): Promise<void> {
  const { error } = await new Promise<BackupOutcome>((resolve, reject) => {
    worker.once('message', resolve)
    worker.once('error', reject)
    worker.once('exit', () => reject(new BackupError('The backup was given up: the service was stopped.')))
  })
  if (error !== undefined) throw new BackupError(`The backup failed: ${error}`)
}

/** Whether files can be created in a folder, or the folder itself if it does not exist yet. */
async function canWrite(folder: string): Promise<boolean> {
  try {
    await access(folder, constants.W_OK)
    return true
  } catch (error) {
    const isMissing = error instanceof Error && 'code' in error && error.code === 'ENOENT'
    return isMissing && dirname(folder) !== folder && (await canWrite(dirname(folder)))
  }
}
