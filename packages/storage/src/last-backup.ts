/**
 * The newest backup of a data folder: a small file in it, so that a full database cannot keep a failure from being
 * reported.
 */
import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** The name of the file. */
const lastBackupName = 'last-backup.json'

/** A backup that was made and verified. */
export interface GoodBackup {
  /** When it began, ISO 8601. */
  readonly at: string
  /** Its absolute path. */
  readonly file: string
}

/** When the newest backup was made, or failed. */
export interface LastRun {
  readonly last_at: string
  /** `ok`, otherwise what went wrong. */
  readonly outcome: string
  /** The backup; null when none was made. */
  readonly file: string | null
}

/** A backup that failed. */
export interface FailedBackup {
  /** When it began, ISO 8601. */
  readonly at: string
  readonly reason: string
}

/** The newest scheduled backup: a manual one does not affect the schedule. */
export interface ScheduledRun {
  /** When it began, ISO 8601. */
  readonly at: string
  /** The number of scheduled backups that have failed since the last successful one. */
  readonly failures: number
}

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null

/** The contents of the file in a data folder; an empty object if it is missing or unreadable. */
function stored(folder: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(readFileSync(join(folder, lastBackupName), 'utf8'))
    return isRecord(value) ? value : {}
  } catch {
    return {}
  }
}

/** The newest backup of a data folder, successful or failed; undefined when there was none. */
export function readLastRun(folder: string): LastRun | undefined {
  const { last_at, outcome, file } = stored(folder)
  if (typeof last_at !== 'string' || Number.isNaN(Date.parse(last_at)) || typeof outcome !== 'string') return undefined
  return { last_at, outcome, file: typeof file === 'string' ? file : null }
}

/** The newest successful backup of a data folder, regardless of later failures. */
export function readLastGood(folder: string): GoodBackup | undefined {
  const { good } = stored(folder)
  if (isRecord(good) && typeof good.at === 'string' && typeof good.file === 'string')
    return { at: good.at, file: good.file }
  const last = readLastRun(folder)
  return last === undefined || last.file === null ? undefined : { at: last.last_at, file: last.file }
}

/** The newest failed backup of a data folder, even if a later one succeeded. */
export function readLastFailure(folder: string): FailedBackup | undefined {
  const { failure } = stored(folder)
  if (isRecord(failure) && typeof failure.at === 'string' && typeof failure.reason === 'string')
    return { at: failure.at, reason: failure.reason }
  const last = readLastRun(folder)
  return last === undefined || last.file !== null ? undefined : { at: last.last_at, reason: last.outcome }
}

/** The newest scheduled backup of a data folder; one recorded before schedules existed counts as one. */
export function readScheduledRun(folder: string): ScheduledRun | undefined {
  const { scheduled } = stored(folder)
  if (isRecord(scheduled) && isTime(scheduled.at) && Number.isInteger(scheduled.failures))
    return { at: scheduled.at, failures: Number(scheduled.failures) }
  if (scheduled === null) return undefined
  const last = readLastRun(folder)
  return last === undefined ? undefined : { at: last.last_at, failures: last.file === null ? 1 : 0 }
}

const isTime = (value: unknown): value is string => typeof value === 'string' && !Number.isNaN(Date.parse(value))

/**
 * Records a backup of a data folder.
 * @param isScheduled whether the running service started it on schedule
 */
export function writeLastRun(folder: string, run: LastRun, isScheduled = false): void {
  const good = run.file === null ? readLastGood(folder) : { at: run.last_at, file: run.file }
  const failure = run.file === null ? { at: run.last_at, reason: run.outcome } : readLastFailure(folder)
  const before = readScheduledRun(folder)
  const failures = run.file === null ? (before?.failures ?? 0) + 1 : 0
  const scheduled = isScheduled ? { at: run.last_at, failures } : (before ?? null)
  const file = join(folder, lastBackupName)
  writeFileSync(`${file}.part`, `${JSON.stringify({ ...run, good, failure, scheduled })}\n`, { mode: 0o600 })
  renameSync(`${file}.part`, file)
}
