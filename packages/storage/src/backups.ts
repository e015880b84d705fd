import { existsSync, readdirSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { databaseFile, databaseName } from './data-folder.ts'
import { lockName } from './folder-lock.ts'
import { type GoodBackup, readLastGood } from './last-backup.ts'

/** A copy of the database that could be restored. */
interface Copy {
  /** Its name in the data folder; for a complete backup its path. */
  readonly name: string
  readonly at: Date
  /** The command that restores it. */
  readonly command: string
}

/**
 * The newest copy of a data folder's database, the time it was made and the command that restores it; otherwise `none`.
 * Considers the copies in the folder, and the backups in the place of the last good one.
 */
export function backupPhrase(folder: string): string {
  const [newest] = [...copiesIn(folder), ...backupsOf(folder)].toSorted(
    (one, other) => Number(other.at) - Number(one.at),
  )
  return newest === undefined
    ? 'none'
    : `${newest.name} of ${newest.at.toISOString()}; to restore it: ${newest.command}`
}

/** The copies next to the database, such as those made before a migration. */
function copiesIn(folder: string): Copy[] {
  if (!existsSync(folder)) return []
  return readdirSync(folder)
    .filter(name => name.endsWith('.db') && name !== databaseName && name !== lockName)
    .map(name => ({
      name,
      at: statSync(join(folder, name)).mtime,
      command: `cp ${quoted(join(folder, name))} ${quoted(databaseFile(folder))}`,
    }))
}

/** Names of backups sort by the time in them. */
const backupName = /^specboard-backup-(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)(\d{3})Z\.zip$/

/** The last good backup; if it is gone, the newest one in the same place. */
function backupsOf(folder: string): Copy[] {
  const good = readLastGood(folder)
  const found = good === undefined || existsSync(good.file) ? good : newestIn(dirname(good.file))
  if (found === undefined) return []
  const command = `specboard restore ${quoted(found.file)} --data-dir ${quoted(folder)} --force`
  return [{ name: found.file, at: new Date(found.at), command }]
}

function newestIn(folder: string): GoodBackup | undefined {
  if (!existsSync(folder)) return undefined
  const name = readdirSync(folder)
    .filter(name => backupName.test(name))
    .toSorted()
    .at(-1)
  return name === undefined
    ? undefined
    : { file: join(folder, name), at: name.replace(backupName, '$1-$2-$3T$4:$5:$6.$7Z') }
}

/** A path quoted for a shell. */
const quoted = (path: string): string => (/^[\w./:@-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`)
