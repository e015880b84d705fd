/** The newest backup of a data folder: a small file in it, so that a full database cannot keep a failure from being told. */
import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'

/** The name of the file. */
const lastRunName = 'last-backup.json'

const LastRun = z.object({
  last_at: z.iso.datetime(),
  /** `ok`, else what went wrong. */
  outcome: z.string(),
  /** The backup; null when none was made. */
  file: z.string().nullable(),
})

/** When the newest backup was made, or failed. */
export type LastRun = z.output<typeof LastRun>

/** The newest backup of a data folder; undefined when there was none. */
export function readLastRun(folder: string): LastRun | undefined {
  try {
    return LastRun.parse(JSON.parse(readFileSync(join(folder, lastRunName), 'utf8')))
  } catch {
    return undefined
  }
}

/** Notes a backup of a data folder. */
export function writeLastRun(folder: string, run: LastRun): void {
  const file = join(folder, lastRunName)
  writeFileSync(`${file}.part`, `${JSON.stringify(run)}\n`, { mode: 0o600 })
  renameSync(`${file}.part`, file)
}
