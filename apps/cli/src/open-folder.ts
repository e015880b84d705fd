import { openToOthers } from '@specboard/storage'
import type { Logger } from 'pino'

/** Warns at start that others may read or enter the data folder, or read its files (trust 5). */
export function warnOfOpenFolder(folder: string, log: Logger): void {
  const paths = openToOthers(folder, { within: false })
  if (paths.length === 0) return
  log.warn({ paths }, 'the data folder is open to other users')
  console.error(`specboard: other users may read the data folder ${folder}. "specboard doctor --fix" restricts access.`)
}
