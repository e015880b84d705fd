import { listen } from '@specboard/http'
import { keepFilesPrivate } from '@specboard/storage'
import { board, guide as guidePages, openSite } from '@specboard/web'
import { type Logger, pino } from 'pino'
import { openApplication, type SitePages } from './application.ts'
import { showFirstKey } from './first-key.ts'
import { logDestination, logOptions } from './log-options.ts'
import { listenForMonitors } from './monitoring.ts'
import { onFirstUse } from './on-first-use.ts'
import { warnOfOpenFolder } from './open-folder.ts'
import { placeOf, type Settings } from './settings.ts'
import { unknownVariables } from './unknown-variables.ts'
import { urlOf } from './url-of.ts'
import { version } from './version.ts'
import { endFailing, watchOperations } from './watchdog.ts'
import { ownerLink } from './web-link.ts'

/** A running service and how to end it. */
export interface RunningService {
  readonly url: string
  readonly port: number
  /** Where monitors query without a key; undefined if no separate port is set. */
  readonly metricsUrl: string | undefined
  /** The owner's key, at the first start only. */
  readonly ownerKey: string | undefined
  /** Finishes accepted requests, then closes everything. */
  stop(): Promise<void>
}

/** The delay after the start before the MCP adapter is loaded, ms: the page and `/health` are answered first. */
const mcpAfterMs = 500

/**
 * Starts the service: listens, then opens the data folder. A service that cannot get its ports leaves a new folder
 * untouched, so that the owner's key of a first start is always shown.
 * @throws SettingError for the default toolsets, StorageError for the data folder, the system's error when the port
 *   cannot be used
 */
export async function startService(settings: Settings, log: Logger, looks: SitePages = {}): Promise<RunningService> {
  const server = await listen(settings.host, settings.port)
  let monitored: Awaited<ReturnType<typeof listenForMonitors>>
  try {
    monitored = await listenForMonitors(settings)
    const { app, ownerKey, measured, selfTest, prepareMcp, endStreams, close } = await openApplication(settings, log, {
      ...looks,
      port: server.port,
    })
    server.answerWith(app, settings.basePath)
    if (measured !== undefined) monitored?.answerFrom(measured)
    // An error here is reported to the first call.
    const preparing = setTimeout(() => void prepareMcp().catch(() => {}), mcpAfterMs).unref()
    const endWatch = watchOperations({ selfTest, onFailing: endFailing })
    return {
      url: urlOf({ ...settings, port: server.port }),
      port: server.port,
      metricsUrl:
        monitored === undefined ? undefined : `${urlOf({ host: settings.metricsHost, port: monitored.port })}/metrics`,
      ownerKey,
      stop: async () => {
        clearTimeout(preparing)
        endWatch()
        await endStreams()
        await monitored?.stop()
        await server.stop()
        await close()
      },
    }
  } catch (error) {
    await monitored?.stop()
    await server.stop(0)
    throw error
  }
}

/** `specboard serve`: prints the address, and at the first start the owner's key; serves until SIGINT or SIGTERM. */
export async function serve(settings: Settings): Promise<number> {
  keepFilesPrivate()
  const destination = pino.destination(logDestination(settings))
  const log = pino(logOptions(settings), destination)
  const site = openSite(board, fault => log.error({ fault }, 'the board could not be built'))
  const guide = openSite(guidePages, fault => log.error({ fault }, 'the guide could not be built'))
  const builtGuide = onFirstUse(() => guide.open().then(guide.built))
  const running = await startService(settings, log, { site, guide: builtGuide.get })
  const stop = async () => {
    site.close()
    guide.close()
    await running.stop()
  }
  // Listened for before the address is printed: a reader of the address may end the process at once.
  const ended = new Promise<void>(resolve => {
    process.once('SIGINT', resolve)
    process.once('SIGTERM', resolve)
  })
  log.info({ version, url: running.url }, 'started')
  site.open()
  try {
    await showStart(running, settings, log)
  } catch (error) {
    await stop()
    throw error
  }
  await ended
  await stop()
  log.info('stopped')
  destination.flushSync()
  return 0
}

/** Prints where a service serves, and at the first start the owner's key; logs what is wrong with its surroundings. */
async function showStart({ url, ownerKey }: RunningService, settings: Settings, log: Logger): Promise<void> {
  warnOfOpenFolder(settings.dataDir, log)
  for (const { name, says } of await unknownVariables(process.env)) log.warn({ variable: name }, says)
  if (ownerKey !== undefined) showFirstKey(ownerKey, settings.ownerKeyFile)
  console.log(`Specboard ${version} serves on ${url} (MCP on ${url}/mcp, console on ${url}/docs)`)
  if (!process.stdout.isTTY) return
  const link = await ownerLink(placeOf(settings), url, settings.secretKeyFile)
  if (link !== undefined)
    console.log(`Board: ${link} (signs you in once, within 10 minutes; "specboard open" makes another)`)
}
