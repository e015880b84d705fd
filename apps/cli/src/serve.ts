import { type KnowledgeGraphSettings, openService } from '@specboard/domain'
import { HttpApp, listen, openApiDocument } from '@specboard/http'
import type { McpEndpoint } from '@specboard/mcp'
import { keepFilesPrivate } from '@specboard/storage'
import { type Logger, pino } from 'pino'
import { warnOfOpenFolder } from './open-folder.ts'
import { SettingError, type Settings } from './settings.ts'
import { endLost } from './storage-lost.ts'
import { version } from './version.ts'

/** A running service and how to end it. */
export interface Running {
  readonly url: string
  readonly port: number
  /** The owner's key, at the first start only. */
  readonly ownerKey: string | undefined
  /** Finishes what was accepted, then closes everything. */
  stop(): Promise<void>
}

const loopback: ReadonlySet<string> = new Set(['127.0.0.1', '::1', 'localhost'])

/** The application of a data folder, before it listens anywhere. */
export interface Application {
  readonly app: HttpApp
  /** The owner's key, at the first start only. */
  readonly ownerKey: string | undefined
  /** Ends the open streams. */
  endStreams(): Promise<void>
  close(): Promise<void>
}

/**
 * Opens the data folder and makes the application on it. Ends the process when the files of the database are lost.
 * @param listens whether it will be served, and works on what waits
 * @throws SettingError of the default toolsets, StorageError of the data folder
 */
export async function openApplication(
  settings: Settings,
  log: Logger,
  { listens = true }: { readonly listens?: boolean } = {},
): Promise<Application> {
  await checkToolsets(settings.mcpDefaultToolsets)
  const opened = await openService({
    folder: settings.dataDir,
    version,
    ownerKey: settings.ownerApiKey,
    workers: listens,
    pinned: settings.pinned,
    attachmentMaxBytes: settings.attachmentMaxBytes,
    graph: graphSettings(settings),
    openApi: operations => JSON.parse(openApiDocument(version, operations)),
    onFault: error => log.error({ err: error }),
    onProblem: problem => log.error({ problem }, 'storage'),
    onLoss: endLost,
  })
  try {
    for (const key of opened.ignoredSettings) log.warn({ setting: key }, 'stored setting out of range, ignored')
    const hosts = { local: loopback.has(settings.host), allowed: settings.allowedHosts }
    const mcp = onFirstUse(async () => {
      const { McpEndpoint } = await import('@specboard/mcp')
      return new McpEndpoint({
        service: opened.service,
        defaultToolsets: settings.mcpDefaultToolsets,
        rateLimit: settings.mcpRateLimit,
        cors: hosts.local || hosts.allowed.length > 0,
        uploadPath: listens ? uploadPath : undefined,
        onFault: error => log.error({ err: error }),
        onCall: call => log.info(call),
      })
    })
    const app = new HttpApp({ service: opened.service, log, hosts })
    mountMcp(app, mcp.get)
    return {
      app,
      ownerKey: opened.ownerKey,
      endStreams: async () => {
        opened.service.end()
        await (await mcp.made())?.close()
      },
      close: () => opened.close(),
    }
  } catch (error) {
    await opened.close()
    throw error
  }
}

/**
 * Starts the service: opens the data folder, listens, answers.
 * @throws SettingError of the default toolsets, StorageError of the data folder, and the system's error of a port that cannot be taken
 */
export async function startService(settings: Settings, log: Logger): Promise<Running> {
  const { app, ownerKey, endStreams, close } = await openApplication(settings, log)
  try {
    const server = await listen(app, settings.host, settings.port)
    const host = settings.host.includes(':') ? `[${settings.host}]` : settings.host
    return {
      url: `http://${host}:${server.port}`,
      port: server.port,
      ownerKey,
      stop: async () => {
        await endStreams()
        await server.stop()
        await close()
      },
    }
  } catch (error) {
    await close()
    throw error
  }
}

/** The default toolsets are known to the MCP adapter, which is loaded only for one that is not `all`. */
async function checkToolsets(toolsets: string): Promise<void> {
  if (toolsets === 'all') return
  const { isToolsets } = await import('@specboard/mcp')
  if (!isToolsets(toolsets)) throw new SettingError(`SPECBOARD_MCP_DEFAULT_TOOLSETS names no toolset: "${toolsets}".`)
}

/** Something that takes time and memory to make: made when first asked for, once. */
function onFirstUse<Value>(make: () => Promise<Value>) {
  let making: Promise<Value> | undefined
  return {
    get: (): Promise<Value> => {
      making ??= make()
      return making
    },
    /** What was made; undefined when nobody asked. */
    made: async (): Promise<Value | undefined> => making,
  }
}

/** How the knowledge graph is set up: an embeddings endpoint needs its model and dimension. */
export function graphSettings(settings: Settings): KnowledgeGraphSettings {
  const { kgEmbeddingUrl: url, kgEmbeddingModel: model, kgEmbeddingDim: dimension } = settings
  if (url !== undefined && (model === undefined || dimension === undefined))
    throw new SettingError(
      'SPECBOARD_KG_EMBEDDING_URL needs SPECBOARD_KG_EMBEDDING_MODEL and SPECBOARD_KG_EMBEDDING_DIM.',
    )
  return {
    ...(url !== undefined && {
      embedding: { url, model: model!, dimension: dimension!, apiKey: settings.kgEmbeddingApiKey },
    }),
    cypherPerMinute: settings.kgCypherRatePerMin,
    withTraces: settings.logLevel === 'debug' || settings.logLevel === 'trace',
  }
}

/** Where the files of upload tickets are sent. */
const uploadPath = '/mcp/uploads'

/** Puts the MCP endpoint on `/mcp`, behind the guards of the application. */
function mountMcp(app: HttpApp, endpoint: () => Promise<McpEndpoint>): void {
  for (const path of ['/mcp', '/mcp/'])
    app.mountWeb(path, async (request, context) => (await endpoint()).fetch(request, context))
  app.mountUploads(uploadPath, async (ticket, file, seen) => (await endpoint()).upload(ticket, file, seen))
}

/** `specboard serve`: prints the address, at the first start the owner's key, and serves until SIGINT or SIGTERM. */
export async function serve(settings: Settings): Promise<number> {
  keepFilesPrivate()
  const destination = pino.destination({ fd: 2, sync: false })
  const log = pino({ level: settings.logLevel, base: null }, destination)
  warnOfOpenFolder(settings.dataDir, log)
  const running = await startService(settings, log)
  if (running.ownerKey !== undefined) {
    console.log(`API key: ${running.ownerKey}`)
    console.log('This is the owner\'s key, shown once. Lost it? "specboard key reset-owner" makes a new one.')
  }
  console.log(
    `Specboard ${version} serves on ${running.url} (MCP on ${running.url}/mcp, console on ${running.url}/docs)`,
  )
  await new Promise<void>(resolve => {
    process.once('SIGINT', resolve)
    process.once('SIGTERM', resolve)
  })
  await running.stop()
  destination.flushSync()
  return 0
}
