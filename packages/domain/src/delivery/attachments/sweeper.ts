import { RepeatedWork } from '../../kernel/followers/repeated-work.ts'
import type { ReadWrite } from '../../schema/database.ts'
import type { AttachmentFiles } from './files/files.ts'
import { removeQueuedFiles } from './removal.ts'

/** How often leftovers are looked for, ms. */
const everyMs = 3_600_000

/**
 * Removes, at start and every hour, the leftovers of unfinished uploads and files that could not be removed with their
 * record.
 */
export const attachmentSweeper = (
  database: ReadWrite,
  files: AttachmentFiles,
  onFault: (error: unknown) => void,
): RepeatedWork =>
  new RepeatedWork({
    act: async () => {
      for (const remove of [() => files.removeUnfinished(), () => removeQueuedFiles(database, files)])
        await remove().catch(onFault)
    },
    everyMs,
    onFault,
    isInEveryProcess: true,
  })
