import { attachmentSweeper } from './delivery/attachments/sweeper.ts'
import { EvidenceRetention } from './delivery/evidence/retention.ts'
import { ForgeEvents } from './delivery/git/forge/forge-events.ts'
import { gitRetention } from './delivery/git/retention.ts'
import { sessionRetention } from './delivery/sessions/retention.ts'
import { settleImports } from './exchange/import/leftovers.ts'
import { followerFacts } from './follower-facts.ts'
import { KnowledgeGraph } from './graph/knowledge-graph.ts'
import { SearchIndex } from './insight/search/search-index.ts'
import { Callers } from './kernel/followers/callers.ts'
import type { ChangeNotice } from './kernel/followers/change-notice.ts'
import { Followers } from './kernel/followers/followers.ts'
import type { Service } from './kernel/service/service.ts'
import { Streams } from './kernel/streams/streams.ts'
import { WorkerSigns } from './kernel/worker-signs.ts'
import { Notifications } from './notifications/notifications.ts'
import { ReadingThreads } from './reading-threads.ts'
import type { Resources } from './resources.ts'
import type { SettledOptions } from './service-options.ts'
import { Backups } from './workspace/backups/schedule.ts'
import { BoardRemovals } from './workspace/boards/removals.ts'
import { EventArchiving } from './workspace/events/archiving/event-archiving.ts'
import { Condition } from './workspace/health/condition.ts'
import { StoredSecret } from './workspace/tokens/stored-secret.ts'
import { Webhooks } from './workspace/webhooks/webhooks.ts'

/** The parts of the service that followers use; the service is assembled after them. */
export interface FollowedService {
  readonly service: () => Service
  /** Notifies the followers and the other nodes of what changed here. */
  readonly announce: (notice: ChangeNotice) => void
}

/** Settles the imports whose process has ended, unless another node does so. */
export const settleUnfinishedImports = ({ database, clock, newId, files, leases, onFault }: Resources): Promise<void> =>
  settleImports(database, { now: new Date(clock()).toISOString(), newId, files, leases, onFault })

/** All followers of a service: those that other parts use by name, and all of them in the order of their start. */
export function makeFollowers(options: SettledOptions, resources: Resources, { service, announce }: FollowedService) {
  const { folder, attachmentsUrl, publicUrl, sessionLife, eventArchives } = options
  const { database, settings, files, node, leases, clock, version, onFault } = resources
  const streams = new Streams(database, agentId => announce({ inboxes: new Set([agentId]) }))
  const callers = new Callers()
  const graph = new KnowledgeGraph({ ...resources, callers, graph: options.graph })
  const search = new SearchIndex(database, callers, onFault)
  const webhooks = new Webhooks({
    ...resources,
    settings: options.webhooks,
    onState: options.onWebhook,
    onChange: (boardId, webhookId) => announce({ webhooks: new Set([`${boardId} ${webhookId}`]) }),
  })
  const forgeEvents = new ForgeEvents({
    ...resources,
    callers,
    write: (caller, run, board) => service().write(caller, run, 'http', board),
  })
  const notifications = new Notifications({
    ...resources,
    publicUrl,
    settings: options.notifications,
    allowed: webhooks.allowed,
    looks: streams.looks,
    readAs: (caller, run) => service().read(caller, run),
    writeAs: (caller, run) => service().write(caller, run, 'cli'),
    vapidSecret: () => new StoredSecret(service(), 'vapid').read(),
    onChange: personId => announce({ channels: new Set([personId]) }),
  })
  const workerSigns = new WorkerSigns({ database, node: node.id, clock, onFault })
  const { isShared } = database
  const backups = new Backups({ folder, attachmentsUrl, version, settings: options.backups, isShared, clock, onFault })
  const removals = new BoardRemovals({ database, leases, files, afterPiece: () => search.step(), onFault })
  const faults = () => [...database.condition.problems, ...followers.faults()]
  const condition = new Condition({
    database,
    settings,
    folder,
    clock,
    followers: followerFacts,
    faults,
    onChange: options.onCondition,
  })
  const fromBytes = options.readBesideFrom
  const readPool = new ReadingThreads({ folder, database, settings, clock, version, fromBytes, sessionLife })
  const followers: Followers = new Followers(
    [
      streams,
      { wants: { leases: () => leases.look() }, stop: () => leases.stop() },
      { wants: { settings: () => database.read(db => settings.load(db)) } },
      readPool,
      attachmentSweeper(database, files, onFault),
      workerSigns,
      graph,
      search,
      webhooks,
      forgeEvents,
      notifications,
      backups,
      condition,
      new EvidenceRetention({ database, days: options.reportCasesDays, clock, onFault }),
      sessionRetention(database, clock, onFault),
      gitRetention(database, clock, onFault),
      ...(eventArchives ? [new EventArchiving({ database, leases, clock, onFault, ...eventArchives })] : []),
      { wants: { freed: () => settleUnfinishedImports(resources) } },
      removals,
    ],
    onFault,
  )
  const named = { streams, graph, search, webhooks, forgeEvents, notifications, workerSigns, backups, removals }
  return { followers, callers, ...named, condition, readPool }
}
