import { existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { databaseName } from './data-folder.ts'

/** The newest copy of a database that lies in its folder: its name and the time of its making; else `none`. */
export function backupPhrase(folder: string): string {
  if (!existsSync(folder)) return 'none'
  const copies = readdirSync(folder)
    .filter(name => name.endsWith('.db') && name !== databaseName && name !== 'lock.db')
    .map(name => ({ name, at: statSync(join(folder, name)).mtime }))
    .toSorted((one, other) => Number(other.at) - Number(one.at))
  const [newest] = copies
  return newest === undefined ? 'none' : `${newest.name} of ${newest.at.toISOString()}`
}
