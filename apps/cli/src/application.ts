import { openService } from '@specboard/domain'
import {
  type BuiltSite,
  createApp,
  type HttpApp,
  type Limits,
  type MetricsText,
  openApiDocument,
  Sessions,
  type Site,
  TokenBuckets,
  UploadSlots,
  WrongKeys,
} from '@specboard/http'
import type { Logger } from 'pino'
import { eventArchivesOf } from './event-archives.ts'
import { logCall } from './log-options.ts'
import { mountMcp, uploadPath } from './mcp-mount.ts'
import { both, metricsOf, tracesOf } from './monitoring.ts'
import { notificationSettings } from './notification-settings.ts'
import { onFirstUse } from './on-first-use.ts'
import { backupSettings, databaseLimits, graphSettings, sessionLife, signInRules } from './service-settings.ts'
import { SettingError } from './setting-sources.ts'
import type { Settings } from './settings.ts'
import { authorizationAt, providersIn } from './sign-in-doors.ts'
import { providersOf } from './sign-in-file.ts'
import { endLost } from './storage-lost.ts'
import { version } from './version.ts'

const loopback: ReadonlySet<string> = new Set(['127.0.0.1', '::1', 'localhost'])

const mebibyte = 1 << 20

/** The application of a data folder, before it listens anywhere. */
export interface Application {
  readonly app: HttpApp
  /** The owner's key, at the first start only. */
  readonly ownerKey: string | undefined
  /** The metrics; undefined if they are not enabled. */
  readonly measured: MetricsText | undefined
  /** Runs a small operation; returns the unexpected error, if any. */
  readonly selfTest: () => Promise<unknown>
  /** Prepares in advance what the first call over MCP would otherwise wait for, and every other call with it. */
  prepareMcp(): Promise<unknown>
  /** Ends the open streams. */
  endStreams(): Promise<void>
  close(): Promise<void>
}

/** The pages for people, beside the API. */
export interface SitePages {
  /** The web board. */
  readonly site?: Site | undefined
  /** Returns the guide, or undefined if it could not be built. */
  readonly guide?: (() => Promise<BuiltSite | undefined>) | undefined
}

/**
 * Opens the data folder and creates the application on it. Exits the process when the files of the database are lost.
 * @param port where it will serve requests, and run the background workers; undefined if it does not serve
 * @throws SettingError for the default toolsets, StorageError for the data folder
 */
