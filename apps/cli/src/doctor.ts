import { attachmentFolder, inspectDatabase, type SourcedSetting, secretKeyName } from '@specboard/domain'
import { keepFilesPrivate, refuseMissingDatabase, StorageError } from '@specboard/storage'
import { countFindings } from './count-findings.ts'
import { credentialFindings } from './credential-findings.ts'
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
  serverFinding,
} from './folder-findings.ts'
import { printJson } from './frame/output.ts'
import { phaseBars } from './frame/progress.ts'
import { type Target, targetOf } from './frame/target.ts'
import { graphFindings, letterFindings } from './graph-findings.ts'
import { idFindings } from './id-findings.ts'
import { issuerFindings } from './issuer-findings.ts'
import { mailFinding, peopleFindings } from './people-findings.ts'
import { reachFindings } from './reach-findings.ts'
import { runtimeSettingsOf } from './runtime-setting-findings.ts'
import { searchFindings } from './search-findings.ts'
import { serverFindings } from './server-findings.ts'
import { placeOf, type SettingSource, type Settings, settingNames, settingTable, variableOf } from './settings.ts'
import { variableFindings } from './unknown-variables.ts'
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
  /** An address to which one mail is sent (people 7.3). */
  readonly mail?: string
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
    const setting = settingTable[name]
    if (setting.secret) return value === undefined ? '(not set)' : '(set)'
    if (value === undefined) return ''
    return 'shown' in setting ? setting.shown(String(value)) : String(value)
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

/** The service that verbs would use here. */
const targetHere = (): Target => targetOf(process.env, process.cwd())

/** What is known of who is using the database. */
interface Use {
  readonly fix: boolean
  /** Whether somebody serves it, whose writes a repair would hold up. */
  readonly served: boolean
}

/** Everything that is looked at, in the order in which it may be: the log before anything opens the database. */
const allFindings = (settings: Settings, fix: boolean): Promise<Finding[]> =>
  settings.databaseUrl === undefined
    ? embeddedFindings(settings, fix)
    : sharedFindings(settings, settings.databaseUrl, fix)

async function embeddedFindings(settings: Settings, fix: boolean): Promise<Finding[]> {
  const folder = settings.dataDir
  const found = [...folderFindings(folder), serverFinding(folder)]
  const use = { fix, served: isServed(found) }
  return [
    ...found,
    ...(await inTurn([
      () => rightsFindings(folder, fix),
      () => foreignFindings(folder),
      () => logFindings(folder, use.served),
      () => logSizeFindings(folder),
      () => databaseFindings(folder),
      ...contentChecks(settings, use),
      () => secretKeyFindings(folder),
      () => backupFindings(folder, settings, Date.now()),
      () => reachFindings(settings, { served: use.served, target: targetHere() }),
      () => clockFindings(placeOf(settings), Date.now()),
      () => peopleFindings(settings),
    ])),
  ]
}

async function sharedFindings(settings: Settings, url: string, fix: boolean): Promise<Finding[]> {
  const folder = settings.dataDir
  const { findings, nodes } = await serverFindings(url)
  const isReached = findings.every(({ name, ok }) => name !== 'PostgreSQL' || ok)
  const found = [...folderFindings(folder), ...findings]
  return [
    ...found,
    ...(await inTurn([
      () => rightsFindings(folder, fix),
      () => foreignFindings(folder),
      ...(isReached ? contentChecks(settings, { fix, served: nodes > 0 }) : []),
      // A node of another machine may be the one that serves.
      () => reachFindings(settings, { served: false, target: targetHere() }),
      ...(isReached ? [() => clockFindings(placeOf(settings), Date.now()), () => peopleFindings(settings)] : []),
    ])),
  ]
}

/** Something that doctor looks at. */
type Check = (endBar: () => void) => readonly Finding[] | Promise<readonly Finding[]>

/** What both databases hold. */
function contentChecks(settings: Settings, use: Use): readonly Check[] {
  const place = placeOf(settings)
  return [
    () => eventFindings(place),
    () => idFindings(place),
    () => countFindings(place, use),
    () => searchFindings(place, use),
    () => graphFindings(settings, use),
    () => letterFindings(place),
    () => issuerFindings(place, settings.oidcJwksFile, targetHere()),
    endBar => {
      // Hashing the files has a bar of its own.
      endBar()
      return attachmentFindings(settings)
    },
  ]
}

/** Looks at one thing after the other, with a bar. */
async function inTurn(checks: readonly Check[]): Promise<Finding[]> {
  const bars = phaseBars({ checks: 'checks' })
  const found: Finding[] = []
  for (const [index, check] of checks.entries()) {
    bars.show('checks', index, checks.length)
    found.push(...(await check(bars.end)))
  }
  bars.end()
  return found
}

/** `specboard doctor`: prints the settings in effect and its findings; exit code 1 when something is wrong (exchange 3). */
export async function doctor(
  settings: Settings,
  { fix = false, json = false, mail }: DoctorFlags,
  sourceOf: (name: string) => SettingSource,
): Promise<number> {
  keepFilesPrivate()
  // After the findings, which look at the log before anything opens the database.
  const found = await allFindings(settings, fix)
  if (mail !== undefined) found.push(await mailFinding(settings, mail))
  const runtime = await runtimeSettingsOf(settings)
  const shown = shownSettings(settings, runtime.settings, sourceOf)
  const ofKeys = credentialFindings(process.env, process.cwd(), targetHere())
  const findings = [...found, ...ofKeys, ...runtime.findings, ...(await variableFindings(process.env))]
  const ok = findings.every(finding => finding.ok)
  if (json) printJson({ version, node: process.versions.node, ok, settings: shown, findings })
  else {
    console.log(`specboard ${version}, Node ${process.versions.node}`)
    for (const { name, value, source } of shown) console.log(`  ${name.padEnd(34)} ${value} (${source})`)
    for (const finding of findings) console.log(`${finding.ok ? 'ok  ' : 'BAD '} ${finding.name}: ${finding.says}`)
  }
  return ok ? 0 : 1
}
