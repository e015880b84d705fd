import type { RuntimeSettingKey } from '@specboard/contract'
import { clearLeftovers } from './delivery/attachments/removal.ts'
import * as runners from './features.ts'
import { KnowledgeGraph, type KnowledgeGraphSettings } from './graph/knowledge-graph.ts'
import { queueConsolidation } from './graph/queue/entries.ts'
import type { Environment } from './kernel/context.ts'
import { RuntimeSettings } from './kernel/runtime-settings.ts'
import { Service } from './kernel/service/service.ts'
import { idSource } from './lib/ids.ts'
import { openDatabase } from './schema/database.ts'
import * as visibility from './visibility.ts'
import { seedOwner, seedPresets } from './workspace/seed.ts'

/** What a service is opened with. */
export interface ServiceOptions {
  /** The data folder. */
  readonly folder: string
  readonly version: string
  /** The first owner's key; one is made when undefined. */
  readonly ownerKey?: string | undefined
  /** Runtime settings that the environment fixes. */
  readonly pinned?: Readonly<Partial<Record<RuntimeSettingKey, number>>>
  /** The most bytes of an attachment; 10 MiB unless said. */
  readonly attachmentMaxBytes?: number | undefined
  /** Where embeddings come from, and what limits the knowledge graph. */
  readonly graph?: KnowledgeGraphSettings
  /** Whether queued records are consolidated in this process; they are unless said. */
  readonly workers?: boolean
  /** Makes the OpenAPI document of some operations; get_kg_openapi answers it. */
  readonly openApi?: Environment['openApi']
  readonly clock?: () => number
  /** Told of failures behind calls that were answered already, and of stored settings that are ignored. */
  readonly onFault?: (error: unknown) => void
}

/** An open service. */
export interface OpenedService {
  readonly service: Service
  /** What of the knowledge graph runs beside the calls. */
  readonly graph: KnowledgeGraph
  /** The key of the owner that this start made, to be shown once. */
  readonly ownerKey: string | undefined
  /** Stored runtime settings that are out of range and ignored. */
  readonly ignoredSettings: readonly string[]
  /** Finishes what was accepted and closes the database. */
  close(): Promise<void>
}

/**
 * Opens the service of a data folder: migrates, repairs the built-in presets, makes the owner at the first
 * start.
 * @throws StorageError FOLDER_LOCKED, DATABASE_NEWER; TypeError for a malformed owner key
 */
export async function openService(options: ServiceOptions): Promise<OpenedService> {
  const {
    folder,
    version,
    ownerKey,
    pinned = {},
    attachmentMaxBytes = 10_485_760,
    graph: graphSettings = {},
    workers = true,
    openApi = withoutOpenApi,
    clock = Date.now,
    onFault = () => {},
  } = options
  const settings = new RuntimeSettings(pinned)
  const database = await openDatabase({ folder, cacheMb: settings.values.page_cache_mb })
  try {
    const newId = idSource(clock)
    const graph = new KnowledgeGraph({ database, settings, clock, newId, onFault, graph: graphSettings })
    const environment: Environment = {
      clock,
      newId,
      folder,
      version,
      settings,
      attachmentMaxBytes,
      graph,
      openApi,
      onEntry: queueConsolidation,
    }
    settings.onChange(values => database.setCache(values.page_cache_mb))
    const ignoredSettings = await database.read(db => settings.load(db))
    const madeKey = await database.write(async db => {
      await seedPresets(db, new Date(clock()).toISOString())
      return seedOwner(db, environment, ownerKey)
    })
    await clearLeftovers(database, folder).catch(onFault)
    const service = new Service({ database, environment, runners, visibility, onFault })
    const unlisten = service.listen(events => graph.queued(events.map(({ boardId }) => boardId)))
    const unwatch = service.watch(({ input }) => graph.signals.notify(String(input.params.board_id)))
    if (workers) await graph.start()
    const close = async () => {
      unlisten()
      unwatch()
      await graph.stop()
      await database.close()
    }
    return { service, graph, ownerKey: madeKey, ignoredSettings, close }
  } catch (error) {
    await database.close()
    throw error
  }
}

const withoutOpenApi = (): never => {
  throw new Error('The service was opened without what makes OpenAPI documents.')
}
