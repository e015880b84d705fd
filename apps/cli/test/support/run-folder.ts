/** Before all tests: the folder in which the tests of this run make theirs. */
import { chmodSync, globSync, mkdtempSync, rmSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A file system in memory: a database is synced there at once, where a disk keeps each write waiting. */
const memory = '/dev/shm'

/** What tests may need at once, bytes; a container often has much less. */
const needed = 4 * 2 ** 30

export default function setup(): () => void {
  const place = hasRoom(memory) ? memory : tmpdir()
  for (const leftover of globSync(join(place, 'specboard-run-*'))) if (hasEnded(leftover)) remove(leftover)
  const folder = mkdtempSync(join(place, `specboard-run-${process.pid}-`))
  // A PostgreSQL server, which runs as another user, has its own folder in there.
  chmodSync(folder, 0o711)
  // The workers, which start after this, take them from their environment.
  process.env.TMPDIR = folder
  process.env.SPECBOARD_TEST_RUN = folder
  return () => remove(folder)
}

const remove = (folder: string) => rmSync(folder, { recursive: true, force: true, maxRetries: 5 })

function hasRoom(place: string): boolean {
  try {
    const { bavail, bsize } = statfsSync(place)
    return bavail * bsize >= needed
  } catch {
    return false
  }
}

/** Whether the run of a folder was ended before it could remove it. */
function hasEnded(folder: string): boolean {
  const [, pid] = /-(\d+)-\w+$/.exec(folder) ?? []
  try {
    process.kill(Number(pid), 0)
    return false
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH'
  }
}
