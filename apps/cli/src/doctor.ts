import { attachmentFolder, inspectDatabase, type SourcedSetting, secretKeyName } from '@specboard/domain'
import { keepFilesPrivate, refuseMissingDatabase, StorageError } from '@specboard/storage'
import { countFindings } from './count-findings.ts'
import { eventFindings } from './event-findings.ts'
import { explain } from './explain.ts'
import { attachmentFindings, type Finding, logFindings, rightsFindings, secretKeyFindings } from './file-findings.ts'
import {
  backupFindings,
  clockFindings,
  folderFindings,
  foreignFindings,
  isServed,
  logSizeFindings,
} from './folder-findings.ts'
import { printJson } from './frame/output.ts'
import { phaseBars } from './frame/progress.ts'
import { targetOf } from './frame/target.ts'
import { graphFindings } from './graph-findings.ts'
import { reachFindings } from './reach-findings.ts'
import { runtimeSettingsOf } from './runtime-setting-findings.ts'
import { searchFindings } from './search-findings.ts'
import { type SettingSource, type Settings, settingNames, settingTable, variableOf } from './settings.ts'
import { version } from './version.ts'

const restoring = 'restore the newest good backup ("specboard restore")'

async function databaseFindings(folder: string): Promise<Finding[]> {
  try {
    refuseMissingDatabase(folder, [attachmentFolder, secretKeyName])
    const { sqliteVersion, integrity, brokenReferences, pendingMigrations, rows } = await inspectDatabase(folder)
    const behind =
      pendingMigrations.length === 0
        ? 'up to date'
        : `${pendingMigrations.length} migrations pending; the next start runs them`
    return [
      { name: 'SQLite', ok: true, says: `${sqliteVersion}, WAL, synchronous=FULL` },
      {
        name: 'integrity',
        ok: integrity === 'ok',
        says: integrity === 'ok' ? integrity : `${integrity}; ${restoring}`,
      },
      {
        name: 'references',
        ok: brokenReferences === 0,
        says: brokenReferences === 0 ? 'ok' : `${brokenReferences} broken; ${restoring}`,
      },
      { name: 'schema', ok: true, says: behind },
      ...Object.entries(rows).map(([table, count]) => ({ name: table, ok: true, says: String(count) })),
    ]
  } catch (error) {
    if (error instanceof StorageError && error.code === 'NO_DATABASE')
      return [{ name: 'database', ok: true, says: error.message }]
    return [{ name: 'database', ok: false, says: explain(error) }]
  }
}

/** How `specboard doctor` is called. */
export interface DoctorFlags {
  /** Narrows rights that are too wide and makes what is derived anew. */
  readonly fix?: boolean
  readonly json?: boolean
}

/** A setting in effect, as it is printed: without secrets. */
interface ShownSetting {
  readonly name: string
  readonly value: string
  readonly source: SettingSource | SourcedSetting['source']
}

function shownSettings(
  settings: Settings,
  runtime: readonly SourcedSetting[],
  sourceOf: (name: string) => SettingSource,
): ShownSetting[] {
  const shown = (name: (typeof settingNames)[number]) => {
    const value = settings[name]
    if (settingTable[name].secret) return value === undefined ? '(not set)' : '(set)'
    return value === undefined ? '' : String(value)
  }
  return [
    ...settingNames.map(name => ({ name: variableOf(name), value: shown(name), source: sourceOf(name) })),
    ...runtime.map(({ key, value, source }) => ({
      name: `SPECBOARD_${key.toUpperCase()}`,
      value: String(value),
      source,
    })),
  ]
}

/** Everything that is looked at, in the order in which it may be: the log before anything opens the database. */
async function allFindings(settings: Settings, fix: boolean): Promise<Finding[]> {
  const folder = settings.dataDir
  const now = Date.now()
  const target = targetOf(process.env, process.cwd())
  const found = folderFindings(folder)
  const served = isServed(found)
  const bars = phaseBars({ checks: 'checks' })
  const checks: readonly (() => Finding[] | Promise<Finding[]>)[] = [
    () => rightsFindings(folder, fix),
    () => foreignFindings(folder),
    () => logFindings(folder, served),
    () => logSizeFindings(folder),
    () => databaseFindings(folder),
    () => eventFindings(folder),
    () => countFindings(folder, { fix, served }),
    () => searchFindings(folder, { fix, served }),
    () => graphFindings(settings, { fix, served }),
    () => secretKeyFindings(folder),
    () => {
      // Hashing the files has a bar of its own.
      bars.end()
      return attachmentFindings(settings)
    },
    () => backupFindings(folder, settings, now),
    () => reachFindings(settings, { served, target }),
    () => clockFindings(folder, now),
  ]
  for (const [index, check] of checks.entries()) {
    bars.show('checks', index, checks.length)
    found.push(...(await check()))
  }
  bars.end()
  return found
}

/** `specboard doctor`: prints the settings in effect and its findings; exit code 1 when something is wrong (exchange 3). */
export async function doctor(
  settings: Settings,
  { fix = false, json = false }: DoctorFlags,
  sourceOf: (name: string) => SettingSource,
): Promise<number> {
  keepFilesPrivate()
  // After the findings, which look at the log before anything opens the database.
  const found = await allFindings(settings, fix)
  const runtime = await runtimeSettingsOf(settings)
  const shown = shownSettings(settings, runtime.settings, sourceOf)
  const findings = [...found, ...runtime.findings]
  const ok = findings.every(finding => finding.ok)
  if (json) printJson({ version, node: process.versions.node, ok, settings: shown, findings })
  else {
    console.log(`specboard ${version}, Node ${process.versions.node}`)
    for (const { name, value, source } of shown) console.log(`  ${name.padEnd(34)} ${value} (${source})`)
    for (const finding of findings) console.log(`${finding.ok ? 'ok  ' : 'BAD '} ${finding.name}: ${finding.says}`)
  }
  return ok ? 0 : 1
}
