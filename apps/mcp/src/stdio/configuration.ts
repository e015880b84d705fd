import { addressAt } from '@specboard/client/address'
/** The clients that a configuration can be printed for. */
export const clientNames = ['claude-code', 'claude-desktop', 'codex', 'cursor', 'vscode', 'gemini', 'generic'] as const

/** A client by its name. */
export type ClientName = (typeof clientNames)[number]

const placeholder = (name: string): string => `$\{${name}}`

/** How a client's configuration refers to an environment variable or asks for the key. */
const keyOf = (client: ClientName): string => {
  if (client === 'vscode') return placeholder('input:specboard-key')
  if (client === 'cursor') return placeholder('env:SPECBOARD_API_KEY')
  if (client === 'generic') return 'dash_<your key>'
  return placeholder('SPECBOARD_API_KEY')
}

/** What a configuration depends on. */
export interface ConfigurationOptions {
  /** Base address of the service. */
  readonly url: string
  /** Whether to start `specboard mcp`, which finds the address and key on its own, instead of connecting over HTTP. */
  readonly stdio: boolean
  /** Whether to pass the address to `specboard mcp` anyway. */
  readonly named?: boolean
  /** The board that the client is bound to, by key. */
  readonly board?: string
}

/** How the list of tools of a configuration is changed, in a line. */
export const toolsetsHint =
  'toolsets=core lists the 40 tools that most work needs, and finds the others; without it all are listed.'

/**
 * A complete configuration for a client (mcp 4.5, crew 8.10) that lists the core tools. Over HTTP, a placeholder or a
 * variable stands in for the key; over stdio, there is neither key nor address (harness 1).
 */
export function configurationFor(client: ClientName, options: ConfigurationOptions): string {
  const { url, stdio, named = false, board } = options
  const endpoint = addressAt(url, `/mcp?toolsets=core${board === undefined ? '' : `&board_id=${board}`}`).href
  const bound = board === undefined ? [] : ['--board', board]
  const args = ['mcp', ...(named ? ['--url', url] : []), '--toolsets', 'core', ...bound]
  const launch = { command: 'specboard', args }
  // Desktop clients without support for headers reach the service through stdio.
  const overStdio = stdio || client === 'claude-desktop'
  if (client === 'codex') return codex(overStdio ? launch : undefined, endpoint)
  const headers = { Authorization: `Bearer ${keyOf(client)}` }
  const server = overStdio
    ? { ...(client === 'vscode' && { type: 'stdio' }), ...launch }
    : client === 'gemini'
      ? { httpUrl: endpoint, headers }
      : { ...(client !== 'cursor' && { type: 'http' }), url: endpoint, headers }
  if (client !== 'vscode') return json({ mcpServers: { specboard: server } })
  if (overStdio) return json({ servers: { specboard: server } })
  const input = { type: 'promptString', id: 'specboard-key', description: 'Specboard API key', password: true }
  return json({ inputs: [input], servers: { specboard: server } })
}

const json = (value: unknown): string => JSON.stringify(value, null, 2)

/** Codex has a TOML configuration and takes the key from a named variable. */
function codex(
  launch: { readonly command: string; readonly args: readonly string[] } | undefined,
  endpoint: string,
): string {
  const lines =
    launch === undefined
      ? [`url = ${json(endpoint)}`, 'bearer_token_env_var = "SPECBOARD_API_KEY"']
      : [`command = ${json(launch.command)}`, `args = [${launch.args.map(json).join(', ')}]`]
  return ['[mcp_servers.specboard]', ...lines].join('\n')
}
