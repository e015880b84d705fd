/** The newest backup of a data folder: a small file in it, so that a full database cannot keep a failure from being told. */
import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** The name of the file. */
const lastBackupName = 'last-backup.json'

/** A backup that was made and verified. */
export interface GoodBackup {
  /** When it was begun, ISO 8601. */
  readonly at: string
  /** Its absolute path. */
  readonly file: string
}

/** When the newest backup was made, or failed. */
export interface LastRun {
  readonly last_at: string
  /** `ok`, else what went wrong. */
  readonly outcome: string
  /** The backup; null when none was made. */
  readonly file: string | null
}

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null

/** What the file of a data folder holds; an empty object where there is none, or none that can be read. */
function stored(folder: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(readFileSync(join(folder, lastBackupName), 'utf8'))
    return isRecord(value) ? value : {}
  } catch {
    return {}
  }
}

/** The newest backup of a data folder, made or failed; undefined when there was none. */
export function readLastRun(folder: string): LastRun | undefined {
  const { last_at, outcome, file } = stored(folder)
  if (typeof last_at !== 'string' || Number.isNaN(Date.parse(last_at)) || typeof outcome !== 'string') return undefined
  return { last_at, outcome, file: typeof file === 'string' ? file : null }
}

/** The newest backup of a data folder that was made; a later failure does not hide it. */
export function readLastGood(folder: string): GoodBackup | undefined {
  const { good } = stored(folder)
  if (isRecord(good) && typeof good.at === 'string' && typeof good.file === 'string')
    return { at: good.at, file: good.file }
  const last = readLastRun(folder)
  return last === undefined || last.file === null ? undefined : { at: last.last_at, file: last.file }
}

/** Notes a backup of a data folder. */
export function writeLastRun(folder: string, run: LastRun): void {
  const good = run.file === null ? readLastGood(folder) : { at: run.last_at, file: run.file }
  const file = join(folder, lastBackupName)
  writeFileSync(`${file}.part`, `${JSON.stringify({ ...run, good })}\n`, { mode: 0o600 })
  renameSync(`${file}.part`, file)
}
