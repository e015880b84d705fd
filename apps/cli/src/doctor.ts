import { accessSync, constants, existsSync, statfsSync } from 'node:fs'
import { filesWithoutRow, inspectDatabase, readWithoutLock } from '@specboard/domain'
import { lockFolder, StorageError } from '@specboard/storage'
import { explain } from './explain.ts'
import { type Settings, settingNames, settingTable, variableOf } from './settings.ts'
import { version } from './version.ts'

/** The result of one check. */
interface Finding {
  readonly name: string
  readonly ok: boolean
  readonly says: string
}

const lowDiskBytes = 100 << 20

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
    findings.push({ name: 'server', ok: true, says: 'none is using this folder' })
  } catch (error) {
    const running = error instanceof StorageError && error.code === 'FOLDER_LOCKED'
    findings.push({ name: 'server', ok: running, says: running ? 'one is running on this folder' : explain(error) })
  }
  return findings
}

async function databaseFindings(folder: string): Promise<Finding[]> {
  try {
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

/** Attachment files without a row: they take up space and nobody can reach them. */
async function fileFindings(folder: string): Promise<Finding[]> {
  try {
    const paths = await readWithoutLock(folder, db => filesWithoutRow(db, folder))
    const says =
      paths.length === 0 ? 'every file has a row' : `${paths.length} without a row: ${paths.slice(0, 3).join(', ')}`
    return [{ name: 'attachment files', ok: paths.length === 0, says }]
  } catch (error) {
    if (error instanceof StorageError) return []
    return [{ name: 'attachment files', ok: false, says: explain(error) }]
  }
}

/** `specboard doctor`: prints the settings in effect and its findings; exit code 1 when something is wrong. */
export async function doctor(settings: Settings): Promise<number> {
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
  const findings = [...folderFindings(folder), ...(await databaseFindings(folder)), ...(await fileFindings(folder))]
  for (const { name, ok, says } of findings) console.log(`${ok ? 'ok  ' : 'BAD '} ${name}: ${says}`)
  return findings.every(finding => finding.ok) ? 0 : 1
}
