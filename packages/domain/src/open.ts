import type { RuntimeSettingKey } from '@specboard/contract'
import type { ReplicaStatus, StatementLimits, StorageLoss } from '@specboard/storage'
import { adviser } from './adviser.ts'
import { attachmentFolder } from './delivery/attachments/files/attachment-path.ts'
import { removeIncoming } from './delivery/attachments/files/incoming.ts'
import { openFiles } from './delivery/attachments/files/open-files.ts'
import { AttachmentSweeper } from './delivery/attachments/sweeper.ts'
import { automate } from './delivery/automations/automate.ts'
import { renewByWork } from './delivery/claims/renewal.ts'
import { EvidenceRetention } from './delivery/evidence/retention.ts'
import { reportSlots } from './delivery/evidence/slots.ts'
import { ForgeEvents } from './delivery/git/forge/forge-events.ts'
import { recordMentions } from './delivery/mentions/record.ts'
import { SessionRetention } from './delivery/sessions/retention.ts'
import { exportLimits } from './exchange/archive/spool.ts'
import { settleImports } from './exchange/import/leftovers.ts'
import { readerLimits as usualReaderLimits } from './exchange/import/reader-threads.ts'
import * as runners from './features.ts'
import { KnowledgeGraph, type KnowledgeGraphSettings } from './graph/knowledge-graph.ts'
import { queueConsolidation } from './graph/queue/entries.ts'
import { SearchIndex } from './insight/search/search-index.ts'
import { AgentSlots } from './kernel/agent-slots.ts'
import { BoardGates } from './kernel/board-gates.ts'
import type { Environment, Quotas, ReaderLimits } from './kernel/context.ts'
import { Leases } from './kernel/leases.ts'
import { RuntimeSettings } from './kernel/runtime-settings.ts'
import { refuseForeignKey, removeForeignSecrets, SecretKey, secretKeyName } from './kernel/secret-key.ts'
import { type PerformedCall, Service } from './kernel/service/service.ts'
import { Streams, sightSignal } from './kernel/streams/streams.ts'
import { WorkerSigns } from './kernel/worker-signs.ts'
import { idSource } from './lib/ids.ts'
import { nextParts } from './next-part.ts'
import { type NotificationSettings, Notifications } from './notifications/notifications.ts'
import { type Happened, OtherNodes } from './other-nodes.ts'
import { ReadingThreads } from './reading-threads.ts'
import { openDatabase } from './schema/database.ts'
import * as visibility from './visibility.ts'
import { settleRestore } from './workspace/backups/restore.ts'
import { type BackupSettings, Backups } from './workspace/backups/schedule.ts'
import { BoardRemovals } from './workspace/boards/removals.ts'
import { type CiIssuerSettings, CiIssuers } from './workspace/ci/issuers.ts'
import { EventArchiving } from './workspace/events/archiving/event-archiving.ts'
import { continueLog } from './workspace/events/store.ts'
import { Condition } from './workspace/health/condition.ts'
import { selfTest } from './workspace/health/self-test.ts'
import { type SessionLife, usualSessionLife } from './workspace/people/web-sessions.ts'
import { seedOwner, seedPresets } from './workspace/seed.ts'
import { StoredSecret } from './workspace/tokens/stored-secret.ts'
import type { WebhookState } from './workspace/webhooks/lane.ts'
import { type WebhookSettings, Webhooks } from './workspace/webhooks/webhooks.ts'

