import { join } from 'node:path'
import { type DatabasePlace, type MoveResult, moveService, secretKeyName } from '@specboard/domain'
import { databaseAddress, keepFilesPrivate, shownAddress } from '@specboard/storage'
import { printJson } from './frame/output.ts'
import { phaseBars } from './frame/progress.ts'
import { UsageError } from './frame/usage-error.ts'
import type { Settings } from './settings.ts'

/** The flags of `specboard migrate`. */
export interface MigrateFlags {
  readonly from: string
  readonly to: string
  readonly json?: boolean
}

/**
 * `specboard migrate`: copies a whole service into another database (exchange 3).
 * @throws StorageError, CopyError that say what to do; UsageError for an invalid place
 */
export async function migrate(settings: Settings, { from, to, json = false }: MigrateFlags): Promise<number> {
  keepFilesPrivate()
  const places = { from: placeIn('--from', from, settings), to: placeIn('--to', to, settings) }
  const bars = phaseBars({
    copying: 'copying',
    verifying: 'verifying',
    indexing: 'indexing',
    attachments: 'attachments',
  })
  const result = await moveService({
    ...places,
    attachmentsUrl: settings.attachmentsUrl,
    secretKeyFile: settings.secretKeyFile,
    at: new Date().toISOString(),
    onProgress: bars.show,
  }).finally(bars.end)
  if (json) printJson({ from: placeText(places.from), to: placeText(places.to), ...result })
  else print(places, result)
  if (result.key === 'folder' && settings.secretKeyFile !== undefined)
    console.error(
      `specboard: the secrets are opened by ${join(places.to.folder, secretKeyName)}, not by SPECBOARD_SECRET_KEY_FILE: point it to that file, or a copy of it, before the first start.`,
    )
  return 0
}

/** The database that a text names. A PostgreSQL database uses the data folder of the settings. */
function placeIn(flag: string, text: string, { dataDir, databasePasswordFile }: Settings): DatabasePlace {
  const folder = /^sqlite:(?<folder>.+)$/.exec(text)?.groups?.folder
  if (folder !== undefined) return { folder }
  if (!/^postgres(?:ql)?:/.test(text))
    throw new UsageError(`${flag} must be sqlite:FOLDER or postgres://user@host:port/database.`)
  return { folder: dataDir, databaseUrl: databaseAddress(text, databasePasswordFile) }
}

const placeText = ({ folder, databaseUrl }: DatabasePlace): string =>
  databaseUrl === undefined ? `sqlite:${folder}` : shownAddress(databaseUrl)

function print(
  { from, to }: { readonly from: DatabasePlace; readonly to: DatabasePlace },
  { tables, rows, files, missing, key }: MoveResult,
): void {
  if (missing.length > 0) console.error(`specboard: without the lost files of the attachments ${missing.join(', ')}.`)
  for (const { table, rows: count, checksum } of tables)
    if (count > 0) console.log(`${table.padEnd(30)} ${String(count).padStart(9)} ${checksum}`)
  console.log(
    `${placeText(from)} → ${placeText(to)}: ${rows} rows of ${tables.length} tables and ${files} files, verified`,
  )
  console.log(
    to.databaseUrl === undefined
      ? `Serve it with: specboard serve --data-dir ${to.folder}`
      : `Serve it with SPECBOARD_DATABASE_URL${key === 'given' ? ', the same SPECBOARD_SECRET_KEY_FILE' : ''} and --data-dir ${to.folder}. ${placeText(from)} is unchanged; keep it until you are sure.`,
  )
}
