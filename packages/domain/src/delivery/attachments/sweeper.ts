import { RepeatedWork } from '../../lib/repeated-work.ts'
import type { ReadWrite } from '../../schema/database.ts'
import type { AttachmentFiles } from './files/files.ts'
import { removeQueuedFiles } from './removal.ts'

/** How often leftovers are looked for, ms. */
const everyMs = 3_600_000

/**
 * Removes, at start and every hour, the leftovers of unfinished uploads and files that could not be removed with their
 * record.
 */
export class AttachmentSweeper {
  readonly #database: ReadWrite
  readonly #files: AttachmentFiles
  readonly #onFault: (error: unknown) => void
  readonly #work: RepeatedWork

  constructor(database: ReadWrite, files: AttachmentFiles, onFault: (error: unknown) => void) {
    this.#database = database
    this.#files = files
    this.#onFault = onFault
    this.#work = new RepeatedWork({ act: () => this.#sweep(), everyMs, onFault })
  }

  start(): void {
    this.#work.start()
  }

  stop(): Promise<void> {
    return this.#work.stop()
  }

  async #sweep(): Promise<void> {
    for (const remove of [() => this.#files.removeUnfinished(), () => removeQueuedFiles(this.#database, this.#files)])
      await remove().catch(this.#onFault)
  }
}
