import { attachmentFolder } from './delivery/attachments/files/attachment-path.ts'
import { openFiles } from './delivery/attachments/files/open-files.ts'
import { Leases } from './kernel/leases.ts'
import type { RuntimeSettings } from './kernel/runtime-settings.ts'
import { refuseForeignKey, removeForeignSecrets, SecretKey, secretKeyName } from './kernel/secret-key.ts'
import { idSource } from './lib/ids.ts'
import { type Database, openDatabase } from './schema/database.ts'
import type { SettledOptions } from './service-options.ts'
import { settleRestore } from './workspace/backups/restore.ts'

/** Opens the database of a service, and migrates it. */
export function openDatabaseOf(options: SettledOptions, settings: RuntimeSettings): Promise<Database> {
  const { folder, databaseUrl, databaseReadUrl, announcements, databaseLocks, databaseConnections } = options
  const { databaseLimits, secretKeyFile, onProblem, onFault, onMigration, onLoss } = options
  settleRestore(folder)
  return openDatabase({
    folder,
    url: databaseUrl,
    readUrl: databaseReadUrl,
    announcements,
    locks: databaseLocks,
    connections: databaseConnections,
    limits: databaseLimits,
    cacheMb: settings.values.page_cache_mb,
    companions: [attachmentFolder, secretKeyName],
    announcementKey: () => SecretKey.of(folder, secretKeyFile).derived('announcements'),
    onProblem,
    onFault,
    onMigration,
    onLoss,
  })
}

/** What all parts of a service use. */
export type Resources = Awaited<ReturnType<typeof openResources>>

/** Opens what all parts of a service use: its files, its key, its identity among the nodes, and its settings. */
export async function openResources(options: SettledOptions, database: Database, settings: RuntimeSettings) {
  const { folder, attachmentsUrl, secretKeyFile, version, listensAt, leaseMs, clock, onFault, onProblem } = options
  const newId = idSource(clock)
  const files = await openFiles({ folder, url: attachmentsUrl, database, clock, onFault })
  const node = { id: newId(), ...listensAt, startedAt: clock() }
  const card = { ...listensAt, version, started_at: new Date(node.startedAt).toISOString() }
  const leases = new Leases({ database, card, node: node.id, leaseMs, onFault })
  await leases.start()
  const secretKey = SecretKey.of(folder, secretKeyFile)
  if (database.isShared) await refuseForeignKey(database, secretKey)
  else if ((await removeForeignSecrets(database, secretKey)) > 0)
    onProblem(`${secretKeyName} did not open the stored secrets: MCP sessions and upload tickets have ended`)
  settings.onChange(values => database.setCache(values.page_cache_mb))
  return { database, settings, files, node, leases, secretKey, clock, newId, version, onFault }
}
