import {
  budgets,
  clientNames,
  configurationFor,
  costOf,
  overBudget,
  serveMcpStdio,
  type ViewRequest,
} from '@specboard/mcp'
import { keepFilesPrivate } from '@specboard/storage'
import { pino } from 'pino'
import { warnOfOpenFolder } from './open-folder.ts'
import { SettingError, type Settings } from './settings.ts'
import { version } from './version.ts'

/** The flags of `specboard mcp`; each but the folders has a variable (mcp 4.1). */
export interface McpFlags {
  readonly url?: string
  readonly key?: string
  readonly toolsets?: string
  readonly tools?: string
  readonly exclude?: string
  readonly readonly?: boolean
  readonly board?: string
  /** Open the database in this process instead of asking a running server. */
  readonly embedded?: boolean
  /** Folders beside the working directory in which files may be read and written. */
  readonly allowDir?: readonly string[]
}

type Variables = Readonly<Record<string, string | undefined>>

/** What the process has left once its input ended, ms. */
const lastMoments = 400

const defaultUrl = 'http://127.0.0.1:8100'

/** `specboard mcp`: speaks MCP on stdin and stdout until stdin ends; 2 without a key. */
export async function mcp(flags: McpFlags, settings: Settings, variables: Variables): Promise<number> {
  const key = flags.key ?? variables.SPECBOARD_API_KEY
  if (!key) {
    console.error('specboard mcp: no API key. Set SPECBOARD_API_KEY; "specboard key create" makes one.')
    return 2
  }
  const upstream = flags.embedded ? await inThisProcess(settings, key) : overTheNetwork(flags, variables)
  try {
    await serveMcpStdio({
      ...upstream,
      key,
      view: viewOf(flags, variables),
      allowedFolders: flags.allowDir ?? [],
      version,
      input: process.stdin,
      output: process.stdout,
      log: line => console.error(line),
    })
    return 0
  } finally {
    await upstream.close()
    // A socket that is still being closed holds the process no longer than it may last (mcp 4.3).
    setTimeout(() => process.exit(), lastMoments).unref()
  }
}

const viewOf = (flags: McpFlags, variables: Variables): ViewRequest => ({
  toolsets: flags.toolsets ?? variables.SPECBOARD_MCP_TOOLSETS,
  tools: flags.tools ?? variables.SPECBOARD_MCP_TOOLS,
  exclude: flags.exclude ?? variables.SPECBOARD_MCP_EXCLUDE,
  readonly: flags.readonly ? '1' : variables.SPECBOARD_MCP_READONLY,
  boardId: flags.board ?? variables.SPECBOARD_MCP_BOARD,
})

function overTheNetwork(flags: McpFlags, variables: Variables) {
  const url = flags.url ?? variables.SPECBOARD_URL ?? defaultUrl
  if (!URL.canParse(url)) throw new SettingError(`--url must be an address such as ${defaultUrl}, not "${url}".`)
  return { url, send: (request: Request) => fetch(request), close: async () => {} }
}

/** The service in this process: nothing listens. The key becomes the owner's in a folder without agents. */
async function inThisProcess(settings: Settings, key: string) {
  const [{ openApplication }, { inProcess }] = await Promise.all([import('./serve.ts'), import('@specboard/http')])
  keepFilesPrivate()
  const log = pino({ level: settings.logLevel, base: null }, pino.destination(2))
  warnOfOpenFolder(settings.dataDir, log)
  const local = { ...settings, host: '127.0.0.1', ownerApiKey: settings.ownerApiKey ?? key }
  const { app, endStreams, close } = await openApplication(local, log, { listens: false })
  return {
    url: 'http://127.0.0.1',
    send: inProcess(app),
    close: async () => {
      await endStreams()
      await close()
    },
  }
}

/** `specboard mcp-config`: prints a configuration for a client, without the key. */
export function mcpConfig(
  client: string,
  options: { readonly url?: string; readonly stdio?: boolean },
  variables: Variables,
): number {
  const known = clientNames.find(name => name === client)
  if (known === undefined) throw new SettingError(`--client must be one of ${clientNames.join(', ')}, not "${client}".`)
  const url = options.url ?? variables.SPECBOARD_URL ?? defaultUrl
  console.log(configurationFor(known, { url, stdio: options.stdio ?? false }))
  return 0
}

/** `specboard mcp-tokens`: prints what a list of tools costs; 1 when it is over its budget. */
export function mcpTokens(options: { readonly toolsets?: string; readonly json?: boolean }): number {
  const toolsets = options.toolsets ?? 'all'
  const cost = costOf(toolsets)
  const budget = budgets[toolsets]
  const over = overBudget(toolsets, cost)
  if (options.json) {
    console.log(JSON.stringify({ toolsets, ...cost, budget, over: over.length > 0, exceeded: over }))
  } else {
    const of = (limit: number | undefined) => (limit === undefined ? '' : ` of ${limit}`)
    console.log(
      `${toolsets}: ${cost.tools} tools, ${cost.model} tokens for a model${of(budget?.model)}, ${cost.wire} on the wire${of(budget?.wire)}`,
    )
    for (const { name, model, wire } of cost.byTool.slice(0, 10)) console.log(`  ${name} ${model} (${wire})`)
    for (const line of over) console.log(`over budget: ${line}`)
  }
  return over.length > 0 ? 1 : 0
}
