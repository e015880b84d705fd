import type { ReplicaStatus } from '@specboard/storage'
import { automate } from './delivery/automations/automate.ts'
import { renewByWork } from './delivery/claims/renewal.ts'
import { reportSlots } from './delivery/evidence/slots.ts'
import { recordMentions } from './delivery/mentions/record.ts'
import { exportLimits } from './exchange/archive/spool.ts'
import type { makeFollowers } from './followers.ts'
import { queueConsolidation } from './graph/queue/entries.ts'
import { AgentSlots } from './kernel/agent-slots.ts'
import { BoardGates } from './kernel/board-gates.ts'
import type { Environment } from './kernel/context.ts'
import type { Service } from './kernel/service/service.ts'
import type { Resources } from './resources.ts'
import type { SettledOptions } from './service-options.ts'
import { CiIssuers } from './workspace/ci/issuers.ts'
import { selfTest } from './workspace/health/self-test.ts'

/** The environment in which the operations of a service run. */
export function environmentOf(
  options: SettledOptions,
  { database, ...resources }: Resources,
  { streams, graph, ...followers }: ReturnType<typeof makeFollowers>,
  service: () => Service,
): Environment {
  const { attachmentMaxBytes, importMaxBytes, readerLimits, quotas, publicUrl, sessionLife, openApi } = options
  const { conflictMinutes, repeatMinutes, answerCharacters } = options
  const { clock, version, onFault } = resources
  const { condition, workerSigns, webhooks, forgeEvents, notifications, removals, backups } = followers
  return {
    ...resources,
    folder: options.folder,
    workerSigns,
    condition,
    selfTest: () => selfTest(service()),
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
    gates: new BoardGates(),
    streams,
    graph,
    webhooks,
    forgeEvents,
    ciIssuers: new CiIssuers({ clock, version, settings: options.ciIssuers, onFault }),
    notifications,
    removals,
    backups,
    openApi,
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
}

const replicaReport = (replica: ReplicaStatus | undefined) =>
  replica === undefined
    ? null
    : { used: replica.isUsed, lag_bytes: replica.lagBytes ?? null, problem: replica.problem ?? null }
