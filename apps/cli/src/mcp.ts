import { budgetedViews, budgetOf, costOf, overBudget, serveMcpStdio, type ViewRequest } from '@specboard/mcp'
import { clientNames, configurationFor, toolsetsHint } from '@specboard/mcp/calling'
import { keepFilesPrivate } from '@specboard/storage'
import { pino } from 'pino'
import { printJson } from './frame/output.ts'
import { keyInVariables, targetOf } from './frame/target.ts'
import { UsageError } from './frame/usage-error.ts'
import { logOptions } from './log-options.ts'
import { warnOfOpenFolder } from './open-folder.ts'
import type { Settings } from './settings.ts'
import { version } from './version.ts'

/** The flags of `specboard mcp`; all but `embedded` and `allowDir` have an environment variable (mcp 4.1). */
export interface McpFlags {
  readonly url?: string
  readonly key?: string
  readonly profile?: string
  readonly toolsets?: string
  readonly tools?: string
  readonly exclude?: string
  readonly answers?: string
  readonly confirm?: string
  readonly readonly?: boolean
  readonly board?: string
  /** Whether to open the database in this process instead of calling a running server. */
  readonly embedded?: boolean
  /** Folders in which files may be read and written, besides the working directory. */
  readonly allowDir?: readonly string[]
}

type Variables = Readonly<Record<string, string | undefined>>

/** How long the process may live once everything is answered, ms. */
const lastMoments = 400

const defaultUrl = 'http://127.0.0.1:8100'

/**
 * `specboard mcp`: speaks MCP on stdin and stdout until stdin ends or SIGINT or SIGTERM arrives (mcp 4).
 * @returns 0; 1 when a request was not answered, which is listed on stderr; 2 if no key may be used
 */
export async function mcp(flags: McpFlags, settings: Settings, variables: Variables): Promise<number> {
  const { key, url, refusal } = flags.embedded
    ? embeddedTarget(flags, variables)
    : targetOf(variables, process.cwd(), flags)
  if (refusal !== undefined) {
    console.error(`specboard mcp: ${refusal}`)
    return 2
  }
  const controller = new AbortController()
  const end = () => controller.abort()
  process.once('SIGINT', end)
  process.once('SIGTERM', end)
  const upstream = flags.embedded ? await inThisProcess(settings, key!) : overTheNetwork(url)
  try {
    const answered = await serveMcpStdio({
      ...upstream,
      key,
      view: viewOf(flags, variables),
      allowedFolders: flags.allowDir ?? [],
      version,
      input: process.stdin,
      output: process.stdout,
      log: line => console.error(line),
      signal: controller.signal,
    })
    return answered ? 0 : 1
  } finally {
    await upstream.close()
    // A socket that is still closing must not keep the process alive beyond its limit (mcp 4.3).
    setTimeout(() => process.exit(), lastMoments).unref()
  }
}

const viewOf = (flags: McpFlags, variables: Variables): ViewRequest => ({
  toolsets: flags.toolsets ?? variables.SPECBOARD_MCP_TOOLSETS,
  tools: flags.tools ?? variables.SPECBOARD_MCP_TOOLS,
  exclude: flags.exclude ?? variables.SPECBOARD_MCP_EXCLUDE,
  answers: flags.answers ?? variables.SPECBOARD_MCP_ANSWERS,
  confirm: flags.confirm ?? variables.SPECBOARD_MCP_CONFIRM,
  readonly: flags.readonly ? '1' : variables.SPECBOARD_MCP_READONLY,
  boardId: flags.board ?? variables.SPECBOARD_MCP_BOARD,
})

const overTheNetwork = (url: string) => ({ url, send: (request: Request) => fetch(request), close: async () => {} })

/** The service in this process uses the given key, and no saved one: those are for other services. */
function embeddedTarget(flags: McpFlags, variables: Variables) {
  const key = flags.key || keyInVariables(variables)?.value
  return { url: defaultUrl, key, refusal: key ? undefined : 'no API key. Set SPECBOARD_API_KEY.' }
}

/** The service in this process, without listening. In a folder without agents, the key becomes the owner's. */
async function inThisProcess(settings: Settings, key: string) {
  const { openApplication } = await import('./application.ts')
  keepFilesPrivate()
  const log = pino(logOptions(settings), pino.destination(2))
  const local = { ...settings, host: '127.0.0.1', ownerApiKey: settings.ownerApiKey ?? key }
  const { app, endStreams, close } = await openApplication(local, log)
  warnOfOpenFolder(settings.dataDir, log)
  return {
    url: 'http://127.0.0.1',
    send: async (request: Request) => app.fetch(request),
    close: async () => {
      await endStreams()
      await close()
    },
  }
}

/** `specboard mcp-config`: prints a configuration for a client, without the key. */
export function mcpConfig(
  client: string,
  options: { readonly url?: string; readonly stdio?: boolean; readonly json?: boolean },
  variables: Variables,
): number {
  const clientName = clientNames.find(name => name === client)
  if (clientName === undefined)
    throw new UsageError(`--client must be one of ${clientNames.join(', ')}, not "${client}".`)
  const url = options.url ?? variables.SPECBOARD_URL ?? defaultUrl
  const configuration = configurationFor(clientName, {
    url,
    stdio: options.stdio ?? false,
    named: options.url !== undefined,
  })
  // Codex has a TOML configuration, which is contained in the object as text.
  if (options.json)
    printJson({ client: clientName, configuration: clientName === 'codex' ? configuration : JSON.parse(configuration) })
  else {
    console.log(configuration)
    console.error(toolsetsHint)
  }
  return 0
}

/** The cost of a view's list, its budget, and which parts exceed it. */
function measured(toolsets: string) {
  const cost = costOf(toolsets)
  const exceeded = overBudget(toolsets, cost)
  return { toolsets, ...cost, budget: budgetOf(toolsets), over: exceeded.length > 0, exceeded }
}

/**
 * `specboard mcp-tokens`: prints the cost of the list of tools in a view, or, if no view is given, in each view that
 * has a budget; returns 1 if one exceeds it.
 */
export function mcpTokens(options: { readonly toolsets?: string; readonly json?: boolean }): number {
  const views = (options.toolsets === undefined ? budgetedViews : [options.toolsets]).map(measured)
  const [first] = views
  if (options.json) {
    console.log(JSON.stringify(options.toolsets === undefined ? { ...first, views } : first))
  } else {
    const limitText = (limit: number | undefined) => (limit === undefined ? '' : ` of ${limit}`)
    for (const { toolsets, tools, model, wire, budget } of views)
      console.log(
        `${toolsets}: ${tools} tools, ${model} tokens for a model${limitText(budget?.model)}, ${wire} on the wire${limitText(budget?.wire)}`,
      )
    console.log(`largest tools of ${first?.toolsets}, for a model (on the wire):`)
    for (const { name, model, wire } of first?.byTool.slice(0, 10) ?? []) console.log(`  ${name} ${model} (${wire})`)
    for (const { toolsets, exceeded } of views)
      for (const line of exceeded) console.log(`over budget: ${toolsets}: ${line}`)
  }
  return views.some(({ over }) => over) ? 1 : 0
}
