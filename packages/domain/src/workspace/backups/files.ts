/** Backup files in a folder: their names, which of them are too old, and what killed processes left behind. */
import { existsSync, readdirSync, rmSync } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'

const named = /^specboard-backup-(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)(\d{3})Z\.zip$/
const unfinished = /\.part-(\d+)(?:\.db)?(?:-journal|-wal|-shm)?$/

/** A time, ISO 8601, as a part of a file's name; names sort by it. */
export const timeInName = (at: string): string => at.replaceAll(/[-:.]/g, '')

/** The name of a backup that was begun at a time. */
export const backupName = (at: string): string => `specboard-backup-${timeInName(at)}.zip`

/** A complete backup in a folder: it got its name when it had been read back. */
export interface BackupFile {
  readonly name: string
  /** When it was begun, ISO 8601. */
  readonly created_at: string
  readonly size_bytes: number
}

/** The complete backups of a folder, the newest first; none if it cannot be read. */
export async function listBackups(folder: string): Promise<BackupFile[]> {
  const names = (await readdir(folder).catch(() => [])).filter(name => named.test(name))
  const found = await Promise.all(
    names.map(async name => {
      // It may just have been removed as too old.
      const file = await stat(join(folder, name)).catch(() => undefined)
      return file && { name, created_at: name.replace(named, '$1-$2-$3T$4:$5:$6.$7Z'), size_bytes: file.size }
    }),
  )
  return found.filter(file => file !== undefined).toSorted((one, other) => (one.name < other.name ? 1 : -1))
}

/** The name under which this process writes a file until it is complete. */
export const partOf = (file: string): string => `${file}.part-${process.pid}`

/** Removes the older backups of a folder, keeping the newest; returns their names. Other files stay. */
export function removeOlder(folder: string, keep: number): string[] {
  const old = readdirSync(folder)
    .filter(name => named.test(name))
    .toSorted()
    .slice(0, -keep)
  for (const name of old) rmSync(join(folder, name))
  return old
}

/** Removes the unfinished parts of a file, and of the backups next to it, that killed processes left behind. */
export function removeUnfinished(file: string): void {
  const folder = dirname(file)
  if (!existsSync(folder)) return
  for (const name of readdirSync(folder)) {
    const process = unfinished.exec(name)?.[1]
    const whole = process === undefined ? undefined : name.slice(0, name.indexOf('.part-'))
    if (whole === undefined || !(named.test(whole) || whole === basename(file)) || isRunning(Number(process))) continue
    rmSync(join(folder, name), { recursive: true, force: true })
  }
}

/** Whether the number belongs to another running process; this one makes one backup after another. */
function isRunning(pid: number): boolean {
  if (pid === process.pid) return false
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}