/** Options for opening a service. */
export interface ServiceOptions {
  /** The data folder. */
  readonly folder: string
  /** The address of the PostgreSQL database that several nodes share; by default the folder holds a SQLite database. */
  readonly databaseUrl?: string | undefined
  /** The address of a replica of this database, which answers reads where it is far enough; none by default. */
  readonly databaseReadUrl?: string | undefined
  /** How nodes on PostgreSQL hear each other: by NOTIFY unless there is none. */
  readonly announcements?: 'notify' | 'poll' | undefined
  /** What units of work on PostgreSQL lock: advisory locks unless there are none. */
  readonly databaseLocks?: 'advisory' | 'rows' | undefined
  /** The number of connections for reading, and the same number for writing; default 8. */
  readonly databaseConnections?: number | undefined
  /** Limits on how long a statement may run and wait for a lock. */
  readonly databaseLimits?: StatementLimits | undefined
  /** The address of an S3 store for attachments; by default they are stored where the database is. */
  readonly attachmentsUrl?: string | undefined
  readonly version: string
  /** The file with the key that encrypts the service's secrets; by default the one in the data folder. */
  readonly secretKeyFile?: string | undefined
  /** The owner's key at the first start; generated when undefined. */
  readonly ownerKey?: string | undefined
  /** Runtime settings pinned by environment variables. */
  readonly pinned?: Readonly<Partial<Record<RuntimeSettingKey, number>>>
  /** The largest size of an attachment, bytes; 10 MiB by default. */
  readonly attachmentMaxBytes?: number | undefined
  /** The largest archive that import_board takes, bytes; 2 GiB by default. */
  readonly importMaxBytes?: number | undefined
  /** Days for which the tests of a report are kept that no scenario names; 30 by default. */
  readonly reportCasesDays?: number | undefined
  /** The age from which entries of event logs are archived, and the folder; by default they stay. */
  readonly eventArchives?: { readonly days: number; readonly folder: string } | undefined
  /** The resources that a thread may use to read another tool's file; 512 MiB and a minute by default. */
  readonly readerLimits?: ReaderLimits | undefined
  /** Quotas shared by all agents; by default none. */
  readonly quotas?: Quotas | undefined
  /** The origin at which people reach the service, if there is one. */
  readonly publicUrl?: string | undefined
  /** How long sessions of browsers last; 12 hours without use and 30 days by default. */
  readonly sessionLife?: SessionLife | undefined
  /** Minutes during which a text written by another agent is not overwritten unseen over MCP; 15 by default. */
  readonly conflictMinutes?: number | undefined
  /** Minutes during which an identical call over MCP counts as a repetition of the first; 10 by default. */
  readonly repeatMinutes?: number | undefined
  /** The maximum number of characters of an answer over MCP; 20,000 by default. */
  readonly answerCharacters?: number | undefined
  /** The source of embeddings, and the limits of the knowledge graph. */
  readonly graph?: KnowledgeGraphSettings
  /** How webhooks are sent. */
  readonly webhooks?: WebhookSettings
  /** How the keys of issuers of CI tokens are obtained. */
  readonly ciIssuers?: CiIssuerSettings | undefined
  /** How people are notified. */
  readonly notifications?: NotificationSettings | undefined
  /** Where and how often the service backs itself up; by default never. */
  readonly backups?: BackupSettings | undefined
  /** Whether this process consolidates queued records and sends to webhooks; true by default. */
  readonly workers?: boolean
  /** The amount of stored data from which reads of whole boards run in threads, bytes; 16 MiB by default. */
  readonly readBesideFrom?: number | undefined
  /** Makes the OpenAPI document of some operations, for get_kg_openapi. */
  readonly openApi?: Environment['openApi']
  /** How long a node may be silent before the others on its database take over its work, ms; 30 s by default. */
  readonly leaseMs?: number | undefined
  /** The address on which this process listens; by default none. */
  readonly listensAt?: { readonly host: string; readonly port: number } | undefined
  readonly clock?: () => number
  /** Called for each call once it is answered or refused. */
  readonly onPerformed?: ((call: PerformedCall) => void) | undefined
  /** Called with failures that no caller learns of: after an answer, in the background, and in the cleanup at start. */
  readonly onFault?: (error: unknown) => void
  /** Called once for each problem with the files of the data folder (trust 5). */
  readonly onProblem?: (problem: string) => void
  /** Called when something begins to be wrong with the service, and when it is over (access 13). */
  readonly onCondition?: (problem: string, isOver: boolean) => void
  /** Called when a webhook begins to fail, and when it works again (work 6). */
  readonly onWebhook?: ((webhook: WebhookState) => void) | undefined
  /** Called for each migration that ran on existing data, with what it decided for that data. */
  readonly onMigration?: (name: string, note: string | undefined) => void
  /** Called when the files of the database were lost and everything is closed: the process can only exit (trust 5). */
  readonly onLoss?: (loss: StorageLoss) => void
}

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
  const {
    folder,
    databaseUrl,
    databaseReadUrl,
    announcements,
    databaseLocks,
    databaseConnections,
    databaseLimits,
    attachmentsUrl,
    version,
    ownerKey,
    pinned = {},
    attachmentMaxBytes = 10_485_760,
    importMaxBytes = 2 * 2 ** 30,
    reportCasesDays = 30,
    eventArchives,
    readerLimits = usualReaderLimits,
    quotas = { boardsPerAgent: 0, attachmentBytes: 0 },
    publicUrl,
    sessionLife = usualSessionLife,
    conflictMinutes = 15,
    repeatMinutes = 10,
    answerCharacters = 20_000,
    graph: graphSettings = {},
    webhooks: webhookSettings = {},
    ciIssuers = {},
    notifications: notificationSettings = {},
    backups: backupSettings,
    workers = true,
    readBesideFrom = 16 << 20,
    openApi = withoutOpenApi,
    leaseMs,
    listensAt = { host: '', port: 0 },
    secretKeyFile,
    clock = Date.now,
    onPerformed,
    onFault = () => {},
    onProblem = () => {},
    onCondition = () => {},
    onWebhook = () => {},
    onMigration = () => {},
    onLoss = () => {},
  } = options
  const settings = new RuntimeSettings(pinned)
  settleRestore(folder)
  const database = await openDatabase({
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
  try {
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
    const graph = new KnowledgeGraph({ database, settings, leases, clock, newId, onFault, graph: graphSettings })
    const streams = new Streams(database)
    const webhooks = new Webhooks({
      database,
      leases,
      clock,
      newId,
      secretKey,
      onFault,
      version,
      settings: webhookSettings,
      onState: onWebhook,
      onChange: (boardId, webhookId) => others.tell({ webhooks: new Set([`${boardId} ${webhookId}`]) }),
    })
    const forgeEvents = new ForgeEvents({
      database,
      leases,
      clock,
      newId,
      secretKey,
      onFault,
      write: (caller, run, board) => service.write(caller, run, 'http', board),
    })
    const notifications = new Notifications({
      database,
      leases,
      clock,
      newId,
      secretKey,
      publicUrl,
      version,
      settings: notificationSettings,
      allowed: webhooks.allowed,
      looks: streams.looks,
      readAs: (caller, run) => service.read(caller, run),
      writeAs: (caller, run) => service.write(caller, run, 'cli'),
      vapidSecret: () => new StoredSecret(service, 'vapid').read(),
      onChange: personId => others.tell({ channels: new Set([personId]) }),
      onFault,
    })
    const backups = new Backups({ folder, attachmentsUrl, version, settings: backupSettings, clock, onFault })
    const search = new SearchIndex(database, onFault)
    const removals = new BoardRemovals({ database, leases, files, afterPiece: () => search.step(), onFault })
    const gates = new BoardGates()
    const faults = () => [
      ...database.condition.problems,
      ...(workers && !graph.worker.isRunning ? ['the worker of the knowledge graph has stopped'] : []),
      ...backups.problems(),
    ]
    const workerSigns = new WorkerSigns({ database, node: node.id, clock, onFault })
    const environment: Environment = {
      clock,
      newId,
      folder,
      files,
      version,
      settings,
      workerSigns,
      node,
      leases,
      condition: new Condition({ database, settings, folder, clock, faults, onChange: onCondition }),
      selfTest: () => selfTest(service),
      address: database.address,
      database: () => ({
        engine: database.engine,
        size_bytes: database.bytes,
        ignored_announcements: database.ignoredAnnouncements,
        replica: replicaReport(database.replica),
      }),
      attachmentMaxBytes,
      exports: new AgentSlots(exportLimits),
      reports: new AgentSlots(reportSlots),
      importMaxBytes,
      readerLimits,
      quotas,
      publicUrl,
      sessionLife,
      conflictMinutes,
      repeatMinutes,
      answerCharacters,
      storage: database.condition,
      gates,
      secretKey,
      streams,
      graph,
      webhooks,
      forgeEvents,
      ciIssuers: new CiIssuers({ clock, version, settings: ciIssuers, onFault }),
      notifications,
      removals,
      backups,
      openApi,
      onFault,
      onEntry: async (db, unit, entry) => {
        await queueConsolidation(db, unit, entry)
        await renewByWork(db, unit, entry)
      },
      onTexts: recordMentions,
      onChanges: automate,
      // The last message of each phase: a slow stream does not skip the beginning of a short import.
      onImport: (agentId, progress) =>
        streams.own.send(agentId, `${progress.import_id} ${progress.phase}`, { event: 'import', data: progress }),
    }
    settings.onChange(values => database.setCache(values.page_cache_mb))
    const ignoredSettings = await database.read(db => settings.load(db))
    const madeKey = await database.write(async db => {
      await continueLog(db)
      await seedPresets(db, new Date(clock()).toISOString())
      return seedOwner(db, environment, ownerKey)
    })
    const settle = () =>
      settleImports(database, { now: new Date(clock()).toISOString(), newId, files, leases, onFault })
    await settle()
    if (leases.isAlone) await removeIncoming(folder).catch(onFault)
    const sweeper = new AttachmentSweeper(database, files, onFault)
    const retention = new EvidenceRetention({ database, days: reportCasesDays, clock, onFault })
    const sessions = new SessionRetention({ database, clock, onFault })
    const fromBytes = readBesideFrom
    const archiving = eventArchives && new EventArchiving({ database, leases, clock, onFault, ...eventArchives })
    const beside = new ReadingThreads({ folder, database, settings, clock, version, fromBytes, sessionLife })
    const yieldToCallers = () => {
      graph.worker.yieldToCaller()
      search.yieldToCaller()
    }
    const service = new Service({
      database,
      environment,
      runners,
      visibility,
      adviser,
      nextParts,
      onFault,
      onCall: yieldToCallers,
      onPerformed,
      onRefused: (...refused) => workerSigns.refused(...refused),
      beside,
      freshen: ({ operation }) => (operation.name === 'search_records' ? search.catchUp() : undefined),
    })
    const heed = ({ events = new Set(), boards = new Set(), sight, agents }: Partial<Happened>) => {
      if (events.size > 0) {
        graph.queued(events)
        search.changed()
        webhooks.noted(events)
        notifications.noted(events)
      }
      if (agents) webhooks.wake()
      if (agents || sight) notifications.wake()
      if (sight) streams.entries.notify(sightSignal)
      for (const boardId of events) streams.entries.notify(boardId)
      for (const boardId of boards) for (const signals of [graph.signals, streams.entries]) signals.notify(boardId)
    }
    const others = new OtherNodes(database, {
      happened: happened => {
        // Callers on all nodes wait for one database.
        if (happened.events.size > 0 || happened.boards.size > 0) yieldToCallers()
        heed(happened)
        if (happened.isUnknown) webhooks.look().catch(onFault)
        if (happened.isUnknown) notifications.look().catch(onFault)
        for (const personId of happened.channels) notifications.heard(personId)
        for (const webhook of happened.webhooks) webhooks.heard(...(webhook.split(' ') as [string, string]))
        if (happened.leases) leases.look().catch(onFault)
        if (happened.settings) database.read(db => settings.load(db)).catch(onFault)
        if (happened.sight || happened.agents) service.tellElsewhere([], true)
      },
      written: written => service.tellElsewhere(written, false),
      onFault,
    })
    const tell = (happened: Partial<Happened>) => {
      heed(happened)
      others.tell(happened)
    }
    const unlisten = service.listen(events => {
      others.appended(events.map(({ id }) => id))
      tell({ events: new Set(events.map(({ boardId }) => boardId)) })
    })
    const unwatch = service.watch(({ operation, input }) => {
      const { board_id, agent_id } = input.params as { board_id?: string; agent_id?: string }
      tell({
        boards: new Set(board_id === undefined ? [] : [board_id]),
        sight: operation.changesAccess,
        agents: agent_id !== undefined,
        settings: operation.name === 'put_runtime_settings',
      })
    })
    await others.start()
    sweeper.start()
    workerSigns.start()
    if (workers) {
      await graph.start()
      search.start()
      await webhooks.start()
      await forgeEvents.start()
      await notifications.start()
      backups.start()
      environment.condition.start()
      retention.start()
      sessions.start()
      archiving?.start()
      void removals.run()
      // Work begun by another node is continued here once that node has ended.
      leases.onFree(() => {
        settle().catch(onFault)
        void removals.run()
      })
    }
    const close = async () => {
      unlisten()
      unwatch()
      await others.stop()
      await workerSigns.stop()
      environment.condition.stop()
      await backups.stop()
      await sweeper.stop()
      await retention.stop()
      await sessions.stop()
      await archiving?.stop()
      await removals.stop()
      await webhooks.stop()
      await forgeEvents.stop()
      await notifications.stop()
      await graph.stop()
      await search.stop()
      await beside.stop()
      await leases.stop().catch(onFault)
      streams.entries.notifyAll()
      await database.close()
    }
    return { service, graph, webhooks, forgeEvents, ownerKey: madeKey, ignoredSettings, close }
  } catch (error) {
    await database.close()
    throw error
  }
}

const replicaReport = (replica: ReplicaStatus | undefined) =>
  replica === undefined
    ? null
    : { used: replica.isUsed, lag_bytes: replica.lagBytes ?? null, problem: replica.problem ?? null }

const withoutOpenApi = (): never => {
  throw new Error('The service was opened without the option openApi.')
}
