import { accessSync, constants, existsSync, statfsSync } from 'node:fs'
import { attachmentFolder, inspectDatabase, secretKeyName } from '@specboard/domain'
import { keepFilesPrivate, lockFolder, refuseMissingDatabase, StorageError } from '@specboard/storage'
import { countFindings } from './count-findings.ts'
import { explain } from './explain.ts'
import { attachmentFindings, type Finding, logFindings, rightsFindings, secretKeyFindings } from './file-findings.ts'
import { searchFindings } from './search-findings.ts'
import { type Settings, settingNames, settingTable, variableOf } from './settings.ts'
import { version } from './version.ts'

const lowDiskBytes = 100 << 20

const serverName = 'server'

function folderFindings(folder: string): Finding[] {
  if (!existsSync(folder))
    return [{ name: 'data folder', ok: true, says: `${folder} does not exist yet; "specboard serve" creates it` }]
  const findings: Finding[] = []
  try {
    accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK)
    findings.push({ name: 'data folder', ok: true, says: folder })
  } catch (error) {
    return [{ name: 'data folder', ok: false, says: explain(error) }]
  }
  const { bavail, bsize } = statfsSync(folder)
  const free = bavail * bsize
  findings.push({ name: 'free space', ok: free >= lowDiskBytes, says: `${Math.floor(free / (1 << 20))} MiB` })
  try {
    lockFolder(folder)()
    findings.push({ name: serverName, ok: true, says: noServer })
  } catch (error) {
    const running = error instanceof StorageError && error.code === 'FOLDER_LOCKED'
    findings.push({ name: serverName, ok: running, says: running ? 'one is running on this folder' : explain(error) })
  }
  return findings
}

const noServer = 'none is using this folder'

const isServed = (findings: readonly Finding[]): boolean =>
  findings.some(({ name, says }) => name === serverName && says !== noServer)

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
      { name: 'integrity', ok: integrity === 'ok', says: integrity },
      {
        name: 'references',
        ok: brokenReferences === 0,
        says: brokenReferences === 0 ? 'ok' : `${brokenReferences} broken`,
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

/**
 * `specboard doctor`: prints the settings in effect and its findings; exit code 1 when something is wrong.
 * @param fix narrows rights that are too wide, counts anew what is counted wrongly and rebuilds a wrong search index, and prints which
 */
export async function doctor(settings: Settings, { fix = false }: { readonly fix?: boolean } = {}): Promise<number> {
  keepFilesPrivate()
  console.log(`specboard ${version}, Node ${process.versions.node}`)
  for (const name of settingNames) {
    const shown = settingTable[name].secret
      ? settings[name] === undefined
        ? '(not set)'
        : '(set)'
      : String(settings[name])
    console.log(`  ${variableOf(name).padEnd(34)} ${shown}`)
  }
  for (const [key, value] of Object.entries(settings.pinned))
    console.log(`  ${`SPECBOARD_${key.toUpperCase()}`.padEnd(34)} ${value} (pinned)`)
  const folder = settings.dataDir
  const found = folderFindings(folder)
  const served = isServed(found)
  const findings = [
    ...found,
    ...rightsFindings(folder, fix),
    ...(await logFindings(folder, served)),
    ...(await databaseFindings(folder)),
    ...(await countFindings(folder, { fix, served })),
    ...(await searchFindings(folder, { fix, served })),
    ...secretKeyFindings(folder),
    ...(await attachmentFindings(folder)),
  ]
  for (const { name, ok, says } of findings) console.log(`${ok ? 'ok  ' : 'BAD '} ${name}: ${says}`)
  return findings.every(finding => finding.ok) ? 0 : 1
}
