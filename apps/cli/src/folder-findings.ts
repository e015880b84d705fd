import { accessSync, constants, existsSync, readdirSync, statfsSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import {
  attachmentFolder,
  type DatabasePlace,
  lastWriteWithoutLock,
  nextRunAt,
  secretKeyName,
  timeOfDay,
} from '@specboard/domain'
import {
  databaseFile,
  lockFolder,
  readLastFailure,
  readLastGood,
  readLastRun,
  readScheduledRun,
  StorageError,
} from '@specboard/storage'
import { explain } from './explain.ts'
import type { Finding } from './finding.ts'
import { sizeText } from './frame/output.ts'
import type { Settings } from './settings.ts'

const lowDiskBytes = 100 << 20

/** A log larger than this has not been written back for a long time, bytes. */
const largeLogBytes = 256 << 20

/** How far the clock may be behind the last write, ms. */
const clockToleranceMs = 60_000

const serverName = 'server'

const noServer = 'none is using this folder'

/**
 * Checks the folder itself: whether it exists, can be used, and has space.
 * @param isNamed whether it was set explicitly; before a first start, the default folder need not exist
 */
export function folderFindings(folder: string, isNamed: boolean): Finding[] {
  if (!existsSync(folder)) return [absentFinding(folder, isNamed)]
  try {
    accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK)
  } catch (error) {
    return [{ name: 'data folder', ok: false, says: explain(error) }]
  }
  return [{ name: 'data folder', ok: true, says: folder }, spaceFinding(folder)]
}

function absentFinding(folder: string, isNamed: boolean): Finding {
  const name = 'data folder'
  const refusal = unwritable(folder)
  if (refusal !== undefined)
    return { name, ok: false, says: `${folder} does not exist and cannot be created (${refusal}): name another one` }
  if (!isNamed) return { name, ok: true, says: `${folder} does not exist yet; "specboard serve" creates it` }
  return {
    name,
    ok: false,
    says: `${folder} does not exist: correct SPECBOARD_DATA_DIR, mount its disk, or let "specboard serve" create it`,
  }
}

function spaceFinding(folder: string): Finding {
  const { bavail, bsize } = statfsSync(folder)
  const free = bavail * bsize
  const ok = free >= lowDiskBytes
  const advice = '; make room, or move the data folder: writes are refused when the disk is full'
  return { name: 'free space', ok, says: `${Math.floor(free / (1 << 20))} MiB${ok ? '' : advice}` }
}

/** Checks whether a server uses the folder. */
export function serverFinding(folder: string): Finding {
  if (!existsSync(folder)) return { name: serverName, ok: true, says: noServer }
  try {
    lockFolder(folder)()
    return { name: serverName, ok: true, says: noServer }
  } catch (error) {
    const running = error instanceof StorageError && error.code === 'FOLDER_LOCKED'
    return { name: serverName, ok: running, says: running ? 'one is running on this folder' : explain(error) }
  }
}

/** Whether a server uses the folder, according to the findings. */
export const isServed = (findings: readonly Finding[]): boolean =>
  findings.some(({ name, says }) => name === serverName && says !== noServer)

/** The names that the service, its earlier versions and SQLite create in a data folder. */
const ownNames = [
  /^specboard\.db(?:-wal|-shm|-journal)?(?:[.-](?:rescued|damaged)[\w.:-]*)?$/,
  /^before-.*\.db(?:\.part(?:-\w+)?)?$/,
  /^lock\.db(?:-journal)?$/,
  /^last-backup\.json(?:\.part)?$/,
  /^event-archives$/,
  // Left behind by a restore into a folder that is a volume of its own, and by the file system of that volume.
  /^restore\.note(?:\.part)?$/,
  /^lost\+found$/,
  // What Litestream keeps next to a database that it copies.
  /^\.specboard\.db-litestream$/,
]

