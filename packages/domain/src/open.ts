import { removeIncoming } from './delivery/attachments/files/incoming.ts'
import type { ForgeEvents } from './delivery/git/forge/forge-events.ts'
import { environmentOf } from './environment.ts'
import * as runners from './features.ts'
import { makeFollowers, settleUnfinishedImports } from './followers.ts'
import type { KnowledgeGraph } from './graph/knowledge-graph.ts'
import type { ChangeNotice } from './kernel/followers/change-notice.ts'
import { RuntimeSettings } from './kernel/runtime-settings.ts'
import { Service } from './kernel/service/service.ts'
import { loadNextActions } from './load-next-actions.ts'
import { nextParts } from './next-part.ts'
import { OtherNodes } from './other-nodes.ts'
import { openDatabaseOf, openResources } from './resources.ts'
import type { Database } from './schema/database.ts'
import { type ServiceOptions, type SettledOptions, withDefaults } from './service-options.ts'
import * as visibility from './visibility.ts'
import { continueLog } from './workspace/events/store.ts'
import { seedOwner, seedPresets } from './workspace/seed.ts'
import type { Webhooks } from './workspace/webhooks/webhooks.ts'

/** An open service. */
export interface OpenedService {
  readonly service: Service
  /** The background part of the knowledge graph. */
  readonly graph: KnowledgeGraph
  /** Sends events to webhooks. */
  readonly webhooks: Webhooks
  /** Receives forge events. */
  readonly forgeEvents: ForgeEvents
  /** The owner's key if this start generated it, to be shown once. */
  readonly ownerKey: string | undefined
  /** Stored runtime settings that are ignored because they are out of range. */
  readonly ignoredSettings: readonly string[]
  /** Finishes accepted writes and closes the database. */
  close(): Promise<void>
}

/**
 * Opens the service of a data folder: migrates the database, repairs the built-in presets, and creates the owner at
 * the first start.
 *
 * @example
 * const { service, ownerKey, close } = await openService({ folder, version: '1.0.0' })
 * const caller = await service.authenticate(ownerKey) // undefined at later starts: the key is shown only once
 * await close() // otherwise the folder stays locked
 * @throws StorageError FOLDER_LOCKED, DATABASE_NEWER, FOREIGN_KEY
 * @throws TypeError for a malformed owner key
 */
export async function openService(options: ServiceOptions): Promise<OpenedService> {
  const settled = withDefaults(options)
  const settings = new RuntimeSettings(settled.pinned)
  const database = await openDatabaseOf(settled, settings)
  try {
    return await openOn(database, settled, settings)
  } catch (error) {
    await database.close()
    throw error
  }
}

async function openOn(database: Database, options: SettledOptions, settings: RuntimeSettings): Promise<OpenedService> {
  const { folder, ownerKey, workers, clock, onFault, onPerformed } = options
  const resources = await openResources(options, database, settings)
  const { leases } = resources
  const announce = (notice: ChangeNotice): void => {
    followers.applyNotice(notice)
    others.announce(notice)
  }
  const components = makeFollowers(options, resources, { service: () => service, announce })
  const { followers, callers, graph, search, webhooks, forgeEvents, workerSigns, readPool } = components
  const environment = environmentOf(options, resources, components, () => service)
  const ignoredSettings = await database.read(db => settings.load(db))
  const madeKey = await database.write(async db => {
    await continueLog(db)
    await seedPresets(db, new Date(clock()).toISOString())
    return seedOwner(db, environment, ownerKey)
  })
  await settleUnfinishedImports(resources)
  if (leases.isAlone) await removeIncoming(folder).catch(onFault)
  const service: Service = new Service({
    database,
    environment,
    runners,
    visibility,
    loadNextActions,
    nextParts,
    onFault,
    onCall: () => callers.called(),
    onPerformed,
    onRefused: (...refused) => workerSigns.refused(...refused),
    readPool,
    freshen: ({ operation }) => (operation.name === 'search_records' ? search.catchUp() : undefined),
  })
  const others = new OtherNodes(database, {
    onNotice: notice => {
      // Callers on all nodes wait for one database.
      if (notice.events?.size || notice.calls?.size) callers.called()
      followers.applyNotice(notice)
      if (notice.access || notice.agents) service.tellElsewhere([], true)
    },
    written: written => service.tellElsewhere(written, false),
    onFault,
  })
  const unlisten = [
    service.listen(events => {
      others.appended(events.map(({ id }) => id))
      announce({ events: new Set(events.map(({ boardId }) => boardId)) })
    }),
    service.watch(({ operation, input }) => {
      const { board_id, agent_id } = input.params as { board_id?: string; agent_id?: string }
      announce({
        calls: new Set(board_id === undefined ? [] : [board_id]),
        access: operation.changesAccess,
        agents: agent_id !== undefined,
        settings: operation.name === 'put_runtime_settings',
      })
    }),
  ]
  await others.start()
  await followers.start(workers)
  if (workers) unlisten.push(leases.onFree(() => followers.applyNotice({ freed: true })))
  const close = async () => {
    for (const stop of unlisten) stop()
    await others.stop()
    await followers.stop()
    await database.close()
  }
  return { service, graph, webhooks, forgeEvents, ownerKey: madeKey, ignoredSettings, close }
}
