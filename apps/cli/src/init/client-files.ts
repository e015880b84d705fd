/** The MCP configuration of each client, in the file and form that it reads in a project (mcp 4.5). */
import { configurationFor } from '@specboard/mcp/calling'
import type { JSONPath } from 'jsonc-parser'
import { edited, readJson } from './json-text.ts'

/** The clients that have a configuration in a project's folder. */
export const projectClients = ['claude-code', 'cursor', 'vscode', 'codex', 'gemini'] as const

/** A client by its name. */
export type ProjectClient = (typeof projectClients)[number]

/** The file of each client, relative to the project's folder. */
export const clientFiles: Readonly<Record<ProjectClient, string>> = {
  'claude-code': '.mcp.json',
  cursor: '.cursor/mcp.json',
  vscode: '.vscode/mcp.json',
  codex: '.codex/config.toml',
  gemini: '.gemini/settings.json',
}

/** What a client is connected with: a service, and a board there. */
interface ConnectionGoal {
  readonly url: string
  /** The key of the board. */
  readonly board: string
}

/**
 * The text of a client's file with the service added; other content, including comments, is unchanged.
 * @param present the text of the file; empty if it does not exist
 * @throws UsageError for a file that cannot be parsed
 */
export function withService(client: ProjectClient, present: string, { url, board }: ConnectionGoal): string {
  const configuration = configurationFor(client, { url, stdio: false, board })
  if (client === 'codex') return withTable(present, configuration)
  const { servers, mcpServers, inputs } = JSON.parse(configuration) as Configuration
  const existing = configurationIn(client, present)
  const [list, server] = servers === undefined ? ['mcpServers', mcpServers] : ['servers', servers]
  let text = set(present || '{}', [list, 'specboard'], existing?.[list as 'servers']?.specboard, server?.specboard)
  const present_inputs = existing?.inputs ?? []
  const missing = (inputs ?? []).filter(({ id }) => !present_inputs.some(input => input.id === id))
  if (missing.length > 0) text = set(text, ['inputs'], present_inputs, [...present_inputs, ...missing])
  return text.endsWith('\n') ? text : `${text}\n`
}

/**
 * The text of a client's file without the service; empty if it contains nothing else.
 * @throws UsageError for a file that cannot be parsed
 */
export function withoutService(client: ProjectClient, present: string): string {
  if (present === '') return ''
  if (client === 'codex') return withoutTable(present)
  const list = client === 'vscode' ? 'servers' : 'mcpServers'
  const existing = configurationIn(client, present)
  if (existing?.[list]?.specboard === undefined) return present
  const others = Object.keys(existing[list]).some(name => name !== 'specboard')
  let text = set(present, others ? [list, 'specboard'] : [list], existing, undefined)
  if (existing.inputs !== undefined) {
    const inputs = existing.inputs.filter(({ id }) => id !== keyInput)
    text = set(text, ['inputs'], existing.inputs, inputs.length > 0 ? inputs : undefined)
  }
  return /^\s*\{\s*\}\s*$/.test(text) ? '' : text
}

/** The id with which the configuration of VS Code asks for the key. */
const keyInput = 'specboard-key'

/** @throws UsageError for a text that is not JSON */
const configurationIn = (client: ProjectClient, text: string) =>
  readJson(clientFiles[client], text) as Configuration | null

interface Configuration {
  readonly servers?: { readonly specboard?: unknown } | undefined
  readonly mcpServers?: { readonly specboard?: unknown } | undefined
  readonly inputs?: readonly { readonly id: string }[]
}

/** Sets a value in a JSON text, unless it is already set. */
const set = (text: string, place: JSONPath, present: unknown, value: unknown): string =>
  JSON.stringify(present) === JSON.stringify(value) ? text : edited(text, place, value)

/** The table of the service in a TOML text, up to the next table. */
const table = /^\[mcp_servers\.specboard\][^\n]*(?:\n(?:[^[\n][^\n]*)?)*/m

/** The text of a TOML file without the table of the service. */
function withoutTable(present: string): string {
  const match = table.exec(present)
  if (match === null) return present
  const before = present.slice(0, match.index).trimEnd()
  const after = present.slice(match.index + match[0].length).trimStart()
  const rest = [before, after].filter(part => part !== '').join('\n\n')
  return rest === '' || rest.endsWith('\n') ? rest : `${rest}\n`
}

function withTable(present: string, section: string): string {
  const existing = table.exec(present)?.[0]
  if (existing === undefined)
    return `${present}${present === '' ? '' : present.endsWith('\n') ? '\n' : '\n\n'}${section}\n`
  // Blank lines before the next table do not belong to the table.
  return present.replace(existing.trimEnd(), () => section)
}
