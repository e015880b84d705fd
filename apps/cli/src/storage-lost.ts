import type { StorageLoss } from '@specboard/storage'

/** Exits the process of a lost database: one line with the cause and the copy, exit code 1 (trust 5). */
export function endLost({ cause, copy }: StorageLoss): never {
  const saved =
    copy === undefined
      ? 'Nothing could be saved; restore a backup.'
      : `What was still open was saved to ${copy}; rename it to specboard.db to continue with it.`
  console.error(`specboard: ${cause} while the service was running. ${saved}`)
  process.exit(1)
}
