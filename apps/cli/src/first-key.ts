import { rmSync, writeFileSync } from 'node:fs'

/**
 * Shows the owner's key of a first start, once: on standard output, or in a given file that only its user can read,
 * because the output of a container or unit is kept in logs that others read (walls 9).
 */
export function showFirstKey(key: string, file: string | undefined): void {
  if (file === undefined) {
    console.log(`API key: ${key}`)
    console.log('This is the owner\'s key, shown once. Lost it? "specboard key reset-owner" creates a new one.')
    return
  }
  rmSync(file, { force: true })
  writeFileSync(file, `${key}\n`, { flag: 'wx', mode: 0o600 })
  console.log(`The owner's key is in ${file}, for this user alone: keep it elsewhere and delete the file.`)
}
