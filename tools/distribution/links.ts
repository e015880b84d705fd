import { configurationFor } from '@specboard/mcp/calling'
import { description } from './description.ts'
import { defaultUrl } from './files.ts'

interface VsCode {
  readonly inputs: readonly unknown[]
  readonly servers: { readonly specboard: object }
}

interface Cursor {
  readonly mcpServers: { readonly specboard: object }
}

const configured = <Form>(client: 'vscode' | 'cursor'): Form =>
  JSON.parse(configurationFor(client, { url: defaultUrl, stdio: false }))

/** The address that adds the service to VS Code, which asks for the key. */
export function vsCodeLink(): string {
  const { inputs, servers } = configured<VsCode>('vscode')
  return `vscode:mcp/install?${encodeURIComponent(JSON.stringify({ name: description.name, inputs, ...servers.specboard }))}`
}

/** The address that adds the service to Cursor, which takes the key from `SPECBOARD_API_KEY`. */
export function cursorLink(): string {
  const { mcpServers } = configured<Cursor>('cursor')
  const config = Buffer.from(JSON.stringify(mcpServers.specboard)).toString('base64')
  const query = new URLSearchParams({ name: description.name, config })
  return `cursor://anysphere.cursor-deeplink/mcp/install?${query}`
}
