import { existsSync } from 'node:fs'
import {
  type AttachmentFiles,
  alteredFiles,
  compareFiles,
  type FileDifferences,
  lastWriteWithoutLock,
  openFiles,
  type ReadWrite,
  readWithoutLock,
} from '@specboard/domain'
import {
  closeToOthers,
  databaseFile,
  keepLog,
  keptLogs,
  logEndedEarly,
  logLossText,
  openToOthers,
  StorageError,
} from '@specboard/storage'
import { explain } from './explain.ts'
import { type Finding, listed } from './finding.ts'
import { phaseBars } from './frame/progress.ts'
import type { Settings } from './settings.ts'

/** Finds what others may read in the data folder; `fix` narrows the permissions (trust 5). */
export function rightsFindings(folder: string, fix: boolean): Finding[] {
  if (!existsSync(folder)) return []
  const name = 'rights'
  try {
    if (fix) {
      const closed = closeToOthers(folder)
      return [{ name, ok: true, says: closed.length === 0 ? 'nothing to fix' : `fixed: ${listed(closed)}` }]
    }
    const open = openToOthers(folder, { within: true })
    if (open.length === 0) return [{ name, ok: true, says: 'this user only' }]
    return [
      {
        name,
        ok: false,
        says: `open to others: ${listed(open)}; "specboard doctor --fix" narrows them`,
        isFixable: true,
      },
    ]
  } catch (error) {
    return [{ name, ok: false, says: explain(error) }]
  }
}

/**
 * Reports logs that ended early (trust 5). Call it before anything opens the database: SQLite would overwrite what it
 * does not recover.
 * @param isServed whether a server uses the folder; if not, the log is set aside, as the next start would do
 */
export async function logFindings(folder: string, isServed: boolean): Promise<Finding[]> {
  const name = 'log'
  const database = databaseFile(folder)
  if (!existsSync(database)) return []
  try {
    const endedEarly = logEndedEarly(database)
    const since = endedEarly ? await lastWriteWithoutLock(folder).catch(() => undefined) : undefined
    if (endedEarly && !isServed) keepLog(database, since)
    const findings = keptLogs(database).map(log => ({
      name,
      ok: false,
      says: `${logLossText(folder, log.since)}; the log is kept in ${log.name}, remove it once this is settled`,
    }))
    if (endedEarly && isServed) findings.push({ name, ok: false, says: logLossText(folder, since) })
    return findings.length > 0 ? findings : [{ name, ok: true, says: 'whole' }]
  } catch (error) {
    return [{ name, ok: false, says: explain(error) }]
  }
}

/** Compares the attachments with their files, wherever those are stored. */
export async function attachmentFindings({
  dataDir: folder,
  databaseUrl,
  attachmentsUrl: url,
}: Pick<Settings, 'dataDir' | 'databaseUrl' | 'attachmentsUrl'>): Promise<Finding[]> {
  const name = 'attachments'
  const faults: string[] = []
  try {
    const place = { folder, databaseUrl }
    const read: ReadWrite['read'] = run => readWithoutLock(place, run)
    const write: ReadWrite['write'] = run => read(run)
    const database = { isShared: databaseUrl !== undefined, read, write }
    const files = await openFiles({ folder, url, database, onFault: ({ message }) => faults.push(message) })
    return [
      ...(url === undefined ? [] : [{ name, ok: true, says: `in ${files.name}` }]),
      differencesFinding(await compareFiles(read, files)),
      await alteredFinding(read, files),
    ]
  } catch (error) {
    const isAbsent = error instanceof StorageError && error.code !== 'UNREACHABLE'
    return isAbsent ? [] : [{ name, ok: false, says: faults[0] ?? explain(error) }]
  }
}

/**
 * Files of attachments that no row references waste space and cannot be reached; a row without its file answers 410.
 */
function differencesFinding({ surplus, missing }: FileDifferences): Finding {
  const says = [
    ...(surplus.length > 0 ? [`${surplus.length} without a row: ${listed(surplus)}; they can be removed`] : []),
    ...(missing.length > 0
      ? [`${missing.length} missing, for attachments ${listed(missing)}; copy them back from a backup`]
      : []),
  ]
  return {
    name: 'attachment files',
    ok: says.length === 0,
    says: says.join('; ') || 'each file has a row, each row a file',
  }
}

/** Finds attachments whose file has other bytes than were uploaded. */
async function alteredFinding(read: ReadWrite['read'], files: AttachmentFiles): Promise<Finding> {
  const name = 'attachment hashes'
  const bars = phaseBars({ attachments: 'attachments' })
  const altered = await alteredFiles(read, files, (done, total) => bars.show('attachments', done, total)).finally(
    bars.end,
  )
  if (altered.length === 0) return { name, ok: true, says: 'as uploaded' }
  return { name, ok: false, says: `${altered.length} altered: ${listed(altered)}; copy them back from a backup` }
}
