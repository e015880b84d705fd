/** The files of backups in a folder: their names, which are too old, and leftovers of killed processes. */
import { existsSync, readdirSync, rmSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'

const named = /^specboard-backup-\d{8}T\d{9}Z\.zip$/
const unfinished = /\.part-(\d+)(?:\.db)?(?:-journal|-wal|-shm)?$/

/** The name of a backup that was begun at a time; names sort by it. */
export const backupName = (at: string): string => `specboard-backup-${at.replaceAll(/[-:.]/g, '')}.zip`

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

/** Removes what killed processes left unfinished of a file, and of the backups next to it. */
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
