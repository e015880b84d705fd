import { rmSync, writeFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { makeFolder } from '@specboard/storage'
import { errorMessage } from './error-message.ts'
import { SettingError } from './setting-sources.ts'

/**
 * Shows the owner's key of a first start, once: on standard output, or in a given file that only its user can read,
 * because the output of a container or unit is kept in logs that others read (walls 9).
 * @throws SettingError for a file that cannot be written
 */
export function showFirstKey(key: string, file: string | undefined): void {
  if (file === undefined) {
    console.log(`API key: ${key}`)
    console.log('This is the owner\'s key, shown once. Lost it? "specboard key reset-owner" creates a new one.')
    return
  }
  try {
    makeFolder(dirname(resolve(file)))
    rmSync(file, { force: true })
    writeFileSync(file, `${key}\n`, { flag: 'wx', mode: 0o600 })
  } catch (error) {
    const why = errorMessage(error)
    throw new SettingError(
      `SPECBOARD_OWNER_KEY_FILE names ${file}, which cannot be written (${why}). Correct it, and create another with "specboard key reset-owner": the first one was never shown.`,
      { cause: error },
    )
  }
  console.log(`The owner's key is in ${file}, readable only by this user: save it elsewhere and delete the file.`)
}
