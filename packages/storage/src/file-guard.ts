import { backupPhrase } from './backups.ts'
import type { Connection } from './connection.ts'
import { databaseFile } from './data-folder.ts'
import { errorMessage } from './error-message.ts'
import { type FileLoss, FileWatch } from './file-watch.ts'
import { keptLogs, logLossText } from './log-loss.ts'
import type { PageCheck } from './page-check.ts'
import { mayStay, putLogAside, rescue, writeBackLostLog } from './rescue.ts'
import { StorageError } from './storage-error.ts'

/** How often the files are checked, and the age of the last check from which a commit checks first, ms. */
const lookMs = 250

/** How long calls are still answered once the files are lost, ms (trust 5). */
const lastAnswersMs = 5_000

/** How the files of an open database were lost (trust 5). */
export interface StorageLoss {
  /** What happened, such as `specboard.db was removed`. */
  readonly cause: string
  /** The file to which the still open data was copied; undefined when that failed. */
  readonly copy: string | undefined
}

/** The condition of a database's files. */
export interface StorageCondition {
  /** Whether the files are lost: then nothing can be written any more. */
  readonly isLost: boolean
  /** The problems, in sentences without paths. */
  readonly problems: readonly string[]
}

/** Callbacks about the files of an open database. */
export interface GuardOptions {
  /** Called once for each problem. */
  readonly onProblem?: (problem: string) => void
  /** Called when the files were lost, once everything is closed; the process can only exit. */
  readonly onLoss?: (loss: StorageLoss) => void
  /** How long calls are answered once the files are lost, ms. */
  readonly lastAnswersMs?: number
}

/** The open database that is guarded. */
export interface GuardedDatabase {
  readonly folder: string
  readonly writer: Connection
  readonly check: PageCheck
  /** Refuses all writes with an error; resolves once none is running. */
  readonly refuseWrites: (error: StorageError) => Promise<void>
  /** Closes the writer, calls back, then closes everything else. */
  readonly closeLost: (writerClosed: () => unknown) => void
}

/**
 * Guards the files of an open database (trust 5): reports what is wrong with them, and when they are lost under the
 * running service refuses all writes and saves what is still open.
 */
export class FileGuard implements StorageCondition {
  readonly problems: string[] = []
  readonly #guarded: GuardedDatabase
  readonly #options: GuardOptions
  readonly #watch: FileWatch
  readonly #looking: NodeJS.Timeout
  #lookedAt = performance.now()
  #isDamaged = false
  #lost: StorageError | undefined
  #losing: Promise<StorageLoss> | undefined
  /** Ends the time in which calls are still answered. */
  readonly #answered = Promise.withResolvers<void>()

  constructor(guarded: GuardedDatabase, options: GuardOptions) {
    const { folder, check } = guarded
    this.#guarded = guarded
    this.#options = options
    this.#watch = new FileWatch(databaseFile(folder))
    this.#looking = setInterval(() => this.#look(), lookMs).unref()
    for (const { since } of keptLogs(databaseFile(folder))) this.#tell(logLossText(folder, since))
    check.fault.then(
      fault => fault !== undefined && this.tellDamage(fault),
      error => this.#tell(`the database could not be checked: ${errorMessage(error)}`),
    )
  }

  get isLost(): boolean {
    return this.#lost !== undefined
  }

  /**
   * Checks the files unless they were checked just now, so that no write to lost files is acknowledged.
   * @throws StorageError STORAGE_LOST
   */
  assertPresent(): void {
    if (performance.now() - this.#lookedAt > lookMs) this.#look()
    if (this.#lost !== undefined) throw this.#lost
  }

  /** The reason behind a failed statement: the loss of the files if they are lost, otherwise undefined. */
  lossBehind(): StorageError | undefined {
    this.#look()
    return this.#lost
  }

  /** Reports a fault in the pages; further faults are not reported, since they probably follow from it. */
  tellDamage(fault: string): void {
    if (this.#isDamaged) return
    this.#isDamaged = true
    this.#tell(`the database is damaged: ${fault}; newest backup: ${backupPhrase(this.#guarded.folder)}`)
  }

  /** Ends the watch. When the files are lost, what was still open has been saved, and everything is closed. */
  async end(): Promise<'present' | 'lost'> {
    clearInterval(this.#looking)
    this.#look()
    await this.#guarded.check.end()
    if (this.#losing === undefined) return 'present'
    this.#answered.resolve()
    await this.#losing
    return 'lost'
  }

  /** Releases the files, once all connections are closed. */
  release(): void {
    this.#watch.close()
  }

  #tell(problem: string): void {
    if (this.problems.includes(problem)) return
    this.problems.push(problem)
    this.#options.onProblem?.(problem)
  }

  #look(): void {
    if (this.#lost !== undefined) return
    this.#lookedAt = performance.now()
    this.#try(() => {
      const found = this.#watch.look()
      if (found !== undefined) this.#losing = this.#lose(found)
    })
  }

  async #lose(found: FileLoss): Promise<StorageLoss> {
    const { cause } = found
    clearInterval(this.#looking)
    const { folder, writer, check, refuseWrites, closeLost } = this.#guarded
    const file = databaseFile(folder)
    this.#lost = new StorageError(
      'STORAGE_LOST',
      `The storage was lost: ${cause} while the service was running. Nothing was stored, and the service will stop soon. Tell its operator.`,
    )
    this.#tell(`the storage was lost: ${cause} while the service was running`)
    const timer = setTimeout(this.#answered.resolve, this.#options.lastAnswersMs ?? lastAnswersMs)
    await refuseWrites(this.#lost)
    const copy = await rescue(file, writer, this.#watch).catch(error => {
      this.#tell(`nothing of the storage could be saved: ${errorMessage(error)}`)
      return undefined
    })
    await this.#answered.promise
    clearTimeout(timer)
    await check.end()
    this.#try(() => writeBackLostLog(found, writer))
    this.#try(() => closeLost(() => mayStay(found) || this.#try(() => putLogAside(file))))
    this.#watch.close()
    const loss = { cause, copy }
    this.#options.onLoss?.(loss)
    return loss
  }

  /** Does something that may fail with the disk; the rest is done anyway. */
  #try(act: () => void): void {
    try {
      act()
    } catch (error) {
      this.#tell(errorMessage(error))
    }
  }
}
