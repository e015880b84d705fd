import { join, relative } from 'node:path'
import { makeBackup, restoreBackup } from '@specboard/domain'
import { keepFilesPrivate } from '@specboard/storage'
import { unusableFile } from '../frame/failure.ts'
import { printJson, sizeText } from '../frame/output.ts'
import { phaseBars } from '../frame/progress.ts'
import { UsageError } from '../frame/usage-error.ts'
import { SettingError } from '../setting-sources.ts'
import type { Settings } from '../settings.ts'
import { version } from '../version.ts'

/** The flags of `specboard backup`. */
export interface BackupFlags {
  readonly output?: string
  readonly keep?: string
  readonly json?: boolean
}

/** `specboard backup`: saves the whole service into one file, while it runs or stopped (exchange 3). */
export async function backup(settings: Settings, flags: BackupFlags): Promise<number> {
  refusePostgres(settings, 'back it up with pg_basebackup or pg_dump')
  keepFilesPrivate()
  const bars = phaseBars({ database: 'database', attachments: 'attachments', verifying: 'verifying' })
  const options = {
    folder: settings.dataDir,
    attachmentsUrl: settings.attachmentsUrl,
    target: flags.output ?? join(settings.backupDir ?? '.', '/'),
    keep: keepOf(flags.keep),
    version,
    at: new Date().toISOString(),
    onProgress: bars.show,
  }
  const backup = await makeBackup(options)
    .catch(error => {
      const { path } = error as NodeJS.ErrnoException
      const isOutside = path !== undefined && relative(settings.dataDir, path).startsWith('..')
      throw isOutside ? unusableFile(options.target, 'written', error) : error
    })
    .finally(bars.end)
  if (backup.missing.length > 0) console.error(`specboard: not included: lost files of ${listed(backup.missing)}.`)
  if (flags.json) printJson(backup)
  else {
    console.log(`${backup.file}: ${backup.files} files, ${sizeText(backup.size_bytes)}, verified`)
    for (const name of backup.removed) console.log(`removed ${name}`)
  }
  return 0
}

function keepOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  const keep = Number(text)
  if (!Number.isInteger(keep) || keep < 1)
    throw new UsageError(`--keep must be a positive whole number, not "${text}".`)
  return keep
}

const listed = (ids: readonly string[]): string => `the attachment${ids.length === 1 ? '' : 's'} ${ids.join(', ')}`

/**
 * Refuses a verb that only works with the embedded database.
 * @param instead what to do instead
 * @throws SettingError
 */
function refusePostgres({ databaseUrl }: Settings, instead: string): void {
  if (databaseUrl === undefined) return
  throw new SettingError(`SPECBOARD_DATABASE_URL names a PostgreSQL database: ${instead} (docs/deployment.md).`)
}

/** The flags of `specboard restore`. */
export interface RestoreFlags {
  readonly force?: boolean
  readonly json?: boolean
}

/** `specboard restore`: restores a service into an empty data folder (exchange 3). */
export async function restore(settings: Settings, file: string, flags: RestoreFlags): Promise<number> {
  refusePostgres(
    settings,
    'restore the backup into a data folder, then move that with "specboard migrate --from sqlite:FOLDER"',
  )
  keepFilesPrivate()
  const bars = phaseBars({ files: 'files', verifying: 'verifying' })
  const result = await restoreBackup({
    file,
    folder: settings.dataDir,
    attachmentsUrl: settings.attachmentsUrl,
    force: flags.force ?? false,
    at: new Date().toISOString(),
    onProgress: bars.show,
  }).finally(bars.end)
  if (result.missing.length > 0) console.error(`specboard: not restored: lost files of ${listed(result.missing)}.`)
  if (flags.json) printJson(result)
  else {
    console.log(`${result.folder}: as of ${result.created_at}, ${result.files} files`)
    if (result.moved_to !== null) console.log(`what was there before: ${result.moved_to}`)
  }
  return 0
}