export async function openApplication(
  settings: Settings,
  log: Logger,
  { port, site, guide }: SitePages & { readonly port?: number | undefined } = {},
): Promise<Application> {
  await checkToolsets(settings.mcpDefaultToolsets)
  const providersOfFile = providersOf(settings)
  const listens = port !== undefined
  const metrics = listens ? await metricsOf(settings) : undefined
  const traces = listens ? await tracesOf(settings, log) : undefined
  const ofStorage = new Set<string>()
  const opened = await openService({
    folder: settings.dataDir,
    databaseUrl: settings.databaseUrl,
    databaseReadUrl: settings.databaseReadUrl,
    announcements: settings.announcements,
    databaseLocks: settings.databaseLocks,
    databaseConnections: settings.databasePool,
    databaseLimits: databaseLimits(settings),
    attachmentsUrl: settings.attachmentsUrl,
    version,
    secretKeyFile: settings.secretKeyFile,
    leaseMs: settings.leaseMs,
    listensAt: listens ? { host: settings.host, port } : undefined,
    ownerKey: settings.ownerApiKey,
    workers: listens,
    pinned: settings.pinned,
    attachmentMaxBytes: settings.attachmentMaxBytes,
    importMaxBytes: settings.importMaxBytes,
    reportCasesDays: settings.reportCasesDays,
    eventArchives: eventArchivesOf(settings),
    conflictMinutes: settings.mcpConflictMinutes,
    publicUrl: settings.publicUrl,
    sessionLife: sessionLife(settings),
    repeatMinutes: settings.mcpRepeatMinutes,
    answerCharacters: settings.mcpAnswerCharacters,
    quotas: { boardsPerAgent: settings.maxBoardsPerAgent, attachmentBytes: settings.maxAttachmentsMb * mebibyte },
    graph: graphSettings(settings),
    webhooks: { allowedHosts: settings.webhookAllowedHosts },
    ciIssuers: { allowedHosts: settings.oidcAllowedHosts, keysFile: settings.oidcJwksFile },
    notifications: notificationSettings(settings),
    backups: backupSettings(settings),
    openApi: operations => JSON.parse(openApiDocument(version, operations)),
    onPerformed: both(metrics?.performed, traces?.performed),
    onFault: error => log.error({ err: error }),
    onProblem: problem => {
      ofStorage.add(problem)
      log.error({ problem }, 'storage')
    },
    onCondition: (problem, isOver) => {
      // Problems with the files are logged separately.
      if (isOver) log.info({ problem }, 'over')
      else if (!ofStorage.has(problem)) log.warn({ problem }, 'problem')
    },
    onWebhook: ({ isFailing, ...webhook }) => {
      if (isFailing) log.warn(webhook, 'webhook failing')
      else log.info(webhook, 'webhook works again')
    },
    onMigration: (migration, note) => log.info({ migration, note }, 'migrated'),
    onLoss: endLost,
  })
  try {
    metrics?.watch(opened.service)
    for (const key of opened.ignoredSettings) log.warn({ setting: key }, 'stored setting out of range, ignored')
    const guarded = guardedHosts(settings)
    const authorizesAt = listens && settings.oauth !== 'off' ? settings.publicUrl : undefined
    // A request from this process has no Host, and no page can send one.
    const hosts = listens ? guarded : { local: false, allowed: [] }
    const mcp = onFirstUse(async () => {
      const { McpEndpoint } = await import('@specboard/mcp')
      return new McpEndpoint({
        service: opened.service,
        defaultToolsets: settings.mcpDefaultToolsets,
        confirms: settings.mcpConfirm === 'destructive',
        calls: new TokenBuckets(settings.mcpRateLimit),
        cors: guarded.local || guarded.allowed.length > 0,
        uploadPath: listens ? uploadPath : undefined,
        basePath: settings.basePath,
        authorizesAt,
        onFault: error => log.error({ err: error }),
        onCall: call => logCall(log, call, settings.accessLog === 'on'),
      })
    })
    const wrongKeys =
      settings.wrongKeysPerMin === 0
        ? undefined
        : new WrongKeys({
            free: settings.wrongKeysPerMin,
            onMany: address => void opened.service.recordRefused(address).catch(error => log.error({ err: error })),
          })
    const limits: Limits = { wrongKeys, calls: new TokenBuckets(settings.rateLimit), uploads: new UploadSlots() }
    const sessions = listens ? new Sessions(opened.service, signInRules(settings)) : undefined
    const providers = sessions && providersIn(providersOfFile, settings, opened.service, log)
    const authorization =
      authorizesAt === undefined ? undefined : authorizationAt(authorizesAt, settings, opened.service, log)
    const readiness = listens ? () => opened.service.environment.condition.readiness() : undefined
    const app = createApp({
      service: opened.service,
      version,
      log,
      hosts,
      basePath: settings.basePath,
      limits,
      readiness,
      measured: settings.metrics === 'on' ? metrics : undefined,
      tracing: traces,
      sessions,
      providers,
      authorization,
      trustedProxies: settings.trustedProxies,
      accessLog: settings.accessLog === 'on',
      forgeDoor: listens ? { events: opened.forgeEvents, maxBytes: settings.forgeMaxBytes } : undefined,
      channels: listens ? opened.service.environment.notifications : undefined,
      site,
      guide,
    })
    mountMcp(app, mcp.get, limits)
    return {
      app,
      ownerKey: opened.ownerKey,
      measured: metrics,
      selfTest: opened.service.environment.selfTest,
      prepareMcp: mcp.get,
      endStreams: async () => {
        opened.service.end()
        await (await mcp.existing())?.close()
      },
      close: async () => {
        await traces?.stop()
        await opened.close()
      },
    }
  } catch (error) {
    await opened.close()
    throw error
  }
}

/** The names by which the service may be addressed, including its public one, if names are checked at all. */
function guardedHosts({ host, allowedHosts, publicUrl }: Settings) {
  const local = loopback.has(host)
  const isChecked = local || allowedHosts.length > 0
  const allowed = publicUrl !== undefined && isChecked ? [...allowedHosts, new URL(publicUrl).hostname] : allowedHosts
  return { local, allowed }
}

/** Checks the default toolsets with the MCP adapter, which is loaded only when they are not `all`. */
async function checkToolsets(toolsets: string): Promise<void> {
  if (toolsets === 'all') return
  const { isToolsets } = await import('@specboard/mcp')
  if (!isToolsets(toolsets))
    throw new SettingError(`SPECBOARD_MCP_DEFAULT_TOOLSETS names an unknown toolset: "${toolsets}".`)
}