/** Finds files that the service did not create. */
export function foreignFindings(folder: string): Finding[] {
  if (!existsSync(folder)) return []
  const foreign = readdirSync(folder).filter(
    name => name !== attachmentFolder && name !== secretKeyName && !ownNames.some(own => own.test(name)),
  )
  const name = 'foreign files'
  if (foreign.length === 0) return [{ name, ok: true, says: 'none' }]
  return [{ name, ok: false, says: `${foreign.join(', ')}; nothing uses them: move them elsewhere` }]
}

/** Checks the size of the log: it grows while it cannot be written back. */
export function logSizeFindings(folder: string): Finding[] {
  const size = statSync(`${databaseFile(folder)}-wal`, { throwIfNoEntry: false })?.size
  if (size === undefined) return []
  const ok = size <= largeLogBytes
  return [{ name: 'log size', ok, says: `${sizeText(size)}${ok ? '' : '; restart the server, which writes it back'}` }]
}

/** Compares the clock with the last write. */
export async function clockFindings(place: DatabasePlace, now: number): Promise<Finding[]> {
  const name = 'clock'
  const last = await lastWriteWithoutLock(place).catch(() => undefined)
  const time = new Date(now).toISOString()
  if (last === undefined || now >= Date.parse(last) - clockToleranceMs) return [{ name, ok: true, says: time }]
  return [{ name, ok: false, says: `${time} is before the last write, ${last}; set the clock of this machine` }]
}

/** Checks the backups: the newest good one and its file, the newest failure, the folder, and when the next is due. */
export function backupFindings(folder: string, settings: Settings, now: number): Finding[] {
  const name = 'backup'
  const last = readLastRun(folder)
  const fault = backupFault(folder, settings, now)
  if (fault !== undefined) return [{ name, ok: false, says: fault }]
  const next =
    settings.backupDir === undefined ? '' : `; next ${new Date(nextRun(folder, settings, now)).toISOString()}`
  if (last === undefined) {
    const advice = '; "specboard backup" makes one, SPECBOARD_BACKUP_DIR lets the server do it'
    return [{ name, ok: true, says: `none yet${next || advice}` }]
  }
  const failure = readLastFailure(folder)
  const failureText = failure === undefined ? '' : `; the last failure was at ${failure.at}: ${failure.reason}`
  return [{ name, ok: true, says: `${last.last_at}, ${last.file}${next}${failureText}` }]
}

/** What is wrong with the backups, and what to do; undefined if nothing is. */
function backupFault(folder: string, { backupDir, backupEvery }: Settings, now: number): string | undefined {
  const last = readLastRun(folder)
  const good = readLastGood(folder)
  const refusal = backupDir === undefined ? undefined : unwritable(backupDir)
  if (refusal !== undefined)
    return `SPECBOARD_BACKUP_DIR ${backupDir} cannot be written to (${refusal}); make the service's user its owner`
  if (last !== undefined && last.outcome !== 'ok') {
    const newest = good === undefined ? 'there is none' : `the newest good one is from ${good.at}, ${good.file}`
    return `failed at ${last.last_at}: ${last.outcome}; ${newest}; "specboard backup" tries again`
  }
  if (good !== undefined && !existsSync(good.file))
    return `the file of the newest, from ${good.at}, is gone: ${good.file}; "specboard backup" makes another`
  const isLate =
    backupDir !== undefined && good !== undefined && now > Date.parse(good.at) + 2 * backupEvery * 3_600_000
  return isLate ? `the last is from ${good.at}; start the server, or run "specboard backup"` : undefined
}

/** When a running service makes the next backup, ms. */
function nextRun(folder: string, { backupEvery, backupAt }: Settings, now: number): number {
  return nextRunAt({ everyMs: backupEvery * 3_600_000, at: timeOfDay(backupAt) }, readScheduledRun(folder), now)
}

/** Why a folder cannot be written to; undefined if it can, or if it can be created. */
export function unwritable(folder: string): string | undefined {
  try {
    if (!existsSync(folder)) return unwritable(dirname(folder))
    if (!statSync(folder).isDirectory()) return 'it is not a folder'
    accessSync(folder, constants.W_OK | constants.X_OK)
    return undefined
  } catch (error) {
    return error instanceof Error && 'code' in error ? String(error.code) : String(error)
  }
}
