import { readdir, readFile } from 'node:fs/promises'

/** The file handles of a process. */
export interface OpenFiles {
  readonly open: number
  /** How many it may have. */
  readonly max: number
}

const limitLine = /^Max open files +(\d+)/m

/** The limit that was read last: it cannot be read while no handle is left. */
let lastLimit = Number.NaN

async function maxFiles(): Promise<number> {
  try {
    lastLimit = Number(limitLine.exec(await readFile('/proc/self/limits', 'utf8'))?.[1])
  } catch {
    // The last known limit still holds.
  }
  return lastLimit
}

/** The handles of this process; undefined where the system does not report them. */
export async function openFiles(): Promise<OpenFiles | undefined> {
  const max = await maxFiles()
  if (!Number.isFinite(max)) return undefined
  try {
    return { open: (await readdir('/proc/self/fd')).length, max }
  } catch (error) {
    const isExhausted = error instanceof Error && 'code' in error && error.code === 'EMFILE'
    return isExhausted ? { open: max, max } : undefined
  }
}
