/** The MCP configuration of each client, in the file and form that it reads in a project (mcp 4.5). */
import { configurationFor } from '@specboard/mcp'
import { applyEdits, type JSONPath, modify, type ParseError, parse } from 'jsonc-parser'
import { UsageError } from '../frame/usage-error.ts'

/** The clients that have a configuration in a project's folder. */
export const projectClients = ['claude-code', 'cursor', 'vscode', 'codex', 'gemini'] as const

/** A client by its name. */
export type ProjectClient = (typeof projectClients)[number]

/** The file of each client, from the project's folder. */
export const clientFiles: Readonly<Record<ProjectClient, string>> = {
  'claude-code': '.mcp.json',
  cursor: '.cursor/mcp.json',
  vscode: '.vscode/mcp.json',
  codex: '.codex/config.toml',
  gemini: '.gemini/settings.json',
}

/**
 * The text of a client's file with the service in it; what else stands there, comments included, stays.
 * @param present the text of the file; empty where there is none
 * @throws UsageError for a file that cannot be read
 */
export function withService(client: ProjectClient, present: string, url: string): string {
  const wanted = configurationFor(client, { url, stdio: false })
  if (client === 'codex') return withTable(present, wanted)
  const { servers, mcpServers, inputs } = JSON.parse(wanted) as Configuration
  const faults: ParseError[] = []
  const found = parse(present || '{}', faults, { allowTrailingComma: true }) as Configuration | undefined
  if (faults.length > 0)
    throw new UsageError(`${clientFiles[client]} is no JSON. Mend it, then run "specboard init" again.`)
  const [list, server] = servers === undefined ? ['mcpServers', mcpServers] : ['servers', servers]
  let text = set(present || '{}', [list, 'specboard'], found?.[list as 'servers']?.specboard, server?.specboard)
  const present_inputs = found?.inputs ?? []
  const missing = (inputs ?? []).filter(({ id }) => !present_inputs.some(input => input.id === id))
  if (missing.length > 0) text = set(text, ['inputs'], present_inputs, [...present_inputs, ...missing])
  return text.endsWith('\n') ? text : `${text}\n`
}

interface Configuration {
  readonly servers?: { readonly specboard?: unknown }
  readonly mcpServers?: { readonly specboard?: unknown }
  readonly inputs?: readonly { readonly id: string }[]
}

const formatting = { insertSpaces: true, tabSize: 2, eol: '\n' }

/** Sets a value in a JSON text, unless it is there. */
function set(text: string, path: JSONPath, present: unknown, value: unknown): string {
  if (JSON.stringify(present) === JSON.stringify(value)) return text
  return applyEdits(text, modify(text, path, value, { formattingOptions: formatting }))
}

/** The table of the service in a TOML text, to the next table. */
const table = /^\[mcp_servers\.specboard\][^\n]*(?:\n(?:[^[\n][^\n]*)?)*/m

function withTable(present: string, wanted: string): string {
  const found = table.exec(present)?.[0]
  if (found === undefined) return `${present}${present === '' ? '' : present.endsWith('\n') ? '\n' : '\n\n'}${wanted}\n`
  // Blank lines before the next table are not the table's.
  return present.replace(found.trimEnd(), () => wanted)
}
